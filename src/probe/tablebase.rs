//! The tables of some directories.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::error::ProbeError;
use super::open::OpenTable;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSet;
use crate::stats::Statistics;
use crate::table::{self, Metric, TableFile};

/// A table's file and, once it has been needed, what is in it.
#[derive(Debug)]
struct Slot {
    path: PathBuf,
    open: OnceLock<OpenTable>,
}

/// The tables of some directories.
///
/// It is asked by `&self`, from any number of threads. Each keeps the blocks it has decoded last,
/// so threads do not wait for each other, and a probe whose blocks are there allocates nothing.
#[derive(Debug, Default)]
pub struct Tablebase {
    directories: Vec<PathBuf>,
    tables: BTreeMap<CanonicalMaterial, Slot>,
}

impl Tablebase {
    /// A tablebase of no tables.
    pub fn new() -> Tablebase {
        Tablebase::default()
    }

    /// Adds the tables of a directory: the files named after a material in its canonical form, such
    /// as `KSMvK.skm`. Returns how many are new.
    ///
    /// Only the names are read. A table is opened when a position first needs it, and is not closed
    /// before the tablebase is dropped. Where several directories have a table of the same ending,
    /// the one added first is taken.
    ///
    /// # Errors
    ///
    /// If the directory is not there or cannot be read. A table in it that is damaged is not
    /// noticed here.
    pub fn add_directory(&mut self, path: impl AsRef<Path>) -> io::Result<usize> {
        let directory = path.as_ref();
        self.directories.push(directory.to_path_buf());
        let mut new = 0;
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            let Some(material) = table::material_of(&path) else {
                continue;
            };
            self.tables.entry(material).or_insert_with(|| {
                new += 1;
                Slot {
                    path,
                    open: OnceLock::new(),
                }
            });
        }
        Ok(new)
    }

    /// The directories added, in that order.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The tables there are, those of smaller endings first, each with its file.
    pub fn tables(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        let tables = self.tables.iter();
        tables.map(|(&material, slot)| (material, slot.path.as_path()))
    }

    /// The file of an ending's table, if it is in one of the directories.
    pub fn path(&self, material: CanonicalMaterial) -> Option<&Path> {
        self.tables.get(&material).map(|slot| slot.path.as_path())
    }

    /// The table of an ending, opened now if it was not.
    ///
    /// # Errors
    ///
    /// If it is in none of the directories, or its file cannot be used.
    pub fn table(&self, material: CanonicalMaterial) -> Result<&TableFile, ProbeError> {
        self.open(material).map(OpenTable::file)
    }

    pub(super) fn open(&self, material: CanonicalMaterial) -> Result<&OpenTable, ProbeError> {
        let slot = self
            .tables
            .get(&material)
            .ok_or_else(|| ProbeError::Missing {
                material,
                directories: self.directories.clone(),
            })?;
        if let Some(open) = slot.open.get() {
            return Ok(open);
        }
        // A failure is not kept: the next probe tries again.
        let opened = OpenTable::open(&slot.path, material)?;
        Ok(slot.open.get_or_init(|| opened))
    }

    /// The statistics of an ending by distance to mate, from its table's header.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table`].
    pub fn statistics(&self, material: CanonicalMaterial) -> Result<&Statistics, ProbeError> {
        let file = self.table(material)?;
        let statistics = Self::statistics_of(file, Metric::Dtm);
        statistics.ok_or_else(|| file.damaged("it has no distances to mate").into())
    }

    /// The statistics of an ending by distance to honor under a rule set. None where a king is
    /// bare, for there the distance to mate decides, and if the table has no such distances.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table`].
    pub fn honor_statistics(
        &self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Option<&Statistics>, ProbeError> {
        let table = self.open(material)?;
        let metric = table.resolve(Metric::Dth { rules: rules.id() });
        Ok(metric.and_then(|metric| Self::statistics_of(table.file(), metric)))
    }

    fn statistics_of(file: &TableFile, metric: Metric) -> Option<&Statistics> {
        let section = file.section(metric)?;
        Some(&section.header().info.statistics)
    }
}
