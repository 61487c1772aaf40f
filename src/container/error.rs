//! Errors in reading and writing tables.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::material::CanonicalMaterial;
use crate::remedy::Remedy;
use crate::table_kind::TableKind;

/// The file operation that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IoAction {
    /// Opening or reading a file.
    Read,
    /// Creating, writing or renaming a file.
    Write,
}

/// The kinds of [`TableError`].
#[derive(Debug)]
pub enum TableErrorKind {
    /// A file could not be read or written.
    Io {
        /// The failed operation.
        action: IoAction,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not a table.
    NotATable,
    /// The file has an unsupported format version.
    Version {
        /// The version in the file.
        found: u32,
        /// The latest format version that this program reads.
        supported: u32,
    },
    /// The table was computed under another revision of the rules.
    RulesRevision {
        /// The revision in the file.
        found: u32,
        /// The rules revision that this program implements.
        supported: u32,
    },
    /// The file is shorter than it was when written.
    Truncated {
        /// The length of the file in bytes, as its preamble states it.
        expected: u64,
        /// The actual length of the file in bytes.
        found: u64,
    },
    /// The file is longer than it was when written.
    TooLong {
        /// The length of the file in bytes, as its preamble states it.
        expected: u64,
        /// The actual length of the file in bytes.
        found: u64,
    },
    /// The header is corrupt.
    HeaderCorrupt {
        /// The fault in the header, in a few words.
        what: &'static str,
    },
    /// The model of a section is corrupt.
    ModelCorrupt {
        /// The index of the section.
        section: usize,
    },
    /// A block, or its entry in the index, is corrupt.
    BlockCorrupt {
        /// The index of the section.
        section: usize,
        /// The index of the block in its section.
        block: u64,
    },
    /// The file is the table of another ending.
    WrongMaterial {
        /// The requested ending.
        expected: CanonicalMaterial,
        /// The ending of the file.
        found: CanonicalMaterial,
    },
    /// The checkpoint was written by a later version of this program.
    LaterCheckpoint,
    /// The section has no cell or block with this index.
    OutOfRange {
        /// The requested index.
        asked: u64,
        /// The number of cells or blocks in the section.
        count: u64,
    },
    /// Memory could not be allocated.
    NoMemory {
        /// The size of the allocation, in bytes.
        bytes: u64,
    },
    /// The data to be written is inconsistent.
    BadInput(String),
}

/// An error in reading or writing a table, with the path of the table's file if it is known.
#[derive(Debug, Error)]
pub struct TableError {
    path: Option<PathBuf>,
    material: Option<CanonicalMaterial>,
    kind: TableErrorKind,
}

impl TableError {
    /// Makes an error for the table with this path and material. Pass `None` for a path or a
    /// material that is unknown.
    pub fn new(
        path: Option<&Path>,
        material: Option<CanonicalMaterial>,
        kind: TableErrorKind,
    ) -> TableError {
        TableError {
            path: path.map(Path::to_path_buf),
            material,
            kind,
        }
    }

    /// Makes the error for a failed read or write of the file at this path.
    pub fn io(path: &Path, action: IoAction, source: io::Error) -> TableError {
        TableError::new(Some(path), None, TableErrorKind::Io { action, source })
    }

    /// The kind of error.
    pub fn kind(&self) -> &TableErrorKind {
        &self.kind
    }

    /// The path of the table's file, if it is known.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The ending of the table: from its header or, failing that, from its file name. `None` if
    /// neither is known.
    pub fn material(&self) -> Option<CanonicalMaterial> {
        self.material.or_else(|| {
            let stem = self.path.as_ref()?.file_stem()?.to_str()?;
            stem.parse().ok()
        })
    }

    /// True if this file cannot be used, but another copy of the table might be usable.
    pub fn is_damage(&self) -> bool {
        match &self.kind {
            TableErrorKind::Io { action, source } => {
                *action == IoAction::Read && !is_file_limit(source)
            }
            TableErrorKind::NotATable
            | TableErrorKind::Version { .. }
            | TableErrorKind::RulesRevision { .. }
            | TableErrorKind::Truncated { .. }
            | TableErrorKind::TooLong { .. }
            | TableErrorKind::HeaderCorrupt { .. }
            | TableErrorKind::ModelCorrupt { .. }
            | TableErrorKind::BlockCorrupt { .. }
            | TableErrorKind::WrongMaterial { .. } => true,
            TableErrorKind::LaterCheckpoint
            | TableErrorKind::OutOfRange { .. }
            | TableErrorKind::NoMemory { .. }
            | TableErrorKind::BadInput(_) => false,
        }
    }

    /// True if the error is caused by the state of the machine: the same work might succeed later,
    /// or on another machine.
    pub fn is_temporary(&self) -> bool {
        match &self.kind {
            TableErrorKind::NoMemory { .. } => true,
            TableErrorKind::Io { source, .. } => is_temporary(source),
            _ => false,
        }
    }

    /// The kind of the table, by its file name. None if the file name is unknown or is not that of a
    /// table.
    pub fn table_kind(&self) -> Option<TableKind> {
        TableKind::of_extension(self.path()?)
    }

    /// The remedy to show to the user.
    pub fn remedy(&self) -> Remedy {
        let kind = self.table_kind().unwrap_or(TableKind::Distances);
        let table = || self.material().map(|material| material.to_string());
        match &self.kind {
            // The path leads to a directory or a special file.
            TableErrorKind::Io { action, source } => match (action, source.kind()) {
                (IoAction::Read, io::ErrorKind::InvalidInput) => Remedy::MoveAway {
                    kind,
                    table: table(),
                },
                // A work file was corrupt and has been removed.
                (IoAction::Read, io::ErrorKind::InvalidData) => Remedy::RunAgain,
                (IoAction::Read, _) if is_file_limit(source) => Remedy::FewerFiles,
                (IoAction::Read, _) => Remedy::CheckReading,
                (IoAction::Write, _) => Remedy::CheckWriting,
            },
            TableErrorKind::NotATable => Remedy::MoveAway {
                kind,
                table: table(),
            },
            TableErrorKind::Version { found, supported }
            | TableErrorKind::RulesRevision { found, supported }
                if found > supported =>
            {
                Remedy::UpdateOrRegenerate {
                    kind,
                    table: table(),
                }
            }
            TableErrorKind::Truncated { .. } | TableErrorKind::TooLong { .. } => {
                Remedy::CopyAgain {
                    kind,
                    table: table(),
                }
            }
            TableErrorKind::Version { .. }
            | TableErrorKind::RulesRevision { .. }
            | TableErrorKind::HeaderCorrupt { .. }
            | TableErrorKind::ModelCorrupt { .. }
            | TableErrorKind::BlockCorrupt { .. } => Remedy::Regenerate {
                kind,
                table: table(),
            },
            TableErrorKind::WrongMaterial { expected, found } => Remedy::Rename {
                kind,
                to: kind.file_name(*found),
                table: expected.to_string(),
            },
            TableErrorKind::LaterCheckpoint => Remedy::UpdateOrDelete {
                path: self
                    .path
                    .as_deref()
                    .and_then(Path::parent)
                    .map_or_else(PathBuf::new, Path::to_path_buf),
            },
            TableErrorKind::NoMemory { .. } => Remedy::MoreMemory,
            TableErrorKind::OutOfRange { .. } | TableErrorKind::BadInput(_) => Remedy::Report,
        }
    }
}

/// True if a file could not be opened because too many files are open.
fn is_file_limit(error: &io::Error) -> bool {
    let limits: &[i32] = match cfg!(windows) {
        // ERROR_TOO_MANY_OPEN_FILES.
        true => &[4],
        // ENFILE and EMFILE.
        false => &[23, 24],
    };
    error
        .raw_os_error()
        .is_some_and(|code| limits.contains(&code))
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.path, self.material) {
            (Some(path), _) => write!(f, "{} ", path.display())?,
            (None, Some(material)) => write!(f, "the table of {material} ")?,
            (None, None) => write!(f, "the table ")?,
        }
        match &self.kind {
            TableErrorKind::Io {
                action: IoAction::Read,
                source,
            } => write!(f, "cannot be read ({source})"),
            TableErrorKind::Io {
                action: IoAction::Write,
                source,
            } => write!(f, "cannot be written ({source})"),
            TableErrorKind::NotATable => write!(f, "is not a sakmak table"),
            TableErrorKind::Version { found, supported } => write!(
                f,
                "has format version {found}, but this sakmak reads version {supported}"
            ),
            TableErrorKind::RulesRevision { found, supported } => write!(
                f,
                "was made under revision {found} of the rules, but this sakmak has revision {supported}"
            ),
            TableErrorKind::Truncated { expected, found } => {
                write!(f, "is truncated: it has {found} of {expected} bytes")
            }
            TableErrorKind::TooLong { expected, found } => {
                write!(f, "has {found} bytes instead of {expected}")
            }
            TableErrorKind::HeaderCorrupt { what } => write!(f, "has a corrupt header ({what})"),
            TableErrorKind::ModelCorrupt { section } => {
                write!(f, "is corrupt in the model of section {section}")
            }
            TableErrorKind::BlockCorrupt { section, block } => {
                write!(f, "is corrupt in block {block} of section {section}")
            }
            TableErrorKind::WrongMaterial { expected, found } => {
                write!(f, "is the table of {found}, not of {expected}")
            }
            TableErrorKind::LaterCheckpoint => {
                write!(f, "is a checkpoint written by a later version of sakmak")
            }
            TableErrorKind::OutOfRange { asked, count } => {
                write!(
                    f,
                    "has {count} cells or blocks, but index {asked} was requested"
                )
            }
            TableErrorKind::NoMemory { bytes } => {
                write!(f, "needs {bytes} bytes of memory, more than is available")
            }
            TableErrorKind::BadInput(what) => write!(f, "cannot be written as requested ({what})"),
        }
    }
}

/// True if the error is caused by the state of the disk, the network or the memory. `InvalidData`
/// is temporary too: it comes from a corrupt work file, which has been removed.
pub fn is_temporary(error: &io::Error) -> bool {
    use io::ErrorKind::{
        ConnectionAborted, ConnectionReset, FileTooLarge, InvalidData, NetworkDown,
        NetworkUnreachable, OutOfMemory, QuotaExceeded, ResourceBusy, StaleNetworkFileHandle,
        StorageFull, TimedOut,
    };
    /// The error number `EIO` of a failed read or write. It is the same on every Unix.
    const EIO: i32 = 5;
    matches!(
        error.kind(),
        ConnectionAborted
            | ConnectionReset
            | FileTooLarge
            | InvalidData
            | NetworkDown
            | NetworkUnreachable
            | OutOfMemory
            | QuotaExceeded
            | ResourceBusy
            | StaleNetworkFileHandle
            | StorageFull
            | TimedOut
    ) || cfg!(unix) && error.raw_os_error() == Some(EIO)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corrupt_block() -> TableErrorKind {
        TableErrorKind::BlockCorrupt {
            section: 0,
            block: 12,
        }
    }

    #[test]
    fn error_states_file_and_fault() {
        let path = Path::new("tables/KSMvK.skm");
        let error = TableError::new(Some(path), None, corrupt_block());
        let expected = "tables/KSMvK.skm is corrupt in block 12 of section 0";
        assert_eq!(error.to_string(), expected);
        let material = "KSMvK".parse().unwrap();
        let error = TableError::new(None, Some(material), corrupt_block());
        assert!(error.to_string().starts_with("the table of KSMvK is"));
    }

    #[test]
    fn remedy_names_the_table_if_it_is_known() {
        let remedy = |path: &str| {
            let error = TableError::new(Some(Path::new(path)), None, corrupt_block());
            error.remedy()
        };
        let table = Some("KSMvK".to_string());
        for kind in TableKind::ALL {
            let path = |stem: &str| format!("a/{stem}.{}", kind.extension());
            let table = table.clone();
            assert_eq!(remedy(&path("KSMvK")), Remedy::Regenerate { kind, table });
            assert_eq!(remedy(&path("x")), Remedy::Regenerate { kind, table: None });
        }
    }

    #[test]
    fn newer_format_needs_an_update() {
        let remedy = |found| {
            let supported = 1;
            let kind = TableErrorKind::Version { found, supported };
            TableError::new(None, None, kind).remedy()
        };
        let kind = TableKind::Distances;
        assert_eq!(remedy(2), Remedy::UpdateOrRegenerate { kind, table: None });
        assert_eq!(remedy(0), Remedy::Regenerate { kind, table: None });
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_is_temporary_and_a_forbidden_one_is_not() {
        let temporary = |number| is_temporary(&io::Error::from_raw_os_error(number));
        for number in [
            libc::ENOSPC,
            libc::EDQUOT,
            libc::EFBIG,
            libc::EIO,
            libc::ESTALE,
        ] {
            assert!(
                temporary(number),
                "{}",
                io::Error::from_raw_os_error(number)
            );
        }
        for number in [libc::EACCES, libc::EROFS, libc::ENOTDIR] {
            assert!(
                !temporary(number),
                "{}",
                io::Error::from_raw_os_error(number)
            );
        }
    }
}
