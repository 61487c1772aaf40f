//! Options of a tablebase.

use crate::table::Access;

/// Options of a [`Tablebase`](super::Tablebase). They do not affect answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the cache of decoded blocks, in bytes: 64 MiB by default, at least 18 KiB. All
    /// threads share the cache. The system provides the memory as the cache fills, on Linux in
    /// steps of 2 MiB where possible.
    pub cache_bytes: usize,
    /// How files in directories are read; memory-mapped by default. Choose [`Access::Blocks`] in a
    /// program that must survive a failing disk, or that writes tables itself.
    pub access: Access,
    /// The largest number of files that are open or memory-mapped at once; no limit by default. At
    /// the limit, the least recently used file is closed before another is opened. A closed file is
    /// opened again when it is needed. A thread that is reading from a file keeps it open until the
    /// read is done.
    pub most_open: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cache_bytes: 64 << 20,
            access: Access::default(),
            most_open: None,
        }
    }
}
