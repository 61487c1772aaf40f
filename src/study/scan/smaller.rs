//! The endings that captures lead to, over the whole board and in the colours of the larger one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::black::black_to_move;
use super::ending::Ending;
use super::placed::{Placed, Words};
use crate::board::{Role, Square, SquareSet, attacks};
use crate::index::{Group, Placements};
use crate::material::{Army, CanonicalMaterial, MIN_MEN, Material};
use crate::probe::{ProbeError, Tablebase};

/// All lanes of an ending with one side to move, White's king on any square.
#[derive(Debug)]
pub struct Dense {
    groups: Vec<Group>,
    placements: Vec<Placements>,
    lanes: Vec<Words>,
}

impl Dense {
    /// Asks for the lane of every placing. Those in which two men share a square are left empty.
    fn new(material: Material, lane: impl Fn(&Placed) -> Words + Sync) -> Dense {
        let groups = Group::all_of(material);
        let placements: Vec<Placements> = groups.iter().map(|group| group.placements()).collect();
        let squares: Vec<Vec<SquareSet>> = placements.iter().map(Placements::table).collect();
        let number = placements.iter().fold(64, |n, p| n * p.len());
        let placed = |mut number: usize| {
            let mut placed = Placed::new(Square::wrapping(0));
            for (men, squares) in placed.men.iter_mut().zip(&squares) {
                *men = squares[number % squares.len()];
                number /= squares.len();
            }
            placed.king = Square::wrapping(number);
            placed
        };
        let lanes = (0..number).into_par_iter().map(|number| {
            let placed = placed(number);
            match placed.apart() {
                Some(_) => lane(&placed),
                None => Words::default(),
            }
        });
        Dense {
            lanes: lanes.collect(),
            groups,
            placements,
        }
    }

    /// The lane of a placing of the larger ending, whose groups are given, less the man that is
    /// gone.
    pub fn words(&self, placed: &Placed, groups: &[Group]) -> Words {
        let (mut number, mut radix) = (0, 1);
        for (own, placements) in self.groups.iter().zip(&self.placements) {
            let mut larger = groups.iter().zip(&placed.men);
            let found = larger.find(|(g, _)| (g.role, g.color) == (own.role, own.color));
            let men = found.map_or(SquareSet::EMPTY, |(_, &men)| men);
            number += placements.number(men) * radix;
            radix *= placements.len();
        }
        self.lanes[number + placed.king.index() * radix]
    }
}

/// What is left after the capture of a man of one side, by the role of that man.
#[derive(Debug, Default)]
pub struct Smaller {
    endings: Vec<(Role, Arc<Dense>)>,
}

impl Smaller {
    /// What is left after a man of this role is gone. The ending must have one.
    pub fn after(&self, role: Role) -> &Dense {
        let found = self.endings.iter().find(|(r, _)| *r == role);
        &found.expect("only men of the ending are taken").1
    }
}

/// The smaller endings, read once for all that need them.
#[derive(Debug)]
pub struct Reader<'a> {
    tablebase: &'a Tablebase,
    /// With White to move and no limit, by material.
    read: Mutex<HashMap<Material, Arc<Dense>>>,
}

impl<'a> Reader<'a> {
    /// Reads from these tables.
    pub fn new(tablebase: &'a Tablebase) -> Reader<'a> {
        Reader {
            tablebase,
            read: Mutex::default(),
        }
    }

    /// The tables.
    pub fn tablebase(&self) -> &'a Tablebase {
        self.tablebase
    }

    /// What a material can become by captures of White's men, White to move.
    ///
    /// With a limit White's longer wins are draws; Black must have only its king then.
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn after_captures_of_white(
        &self,
        material: Material,
        limit: Option<u16>,
    ) -> Result<Smaller, ProbeError> {
        let mut endings = Vec::new();
        for (role, _) in material.white.groups() {
            let rest = Material {
                white: material.white.without(role).unwrap_or(Army::BARE),
                black: material.black,
            };
            endings.push((role, self.white_to_move(rest, limit)?));
        }
        Ok(Smaller { endings })
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
        let ending = Ending::read(&*self.tablebase.table(canonical)?, limit)?;
        let dense = match swapped {
            false => Dense::new(material, |placed| ending.words(placed)),
            true => self.swapped(material, canonical, &ending)?,
        };
        let dense = Arc::new(dense);
        if limit.is_none() {
            known().insert(material, dense.clone());
        }
        Ok(dense)
    }

    /// White to move, where the table's colours are the other way round and its Black is to move.
    fn swapped(
        &self,
        material: Material,
        canonical: CanonicalMaterial,
        ending: &Ending,
    ) -> Result<Dense, ProbeError> {
        let smaller = self.after_captures_of_white(canonical.material(), None)?;
        let black = all_black_to_move(ending, &smaller);
        let own = Group::all_of(material);
        let theirs = ending.groups();
        Ok(Dense::new(material, |placed| {
            let mut other = Placed::new(placed.king);
            for (men, group) in other.men.iter_mut().zip(theirs) {
                let mut ours = own.iter().zip(&placed.men);
                let found = ours.find(|(g, _)| (g.role, g.color) == (group.role, !group.color));
                let seen = found.map_or(SquareSet::EMPTY, |(_, &men)| men);
                *men = SquareSet(seen.0.swap_bytes());
            }
            let mut words = Words::default();
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

    /// The positions against a bare king, Black to move, that White wins within some moves (all its
    /// wins, without a limit).
    ///
    /// # Errors
    ///
    /// If a table is missing or damaged.
    pub fn black_to_move_bare(
        &self,
        material: CanonicalMaterial,
        limit: Option<u16>,
    ) -> Result<Dense, ProbeError> {
        let ending = Ending::read(&*self.tablebase.table(material)?, limit)?;
        let smaller = self.after_captures_of_white(material.material(), limit)?;
        let black = all_black_to_move(&ending, &smaller);
        let ending = Ending {
            lanes: black,
            ..ending
        };
        Ok(Dense::new(material.material(), |placed| {
            ending.words(placed)
        }))
    }
}

/// Every lane of an ending with Black to move.
fn all_black_to_move(ending: &Ending, smaller: &Smaller) -> Vec<Words> {
    let numbers = 0..ending.numbering.len();
    let lane = |number| match ending.numbering.placed(number) {
        Some(placed) => black_to_move(ending, smaller, number, &placed),
        None => Words::default(),
    };
    numbers.into_par_iter().map(lane).collect()
}

/// The two kings alone.
fn kings() -> Dense {
    let bare = Material {
        white: Army::BARE,
        black: Army::BARE,
    };
    Dense::new(bare, |placed| Words {
        drawn: !attacks::king(placed.king) & !placed.king.set(),
        ..Words::default()
    })
}
