//! The tables of a tablebase: their endings, files and headers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::CacheStatistics;
use super::error::ProbeError;
use super::lookup::Lookup;
use super::overlay::Overlay;
use super::probe_header::ProbeHeader;
use super::store::{Store, with_tables};
use super::tables_of::Replaced;
use crate::material::CanonicalMaterial;
use crate::rules::{RuleSet, RuleSets};
use crate::statistics::Statistics;
use crate::table::{Metric, TableFile, TableKind};

/// The tables of a [`Tablebase`](super::Tablebase), from
/// [`Tablebase::inventory`](super::Tablebase::inventory).
#[derive(Clone, Copy, Debug)]
pub struct Inventory<'a> {
    store: &'a Store,
}

impl<'a> Inventory<'a> {
    pub(super) fn new(store: &'a Store) -> Inventory<'a> {
        Inventory { store }
    }

    /// The directories, in the order in which they were added.
    pub fn directories(self) -> &'a [PathBuf] {
        self.store.directories()
    }

    /// The number of endings with a distance table.
    pub fn len(self) -> usize {
        self.store.distances.len()
    }

    /// True if there are no tables of any kind.
    pub fn is_empty(self) -> bool {
        self.endings() == 0
    }

    /// The number of endings with a table of any kind.
    pub fn endings(self) -> usize {
        self.of_all_kinds().collect::<BTreeSet<_>>().len()
    }

    /// The largest number of men in any table's ending, kings included; 0 without tables. There is
    /// no need to probe positions with more men.
    pub fn most_men(self) -> usize {
        let men = self.of_all_kinds().map(CanonicalMaterial::men);
        men.max().unwrap_or(0)
    }

    /// The endings of the tables of each kind.
    fn of_all_kinds(self) -> impl Iterator<Item = CanonicalMaterial> {
        let kinds = TableKind::ALL.into_iter();
        kinds.flat_map(move |kind| self.materials_of(kind))
    }

    /// The endings with distance tables, smaller ones first.
    pub fn materials(self) -> impl Iterator<Item = CanonicalMaterial> + use<> {
        self.store.distances.tables().map(|(material, _)| material)
    }

    /// The endings with tables of this kind, smaller ones first.
    pub fn materials_of(self, kind: TableKind) -> Vec<CanonicalMaterial> {
        with_tables!(&self.store, kind, tables => {
            tables.tables().map(|(material, _)| material).collect()
        })
    }

    /// The distance tables that are files in directories, each with its path; smaller endings
    /// first.
    pub fn tables(self) -> impl Iterator<Item = (CanonicalMaterial, &'a Path)> {
        self.store.distances.files()
    }

    /// The file of an ending's distance table, if it is in a directory.
    pub fn path(self, material: CanonicalMaterial) -> Option<&'a Path> {
        self.path_of(TableKind::Distances, material)
    }

    /// The file of an ending's table of this kind, if it is in a directory.
    pub fn path_of(self, kind: TableKind, material: CanonicalMaterial) -> Option<&'a Path> {
        with_tables!(&self.store, kind, tables => tables.path(tables.first(material)?))
    }

    /// The path of the table of this kind that probes of an ending read first. This is
    /// [`Inventory::path_of`], unless the header of that file is corrupt and a later directory has
    /// another table. Opens files only if several directories have the table.
    pub fn path_in_use(self, kind: TableKind, material: CanonicalMaterial) -> Option<&'a Path> {
        with_tables!(&self.store, kind, tables => tables.path_in_use(material, &self.store.files))
    }

    /// The path of the first table of this kind with results for a rule set.
    pub fn path_under(
        self,
        kind: TableKind,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Option<&'a Path> {
        let files = &self.store.files;
        with_tables!(&self.store, kind, tables => tables.path_under(material, rules, files))
    }

    /// The number of table files that are open or memory-mapped. Tables that were added as bytes do
    /// not count.
    pub fn open_files(self) -> usize {
        let open = |kind| with_tables!(&self.store, kind, tables => tables.open_files());
        TableKind::ALL.into_iter().map(open).sum()
    }

    /// The distance table of an ending, from the first directory where its header is valid. Opens
    /// it if necessary.
    ///
    /// # Errors
    ///
    /// If no directory has the table, or its file cannot be used.
    pub fn table(self, material: CanonicalMaterial) -> Result<Arc<TableFile>, ProbeError> {
        self.store.usable_file(material)
    }

    /// An ending's distance table with results for this rule set, opened if necessary.
    ///
    /// # Errors
    ///
    /// As for [`Inventory::require`].
    pub fn table_under(
        self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Arc<TableFile>, ProbeError> {
        let slot = Lookup::under(self.store, rules).slot(material)?;
        Ok(self.store.file(slot)?)
    }

    /// Fails unless an ending has a distance table with results for this rule set.
    ///
    /// # Errors
    ///
    /// As for [`Inventory::table`], and [`ProbeError::MissingRules`].
    pub fn require(self, material: CanonicalMaterial, rules: RuleSet) -> Result<(), ProbeError> {
        let found = self.rule_sets(material)?;
        match found.contains(rules) {
            true => Ok(()),
            false => {
                let (kind, men) = (TableKind::Distances, material.material());
                Err(self.store.missing_rules(kind, men, found, rules))
            }
        }
    }

    /// The rule sets for which an ending's distance tables, in all directories together, have
    /// results. Opens the tables if necessary.
    ///
    /// # Errors
    ///
    /// As for [`Inventory::table`].
    pub fn rule_sets(self, material: CanonicalMaterial) -> Result<RuleSets, ProbeError> {
        self.store.rule_sets(material.material())
    }

    /// The rule sets for which an ending's tables of this kind have results. `None` if the ending
    /// has no table of this kind.
    ///
    /// # Errors
    ///
    /// If no file can be used.
    pub fn rule_sets_of(
        self,
        kind: TableKind,
        material: CanonicalMaterial,
    ) -> Result<Option<RuleSets>, ProbeError> {
        let (men, files) = (material.material(), &self.store.files);
        Ok(with_tables!(&self.store, kind, tables => tables.rule_sets(men, files))?)
    }

    /// Reads the headers of all tables now. Faulty files are found at once, and later probes need
    /// not read headers. No block is read. Each table takes at most a tenth of a millisecond.
    ///
    /// # Errors
    ///
    /// The first error in a file for which no later directory has a replacement. Distance tables
    /// are read before verdict tables, and smaller endings before larger ones.
    pub fn open_all(self) -> Result<(), ProbeError> {
        Ok(self.store.open_all()?)
    }

    /// The corrupt tables found so far for which a later directory has a replacement. They are not
    /// read again.
    pub fn replaced(self) -> Vec<Replaced> {
        self.store.replaced()
    }

    /// The hits and misses of the cache, counted in cells. A probe needs one cell if the position
    /// is stored with its side to move, and otherwise one cell for each move.
    pub fn cache_statistics(self) -> CacheStatistics {
        self.store.cache.statistics()
    }

    /// The statistics of an ending by distance to mate, from its table's header.
    ///
    /// # Errors
    ///
    /// As for [`Inventory::table`].
    pub fn statistics(self, material: CanonicalMaterial) -> Result<&'a Statistics, ProbeError> {
        let (_, contents) = self.store.usable(material.material())?;
        Ok(match statistics_of(contents, &[Metric::Dtm]) {
            Some(statistics) => statistics,
            None => Err(self.table(material)?.damaged("it has no distances to mate"))?,
        })
    }

    /// The statistics of an ending by distance to honor under a rule set. `None` against a bare
    /// king without bia, where the result depends on the distance to mate.
    ///
    /// # Errors
    ///
    /// As for [`Inventory::table`], and if the table has no results for this rule set.
    pub fn honor_statistics(
        self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Option<&'a Statistics>, ProbeError> {
        self.require(material, rules)?;
        if material.material().is_bare_without_bia() {
            return Ok(None);
        }
        let metric = Metric::Dth(rules);
        // A metric without a section equals its base metric.
        let metrics: Vec<Metric> = [Some(metric), metric.base(material)]
            .into_iter()
            .flatten()
            .collect();
        let (_, contents) = self.store.usable_under(material.material(), rules)?;
        match statistics_of(contents, &metrics) {
            Some(statistics) => Ok(Some(statistics)),
            None => Err(self
                .table_under(material, rules)?
                .damaged("it has no distances to honor"))?,
        }
    }

    /// The statistics of an ending under a rule set: how many wins are in time under a fresh count.
    /// They come from the header of its table, without a look at any position.
    ///
    /// # Errors
    ///
    /// As for [`Inventory::statistics`] and [`Inventory::honor_statistics`].
    pub fn overlay(
        self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Overlay, ProbeError> {
        let mates = self.statistics(material)?;
        let honor = self.honor_statistics(material, rules)?;
        match Overlay::new(material, rules, mates, honor) {
            Some(overlay) => Ok(overlay),
            None => Err(self
                .table_under(material, rules)?
                .damaged("it has no distances to honor"))?,
        }
    }
}

/// The statistics of the first of these metrics that has a section.
fn statistics_of<'a>(contents: &'a ProbeHeader, metrics: &[Metric]) -> Option<&'a Statistics> {
    let sections = metrics.iter();
    let mut sections = sections.filter_map(|&metric| contents.of_metric(metric));
    sections.next().map(|stored| &stored.header.info.statistics)
}
