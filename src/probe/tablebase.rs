//! The tables of some directories, asked about positions.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::open::OpenTable;
use super::value::Value;
use crate::board::Position;
use crate::material::{CanonicalMaterial, MIN_MEN, Material};
use crate::rules::{Category, Count, RuleSet};
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
        let section = file
            .section(Metric::Dtm)
            .ok_or_else(|| file.damaged("it has no distances to mate"))?;
        Ok(&section.header().info.statistics)
    }

    /// The statistics of an ending by distance to honor under a rule set. None where a king is
    /// bare, for there the distance to mate decides.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table`].
    pub fn honor_statistics(
        &self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Option<&Statistics>, ProbeError> {
        if material.is_bare() {
            return Ok(None);
        }
        let file = self.table(material)?;
        let metric = Metric::Dth { rules: rules.id() };
        // A metric without a section is what its base says.
        let section = [Some(metric), metric.base()]
            .into_iter()
            .flatten()
            .find_map(|metric| file.section(metric))
            .ok_or_else(|| file.damaged("it has no distances to honor"))?;
        Ok(Some(&section.header().info.statistics))
    }

    /// How a position ends for the side to move when nothing is counted.
    ///
    /// # Errors
    ///
    /// If a table it depends on is missing or cannot be used: its own or, if it is not stored with
    /// this side to move, that of an ending that one of its captures leads to.
    pub fn dtm(&self, position: &Position) -> Result<Distance, ProbeError> {
        self.distance(Metric::Dtm, position)
    }

    /// The distance to honor for the side to move: to mate, or to the capture of the last enemy
    /// man into an ending that the rule set's count lets the winner win. Against a bare king
    /// there is none.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dth(&self, position: &Position, rules: RuleSet) -> Result<Option<Distance>, ProbeError> {
        if position.material().bare_side().is_some() {
            return Ok(None);
        }
        let metric = Metric::Dth { rules: rules.id() };
        self.distance(metric, position).map(Some)
    }

    fn distance(&self, metric: Metric, position: &Position) -> Result<Distance, ProbeError> {
        if position.occupied().len() <= MIN_MEN {
            return Ok(Distance::Draw);
        }
        let (material, swap) = position.material().canonical();
        let table = self.open(material)?;
        let position = if swap { position.flipped() } else { *position };
        self.distance_in(table, metric, material.material(), &position)
    }

    /// The same for a position of the canonical material of this table.
    fn distance_in(
        &self,
        table: &OpenTable,
        metric: Metric,
        material: Material,
        position: &Position,
    ) -> Result<Distance, ProbeError> {
        if let Some(distance) = table.distance(metric, position)? {
            return Ok(distance);
        }
        if material.white == material.black
            && let Some(distance) = table.distance(metric, &position.flipped())?
        {
            return Ok(distance);
        }
        self.by_moves(metric, position)
    }

    /// The distance to mate worked out from the positions that the moves lead to, even if the
    /// position itself is stored: for checking the one against the other.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dtm_by_moves(&self, position: &Position) -> Result<Distance, ProbeError> {
        self.by_moves(Metric::Dtm, position)
    }

    /// The same for the distance to honor.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dth_by_moves(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Distance, ProbeError> {
        self.by_moves(Metric::Dth { rules: rules.id() }, position)
    }

    fn by_moves(&self, metric: Metric, position: &Position) -> Result<Distance, ProbeError> {
        let mut best = None;
        for m in position.legal_moves() {
            let next = position.play(m);
            let distance = match position.is_capture(m) {
                true => self.after_capture(metric, &next)?,
                false => self.distance(metric, &next)?,
            };
            best = best.max(Some(distance.before_move()));
        }
        Ok(best.unwrap_or(without_moves(position)))
    }

    /// The distance after a capture, for the side then to move.
    fn after_capture(&self, metric: Metric, next: &Position) -> Result<Distance, ProbeError> {
        let rules = match metric {
            Metric::Dth { rules } if next.material().bare_side().is_some() => {
                RuleSet::from_id(rules)
            }
            _ => None,
        };
        let Some(rules) = rules else {
            return self.distance(metric, next);
        };
        // The capture bared the king: as good as mate inside the count, worth nothing outside.
        let dtm = self.distance(Metric::Dtm, next)?;
        let value = Value::against_bare_king(next, rules, &Count::Fresh, dtm);
        Ok(match value.category {
            Category::Loss => Distance::Loss(Moves(0)),
            _ => Distance::Draw,
        })
    }

    /// What a position is worth to the side to move, under a rule set and with a count.
    ///
    /// None if the tables there do not decide it: in ASEAN chess, with men on both sides, a win
    /// that takes more moves than the fifty-move rule leaves may or may not have a capture on the
    /// way.
    ///
    /// # Errors
    ///
    /// If no such count can run in the position, and as [`Tablebase::dtm`].
    pub fn probe(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Option<Value>, ProbeError> {
        count.validate(rules, position.material(), position.turn())?;
        let dtm = self.dtm(position)?;
        Ok(match self.dth(position, rules)? {
            None => Some(Value::against_bare_king(position, rules, count, dtm)),
            Some(dth) => Value::with_men_on_both_sides(position, rules, count, dtm, dth),
        })
    }
}

/// The outcome for a side to move that has no legal move.
fn without_moves(position: &Position) -> Distance {
    match position.is_check() {
        true => Distance::Loss(Moves(0)),
        false => Distance::Draw,
    }
}
