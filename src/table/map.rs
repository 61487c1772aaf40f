//! Opening a table's file: to be read piece by piece, mapped into memory, or read into it.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use memmap2::Mmap;

use super::error::{IoAction, TableError, TableErrorKind};
use super::read::{Table, TableFile};
use super::source::{Access, FileBytes};
use crate::material::CanonicalMaterial;
use crate::regular_file;

impl TableFile {
    /// Opens the table in this file, of whatever material it is.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, and as [`Table::new`].
    pub fn open(path: &Path, access: Access) -> Result<TableFile, TableError> {
        let bytes =
            bytes(path, access).map_err(|source| TableError::io(path, IoAction::Read, source))?;
        Table::with_path(bytes, Some(path.to_path_buf()))
    }

    /// Opens the table in this file, which is to be of this material.
    ///
    /// # Errors
    ///
    /// If it is of another, and as [`TableFile::open`].
    pub fn open_as(
        path: &Path,
        expected: CanonicalMaterial,
        access: Access,
    ) -> Result<TableFile, TableError> {
        let table = TableFile::open(path, access)?;
        let found = table.material();
        if found == expected {
            return Ok(table);
        }
        let kind = TableErrorKind::WrongMaterial { expected, found };
        Err(TableError::new(Some(path), Some(found), kind))
    }
}

pub(crate) fn bytes(path: &Path, access: Access) -> io::Result<FileBytes> {
    let mut file = regular_file::open(path)?;
    match access {
        Access::Blocks => Ok(FileBytes::File(file)),
        Access::Map => Ok(FileBytes::Map(map(&file)?)),
        Access::Whole => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(FileBytes::Memory(bytes.into()))
        }
    }
}

#[allow(unsafe_code)]
fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is only read. It would be unsound if the file's bytes changed under it;
    // sakmak puts a new table in place by renaming, which leaves the bytes of one that is open as
    // they were, and the documentation asks the same of the user. A block's checksum is taken
    // over the same bytes that are then decoded, and nothing decoded is trusted beyond its bounds.
    let map = unsafe { Mmap::map(file)? };
    // Probes jump about, so reading ahead would waste the disk's time. It is only advice.
    #[cfg(unix)]
    let _ = map.advise(memmap2::Advice::Random);
    Ok(map)
}
