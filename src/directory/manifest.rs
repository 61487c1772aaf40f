//! `manifest.json`: the tables of a directory with their hashes and statistics.
//!
//! The manifest is for human readers, and for comparing tables made on different machines. Probes
//! do not need it. Every entry is made from the file on disk.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::entry::{DistanceSummary, Entry, ManifestEntry, Summary, VerdictEntry, VerdictSummary};
use crate::container::{Container, FileBytes, TableError, is_temporary};
use crate::material::CanonicalMaterial;
use crate::remedy::Remedy;
use crate::{atomic_file, regular_file};

/// The name of the manifest in each directory of tables.
pub const MANIFEST_NAME: &str = "manifest.json";

/// The version of the manifest's format. It rises when the meaning of a field changes, but not when
/// a field is added.
pub const MANIFEST_VERSION: u32 = 1;

/// An error in reading or writing a manifest.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The file cannot be read.
    #[error("{} cannot be read ({source})", path.display())]
    Read {
        /// The path of the manifest.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("{} cannot be written ({source})", path.display())]
    Write {
        /// The path of the manifest.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not a manifest.
    #[error("{} is corrupt ({source})", path.display())]
    Corrupt {
        /// The path of the manifest.
        path: PathBuf,
        /// The position in the file and the reason.
        source: io::Error,
    },
    /// A later version wrote the file.
    #[error(
        "{} has version {found}, but this sakmak reads version {MANIFEST_VERSION}",
        path.display()
    )]
    Version {
        /// The path of the manifest.
        path: PathBuf,
        /// The version of the manifest.
        found: u32,
    },
}

impl ManifestError {
    /// True if the error is caused by the state of the machine: the same work might succeed later,
    /// or on another machine.
    pub fn is_temporary(&self) -> bool {
        match self {
            ManifestError::Read { source, .. } | ManifestError::Write { source, .. } => {
                is_temporary(source)
            }
            ManifestError::Corrupt { .. } | ManifestError::Version { .. } => false,
        }
    }

    /// The action by which the user can remedy the error.
    pub fn remedy(&self) -> Remedy {
        match self {
            ManifestError::Read { .. } => Remedy::CheckReading,
            ManifestError::Write { .. } => Remedy::CheckWriting,
            ManifestError::Corrupt { path, .. } => Remedy::Delete { path: path.clone() },
            ManifestError::Version { path, .. } => Remedy::UpdateOrDelete { path: path.clone() },
        }
    }
}

/// The manifest of a directory of tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    version: u32,
    tables: BTreeMap<String, ManifestEntry>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    verdict_tables: BTreeMap<String, VerdictEntry>,
}

/// A kind of summary with a list of its own in the manifest.
pub trait Listed: Summary {
    /// The entries of this kind in a manifest.
    #[doc(hidden)]
    fn entries(manifest: &Manifest) -> &BTreeMap<String, Entry<Self>>;

    /// The entries of this kind in a manifest, as a mutable reference.
    #[doc(hidden)]
    fn entries_mut(manifest: &mut Manifest) -> &mut BTreeMap<String, Entry<Self>>;
}

impl Listed for DistanceSummary {
    fn entries(manifest: &Manifest) -> &BTreeMap<String, ManifestEntry> {
        &manifest.tables
    }

    fn entries_mut(manifest: &mut Manifest) -> &mut BTreeMap<String, ManifestEntry> {
        &mut manifest.tables
    }
}

impl Listed for VerdictSummary {
    fn entries(manifest: &Manifest) -> &BTreeMap<String, VerdictEntry> {
        &manifest.verdict_tables
    }

    fn entries_mut(manifest: &mut Manifest) -> &mut BTreeMap<String, VerdictEntry> {
        &mut manifest.verdict_tables
    }
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest {
            version: MANIFEST_VERSION,
            tables: BTreeMap::new(),
            verdict_tables: BTreeMap::new(),
        }
    }
}

impl Manifest {
    /// Reads the manifest of a directory. Returns an empty manifest if the file does not exist.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or parsed.
    pub fn load(directory: &Path) -> Result<Manifest, ManifestError> {
        Manifest::read(directory.join(MANIFEST_NAME))
    }

    /// Reads a manifest from this file. Returns an empty manifest if the file does not exist.
    pub(super) fn read(path: PathBuf) -> Result<Manifest, ManifestError> {
        /// The version of the manifest. It is parsed first, since a later version may have other
        /// fields.
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let bytes = match regular_file::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Manifest::default());
            }
            Err(source) => return Err(ManifestError::Read { path, source }),
        };
        let read = || -> io::Result<Result<Manifest, u32>> {
            match serde_json::from_slice::<Version>(&bytes)?.version {
                version if version > MANIFEST_VERSION => Ok(Err(version)),
                _ => Ok(Ok(serde_json::from_slice(&bytes)?)),
            }
        };
        match read() {
            Ok(Ok(manifest)) => Ok(manifest),
            Ok(Err(found)) => Err(ManifestError::Version { path, found }),
            Err(source) => Err(ManifestError::Corrupt { path, source }),
        }
    }

    /// The entry of this material's table.
    pub fn get<S: Listed>(&self, material: CanonicalMaterial) -> Option<&Entry<S>> {
        S::entries(self).get(&material.to_string())
    }

    /// All entries, by material name.
    pub fn all<S: Listed>(&self) -> impl ExactSizeIterator<Item = (&str, &Entry<S>)> {
        let entries = S::entries(self).iter();
        entries.map(|(name, entry)| (&**name, entry))
    }

    /// Adds or replaces an entry.
    pub fn insert<S: Listed>(&mut self, material: CanonicalMaterial, entry: Entry<S>) {
        S::entries_mut(self).insert(material.to_string(), entry);
    }

    /// Removes an entry.
    pub fn remove<S: Listed>(&mut self, material: CanonicalMaterial) -> Option<Entry<S>> {
        S::entries_mut(self).remove(&material.to_string())
    }

    /// Writes the manifest to a directory atomically.
    ///
    /// # Errors
    ///
    /// If the file cannot be written. An existing manifest is then unchanged.
    pub fn save(&self, directory: &Path) -> Result<(), ManifestError> {
        self.write(directory.join(MANIFEST_NAME))
    }

    /// Writes the manifest to this file atomically.
    pub(super) fn write(&self, path: PathBuf) -> Result<(), ManifestError> {
        let save = || -> io::Result<()> {
            let mut json = serde_json::to_vec(self)?;
            json.push(b'\n');
            atomic_file::write(&path, &json)
        };
        save().map_err(|source| ManifestError::Write { path, source })
    }

    /// Adds the entry of one table to a directory's manifest.
    ///
    /// Callers must hold a lock. If two processes update the manifest at the same time without one,
    /// an entry may be lost.
    ///
    /// # Errors
    ///
    /// If the manifest cannot be read, parsed or written.
    pub fn update<S: Listed>(
        directory: &Path,
        material: CanonicalMaterial,
        entry: Entry<S>,
    ) -> Result<(), ManifestError> {
        let mut manifest = Manifest::load(directory)?;
        manifest.insert(material, entry);
        manifest.save(directory)
    }
}

/// A source of hashes of tables' files. A hash comes from the manifest in the file's directory. If
/// the manifest is out of date, the hash is computed.
#[derive(Debug, Default)]
pub struct TableHashes {
    manifests: BTreeMap<PathBuf, Manifest>,
}

impl TableHashes {
    /// The BLAKE3 hash of a table's file, in hexadecimal.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn of<S: Listed>(
        &mut self,
        table: &Container<S::Kind, FileBytes>,
    ) -> Result<String, TableError> {
        let Some(path) = table.path() else {
            return table.hash();
        };
        let known = self.beside(path).get::<S>(table.material());
        match known.filter(|entry| entry.is_of(path)) {
            Some(entry) => Ok(entry.blake3.clone()),
            None => table.hash(),
        }
    }

    /// The manifest in the directory of a file. If there is no readable manifest, returns an empty
    /// one.
    fn beside(&mut self, path: &Path) -> &Manifest {
        let directory = path.parent().unwrap_or(Path::new("."));
        self.manifests
            .entry(directory.to_path_buf())
            .or_insert_with(|| Manifest::load(directory).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directory::entry::MetricStatistics;
    use crate::statistics::{Counts, Example, Statistics};

    fn entry(bytes: u64) -> ManifestEntry {
        let counts = Counts {
            white_wins: vec![0, 3, bytes],
            white_examples: vec![None, Some(Example::new(vec![1, 2, 3])), None],
            ..Counts::default()
        };
        ManifestEntry {
            file: "KSMvK.skm".to_string(),
            bytes,
            blake3: "00".repeat(32),
            stamp: None,
            summary: DistanceSummary {
                rule_sets: crate::rules::RuleSets::ALL,
                statistics: vec![MetricStatistics {
                    metric: "dth".to_string(),
                    rules: Some(1),
                    statistics: Statistics {
                        white_to_move: counts,
                        ..Statistics::default()
                    },
                }],
            },
        }
    }

    #[test]
    fn a_missing_manifest_is_an_empty_one() {
        let directory = tempfile::tempdir().unwrap();
        let manifest = Manifest::load(directory.path()).unwrap();
        assert_eq!(manifest, Manifest::default());
        let nowhere = directory.path().join("nowhere");
        assert_eq!(Manifest::load(&nowhere).unwrap(), Manifest::default());
    }

    #[test]
    fn one_entry_is_replaced_and_the_others_stay() {
        let directory = tempfile::tempdir().unwrap();
        let (a, b) = ("KSMvK".parse().unwrap(), "KRvKN".parse().unwrap());
        Manifest::update(directory.path(), a, entry(1)).unwrap();
        Manifest::update(directory.path(), b, entry(2)).unwrap();
        Manifest::update(directory.path(), a, entry(3)).unwrap();
        let manifest = Manifest::load(directory.path()).unwrap();
        assert_eq!(manifest.get(a), Some(&entry(3)));
        assert_eq!(manifest.get(b), Some(&entry(2)));
        let left = std::fs::read_dir(directory.path()).unwrap().count();
        assert_eq!(left, 1, "no other file is left beside it");
    }

    #[test]
    fn a_damaged_manifest_is_one_clear_sentence() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(MANIFEST_NAME);
        for bytes in [
            &b"{\"version\": 1, \"tab"[..],
            b"",
            b"\xff\xff",
            b"[]",
            b"{}",
        ] {
            std::fs::write(&path, bytes).unwrap();
            let error = Manifest::load(directory.path()).unwrap_err();
            assert!(matches!(error, ManifestError::Corrupt { .. }), "{error}");
            assert_eq!(error.remedy(), Remedy::Delete { path: path.clone() });
        }
    }

    #[test]
    fn a_manifest_of_a_later_version_is_told_from_a_damaged_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(MANIFEST_NAME);
        std::fs::write(&path, b"{\"version\": 2, \"tables\": 7}").unwrap();
        let error = Manifest::load(directory.path()).unwrap_err();
        assert!(matches!(error, ManifestError::Version { found: 2, .. }));
    }

    #[test]
    fn a_manifest_that_cannot_be_written_says_so() {
        let directory = tempfile::tempdir().unwrap();
        let error = Manifest::default()
            .save(&directory.path().join("nowhere"))
            .unwrap_err();
        assert!(matches!(error, ManifestError::Write { .. }), "{error}");
    }
}
