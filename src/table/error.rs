//! What can be wrong with a table, each told apart and each with what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::material::CanonicalMaterial;

/// What was being done to a file when the system refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IoAction {
    /// It was opened or read.
    Read,
    /// It was made, written or put in its place.
    Write,
}

/// The kinds of [`TableError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum TableErrorKind {
    /// The system refused to read or to write.
    Io {
        /// What was being done.
        action: IoAction,
        /// The system's own words.
        source: io::Error,
    },
    /// The file is something else.
    NotATable,
    /// The file has another format version.
    Version {
        /// The file's.
        found: u32,
        /// The one this program reads.
        supported: u32,
    },
    /// The table was computed under another reading of the rules.
    RulesRevision {
        /// The file's.
        found: u32,
        /// The one this program goes by.
        supported: u32,
    },
    /// The file is shorter than it was when written.
    Truncated {
        /// The bytes it should have.
        expected: u64,
        /// The bytes it has.
        found: u64,
    },
    /// The file is longer than it was when written.
    TooLong {
        /// The bytes it should have.
        expected: u64,
        /// The bytes it has.
        found: u64,
    },
    /// The header's bytes are not those that were written.
    HeaderCorrupt {
        /// What is wrong with it, in a few words.
        what: &'static str,
    },
    /// The dictionary of a section is not the one that was written.
    DictionaryCorrupt {
        /// The number of the section.
        section: usize,
    },
    /// A block, or its entry in the index, is not what was written.
    BlockCorrupt {
        /// The number of the section.
        section: usize,
        /// The number of the block in it.
        block: u64,
    },
    /// The file holds the table of another ending.
    WrongMaterial {
        /// The one that was looked for.
        expected: CanonicalMaterial,
        /// The one the file is of.
        found: CanonicalMaterial,
    },
    /// A cell or a block was asked for that the section does not have.
    OutOfRange {
        /// The number asked for.
        asked: u64,
        /// How many there are.
        count: u64,
    },
    /// The machine has not the memory.
    NoMemory {
        /// The bytes asked for.
        bytes: u64,
    },
    /// What was to be written contradicts itself.
    BadInput(String),
}

/// What is wrong with a table. Its text is one sentence that ends in what to do.
#[derive(Debug, Error)]
#[error("{}", self.sentence())]
pub struct TableError {
    path: Option<PathBuf>,
    material: Option<CanonicalMaterial>,
    kind: TableErrorKind,
}

impl TableError {
    /// An error of the table at this path, of this material, where they are known.
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

    /// The system's refusal to read or to write this file.
    pub fn io(path: &Path, action: IoAction, source: io::Error) -> TableError {
        TableError::new(Some(path), None, TableErrorKind::Io { action, source })
    }

    /// What kind of error it is.
    pub fn kind(&self) -> &TableErrorKind {
        &self.kind
    }

    /// The file it happened to, if the table came from a file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The material of the table: the one in its header, or the one its file is named after.
    pub fn material(&self) -> Option<CanonicalMaterial> {
        self.material.or_else(|| {
            let stem = self.path.as_ref()?.file_stem()?.to_str()?;
            stem.parse().ok()
        })
    }

    fn sentence(&self) -> String {
        let subject = match (&self.path, self.material) {
            (Some(path), _) => path.display().to_string(),
            (None, Some(material)) => format!("the table of {material}"),
            (None, None) => "the table".to_string(),
        };
        let again = Remedy(self.material());
        match &self.kind {
            TableErrorKind::Io {
                action: IoAction::Read,
                source,
            } => format!(
                "{subject} cannot be read ({source}): check that it is there and that you may read it"
            ),
            TableErrorKind::Io {
                action: IoAction::Write,
                source,
            } => format!(
                "{subject} cannot be written ({source}): check that the disk has room and that you may write there, or choose another directory with --tables"
            ),
            TableErrorKind::NotATable => {
                format!("{subject} is not a table of sakmak: move it away, then {again}")
            }
            TableErrorKind::Version { found, supported } if found > supported => format!(
                "{subject} has format version {found}, but this sakmak, which is older, reads version {supported}: update sakmak, or {again}"
            ),
            TableErrorKind::Version { found, supported } => format!(
                "{subject} has the old format version {found}, but this sakmak reads version {supported}: {again}"
            ),
            TableErrorKind::RulesRevision { found, supported } if found > supported => format!(
                "{subject} was made by revision {found} of the rules, but this sakmak, which is older, has revision {supported}: update sakmak, or {again}"
            ),
            TableErrorKind::RulesRevision { found, supported } => format!(
                "{subject} was made by the old revision {found} of the rules, but this sakmak has revision {supported}: {again}"
            ),
            TableErrorKind::Truncated { expected, found } => format!(
                "{subject} is cut short, with {found} bytes of {expected}: copy it again whole, or {again}"
            ),
            TableErrorKind::TooLong { expected, found } => format!(
                "{subject} has {found} bytes, but its header says {expected}: copy it again, or {again}"
            ),
            TableErrorKind::HeaderCorrupt { what } => {
                format!("{subject} has a damaged header ({what}): {again}")
            }
            TableErrorKind::DictionaryCorrupt { section } => {
                format!("{subject} is damaged in the dictionary of section {section}: {again}")
            }
            TableErrorKind::BlockCorrupt { section, block } => {
                format!("{subject} is damaged in block {block} of section {section}: {again}")
            }
            TableErrorKind::WrongMaterial { expected, found } => format!(
                "{subject} is the table of {found}, not of {expected}: name it {found}.skm, then {}",
                Remedy(Some(*expected))
            ),
            TableErrorKind::OutOfRange { asked, count } => format!(
                "{subject} was asked for number {asked} of {count} cells or blocks: please report this as a fault of sakmak"
            ),
            TableErrorKind::NoMemory { bytes } => format!(
                "{subject} needs {bytes} bytes of memory, more than there are: close other programs or use a machine with more memory"
            ),
            TableErrorKind::BadInput(what) => format!(
                "{subject} cannot be written as asked ({what}): please report this as a fault of sakmak"
            ),
        }
    }
}

/// How to make a table again, in words.
struct Remedy(Option<CanonicalMaterial>);

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(material) => {
                write!(f, "make it again with `sakmak generate --force {material}`")
            }
            None => write!(
                f,
                "make it again with `sakmak generate --force` and the name of its material"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_a_sentence_that_ends_in_what_to_do() {
        let material = "KSMvK".parse().unwrap();
        let kind = || TableErrorKind::BlockCorrupt {
            section: 0,
            block: 12,
        };
        let named = TableError::new(Some(Path::new("tables/KSMvK.skm")), None, kind());
        assert_eq!(
            named.to_string(),
            "tables/KSMvK.skm is damaged in block 12 of section 0: \
             make it again with `sakmak generate --force KSMvK`"
        );
        let bare = TableError::new(None, Some(material), kind());
        assert!(bare.to_string().starts_with("the table of KSMvK is"));
        let unknown = TableError::new(Some(Path::new("x.skm")), None, TableErrorKind::NotATable);
        assert!(unknown.to_string().ends_with("the name of its material"));
    }

    #[test]
    fn a_newer_format_is_told_from_an_older_one() {
        let version = |found| {
            let kind = TableErrorKind::Version {
                found,
                supported: 1,
            };
            TableError::new(None, None, kind).to_string()
        };
        assert!(version(2).contains("update sakmak"));
        assert!(!version(0).contains("update sakmak"));
    }
}
