//! The tables of some directories, asked about positions.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::dtm::Dtm;
use super::error::ProbeError;
use super::open::OpenTable;
use crate::board::{Color, Position};
use crate::material::{CanonicalMaterial, MIN_MEN, Material};
use crate::rules::{Allowance, Category, Count, RuleSet, category};
use crate::stats::Statistics;
use crate::table::{self, Metric, TableFile};

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The distance to mate, as if nothing were counted.
    pub dtm: Dtm,
    /// What it is worth under the rule set, with the count.
    pub category: Category,
    /// What the count leaves to the side that mates or, in a draw against a bare king, to the side
    /// that has men. None if no rule ends the game.
    pub allowance: Option<Allowance>,
}

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

    /// How a position ends for the side to move when nothing is counted.
    ///
    /// # Errors
    ///
    /// If a table it depends on is missing or cannot be used: its own or, if it is not stored with
    /// this side to move, that of an ending that one of its captures leads to.
    pub fn dtm(&self, position: &Position) -> Result<Dtm, ProbeError> {
        if position.occupied().len() <= MIN_MEN {
            return Ok(Dtm::Draw);
        }
        let (material, swap) = position.material().canonical();
        let table = self.open(material)?;
        let position = if swap { position.flipped() } else { *position };
        self.dtm_in(table, material.material(), &position)
    }

    /// The same for a position of the canonical material of this table.
    fn dtm_in(
        &self,
        table: &OpenTable,
        material: Material,
        position: &Position,
    ) -> Result<Dtm, ProbeError> {
        if let Some(dtm) = table.dtm(position)? {
            return Ok(dtm);
        }
        if material.white == material.black
            && let Some(dtm) = table.dtm(&position.flipped())?
        {
            return Ok(dtm);
        }
        let mut best = None;
        for m in position.legal_moves() {
            let next = position.play(m);
            let dtm = match position.is_capture(m) {
                true => self.dtm(&next)?,
                false => self.dtm_in(table, material, &next)?,
            };
            best = best.max(Some(dtm.before_move()));
        }
        Ok(best.unwrap_or(without_moves(position)))
    }

    /// What a position is worth to the side to move, under a rule set and with a count.
    ///
    /// None if the tables there are do not decide it: where both sides have men a count leads from
    /// one rule to the next, and a distance to mate alone does not tell.
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
        Ok(value(position, rules, count, dtm))
    }
}

/// The outcome for a side to move that has no legal move.
fn without_moves(position: &Position) -> Dtm {
    match position.is_check() {
        true => Dtm::Loss(super::Moves(0)),
        false => Dtm::Draw,
    }
}

/// What a distance is worth to the side to move in a position; the distance may be that after
/// one of its moves, counted from before it.
pub(super) fn value(position: &Position, rules: RuleSet, count: &Count, dtm: Dtm) -> Option<Value> {
    let turn = position.turn();
    let material = position.material();
    let bare = Color::ALL
        .into_iter()
        .find(|&color| material.army(color).is_empty());
    let winner = dtm.winner(turn);
    let allowance = winner
        .or(bare.map(|bare| !bare))
        .and_then(|winner| Allowance::new(rules, material, winner, turn, count));
    let decided = bare.is_some() || matches!(dtm, Dtm::Draw | Dtm::Loss(super::Moves(0)));
    decided.then(|| Value {
        dtm,
        category: category(
            dtm.outcome(turn),
            turn,
            allowance.map(|allowance| allowance.moves_available),
        ),
        allowance,
    })
}
