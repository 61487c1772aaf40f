//! Reads the tables of subendings into memory, for the whole board and with the colours of the
//! larger ending.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::black::black_to_move;
use super::captures::Bared;
use super::count::available;
use super::dense::{AfterCaptures, Dense};
use super::ending::EndingInMemory;
use super::placing::{LaneResults, Placing};
use sakmak::board::{Color, SquareSet, attacks};
use sakmak::index::Group;
use sakmak::internals::ForkedByOneFunction;
use sakmak::material::{Army, CanonicalMaterial, MIN_MEN, Material};
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::RuleSet;
use sakmak::table::{Access, TableKind};
use sakmak::verdict::VerdictFile;

/// Reads the subendings of a scan, and caches them.
#[derive(Debug)]
pub struct Reader<'a> {
    tablebase: &'a Tablebase,
    /// The subendings read so far, by material, with White to move and without a limit.
    read: Mutex<HashMap<Material, Arc<Dense>>>,
    /// The results after the capture of Black's last man, by the material that remains.
    bared: Mutex<HashMap<CanonicalMaterial, Arc<Bared>>>,
}

impl<'a> Reader<'a> {
    /// Makes a reader for the tables of a tablebase.
    pub fn new(tablebase: &'a Tablebase) -> Reader<'a> {
        Reader {
            tablebase,
            read: Mutex::default(),
            bared: Mutex::default(),
        }
    }

    /// The tablebase with the tables.
    pub fn tablebase(&self) -> &'a Tablebase {
        self.tablebase
    }

    /// Calls `read`. If `read` fails because of a corrupt table, and a later directory contains
    /// another copy of the table, uses that copy and calls `read` again.
    ///
    /// # Errors
    ///
    /// The first error that another copy cannot remedy.
    pub fn with_replacements<T>(
        &self,
        read: impl Fn() -> Result<T, ProbeError>,
    ) -> Result<T, ProbeError> {
        loop {
            match read() {
                Err(error) => self.tablebase.set_aside(error)?,
                done => return done,
            }
        }
    }

    /// Opens an ending's verdict table for a rule set, of the first directory that has one. None if
    /// it is missing or unusable.
    pub fn verdicts(&self, material: CanonicalMaterial, rules: RuleSet) -> Option<VerdictFile> {
        let inventory = self.tablebase.inventory();
        let path = inventory.path_under(TableKind::Verdicts, material, rules)?;
        VerdictFile::open_as(path, material, Access::Whole).ok()
    }

    /// The results of the subending after the capture of Black's last man, on the board and under
    /// the new count.
    ///
    /// # Errors
    ///
    /// If a table is missing or corrupt.
    pub fn bared(&self, material: CanonicalMaterial) -> Result<Arc<Bared>, ProbeError> {
        let rest = Material::new([material.army(Color::White), Army::BARE]);
        let (rest, _) = rest.canonical();
        let known = || self.bared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bared) = known().get(&rest) {
            return Ok(bared.clone());
        }
        let limit = available(rest.material(), Color::White, Color::Black);
        let bared = Arc::new(Bared {
            all: self.black_to_move_bare(rest, None)?,
            in_time: self.black_to_move_bare(rest, Some(limit))?,
        });
        known().insert(rest, bared.clone());
        Ok(bared)
    }

    /// The subendings after captures of White's men, with White to move.
    ///
    /// If there is a `limit`, White's wins in more moves count as draws, and Black must have a bare
    /// king.
    ///
    /// # Errors
    ///
    /// If a table is missing or corrupt.
    pub fn after_captures_of_white(
        &self,
        material: Material,
        limit: Option<u16>,
    ) -> Result<AfterCaptures, ProbeError> {
        let mut endings = Vec::new();
        for (role, _) in material.white.groups() {
            let white = material.white.without(role).unwrap_or(Army::BARE);
            let rest = material.with_army(Color::White, white);
            endings.push((role, self.white_to_move(rest, limit)?));
        }
        Ok(AfterCaptures::new(endings))
    }

    fn white_to_move(
        &self,
        material: Material,
        limit: Option<u16>,
    ) -> Result<Arc<Dense>, ProbeError> {
        if material.men() == MIN_MEN {
            return Ok(Arc::new(kings()));
        }
        let known = || self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if limit.is_none()
            && let Some(dense) = known().get(&material)
        {
            return Ok(dense.clone());
        }
        let (canonical, swapped) = material.canonical();
        let ending = EndingInMemory::read(&*self.tablebase.inventory().table(canonical)?, limit)?;
        let dense = match swapped {
            false => Dense::new(material, |placed| ending.lane(placed)),
            true => self.swapped(material, canonical, &ending)?,
        };
        let dense = Arc::new(dense);
        if limit.is_none() {
            known().insert(material, dense.clone());
        }
        Ok(dense)
    }

    /// Computes the results with White to move for an ending whose table has the colours exchanged.
    /// They are the results in the table with Black to move.
    fn swapped(
        &self,
        material: Material,
        canonical: CanonicalMaterial,
        ending: &EndingInMemory,
    ) -> Result<Dense, ProbeError> {
        let subendings = self.after_captures_of_white(canonical.material(), None)?;
        let black = all_black_to_move(ending, &subendings);
        let own = Group::all_of(material);
        let theirs = ending.groups();
        Ok(Dense::new(material, |placed| {
            let mut other = Placing::new(placed.king);
            for (men, group) in other.men.iter_mut().zip(theirs) {
                let mut ours = own.iter().zip(&placed.men);
                let found = ours.find(|(g, _)| (g.role, g.color) == (group.role, !group.color));
                let seen = found.map_or(SquareSet::EMPTY, |(_, &men)| men);
                *men = SquareSet(seen.0.swap_bytes());
            }
            let mut words = LaneResults::default();
            let lane = placed.king.flip_vertical();
            for square in !placed.occupied() & !attacks::king(placed.king) {
                other.king = square.flip_vertical();
                let (number, transform) = ending.numbering.number(&other);
                let theirs = black[number];
                let lane = transform.square(lane);
                let bit = |set: SquareSet| match set.contains(lane) {
                    true => square.set(),
                    false => SquareSet::EMPTY,
                };
                words.white |= bit(theirs.black);
                words.drawn |= bit(theirs.drawn);
                words.black |= bit(theirs.white);
            }
            words
        }))
    }

    /// The results with the bare king to move. White's wins in more than `limit` moves count as
    /// draws.
    ///
    /// # Errors
    ///
    /// If a table is missing or corrupt.
    fn black_to_move_bare(
        &self,
        material: CanonicalMaterial,
        limit: Option<u16>,
    ) -> Result<Dense, ProbeError> {
        let ending = EndingInMemory::read(&*self.tablebase.inventory().table(material)?, limit)?;
        let subendings = self.after_captures_of_white(material.material(), limit)?;
        let black = all_black_to_move(&ending, &subendings);
        let ending = EndingInMemory {
            lanes: black,
            ..ending
        };
        Ok(Dense::new(material.material(), |placed| {
            ending.lane(placed)
        }))
    }
}

/// Computes every lane of an ending with Black to move.
fn all_black_to_move(ending: &EndingInMemory, subendings: &AfterCaptures) -> Vec<LaneResults> {
    let numbers = 0..ending.numbering.len();
    let lane = |number| match ending.numbering.placed(number) {
        Some(placed) => black_to_move(ending, subendings, number, &placed),
        None => LaneResults::default(),
    };
    numbers.into_par_iter().erased().map(lane).collect()
}

/// The results of the two kings alone: all legal positions are draws.
fn kings() -> Dense {
    Dense::new(Material::BARE_KINGS, |placed| LaneResults {
        drawn: !attacks::king(placed.king) & !placed.king.set(),
        ..LaneResults::default()
    })
}
