//! The files of tables: which of them are open.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::options::Options;
use super::provided::Provided;
use crate::material::CanonicalMaterial;
use crate::table::{Access, TableError, TableFile};

/// Where a table's file is.
#[derive(Debug)]
enum Place {
    /// In none.
    Provided(Provided),
    /// In a directory.
    OnDisk(OnDisk),
}

/// A table's file on disk.
#[derive(Debug)]
struct OnDisk {
    material: CanonicalMaterial,
    path: PathBuf,
    file: RwLock<Option<Arc<TableFile>>>,
}

impl OnDisk {
    /// The file, if it is open. The lock is released before the caller does anything with it.
    fn opened(&self) -> Option<Arc<TableFile>> {
        let file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        file.clone()
    }

    /// Keeps a file open, unless another thread has opened it meanwhile. Returns the one kept.
    fn keep(&self, file: Arc<TableFile>) -> Arc<TableFile> {
        let mut place = self.file.write().unwrap_or_else(PoisonError::into_inner);
        place.get_or_insert(file).clone()
    }

    fn close(&self) {
        let mut place = self.file.write().unwrap_or_else(PoisonError::into_inner);
        *place = None;
    }
}

/// The files, by number: which are open, and how many may be.
#[derive(Debug)]
pub(super) struct Disk {
    places: Vec<Place>,
    access: Access,
    /// The most files open at once.
    most: usize,
    /// The open ones, the most recently used last. Not kept if any number may be open.
    order: Mutex<VecDeque<usize>>,
}

impl Disk {
    /// No files.
    pub fn new(options: &Options) -> Disk {
        Disk {
            places: Vec::new(),
            access: options.access,
            most: options.most_open.map_or(usize::MAX, |most| most.max(1)),
            order: Mutex::new(VecDeque::new()),
        }
    }

    /// Adds the next file, in a directory.
    pub fn add_file(&mut self, material: CanonicalMaterial, path: PathBuf) {
        self.places.push(Place::OnDisk(OnDisk {
            material,
            path,
            file: RwLock::new(None),
        }));
    }

    /// Adds the next file, which is in no directory and stays open.
    pub fn add_provided(&mut self, table: Provided) {
        self.places.push(Place::Provided(table));
    }

    /// A file, opened now if it was not, and then checked.
    pub fn file(
        &self,
        number: usize,
        check: impl FnOnce(&TableFile) -> Result<(), TableError>,
    ) -> Result<Arc<TableFile>, TableError> {
        let on_disk = match &self.places[number] {
            Place::Provided(table) => return table.file(),
            Place::OnDisk(on_disk) => on_disk,
        };
        let file = match on_disk.opened() {
            Some(file) => file,
            None => {
                let file = TableFile::open_as(&on_disk.path, on_disk.material, self.access)?;
                check(&file)?;
                on_disk.keep(Arc::new(file))
            }
        };
        self.used(number);
        Ok(file)
    }

    /// Closes the least recently used file if there are too many.
    fn used(&self, number: usize) {
        if self.most >= self.places.len() {
            return;
        }
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if order.back() == Some(&number) {
            return;
        }
        order.retain(|&other| other != number);
        order.push_back(number);
        while order.len() > self.most {
            if let Some(file) = order.pop_front().and_then(|oldest| self.on_disk(oldest)) {
                // Whoever reads it at this moment still holds it.
                file.close();
            }
        }
    }

    fn on_disk(&self, number: usize) -> Option<&OnDisk> {
        match self.places.get(number)? {
            Place::OnDisk(file) => Some(file),
            Place::Provided(_) => None,
        }
    }

    /// The path of a file, if it is in a directory.
    pub fn path(&self, number: usize) -> Option<&Path> {
        self.on_disk(number).map(|file| file.path.as_path())
    }

    /// The number of files of directories that are open, or mapped.
    pub fn open_files(&self) -> usize {
        let on_disk = (0..self.places.len()).filter_map(|number| self.on_disk(number));
        on_disk.filter(|file| file.opened().is_some()).count()
    }
}
