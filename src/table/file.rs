//! The bytes of a table's file, wherever they are.

use std::borrow::Cow;

use super::read::Table;

/// How the bytes of a file on disk are come by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Access {
    /// A memory map: opening reads only the header, and the system keeps what is used. A table
    /// must not be written over or cut while it is open (`sakmak generate` never does).
    #[default]
    Map,
    /// The whole file is read into memory at once.
    Read,
}

/// The bytes of a file.
#[derive(Debug)]
pub enum FileBytes {
    /// Mapped into memory.
    #[cfg(feature = "files")]
    Map(memmap2::Mmap),
    /// Read into memory, received from elsewhere, or built into the program.
    Memory(Cow<'static, [u8]>),
}

impl AsRef<[u8]> for FileBytes {
    fn as_ref(&self) -> &[u8] {
        match self {
            #[cfg(feature = "files")]
            FileBytes::Map(map) => map,
            FileBytes::Memory(bytes) => bytes,
        }
    }
}

/// A table in a file, or in the bytes of one. If it comes from a path, its errors name it.
pub type TableFile = Table<FileBytes>;
