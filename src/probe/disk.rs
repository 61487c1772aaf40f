//! Tables in directories: which of their files are open.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use super::open::{Contents, Slot};
use super::tablebase::{Options, Tablebase};
use crate::material::CanonicalMaterial;
use crate::table::{self, Access, TableError, TableFile};

/// Where a table's file is.
#[derive(Debug)]
pub(super) enum Place {
    /// In bytes that were given, and stay.
    Given(Arc<TableFile>),
    /// In a directory.
    OnDisk(OnDisk),
}

impl Place {
    /// In these bytes.
    pub fn given(file: TableFile) -> Place {
        Place::Given(Arc::new(file))
    }
}

/// A table's file on disk.
#[derive(Debug)]
pub(super) struct OnDisk {
    path: PathBuf,
    file: RwLock<Option<Arc<TableFile>>>,
}

impl OnDisk {
    /// The file, if it is open. The lock is let go before the caller does anything with it.
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

/// The path of a table, if it is in a directory.
fn path_of(slot: &Slot) -> Option<&Path> {
    on_disk(slot).map(|file| file.path.as_path())
}

fn on_disk(slot: &Slot) -> Option<&OnDisk> {
    match &slot.place {
        Place::OnDisk(file) => Some(file),
        Place::Given(_) => None,
    }
}

impl Contents {
    /// True if this is still what the file says.
    fn is_of(&self, file: &TableFile) -> bool {
        file.sections().len() == self.sections.len()
            && file
                .sections()
                .zip(&self.sections)
                .all(|(section, stored)| *section.header() == stored.header)
    }
}

/// Which files are open, and how many may be.
#[derive(Debug)]
pub(super) struct Disk {
    access: Access,
    /// The most files open at once.
    most: usize,
    /// The open ones, that used last behind. Not kept if any number may be open.
    order: Mutex<VecDeque<usize>>,
}

impl Disk {
    /// No file is open.
    pub fn new(options: &Options) -> Disk {
        Disk {
            access: options.access,
            most: options.most_open.map_or(usize::MAX, |most| most.max(1)),
            order: Mutex::new(VecDeque::new()),
        }
    }

    /// The file of a table, opened now if it was not.
    pub fn file(&self, slots: &[Slot], number: usize) -> Result<Arc<TableFile>, TableError> {
        let Slot {
            material,
            place,
            contents,
        } = &slots[number];
        let on_disk = match place {
            Place::Given(file) => return Ok(file.clone()),
            Place::OnDisk(on_disk) => on_disk,
        };
        if let Some(file) = on_disk.opened() {
            self.used(slots, number);
            return Ok(file);
        }
        let file = TableFile::open_as(&on_disk.path, *material, self.access)?;
        if contents
            .get()
            .is_some_and(|contents| !contents.is_of(&file))
        {
            return Err(file.damaged("it is not that of the table first found here"));
        }
        let file = on_disk.keep(Arc::new(file));
        self.used(slots, number);
        Ok(file)
    }

    /// Closes the file used longest ago if there are too many.
    fn used(&self, slots: &[Slot], number: usize) {
        if self.most >= slots.len() {
            return;
        }
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        if order.back() == Some(&number) {
            return;
        }
        order.retain(|&other| other != number);
        order.push_back(number);
        while order.len() > self.most {
            if let Some(file) = order
                .pop_front()
                .and_then(|oldest| on_disk(slots.get(oldest)?))
            {
                // Whoever reads it at this moment still holds it.
                file.close();
            }
        }
    }
}

impl Tablebase {
    /// Adds the tables of a directory: the files named after a material in its canonical form, such
    /// as `KSMvK.skm`. Returns how many are new.
    ///
    /// Only the names are read. A table is opened when a position first needs it. Where several
    /// directories have a table of the same ending, the one added first is taken.
    ///
    /// # Errors
    ///
    /// If the directory is not there or cannot be read. A table in it that is damaged is not
    /// noticed here.
    pub fn add_directory(&mut self, path: impl AsRef<Path>) -> io::Result<usize> {
        let directory = path.as_ref();
        self.directories.push(directory.to_path_buf());
        let before = self.slots.len();
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            let Some(material) = table::material_of(&path) else {
                continue;
            };
            self.add(Slot {
                material,
                place: Place::OnDisk(OnDisk {
                    path,
                    file: RwLock::new(None),
                }),
                contents: OnceLock::new(),
            });
        }
        Ok(self.slots.len() - before)
    }

    /// The tables in directories, those of smaller endings first, each with its file.
    pub fn tables(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        let slots = self.by_material.values().map(|&slot| &self.slots[slot]);
        slots.filter_map(|slot| Some((slot.material, path_of(slot)?)))
    }

    /// The file of an ending's table, if it is in one of the directories.
    pub fn path(&self, material: CanonicalMaterial) -> Option<&Path> {
        let slot = *self.by_material.get(&material)?;
        path_of(&self.slots[slot])
    }

    /// How many files of directories are open, or mapped.
    pub fn open_files(&self) -> usize {
        let open = |slot: &&Slot| on_disk(slot).is_some_and(|file| file.opened().is_some());
        self.slots.iter().filter(open).count()
    }
}
