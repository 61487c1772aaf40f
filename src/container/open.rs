//! Opens a table's file for reads on demand, as a memory map, or as a copy in memory.

use std::io::{self, Read};
use std::path::Path;

use super::mapped_file::MappedFile;
use super::source::{Access, FileBytes};
use crate::regular_file;

/// Opens the file at `path` with this kind of access.
pub(crate) fn bytes(path: &Path, access: Access) -> io::Result<FileBytes> {
    let mut file = regular_file::open(path)?;
    match access {
        Access::Blocks => Ok(FileBytes::File(file)),
        Access::Map => Ok(FileBytes::Map(MappedFile::new(file)?)),
        Access::Whole => {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(FileBytes::Memory(bytes.into()))
        }
    }
}
