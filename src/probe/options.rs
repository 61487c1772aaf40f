//! How a tablebase uses the machine.

use crate::table::Access;

/// How a [`Tablebase`](super::Tablebase) uses the machine. None of it changes an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The bytes for decoded blocks, shared by all threads: 64 MiB by default. The system gives
    /// the memory as it is used, on Linux 2 MiB at a time where it can. A cache of less than 36 KiB is made that large.
    pub cache_bytes: usize,
    /// How files in directories are read: mapped into memory by default. A program that has to live on when a
    /// disk fails, or that writes tables itself, reads them by [`Access::Blocks`].
    pub access: Access,
    /// The most files open, or mapped, at once; any number if none is given. The least recently
    /// used one is closed when another is needed, and opened again when a block of it is. (Threads
    /// that read at that moment hold theirs a little longer.)
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
