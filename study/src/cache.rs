//! `study.json`: results of scans, stored beside the tables.
//!
//! The key of an entry is the BLAKE3 hash of its table, so an entry never applies to another table,
//! even if files are moved. A lost file can be recreated in a few minutes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::promotion::PromotionStudy;
use super::records::{Record, RecordLine};
use super::scan::Scan;
use sakmak::internals::{read_regular_file, remove_partial_files, write_atomically};

/// The name of the file with the results, in each directory of tables.
pub const STUDY_NAME: &str = "study.json";

/// The version of the entries. Increase it whenever a change of the code changes the results of
/// scans.
pub const STUDY_VERSION: u32 = 4;

/// The stored results for one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// The name of the ending, for human readers only.
    pub material: String,
    /// The results of scanning all positions. None if the ending is too large for a scan.
    pub scan: Option<Scan>,
    /// The results of the promotion study. None if the ending has no bia, or if verdict tables were
    /// missing.
    #[serde(default)]
    pub promotion: Option<PromotionStudy>,
    /// The hardest count draws of an ending with bia.
    pub count_draws: Vec<Record>,
    /// Best play from the record positions.
    pub lines: Vec<RecordLine>,
}

/// The results for the tables of one or more directories.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudyCache {
    findings: BTreeMap<String, Findings>,
    /// The hashes whose results this process has inserted.
    inserted: BTreeSet<String>,
}

/// The contents of `study.json`.
#[derive(Serialize, Deserialize)]
struct Document<T> {
    version: u32,
    tables: T,
}

/// The reason why the results cannot be read or stored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// The file cannot be read.
    #[error(
        "{} cannot be read ({source}), so it stays unchanged and new results are not stored",
        path.display()
    )]
    Read {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{} cannot be written ({source}), so the next study must repeat the scans", path.display())]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A later version wrote the file.
    #[error(
        "{} was written by a later version of sakmak, so it stays unchanged and new results are not stored",
        path.display()
    )]
    Later {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file is corrupt.
    #[error("{} is corrupt ({source}) and will be recreated", path.display())]
    Corrupt {
        /// The path of the file.
        path: PathBuf,
        /// The position in the file and the reason.
        source: io::Error,
    },
}

impl CacheError {
    /// True if the file must not be replaced: it may contain results.
    pub fn keeps_file(&self) -> bool {
        matches!(self, CacheError::Later { .. } | CacheError::Read { .. })
    }
}

impl StudyCache {
    /// Adds the results in a directory's file to this cache, for tables that have none yet. Adds
    /// nothing if the file is missing or has an earlier version.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or parsed, or has a later version.
    pub fn load(&mut self, directory: &Path) -> Result<(), CacheError> {
        let path = directory.join(STUDY_NAME);
        let bytes = match read_regular_file(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(source) => return Err(CacheError::Read { path, source }),
        };
        let corrupt = |error: serde_json::Error| CacheError::Corrupt {
            path: path.clone(),
            source: error.into(),
        };
        // The entries of other versions may have any form.
        let document: Document<serde_json::Value> =
            serde_json::from_slice(&bytes).map_err(corrupt)?;
        match document.version {
            STUDY_VERSION => {
                let found: BTreeMap<String, Findings> =
                    serde_json::from_value(document.tables).map_err(corrupt)?;
                for (hash, findings) in found {
                    self.findings.entry(hash).or_insert(findings);
                }
                Ok(())
            }
            version if version > STUDY_VERSION => Err(CacheError::Later { path }),
            _ => Ok(()),
        }
    }

    /// The results for the table with this hash.
    pub fn get(&self, hash: &str) -> Option<&Findings> {
        self.findings.get(hash)
    }

    /// Stores the results for the table with this hash.
    pub fn insert(&mut self, hash: String, findings: Findings) {
        self.inserted.insert(hash.clone());
        self.findings.insert(hash, findings);
    }

    /// Writes the results to a directory's file atomically. Keeps the entries of the file, which
    /// other processes may have added, unless this process has inserted results for their tables.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written, or has a later version. The old file is kept.
    pub fn save(&mut self, directory: &Path) -> Result<(), CacheError> {
        // The lock is held until the file is written. If the directory cannot be locked, the file
        // is written without a lock.
        let lock = File::open(directory).and_then(|opened| opened.lock().map(|()| opened));
        let mut others = StudyCache::default();
        // A corrupt file is replaced.
        if let Err(error) = others.load(directory)
            && error.keeps_file()
        {
            return Err(error);
        }
        for (hash, findings) in others.findings {
            if !self.inserted.contains(&hash) {
                self.findings.insert(hash, findings);
            }
        }
        let path = directory.join(STUDY_NAME);
        let write = || -> io::Result<()> {
            let mut json = serde_json::to_vec(&Document {
                version: STUDY_VERSION,
                tables: &self.findings,
            })?;
            json.push(b'\n');
            if lock.is_ok() {
                remove_leftovers(directory, &path)?;
            }
            write_atomically(&path, &json)
        };
        let written = write();
        drop(lock);
        written.map_err(|source| CacheError::Write { path, source })
    }
}

/// Removes the temporary files of killed programs. Earlier versions named these files `.study`
/// followed by six characters.
fn remove_leftovers(directory: &Path, path: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(".study"));
        let earlier = |random: &str| {
            random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        if random.is_some_and(earlier) {
            std::fs::remove_file(entry.path())?;
        }
    }
    remove_partial_files(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings() -> Findings {
        Findings {
            material: "KRvK".to_string(),
            scan: None,
            promotion: None,
            count_draws: Vec::new(),
            lines: Vec::new(),
        }
    }

    #[test]
    fn results_are_found_only_under_the_hash_of_their_table() {
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
    fn newer_results_are_not_replaced_by_older_ones() {
        let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let [first, second] = directories.each_ref().map(|directory| directory.path());
        let named = |name: &str| Findings {
            material: name.to_string(),
            ..findings()
        };
        let saved = |directory: &Path, name: &str| {
            let mut cache = StudyCache::default();
            cache.insert("ab".to_string(), named(name));
            cache.save(directory).unwrap();
        };
        saved(second, "old");
        saved(first, "new");
        // The first directory, to which studies write, takes precedence.
        let mut cache = StudyCache::default();
        for directory in [first, second] {
            cache.load(directory).unwrap();
        }
        assert_eq!(cache.get("ab"), Some(&named("new")));
        // Another process has written since this one loaded the file.
        saved(first, "newer");
        cache.insert("cd".to_string(), named("own"));
        cache.save(first).unwrap();
        let mut again = StudyCache::default();
        again.load(first).unwrap();
        assert_eq!(again.get("ab"), Some(&named("newer")));
        assert_eq!(again.get("cd"), Some(&named("own")));
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(STUDY_NAME);
        std::fs::create_dir(&path).unwrap();
        let mut cache = StudyCache::default();
        cache.insert("ab".to_string(), findings());
        let error = cache.save(directory.path()).unwrap_err();
        assert!(matches!(error, CacheError::Read { .. }), "{error}");
        assert!(path.is_dir());
    }

    #[test]
    fn simultaneous_studies_lose_no_results() {
        let directory = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for i in 0..8 {
                let directory = directory.path();
                scope.spawn(move || {
                    let mut cache = StudyCache::default();
                    for j in 0..8 {
                        cache.insert(format!("{i}{j}"), findings());
                        cache.save(directory).unwrap();
                    }
                });
            }
        });
        let mut all = StudyCache::default();
        all.load(directory.path()).unwrap();
        assert_eq!(all.findings.len(), 64);
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_corrupt_file_is_an_error_and_other_versions_are_not_used() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(STUDY_NAME);
        let mut cache = StudyCache::default();
        cache.load(directory.path()).unwrap();
        for bytes in [&b"{\"version\": 1, \"tab"[..], b"", b"[]"] {
            std::fs::write(&path, bytes).unwrap();
            let error = cache.load(directory.path()).unwrap_err();
            assert!(matches!(error, CacheError::Corrupt { .. }), "{error}");
        }
        std::fs::write(&path, b"{\"version\": 0, \"tables\": 7}").unwrap();
        cache.load(directory.path()).unwrap();
        assert_eq!(cache, StudyCache::default());
        let later = b"{\"version\": 999, \"tables\": 7}";
        std::fs::write(&path, later).unwrap();
        for result in [cache.load(directory.path()), cache.save(directory.path())] {
            assert!(matches!(result, Err(CacheError::Later { .. })));
        }
        assert_eq!(std::fs::read(&path).unwrap(), later);
    }
}
