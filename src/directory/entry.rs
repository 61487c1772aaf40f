//! The entries of a manifest, one for each table: the stamp of its file and the summary of its
//! contents, of one type for each kind of table.

use std::fmt::Debug;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::container::{Access, Container, FileBytes, Kind, Source, TableError};
use crate::material::CanonicalMaterial;
use crate::rules::{RuleSet, RuleSets};
use crate::statistics::Statistics;
use crate::table::{Distances, Metric, Section, Table, TableFile};
use crate::verdict::{VerdictFile, VerdictSets};

/// The longest step by which file times advance: up to a hundredth of a second, doubled for safety.
/// Two writes within one step may give a file the same time, and a stamp taken between them would
/// not reveal the second write.
const CLOCK_STEP: Duration = Duration::from_millis(20);

/// The identity and the version of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The size and the modification time. On Unix also the inode and its change time.
    file: String,
}

impl Stamp {
    /// Takes the stamp of a file that is about to be read. If the file has just been written, waits
    /// first, since another write might not alter the stamp.
    pub fn before_reading(path: &Path) -> io::Result<Stamp> {
        let data = fs::metadata(path)?;
        // Another write within one step of the clock would leave the file's time unchanged.
        if let Ok(age) = SystemTime::now().duration_since(data.modified()?)
            && age < CLOCK_STEP
        {
            std::thread::sleep(CLOCK_STEP - age);
        }
        Ok(Stamp::new(&fs::metadata(path)?))
    }

    /// Takes the stamp of a file.
    pub fn of(path: &Path) -> io::Result<Stamp> {
        Ok(Stamp::new(&fs::metadata(path)?))
    }

    /// Makes the stamp of a file from its metadata.
    pub fn new(data: &Metadata) -> Stamp {
        let modified = data.modified().ok();
        let since = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        Stamp {
            file: format!("{} {since:?}{}", data.len(), identity(data)),
        }
    }

    /// Hashes the stamp together with the file's hash, so that neither can be replaced separately.
    pub fn with(&self, blake3: &str) -> String {
        let bound = blake3::hash(format!("{} {blake3}", self.file).as_bytes());
        bound.to_hex().as_str()[..16].to_string()
    }
}

/// The inode and its change time, on platforms that have them.
fn identity(data: &Metadata) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        format!(" {} {}.{}", data.ino(), data.ctime(), data.ctime_nsec())
    }
    #[cfg(not(unix))]
    {
        let _ = data;
        String::new()
    }
}

/// The part of a manifest's entry that depends on the kind of table.
pub trait Summary: Clone + Debug + PartialEq + Eq + Serialize + DeserializeOwned + 'static {
    /// The kind of table.
    type Kind: Kind;

    /// The rule sets for which the table has results.
    fn rule_sets(&self) -> RuleSets;

    /// Makes the summary of a table.
    fn of(table: &Container<Self::Kind, FileBytes>) -> Self;

    /// Checks the checksum of every part of a table.
    ///
    /// # Errors
    ///
    /// The error of the first corrupt part.
    fn check(table: &Container<Self::Kind, FileBytes>) -> Result<(), TableError>;
}

/// The summary of a distance table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceSummary {
    /// The rule sets for which the table has results. JSON omits this field if the table has all
    /// three.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub rule_sets: RuleSets,
    /// The statistics of each section, in the order of the sections in the table.
    pub statistics: Vec<MetricStatistics>,
}

fn all() -> RuleSets {
    RuleSets::ALL
}

fn is_all(rules: &RuleSets) -> bool {
    *rules == RuleSets::ALL
}

/// The statistics of an ending's positions under one metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricStatistics {
    /// The name of the metric: `dtm` (to mate) or `dth` (to honor).
    pub metric: String,
    /// The numeric id of the rule set for which `dth` was computed. None for `dtm`, which is the
    /// same under all rule sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u8>,
    /// The numbers of positions by distance, with examples.
    #[serde(flatten)]
    pub statistics: Statistics,
}

/// The summary of a verdict table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictSummary {
    /// The rule sets for which the table has results. JSON omits this field if the table has all
    /// three.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub rule_sets: RuleSets,
    /// The number of positions in each category, for each rule set of the table.
    pub categories: Vec<RulesCategories>,
}

/// The number of an ending's positions in each category, under one rule set and a fresh count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesCategories {
    /// The rule set.
    pub rules: RuleSet,
    /// The numbers of positions with White to move.
    pub white_to_move: Categories,
    /// The numbers of positions with Black to move.
    pub black_to_move: Categories,
}

/// The number of positions in each category, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Categories {
    pub win: u64,
    pub cursed_win: u64,
    pub draw: u64,
    pub blessed_loss: u64,
    pub loss: u64,
}

/// Evaluates an expression in which a name stands for the summary type of a kind of table, so that
/// a program can treat all kinds in one way:
/// `with_summary!(kind, S => manifest.all::<S>().len())`.
#[doc(hidden)]
#[macro_export]
macro_rules! with_summary {
    ($kind:expr, $summary:ident => $value:expr) => {
        match $kind {
            $crate::table::TableKind::Distances => {
                type $summary = $crate::directory::DistanceSummary;
                $value
            }
            $crate::table::TableKind::Verdicts => {
                type $summary = $crate::directory::VerdictSummary;
                $value
            }
        }
    };
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

impl Categories {
    /// Makes the structure from the numbers of positions, listed from win to loss.
    fn new([win, cursed_win, draw, blessed_loss, loss]: [u64; 5]) -> Categories {
        Categories {
            win,
            cursed_win,
            draw,
            blessed_loss,
            loss,
        }
    }
}

impl Summary for DistanceSummary {
    type Kind = Distances;

    fn rule_sets(&self) -> RuleSets {
        self.rule_sets
    }

    fn of(table: &TableFile) -> DistanceSummary {
        DistanceSummary {
            rule_sets: table.rule_sets(),
            statistics: MetricStatistics::of_table(table),
        }
    }

    fn check(table: &TableFile) -> Result<(), TableError> {
        table.check(&|_| {})
    }
}

impl Summary for VerdictSummary {
    type Kind = VerdictSets;

    fn rule_sets(&self) -> RuleSets {
        self.rule_sets
    }

    fn of(table: &VerdictFile) -> VerdictSummary {
        let categories = RuleSet::ALL.into_iter().zip(table.counts());
        let categories = categories.filter(|(rules, _)| table.rule_sets().contains(*rules));
        let categories = categories.map(|(rules, &[white, black])| RulesCategories {
            rules,
            white_to_move: Categories::new(white),
            black_to_move: Categories::new(black),
        });
        VerdictSummary {
            rule_sets: table.rule_sets(),
            categories: categories.collect(),
        }
    }

    fn check(table: &VerdictFile) -> Result<(), TableError> {
        table.check()
    }
}

/// A table's entry in a manifest: fields that all tables have, and a summary that depends on the
/// kind of table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<S> {
    /// The file name in the directory.
    pub file: String,
    /// The length of the file, in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the file, in hexadecimal.
    pub blake3: String,
    /// A digest of the hash and the file's size, inode and times at the time of hashing. While the
    /// stamp matches the file on disk, neither the file nor the entry has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// The summary of the table.
    #[serde(flatten)]
    pub summary: S,
}

/// The entry of a distance table.
pub type ManifestEntry = Entry<DistanceSummary>;

/// The entry of a verdict table.
pub type VerdictEntry = Entry<VerdictSummary>;

impl<S: Summary> Entry<S> {
    /// Makes the entry of a table by reading the whole file, which must be a table of this
    /// material.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a table of this kind and material, or is corrupt.
    pub fn of_file(path: &Path, material: CanonicalMaterial) -> Result<Entry<S>, TableError> {
        Entry::of_file_unless(path, material, |_| false)
    }

    /// Makes the entry as [`Entry::of_file`] does, but does not check the blocks if `is_known`
    /// recognises the file's hash.
    ///
    /// # Errors
    ///
    /// As for [`Entry::of_file`].
    pub fn of_file_unless(
        path: &Path,
        material: CanonicalMaterial,
        is_known: impl FnOnce(&str) -> bool,
    ) -> Result<Entry<S>, TableError> {
        // An entry without a stamp stays valid, but its file is hashed at every use.
        let stamp = Stamp::before_reading(path).ok();
        let table = Container::open_as(path, material, Access::Blocks)?;
        let blake3 = table.hash()?;
        if !is_known(&blake3) {
            S::check(&table)?;
        }
        Ok(Entry::new(path, &table, blake3, stamp))
    }

    /// Makes the entry of a file whose bytes have just been hashed and checked. Does not read the
    /// blocks again.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not a table of this kind and material.
    pub fn of_hashed(
        path: &Path,
        material: CanonicalMaterial,
        blake3: String,
    ) -> Result<Entry<S>, TableError> {
        let stamp = Stamp::of(path).ok();
        let table = Container::open_as(path, material, Access::Blocks)?;
        Ok(Entry::new(path, &table, blake3, stamp))
    }

    fn new(
        path: &Path,
        table: &Container<S::Kind, FileBytes>,
        blake3: String,
        stamp: Option<Stamp>,
    ) -> Entry<S> {
        let name = path.file_name().unwrap_or_default();
        Entry {
            file: name.to_string_lossy().into_owned(),
            bytes: table.file_bytes(),
            stamp: stamp.map(|stamp| stamp.with(&blake3)),
            blake3,
            summary: S::of(table),
        }
    }

    /// True if the file at `path` has not changed since it was hashed for this entry. Does not read
    /// the file's contents.
    pub fn is_of(&self, path: &Path) -> bool {
        let now = Stamp::of(path).map(|stamp| stamp.with(&self.blake3)).ok();
        now.is_some() && now == self.stamp
    }
}
