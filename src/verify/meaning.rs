//! The meaning of a section's codes.

use super::distances::Element;
use super::grid::{Distance, NEVER};
use crate::board::Color;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::table::Code;

/// For each code of a section, the distance to one side's win; [`NEVER`] if the code is not a win
/// of that side.
pub struct Meaning {
    distances: Vec<Distance>,
    /// The index of [`Code::Base`], if it is a code.
    base: Option<usize>,
}

impl Meaning {
    /// The meaning of these codes. `to_plies`: converts moves to plies.
    pub fn of(codes: &[Code], side: Color, winner: Color, to_plies: bool) -> Meaning {
        let distance = |&code: &Code| distance(code, side, winner, to_plies);
        let base = codes.iter().position(|&code| code == Code::Base);
        Meaning {
            distances: codes.iter().map(distance).collect(),
            base,
        }
    }

    /// The distances of the codes by index, as elements of a list. An unknown code is a draw.
    pub fn elements<E: Element>(&self) -> Vec<E> {
        let mut elements: Vec<E> = self.distances.iter().map(|&d| E::of(d)).collect();
        if let Some(base) = self.base {
            elements[base] = E::FROM_BASE;
        }
        elements
    }
}

/// The distance of a code with a side to move, for a winner. `to_plies`: converts moves to plies.
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
