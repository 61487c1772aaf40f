//! Translates the codes in a section's cells to distances.

use super::distances::Element;
use super::grid::{Distance, NEVER};
use crate::board::Color;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::table::Code;

/// The distance of one side's win for each code of a section.
pub struct Meaning {
    /// The distances, indexed by code; [`NEVER`] if the code is not a win of that side.
    distances: Vec<Distance>,
    /// The index of [`Code::Base`] among the codes. `None` if the section does not refer to a base.
    base: Option<usize>,
}

impl Meaning {
    /// The distances of `winner`'s wins for these codes, with `side` to move. If `to_plies` is
    /// true, moves are converted to plies.
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

/// The distance of `winner`'s win for a code, with `side` to move; [`NEVER`] if the code is not a
/// win of that side. If `to_plies` is true, moves are converted to plies, and a win beyond the
/// limit of the fifty-move rule becomes [`NEVER`].
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
