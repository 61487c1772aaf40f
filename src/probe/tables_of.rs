//! The tables of one kind: finds a table by its men, opens it when it is first needed,
//! and limits the number of open files.

use std::collections::VecDeque;
use std::fmt::{self, Debug};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use super::probe_header::Probed;
use crate::container::{CallerSource, Container, FileBytes, Kind, TableError, TableErrorKind};
use crate::material::{CanonicalMaterial, Material};
use crate::rules::{RuleSet, RuleSets};
use crate::table::Access;

/// An open file that can be closed to save a file descriptor.
pub(super) trait Closable: Debug + Send + Sync {
    /// Closes the file. Threads that are reading from it keep it open until they are done.
    fn close(&self);
}

/// The open files of all tables, with a limit on their number, and the cache keys of their pages.
#[derive(Debug)]
pub(super) struct Files {
    /// The access method for files.
    pub access: Access,
    /// The largest number of files that may be open at once.
    most: usize,
    /// The first cache key that is not assigned to a page yet; keys start at 1.
    pub next_page: AtomicU64,
    /// The number of all files, open or closed.
    all: usize,
    /// The open files, most recently used last. Empty if there is no limit.
    order: Mutex<VecDeque<Arc<dyn Closable>>>,
}

impl Files {
    /// An empty list of files.
    pub fn new(access: Access, most_open: Option<usize>) -> Files {
        Files {
            access,
            most: most_open.map_or(usize::MAX, |most| most.max(1)),
            next_page: AtomicU64::new(1),
            all: 0,
            order: Mutex::default(),
        }
    }

    /// Raises the number of files, open or closed, by one.
    pub fn add(&mut self) {
        self.all += 1;
    }

    /// Marks an open file as used, and closes the least recently used one if too many are open.
    pub fn used<F: Closable + 'static>(&self, file: &Arc<F>) {
        if self.most >= self.all {
            return;
        }
        let is_it = |other: &Arc<dyn Closable>| {
            Arc::as_ptr(other).cast::<()>() == Arc::as_ptr(file).cast::<()>()
        };
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if order.back().is_some_and(is_it) {
            return;
        }
        order.retain(|other| !is_it(other));
        order.push_back(file.clone());
        while order.len() > self.most {
            if let Some(oldest) = order.pop_front() {
                oldest.close();
            }
        }
    }
}

/// A table in a file or in memory.
pub(super) type TableIn<K> = Container<K, FileBytes>;

/// The table found for the men on a board, perhaps with colours exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The index of the table's slot.
    pub slot: usize,
    /// True if Black has the men that the table calls White's.
    pub swapped: bool,
}

/// The tables of one kind.
#[derive(Debug)]
pub(super) struct TablesOf<K: Probed> {
    /// Finds tables by the men on the board. Each table has two entries: one for its own men, and
    /// one for these men with colours exchanged.
    by_men: FxHashMap<Material, Found>,
    slots: Vec<Slot<K>>,
    /// The slot of each table that is a file.
    by_path: FxHashMap<PathBuf, usize>,
    /// The last slot of each ending that has several.
    last: FxHashMap<CanonicalMaterial, usize>,
}

/// A slot: one table, opened or not.
#[derive(Debug)]
struct Slot<K: Probed> {
    material: CanonicalMaterial,
    place: Place<K>,
    /// The parsed header. Once read, it stays in memory as long as the slot does.
    contents: OnceLock<K::ProbeHeader>,
    /// The slot of the same ending's table in a later directory.
    next: Option<usize>,
    /// The error found in this table, if the table of a later directory is used in its place.
    damage: OnceLock<Arc<TableError>>,
}

/// A corrupt table, replaced by the same ending's table in a later directory.
#[derive(Clone, Debug)]
pub struct Replaced {
    /// The error found in the corrupt table. It names the file.
    pub damage: Arc<TableError>,
    /// The file that is used instead.
    pub by: PathBuf,
}

impl fmt::Display for Replaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; reading {} instead", self.damage, self.by.display())
    }
}

/// The location of a table.
#[derive(Debug)]
pub(super) enum Place<K: Kind> {
    /// The table is in memory.
    Given(Arc<TableIn<K>>),
    /// The table comes from a source that may not have all of its bytes yet. Once the header has
    /// been read, the parsed table is stored here.
    Source(CallerSource, OnceLock<Arc<TableIn<K>>>),
    /// The table is a file in a directory.
    OnDisk(Arc<OnDisk<K>>),
}

/// A table's file on disk.
#[derive(Debug)]
pub(super) struct OnDisk<K: Kind> {
    path: PathBuf,
    file: RwLock<Option<Arc<TableIn<K>>>>,
}

impl<K: Kind> Place<K> {
    /// The location of a table in memory.
    pub fn given(file: TableIn<K>) -> Place<K> {
        Place::Given(Arc::new(file))
    }

    /// The location of a table at a source.
    pub fn source(source: CallerSource) -> Place<K> {
        Place::Source(source, OnceLock::new())
    }

    /// The location of a table in a file.
    pub fn on_disk(path: PathBuf) -> Place<K> {
        let file = RwLock::new(None);
        Place::OnDisk(Arc::new(OnDisk { path, file }))
    }

    /// The path of the table's file, if the table is in a directory.
    fn path(&self) -> Option<&Path> {
        match self {
            Place::OnDisk(file) => Some(&file.path),
            _ => None,
        }
    }
}

impl<K: Kind> OnDisk<K> {
    /// The file, if it is open. The lock is released before the function returns.
    fn opened(&self) -> Option<Arc<TableIn<K>>> {
        let file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        file.clone()
    }

    /// Stores an opened file, unless another thread has stored one first. Returns the stored file.
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

impl<K: Probed> Default for TablesOf<K> {
    fn default() -> TablesOf<K> {
        TablesOf {
            by_men: FxHashMap::default(),
            slots: Vec::new(),
            by_path: FxHashMap::default(),
            last: FxHashMap::default(),
        }
    }
}

impl<K: Probed> TablesOf<K> {
    /// Adds a table. Returns false if the table is not added: its ending has a table
    /// already, and the new table is not in a file, or is in a file that was added before. A second
    /// table of an ending is used only if the first is corrupt or has no results for a probe's rule
    /// set.
    pub fn add(
        &mut self,
        material: CanonicalMaterial,
        place: Place<K>,
        contents: OnceLock<K::ProbeHeader>,
    ) -> bool {
        let slot = self.slots.len();
        if let Some(first) = self.first(material) {
            match place.path() {
                None => return false,
                Some(path) if self.by_path.contains_key(path) => return false,
                Some(_) => {}
            }
            let last = self.last.insert(material, slot).unwrap_or(first);
            self.slots[last].next = Some(slot);
        }
        if let Some(path) = place.path() {
            self.by_path.insert(path.to_path_buf(), slot);
        }
        self.slots.push(Slot {
            material,
            place,
            contents,
            next: None,
            damage: OnceLock::new(),
        });
        let exchanged = material.material().exchanged();
        // With equal armies both keys are the same, and the first entry stays.
        for (men, swapped) in [(material.material(), false), (exchanged, true)] {
            let found = Found { slot, swapped };
            self.by_men.entry(men).or_insert(found);
        }
        true
    }

    /// The table for these men, as given or with exchanged colours.
    #[inline]
    pub fn find(&self, men: Material) -> Option<Found> {
        let found = *self.by_men.get(&men)?;
        match self.slots[found.slot].damage.get() {
            None => Some(found),
            Some(_) => Some(self.replacement(found)),
        }
    }

    /// The first table after a corrupt one, in the order of directories, that is not corrupt.
    #[cold]
    fn replacement(&self, found: Found) -> Found {
        let mut slot = found.slot;
        while let Slot {
            next: Some(next),
            damage,
            ..
        } = &self.slots[slot]
            && damage.get().is_some()
        {
            slot = *next;
        }
        Found { slot, ..found }
    }

    /// The slot of an ending's table in the first directory that has one, even if that table is
    /// corrupt.
    pub fn first(&self, material: CanonicalMaterial) -> Option<usize> {
        Some(self.by_men.get(&material.material())?.slot)
    }

    /// Marks the corrupt table that `error` names as unusable, if a later directory has a table of
    /// the ending.
    ///
    /// # Errors
    ///
    /// The given error, if there is no later table or if the file is not corrupt.
    #[cold]
    pub fn set_aside(&self, error: TableError) -> Result<(), TableError> {
        let path = match error.path() {
            Some(path) if error.is_damage() => path,
            _ => return Err(error),
        };
        match self.by_path.get(path).map(|&slot| &self.slots[slot]) {
            Some(Slot {
                next: Some(_),
                damage,
                ..
            }) => {
                // Another thread may have been faster.
                let _ = damage.set(Arc::new(error));
                Ok(())
            }
            _ => Err(error),
        }
    }

    /// The corrupt tables that were set aside, with their replacements.
    pub fn replaced(&self) -> impl Iterator<Item = Replaced> {
        self.slots.iter().filter_map(|slot| {
            let damage = slot.damage.get()?.clone();
            let by = self.path(slot.next?)?.to_path_buf();
            Some(Replaced { damage, by })
        })
    }

    /// The number of endings that have a table of this kind.
    pub fn len(&self) -> usize {
        self.tables().count()
    }

    /// The first table of each ending, with the index of its slot; smaller endings first.
    pub fn tables(&self) -> impl Iterator<Item = (CanonicalMaterial, usize)> + use<K> {
        let found = self.by_men.values().map(|found| found.slot);
        let mut tables: Vec<_> = found
            .map(|slot| (self.slots[slot].material, slot))
            .collect();
        tables.sort_unstable();
        tables.dedup();
        tables.into_iter()
    }

    /// The tables that are files in directories, each with its path; smaller endings first.
    pub fn files(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        let tables = self.tables();
        tables.filter_map(|(material, slot)| Some((material, self.path(slot)?)))
    }

    /// The path of a table, if it is in a directory.
    pub fn path(&self, slot: usize) -> Option<&Path> {
        self.slots[slot].place.path()
    }

    /// The parsed header of a table, if it has been read.
    #[inline]
    pub fn known_contents(&self, slot: usize) -> Option<&K::ProbeHeader> {
        self.slots[slot].contents.get()
    }

    /// The parsed header of a table, read at the first use.
    #[inline]
    pub fn contents(&self, slot: usize, files: &Files) -> Result<&K::ProbeHeader, TableError> {
        match self.known_contents(slot) {
            Some(contents) => Ok(contents),
            None => self.read_contents(slot, files),
        }
    }

    /// The table for these men, from the first directory where its header is valid, with the parsed
    /// header. `None` if there is no table.
    pub fn usable(
        &self,
        men: Material,
        files: &Files,
    ) -> Result<Option<(Found, &K::ProbeHeader)>, TableError> {
        loop {
            let Some(found) = self.find(men) else {
                return Ok(None);
            };
            match self.contents(found.slot, files) {
                Ok(contents) => return Ok(Some((found, contents))),
                Err(error) => self.set_aside(error)?,
            }
        }
    }

    /// Like [`TablesOf::usable`], but returns the first valid table with results for a rule set. If
    /// no table has results for it, returns the first valid table.
    pub fn usable_under(
        &self,
        men: Material,
        rules: RuleSet,
        files: &Files,
    ) -> Result<Option<(Found, &K::ProbeHeader)>, TableError> {
        let Some((found, contents)) = self.usable(men, files)? else {
            return Ok(None);
        };
        let mut table = (found, contents);
        let mut next = Some(found.slot);
        while !K::rules(table.1).contains(rules) {
            next = self
                .slots
                .get(next.unwrap_or(usize::MAX))
                .and_then(|slot| slot.next);
            let Some(slot) = next else {
                return Ok(Some((found, contents)));
            };
            if self.slots[slot].damage.get().is_some() {
                continue;
            }
            match self.contents(slot, files) {
                Ok(contents) => table = (Found { slot, ..found }, contents),
                Err(error) if error.is_damage() => drop(self.set_aside(error)),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(table))
    }

    /// The rule sets for which the tables of these men, taken together, have results. `None` if
    /// there is no table.
    pub fn rule_sets(&self, men: Material, files: &Files) -> Result<Option<RuleSets>, TableError> {
        let Some((found, contents)) = self.usable(men, files)? else {
            return Ok(None);
        };
        let mut rules = K::rules(contents);
        let mut next = self.slots[found.slot].next;
        while let Some(slot) = next {
            next = self.slots[slot].next;
            if self.slots[slot].damage.get().is_none() {
                match self.contents(slot, files) {
                    Ok(contents) => rules = rules | K::rules(contents),
                    // A table that cannot be used is treated as missing.
                    Err(error) => drop(self.set_aside(error)),
                }
            }
        }
        Ok(Some(rules))
    }

    /// The path of the table that probes of an ending read first: the first table with a valid
    /// header or, if no header is valid, the first table. Opens files only if several directories
    /// have the table.
    pub fn path_in_use(&self, material: CanonicalMaterial, files: &Files) -> Option<&Path> {
        let first = self.first(material)?;
        let used = match self.slots[first].next {
            None => None,
            Some(_) => self.usable(material.material(), files).ok().flatten(),
        };
        self.path(used.map_or(first, |(found, _)| found.slot))
    }

    /// The path of the first table of an ending with a valid header and results for a rule set.
    pub fn path_under(
        &self,
        material: CanonicalMaterial,
        rules: RuleSet,
        files: &Files,
    ) -> Option<&Path> {
        let usable = self.usable_under(material.material(), rules, files);
        let (found, contents) = usable.ok()??;
        let has_rules = K::rules(contents).contains(rules);
        self.path(found.slot).filter(|_| has_rules)
    }

    /// Like [`TablesOf::usable_under`], but uses only headers that have been read already. `None`
    /// if another header would have to be read.
    pub fn known_under(&self, found: Found, rules: RuleSet) -> Option<(Found, &K::ProbeHeader)> {
        let mut lacking = None;
        let mut next = Some(found.slot);
        while let Some(slot) = next {
            next = self.slots[slot].next;
            if self.slots[slot].damage.get().is_some() {
                continue;
            }
            let table = (Found { slot, ..found }, self.known_contents(slot)?);
            if K::rules(table.1).contains(rules) {
                return Some(table);
            }
            lacking = lacking.or(Some(table));
        }
        lacking
    }

    #[cold]
    fn read_contents(&self, slot: usize, files: &Files) -> Result<&K::ProbeHeader, TableError> {
        // An error is not cached: the next probe tries to open the file again.
        let contents = K::contents(&*self.file(slot, files)?, &files.next_page)?;
        Ok(self.slots[slot].contents.get_or_init(|| contents))
    }

    /// The file of a table, opened if necessary.
    pub fn file(&self, number: usize, files: &Files) -> Result<Arc<TableIn<K>>, TableError> {
        let slot = &self.slots[number];
        match &slot.place {
            Place::Given(file) => Ok(file.clone()),
            Place::Source(source, place) => {
                if let Some(file) = place.get() {
                    return Ok(file.clone());
                }
                // An error is not cached: the next probe tries again.
                let file = TableIn::<K>::new(FileBytes::CallerSource(source.clone()))?;
                let (expected, found) = (slot.material, file.material());
                if found != expected {
                    let kind = TableErrorKind::WrongMaterial { expected, found };
                    return Err(TableError::new(None, Some(expected), kind));
                }
                file.check_whole()?;
                Ok(place.get_or_init(|| Arc::new(file)).clone())
            }
            Place::OnDisk(on_disk) => {
                let file = match on_disk.opened() {
                    Some(file) => file,
                    None => {
                        let file = TableIn::open_as(&on_disk.path, slot.material, files.access)?;
                        if slot
                            .contents
                            .get()
                            .is_some_and(|known| !K::is_of(known, &file))
                        {
                            let what =
                                "another table has replaced the one that was first opened here";
                            return Err(file.damaged(what));
                        }
                        on_disk.keep(Arc::new(file))
                    }
                };
                files.used(on_disk);
                Ok(file)
            }
        }
    }

    /// The number of table files that are open or memory-mapped. Tables that were added as bytes do
    /// not count.
    pub fn open_files(&self) -> usize {
        let is_open = |slot: &&Slot<K>| match &slot.place {
            Place::OnDisk(file) => file.opened().is_some(),
            _ => false,
        };
        self.slots.iter().filter(is_open).count()
    }
}
