//! `study.json`: what scans have told, kept beside the tables.
//!
//! An entry is filed under the BLAKE3 hash of its table, so it is never taken for that of another
//! one, wherever the table or the file has been moved. Losing the file costs a few minutes of work.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::records::RecordLine;
use super::scan::Scan;

/// The name of the file in the directory of the tables.
pub const STUDY_NAME: &str = "study.json";

/// The version of what is kept. Raised when a scan would tell anything else.
pub const STUDY_VERSION: u32 = 1;

/// What is kept of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// The ending, for people who look into the file.
    pub material: String,
    /// What the look at every position told. None if the ending is too large for one.
    pub scan: Option<Scan>,
    /// The lines of the record positions.
    pub lines: Vec<RecordLine>,
}

/// The findings of the tables of some directories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudyCache {
    findings: BTreeMap<String, Findings>,
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Document<T> {
    version: u32,
    tables: T,
}

/// Why what scans have told cannot be kept, or not be read. Its text is one sentence that ends in
/// what to do.
#[derive(Debug, Error)]
pub enum CacheError {
    /// It cannot be read.
    #[error("{} cannot be read ({source}): check that you may read it, or delete it", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// It cannot be written.
    #[error(
        "{} cannot be written ({source}): name a directory that you may write to first in --tables, or the next study takes as long again",
        path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// It is not what was written.
    #[error("{} is damaged or of another version ({source}): it is made anew", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Where and why it cannot be understood.
        source: serde_json::Error,
    },
}

impl StudyCache {
    /// Adds what the file of a directory says; nothing if there is none, or one of another version.
    ///
    /// # Errors
    ///
    /// If there is one that cannot be read or understood.
    pub fn load(&mut self, directory: &Path) -> Result<(), CacheError> {
        let path = directory.join(STUDY_NAME);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(CacheError::Read { path, source }),
        };
        let read = || -> Result<BTreeMap<String, Findings>, serde_json::Error> {
            // Another version's entries may be anything.
            let document: Document<serde_json::Value> = serde_json::from_slice(&bytes)?;
            match document.version {
                STUDY_VERSION => serde_json::from_value(document.tables),
                _ => Ok(BTreeMap::new()),
            }
        };
        let found = read().map_err(|source| CacheError::Corrupt { path, source })?;
        self.findings.extend(found);
        Ok(())
    }

    /// What is kept of the table with this hash.
    pub fn get(&self, hash: &str) -> Option<&Findings> {
        self.findings.get(hash)
    }

    /// Keeps what has been found in the table with this hash.
    pub fn insert(&mut self, hash: String, findings: Findings) {
        self.findings.insert(hash, findings);
    }

    /// Writes the file of a directory, in one step: a reader finds the old one or the new one.
    ///
    /// # Errors
    ///
    /// If it cannot be written. Then the old one stays.
    pub fn save(&self, directory: &Path) -> Result<(), CacheError> {
        let path = directory.join(STUDY_NAME);
        let save = || -> io::Result<()> {
            let mut json = serde_json::to_vec(&Document {
                version: STUDY_VERSION,
                tables: &self.findings,
            })?;
            json.push(b'\n');
            let mut file = readable().prefix(".study").tempfile_in(directory)?;
            file.write_all(&json)?;
            file.as_file().sync_all()?;
            file.persist(&path).map_err(|error| error.error)?;
            Ok(())
        };
        save().map_err(|source| CacheError::Write { path, source })
    }
}

/// A temporary file that others may read, as they may read the tables.
fn readable() -> tempfile::Builder<'static, 'static> {
    #[allow(unused_mut)]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o644));
    }
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Findings {
        Findings {
            material: "KRvK".to_string(),
            scan: None,
            lines: Vec::new(),
        }
    }

    #[test]
    fn what_was_kept_is_found_under_its_hash_and_no_other() {
        let directory = tempfile::tempdir().unwrap();
        let mut cache = StudyCache::default();
        cache.insert("ab".to_string(), findings());
        cache.save(directory.path()).unwrap();
        let mut again = StudyCache::default();
        again.load(directory.path()).unwrap();
        assert_eq!(again.get("ab"), Some(&findings()));
        assert_eq!(again.get("ac"), None);
    }

    #[test]
    fn a_damaged_file_is_told_and_another_version_is_not_used() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(STUDY_NAME);
        let mut cache = StudyCache::default();
        cache.load(directory.path()).unwrap();
        for bytes in [&b"{\"version\": 1, \"tab"[..], b"", b"[]"] {
            std::fs::write(&path, bytes).unwrap();
            let error = cache.load(directory.path()).unwrap_err();
            assert!(matches!(error, CacheError::Corrupt { .. }), "{error}");
        }
        std::fs::write(&path, b"{\"version\": 999, \"tables\": 7}").unwrap();
        cache.load(directory.path()).unwrap();
        assert_eq!(cache, StudyCache::default());
    }
}
