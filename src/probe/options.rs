//! Options of a tablebase.

use crate::table::Access;

/// Options of a [`Tablebase`](super::Tablebase). They do not affect answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The memory for decoded blocks, in bytes, shared by all threads: 64 MiB by default, 36 KiB at
    /// least. The system provides the memory as the cache fills, on Linux in steps of 2 MiB where
    /// possible.
    pub cache_bytes: usize,
    /// How files in directories are read; memory-mapped by default. Choose [`Access::Blocks`] in a
    /// program that must survive a failing disk, or that writes tables itself.
    pub access: Access,
    /// The largest number of files that are open or memory-mapped at once; no limit by default. At
    /// the limit, the file that was used longest ago is closed to open another, and opened again
    /// when it is needed. Threads that are reading from a file keep it until they are done.
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
