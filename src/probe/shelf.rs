//! The tables of one kind: found by their men, opened when first needed.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::kind::Probed;
use super::open_files::{Closable, OpenFiles};
use crate::container::{Container, Elsewhere, FileBytes, Kind, TableError, TableErrorKind};
use crate::material::{CanonicalMaterial, Material};

/// A table, in its file or in the bytes of one.
pub(super) type TableIn<K> = Container<K, FileBytes>;

/// Where the table of some men is, and whether the colours must change places to find a position
/// in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The number of its slot.
    pub slot: usize,
    /// True if Black has the men that the table calls White's.
    pub swapped: bool,
}

/// The tables of one kind.
#[derive(Debug)]
pub(super) struct Shelf<K: Probed> {
    /// The tables by the men as they stand on a board: each under its own name and under that with
    /// the colours exchanged.
    by_men: FxHashMap<Material, Found>,
    slots: Vec<Slot<K>>,
}

/// A table.
#[derive(Debug)]
struct Slot<K: Probed> {
    material: CanonicalMaterial,
    place: Place<K>,
    /// What its header says, once that has been read. It is kept as long as the shelf lives.
    contents: OnceLock<K::Contents>,
}

/// Where a table is.
#[derive(Debug)]
pub(super) enum Place<K: Kind> {
    /// In bytes that stay.
    Given(Arc<TableIn<K>>),
    /// With a source, which may not have all of the bytes yet; the table, once its header has been read.
    Source(Elsewhere, OnceLock<Arc<TableIn<K>>>),
    /// In a directory.
    OnDisk(Arc<OnDisk<K>>),
}

/// A table's file on disk.
#[derive(Debug)]
pub(super) struct OnDisk<K: Kind> {
    path: PathBuf,
    file: RwLock<Option<Arc<TableIn<K>>>>,
}

impl<K: Kind> Place<K> {
    /// In bytes that have been read.
    pub fn given(file: TableIn<K>) -> Place<K> {
        Place::Given(Arc::new(file))
    }

    /// With a source.
    pub fn source(source: Elsewhere) -> Place<K> {
        Place::Source(source, OnceLock::new())
    }

    /// In a file.
    pub fn on_disk(path: PathBuf) -> Place<K> {
        let file = RwLock::new(None);
        Place::OnDisk(Arc::new(OnDisk { path, file }))
    }

    /// The path, if it is in a directory.
    fn path(&self) -> Option<&Path> {
        match self {
            Place::OnDisk(file) => Some(&file.path),
            _ => None,
        }
    }
}

impl<K: Kind> OnDisk<K> {
    /// The file, if it is open. The lock is released before the caller does anything with it.
    fn opened(&self) -> Option<Arc<TableIn<K>>> {
        let file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        file.clone()
    }

    /// Keeps a file open, unless another thread has opened it meanwhile. Returns the one kept.
    fn keep(&self, file: Arc<TableIn<K>>) -> Arc<TableIn<K>> {
        let mut place = self.file.write().unwrap_or_else(PoisonError::into_inner);
        place.get_or_insert(file).clone()
    }
}

impl<K: Kind> Closable for OnDisk<K> {
    fn close(&self) {
        let mut place = self.file.write().unwrap_or_else(PoisonError::into_inner);
        *place = None;
    }
}

impl<K: Probed> Default for Shelf<K> {
    fn default() -> Shelf<K> {
        Shelf {
            by_men: FxHashMap::default(),
            slots: Vec::new(),
        }
    }
}

impl<K: Probed> Shelf<K> {
    /// Adds a table, unless there is one of its ending. Returns whether it is new.
    pub fn add(
        &mut self,
        material: CanonicalMaterial,
        place: Place<K>,
        contents: OnceLock<K::Contents>,
    ) -> bool {
        let Material { white, black } = material.material();
        if self.by_men.contains_key(&material.material()) {
            return false;
        }
        let slot = self.slots.len();
        self.slots.push(Slot {
            material,
            place,
            contents,
        });
        let exchanged = Material {
            white: black,
            black: white,
        };
        // Where both sides have the same men, it is the same key, and the first stays.
        for (men, swapped) in [(material.material(), false), (exchanged, true)] {
            let found = Found { slot, swapped };
            self.by_men.entry(men).or_insert(found);
        }
        true
    }

    /// The table of these men, on whichever side each of them is.
    #[inline]
    pub fn find(&self, men: Material) -> Option<Found> {
        self.by_men.get(&men).copied()
    }

    /// The slot of an ending's table.
    pub fn slot(&self, material: CanonicalMaterial) -> Option<usize> {
        Some(self.find(material.material())?.slot)
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// The tables, those of smaller endings first, each with the number of its slot.
    pub fn tables(&self) -> impl Iterator<Item = (CanonicalMaterial, usize)> + use<K> {
        let slots = self.slots.iter().enumerate();
        let mut tables: Vec<_> = slots
            .map(|(number, slot)| (slot.material, number))
            .collect();
        tables.sort_unstable();
        tables.into_iter()
    }

    /// The tables in directories, those of smaller endings first, each with its file.
    pub fn files(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        let tables = self.tables();
        tables.filter_map(|(material, slot)| Some((material, self.path(slot)?)))
    }

    /// The path of a table, if it is in a directory.
    pub fn path(&self, slot: usize) -> Option<&Path> {
        self.slots[slot].place.path()
    }

    /// What the header of a table says, if it has been read.
    #[inline]
    pub fn known_contents(&self, slot: usize) -> Option<&K::Contents> {
        self.slots[slot].contents.get()
    }

    /// What the header of a table says, read now if it was not.
    #[inline]
    pub fn contents(
        &self,
        slot: usize,
        open: &OpenFiles,
        pages: &AtomicU64,
    ) -> Result<&K::Contents, TableError> {
        match self.known_contents(slot) {
            Some(contents) => Ok(contents),
            None => self.read_contents(slot, open, pages),
        }
    }

    #[cold]
    fn read_contents(
        &self,
        slot: usize,
        open: &OpenFiles,
        pages: &AtomicU64,
    ) -> Result<&K::Contents, TableError> {
        // A failure is not kept: the next probe tries again.
        let contents = K::contents(&*self.file(slot, open)?, pages)?;
        Ok(self.slots[slot].contents.get_or_init(|| contents))
    }

    /// The file of a table, opened now if it was not.
    pub fn file(&self, number: usize, open: &OpenFiles) -> Result<Arc<TableIn<K>>, TableError> {
        let slot = &self.slots[number];
        match &slot.place {
            Place::Given(file) => Ok(file.clone()),
            Place::Source(source, place) => {
                if let Some(file) = place.get() {
                    return Ok(file.clone());
                }
                // A failure is not kept.
                let file = TableIn::<K>::new(FileBytes::Elsewhere(source.clone()))?;
                let (expected, found) = (slot.material, file.material());
                if found != expected {
                    let kind = TableErrorKind::WrongMaterial { expected, found };
                    return Err(TableError::new(None, Some(expected), kind));
                }
                Ok(place.get_or_init(|| Arc::new(file)).clone())
            }
            Place::OnDisk(on_disk) => {
                let file = match on_disk.opened() {
                    Some(file) => file,
                    None => {
                        let file = TableIn::open_as(&on_disk.path, slot.material, open.access)?;
                        if slot
                            .contents
                            .get()
                            .is_some_and(|known| !K::is_of(known, &file))
                        {
                            let what = "it is not that of the table first found here";
                            return Err(file.damaged(what));
                        }
                        on_disk.keep(Arc::new(file))
                    }
                };
                open.used(on_disk);
                Ok(file)
            }
        }
    }

    /// The number of files of directories that are open, or mapped.
    pub fn open_files(&self) -> usize {
        let is_open = |slot: &&Slot<K>| match &slot.place {
            Place::OnDisk(file) => file.opened().is_some(),
            _ => false,
        };
        self.slots.iter().filter(is_open).count()
    }
}
