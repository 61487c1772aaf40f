//! The tables of a tablebase: found by their men, opened when first needed, with the cache of
//! their decoded blocks.

#[cfg(feature = "files")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::cache::PageCache;
use super::contents::Contents;
use super::disk::Disk;
use super::error::ProbeError;
use super::options::Options;
use super::provided::Provided;
use super::verdicts::VerdictStore;
use crate::material::{CanonicalMaterial, Material};
use crate::rules::NotInTables;
use crate::table::{Elsewhere, FileBytes, TableError, TableFile};

/// Where the table of some men is, and whether the colours must change places to find a position
/// in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The number of its slot.
    pub slot: usize,
    /// True if Black has the men that the table calls White's.
    pub swapped: bool,
}

/// A table.
#[derive(Debug)]
struct Slot {
    material: CanonicalMaterial,
    /// What its header says, once that has been read. It is kept as long as the store lives.
    contents: OnceLock<Contents>,
}

/// The tables, and the cache of their blocks.
#[derive(Debug)]
pub(super) struct Store {
    directories: Arc<[PathBuf]>,
    /// The tables by the men as they stand on a board: each under its own name and under that with
    /// the colours exchanged.
    by_men: FxHashMap<Material, Found>,
    slots: Vec<Slot>,
    /// The files of the slots, under the same numbers.
    disk: Disk,
    /// The key of the next page of the cache. Keys begin with 1.
    pub next_page: AtomicU64,
    /// The decoded blocks.
    pub cache: PageCache,
    /// The verdict tables.
    pub verdicts: VerdictStore,
    #[cfg(feature = "files")]
    access: crate::table::Access,
}

impl Store {
    /// A store of no tables.
    pub fn new(options: &Options, cache: PageCache) -> Store {
        Store {
            directories: Arc::default(),
            by_men: FxHashMap::default(),
            slots: Vec::new(),
            disk: Disk::new(options),
            next_page: AtomicU64::new(1),
            cache,
            verdicts: VerdictStore::default(),
            #[cfg(feature = "files")]
            access: options.access,
        }
    }

    /// The directories added, in that order.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// Notes that a directory is looked in.
    #[cfg(feature = "files")]
    pub fn add_directory(&mut self, directory: &Path) {
        let directories = self.directories.iter().cloned();
        self.directories = directories.chain([directory.to_path_buf()]).collect();
    }

    /// Adds the table in a file, unless there is one of its ending.
    #[cfg(feature = "files")]
    pub fn add_file(&mut self, material: CanonicalMaterial, path: PathBuf) {
        if self.reserve(material, OnceLock::new()) {
            self.disk.add_file(material, path);
        }
    }

    /// Adds the verdict table in a file, unless there is one of its ending.
    #[cfg(feature = "files")]
    pub fn add_verdict_file(&mut self, material: CanonicalMaterial, path: PathBuf) -> bool {
        self.verdicts.add_file(material, path, self.access)
    }

    /// Adds the table in these bytes, unless there is one of its ending. Its header is read now.
    pub fn add_bytes(&mut self, bytes: FileBytes) -> Result<CanonicalMaterial, TableError> {
        let file = TableFile::new(bytes)?;
        let material = file.material();
        let contents = Contents::new(&file, &self.next_page)?;
        if self.reserve(material, OnceLock::from(contents)) {
            self.disk.add_provided(Provided::given(file));
        }
        Ok(material)
    }

    /// Adds the table that a source provides, unless there is one of its ending.
    pub fn add_elsewhere(&mut self, material: CanonicalMaterial, source: Elsewhere) {
        if self.reserve(material, OnceLock::new()) {
            self.disk.add_provided(Provided::by(source, material));
        }
    }

    /// Sets up the next slot. False if there is one of the ending.
    fn reserve(&mut self, material: CanonicalMaterial, contents: OnceLock<Contents>) -> bool {
        let Material { white, black } = material.material();
        if self.by_men.contains_key(&material.material()) {
            return false;
        }
        let slot = self.slots.len();
        self.slots.push(Slot { material, contents });
        for (men, swapped) in [
            (Material { white, black }, false),
            // Where both sides have the same men, it is the same key, and the first stays.
            (
                Material {
                    white: black,
                    black: white,
                },
                true,
            ),
        ] {
            let found = Found { slot, swapped };
            self.by_men.entry(men).or_insert(found);
        }
        true
    }

    /// The table of these men, on whichever side each of them is.
    ///
    /// # Errors
    ///
    /// If there is none.
    #[inline]
    pub fn find(&self, men: Material) -> Result<Found, ProbeError> {
        match self.by_men.get(&men) {
            Some(&found) => Ok(found),
            None => Err(self.missing(men)),
        }
    }

    /// The slot of an ending's table.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn slot(&self, material: CanonicalMaterial) -> Result<usize, ProbeError> {
        Ok(self.find(material.material())?.slot)
    }

    #[cold]
    fn missing(&self, men: Material) -> ProbeError {
        match men.check_men() {
            Ok(()) => ProbeError::Missing {
                material: men.canonical().0,
                directories: self.directories.clone(),
            },
            Err(error) => NotInTables::from(error).into(),
        }
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The tables, those of smaller endings first, each with the number of its slot.
    pub fn tables(&self) -> impl Iterator<Item = (CanonicalMaterial, usize)> + use<> {
        let slots = self.slots.iter().enumerate();
        let mut tables: Vec<_> = slots
            .map(|(number, slot)| (slot.material, number))
            .collect();
        tables.sort_unstable();
        tables.into_iter()
    }

    /// What the header of a table says, read now if it was not.
    #[inline]
    pub fn contents(&self, slot: usize) -> Result<&Contents, TableError> {
        match self.known_contents(slot) {
            Some(contents) => Ok(contents),
            None => self.read_contents(slot),
        }
    }

    /// What the header of a table says, if it has been read.
    #[inline]
    pub fn known_contents(&self, slot: usize) -> Option<&Contents> {
        self.slots[slot].contents.get()
    }

    #[cold]
    fn read_contents(&self, slot: usize) -> Result<&Contents, TableError> {
        // A failure is not kept: the next probe tries again.
        let file = self.file(slot)?;
        let contents = Contents::new(&file, &self.next_page)?;
        Ok(self.slots[slot].contents.get_or_init(|| contents))
    }

    /// The file of a table, opened now if it was not.
    pub fn file(&self, slot: usize) -> Result<Arc<TableFile>, TableError> {
        self.disk
            .file(slot, |file| match self.known_contents(slot) {
                Some(contents) if !contents.is_of(file) => {
                    Err(file.damaged("it is not that of the table first found here"))
                }
                _ => Ok(()),
            })
    }

    /// The path of a table, if it is in a directory.
    #[cfg(feature = "files")]
    pub fn path(&self, slot: usize) -> Option<&Path> {
        self.disk.path(slot)
    }

    /// The number of files of directories that are open, or mapped.
    #[cfg(feature = "files")]
    pub fn open_files(&self) -> usize {
        self.disk.open_files()
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use crate::material::materials_of;

    #[test]
    fn tables_are_found_from_either_side() {
        let mut store = Store::new(&Options::default(), PageCache::none());
        let mut all = Vec::new();
        for men in 3..=6 {
            all.extend(materials_of(men));
        }
        for &material in &all {
            assert!(store.slot(material).is_err(), "{material}");
            store.add_file(material, PathBuf::from("nowhere"));
        }
        for (slot, material) in all.iter().enumerate() {
            let Material { white, black } = material.material();
            let find = |white, black| store.find(Material { white, black }).unwrap();
            let found = |swapped| Found { slot, swapped };
            assert_eq!(find(white, black), found(false), "{material}");
            assert_eq!(find(black, white), found(white != black), "{material}");
        }
        assert!(store.tables().map(|(material, _)| material).is_sorted());
        assert_eq!(store.len(), all.len());
    }
}
