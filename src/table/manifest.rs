//! `manifest.json`: what the tables of a directory are, and the checksums to compare them by.
//!
//! It is a convenience for people and for comparing tables made on different machines; a probe
//! reads the tables alone. What it says of a table is taken from the file as it lies on the disk.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::error::TableError;
use super::header::Metric;
use super::read::{Section, Table, TableFile};
use super::source::{Access, Source};
use super::stamp::Stamp;
use crate::atomic_file;
use crate::material::CanonicalMaterial;
use crate::regular_file;
use crate::remedy::Remedy;
use crate::rules::RuleSet;
use crate::stats::Statistics;

/// The name of the file in the directory of the tables.
pub const MANIFEST_NAME: &str = "manifest.json";

/// The version of the manifest's fields. Raised when a field changes its meaning, not when one is
/// added.
pub const MANIFEST_VERSION: u32 = 1;

/// What the manifest says of one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestEntry {
    /// The file's name in the directory.
    pub file: String,
    /// The bytes of the file.
    pub bytes: u64,
    /// The BLAKE3 hash of the file, in hexadecimal.
    pub blake3: String,
    /// A digest of the hash with the size, inode and times of the file that it was taken from: as
    /// long as it is right, nobody has changed the file or the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// The statistics of each section, in the order of the file.
    pub statistics: Vec<MetricStatistics>,
}

/// The statistics of an ending under one metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricStatistics {
    /// The name of the metric, `dtm` or `dth`.
    pub metric: String,
    /// For `dth` the number of the rule set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u8>,
    /// The statistics.
    #[serde(flatten)]
    pub statistics: Statistics,
}

/// What the manifest says of one verdict table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictEntry {
    /// The file's name in the directory.
    pub file: String,
    /// The bytes of the file.
    pub bytes: u64,
    /// The BLAKE3 hash of the file, in hexadecimal.
    pub blake3: String,
    /// As that of a [`ManifestEntry`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// The positions by category, under each rule set.
    pub categories: Vec<RulesCategories>,
}

/// The positions of an ending by category, under a rule set and with a count that begins now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesCategories {
    /// The rule set.
    pub rules: RuleSet,
    /// With White to move.
    pub white_to_move: Categories,
    /// With Black to move.
    pub black_to_move: Categories,
}

/// Positions by their category for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Categories {
    pub win: u64,
    pub cursed_win: u64,
    pub draw: u64,
    pub blessed_loss: u64,
    pub loss: u64,
}

impl VerdictEntry {
    /// Whether the hash was taken from this file, and the file has not been changed since. This
    /// does not read the file.
    pub fn is_of(&self, path: &Path) -> bool {
        is_stamped(path, &self.blake3, self.stamp.as_deref())
    }
}

/// Whether a hash and its stamp are those of a file as it is now.
fn is_stamped(path: &Path, blake3: &str, stamp: Option<&str>) -> bool {
    let now = Stamp::of(path).map(|stamp| stamp.with(blake3)).ok();
    now.is_some() && now.as_deref() == stamp
}

impl MetricStatistics {
    /// The statistics of each section of a table.
    pub fn of_table<B: Source>(table: &Table<B>) -> Vec<MetricStatistics> {
        let of_section = |section: Section<'_, B>| {
            let info = &section.header().info;
            let (metric, rules) = match info.metric {
                Metric::Dtm => ("dtm", None),
                Metric::Dth(rules) => ("dth", Some(rules.id())),
            };
            MetricStatistics {
                metric: metric.to_string(),
                rules,
                statistics: info.statistics.clone(),
            }
        };
        table.sections().map(of_section).collect()
    }
}

impl ManifestEntry {
    /// Reads the whole file to say what it is.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no table, or is damaged.
    pub fn of_file(path: &Path) -> Result<ManifestEntry, TableError> {
        ManifestEntry::of_file_unless(path, |_| false)
    }

    /// The same, without a look at the blocks of a table whose hash `is_known` to be that of a good one.
    ///
    /// # Errors
    ///
    /// As [`ManifestEntry::of_file`].
    pub fn of_file_unless(
        path: &Path,
        is_known: impl FnOnce(&str) -> bool,
    ) -> Result<ManifestEntry, TableError> {
        // What cannot be stamped is hashed again whenever its hash is wanted.
        let stamp = Stamp::before_reading(path).ok();
        let table = TableFile::open(path, Access::Blocks)?;
        let blake3 = table.hash()?.to_hex().to_string();
        if !is_known(&blake3) {
            table.check(&|_| {})?;
        }
        Ok(ManifestEntry {
            file: path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            bytes: table.file_bytes(),
            stamp: stamp.map(|stamp| stamp.with(&blake3)),
            blake3,
            statistics: MetricStatistics::of_table(&table),
        })
    }

    /// Whether the hash was taken from this file, and the file has not been changed since. This
    /// does not read the file.
    pub fn is_of(&self, path: &Path) -> bool {
        is_stamped(path, &self.blake3, self.stamp.as_deref())
    }
}

/// The hashes of tables: those in the manifests next to them where the files have not been changed
/// since, else those of the files.
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
    pub fn of(&mut self, table: &TableFile) -> Result<String, TableError> {
        let hash = || Ok(table.hash()?.to_hex().to_string());
        let Some(path) = table.path() else {
            return hash();
        };
        let known = self.beside(path).get(table.material());
        match known.filter(|entry| entry.is_of(path)) {
            Some(entry) => Ok(entry.blake3.clone()),
            None => hash(),
        }
    }

    /// The BLAKE3 hash of the verdict table in a file, if the manifest next to it has it.
    pub fn of_verdicts(&mut self, material: CanonicalMaterial, path: &Path) -> Option<String> {
        let known = self.beside(path).verdicts(material);
        let known = known.filter(|entry| entry.is_of(path));
        known.map(|entry| entry.blake3.clone())
    }

    /// The manifest next to a file: an empty one, if there is none that can be read.
    fn beside(&mut self, path: &Path) -> &Manifest {
        let directory = path.parent().unwrap_or(Path::new("."));
        self.manifests
            .entry(directory.to_path_buf())
            .or_insert_with(|| Manifest::load(directory).unwrap_or_default())
    }
}

/// What is wrong with a manifest, and with which file.
#[derive(Debug, Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("{} cannot be read ({source})", path.display())]
    Read {
        /// The manifest.
        path: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// It cannot be written.
    #[error("{} cannot be written ({source})", path.display())]
    Write {
        /// The manifest.
        path: PathBuf,
        /// The system's own words.
        source: io::Error,
    },
    /// It is not a manifest.
    #[error("{} is corrupt ({source})", path.display())]
    Corrupt {
        /// The manifest.
        path: PathBuf,
        /// Where and why it cannot be understood.
        source: serde_json::Error,
    },
    /// A later version wrote it.
    #[error(
        "{} has version {found}, but this sakmak reads version {MANIFEST_VERSION}",
        path.display()
    )]
    Version {
        /// The manifest.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

impl ManifestError {
    /// What the user can do about it.
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
    /// The manifest of this directory; an empty one if there is none.
    ///
    /// # Errors
    ///
    /// If there is one that cannot be read or understood.
    pub fn load(directory: &Path) -> Result<Manifest, ManifestError> {
        Manifest::read(directory.join(MANIFEST_NAME))
    }

    /// The manifest in this file; an empty one if there is none.
    pub(super) fn read(path: PathBuf) -> Result<Manifest, ManifestError> {
        /// Read first, since the rest of a later version may be different.
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
        let read = || -> Result<Result<Manifest, u32>, serde_json::Error> {
            match serde_json::from_slice::<Version>(&bytes)?.version {
                version if version > MANIFEST_VERSION => Ok(Err(version)),
                _ => serde_json::from_slice(&bytes).map(Ok),
            }
        };
        match read() {
            Ok(Ok(manifest)) => Ok(manifest),
            Ok(Err(found)) => Err(ManifestError::Version { path, found }),
            Err(source) => Err(ManifestError::Corrupt { path, source }),
        }
    }

    /// What it says of the table of this material.
    pub fn get(&self, material: CanonicalMaterial) -> Option<&ManifestEntry> {
        self.tables.get(&material.to_string())
    }

    /// The tables it knows, by the names of their materials.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &ManifestEntry)> {
        self.tables.iter().map(|(name, entry)| (&**name, entry))
    }

    /// Puts in or replaces what it says of one table.
    pub fn insert(&mut self, material: CanonicalMaterial, entry: ManifestEntry) {
        self.tables.insert(material.to_string(), entry);
    }

    /// What it says of the verdict table of this material.
    pub fn verdicts(&self, material: CanonicalMaterial) -> Option<&VerdictEntry> {
        self.verdict_tables.get(&material.to_string())
    }

    /// The verdict tables it knows, by the names of their materials.
    pub fn verdict_tables(&self) -> impl Iterator<Item = (&str, &VerdictEntry)> {
        let entries = self.verdict_tables.iter();
        entries.map(|(name, entry)| (&**name, entry))
    }

    /// Puts in or replaces what it says of one verdict table.
    pub fn insert_verdicts(&mut self, material: CanonicalMaterial, entry: VerdictEntry) {
        self.verdict_tables.insert(material.to_string(), entry);
    }

    /// Takes out what it says of one table.
    pub fn remove(&mut self, material: CanonicalMaterial) -> Option<ManifestEntry> {
        self.tables.remove(&material.to_string())
    }

    /// Writes it to this directory, in one step: a reader finds the old one or the new one.
    ///
    /// # Errors
    ///
    /// If it cannot be written. Then the old one stays.
    pub fn save(&self, directory: &Path) -> Result<(), ManifestError> {
        self.write(directory.join(MANIFEST_NAME))
    }

    /// Writes it to this file, in one step.
    pub(super) fn write(&self, path: PathBuf) -> Result<(), ManifestError> {
        let save = || -> io::Result<()> {
            let mut json = serde_json::to_vec(self)?;
            json.push(b'\n');
            atomic_file::write(&path, &json)
        };
        save().map_err(|source| ManifestError::Write { path, source })
    }

    /// Puts one table into the manifest of a directory, and leaves the others as they are.
    ///
    /// Two processes that do so at once may lose one of the entries: hold a lock.
    ///
    /// # Errors
    ///
    /// If the manifest cannot be read, understood or written.
    pub fn update(
        directory: &Path,
        material: CanonicalMaterial,
        entry: ManifestEntry,
    ) -> Result<(), ManifestError> {
        let mut manifest = Manifest::load(directory)?;
        manifest.insert(material, entry);
        manifest.save(directory)
    }

    /// Does the same for a verdict table.
    ///
    /// # Errors
    ///
    /// As [`Manifest::update`].
    pub fn update_verdicts(
        directory: &Path,
        material: CanonicalMaterial,
        entry: VerdictEntry,
    ) -> Result<(), ManifestError> {
        let mut manifest = Manifest::load(directory)?;
        manifest.insert_verdicts(material, entry);
        manifest.save(directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Counts, Example};

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
            statistics: vec![MetricStatistics {
                metric: "dth".to_string(),
                rules: Some(1),
                statistics: Statistics {
                    white_to_move: counts,
                    ..Statistics::default()
                },
            }],
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
