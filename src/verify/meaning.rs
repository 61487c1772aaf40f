//! The distances that the codes in a section's cells mean.

use super::distances::Element;
use super::grid::{Distance, NEVER};
use crate::board::Color;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::table::Code;

/// For each code of a section, the distance to one side's win. [`NEVER`] if the code is not a win
/// of that side.
pub struct Meaning {
    distances: Vec<Distance>,
    /// The index of [`Code::Base`] among the codes. None if the section does not refer to a base.
    base: Option<usize>,
}

impl Meaning {
    /// Translates codes to distances for one winner. `side` is the side to move. `to_plies` is true
    /// if moves have to be converted to plies.
    pub fn of(codes: &[Code], side: Color, winner: Color, to_plies: bool) -> Meaning {
        let distance = |&code: &Code| distance(code, side, winner, to_plies);
        let base = codes.iter().position(|&code| code == Code::Base);
        Meaning {
            distances: codes.iter().map(distance).collect(),
            base,
        }
    }

    /// The distances as elements of a list, indexed by code.
    pub fn elements<E: Element>(&self) -> Vec<E> {
        let mut elements: Vec<E> = self.distances.iter().map(|&d| E::of(d)).collect();
        if let Some(base) = self.base {
            elements[base] = E::FROM_BASE;
        }
        elements
    }
}

/// The distance to the win of `winner` that a code means, with `side` to move. `to_plies` is
/// true if moves have to be converted to plies.
fn distance(code: Code, side: Color, winner: Color, to_plies: bool) -> Distance {
    let moves = match code.win() {
        Some((wins, moves)) if wins == winner => moves,
        _ => return NEVER,
    };
    if !to_plies {
        return moves;
    }
    let plies = moves
        .saturating_mul(2)
        .saturating_sub(u16::from(winner == side));
    match u32::from(plies) <= FIFTY_MOVES_PLIES {
        true => plies,
        false => NEVER,
    }
}
