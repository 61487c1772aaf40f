//! What the codes of a section stand for.

use super::distances::Element;
use super::grid::{Distance, NEVER};
use crate::board::Color;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::table::Code;

/// What the codes of a section stand for: the distances of one side's wins.
pub struct Meaning {
    distances: Vec<Distance>,
    /// The place of [`Code::Base`], if it is among them.
    base: Option<usize>,
}

impl Meaning {
    /// What these codes stand for. `to_plies`: they are in moves, and the distances are to be in plies.
    pub fn of(codes: &[Code], side: Color, winner: Color, to_plies: bool) -> Meaning {
        let distance = |&code: &Code| distance(code, side, winner, to_plies);
        let base = codes.iter().position(|&code| code == Code::Base);
        Meaning {
            distances: codes.iter().map(distance).collect(),
            base,
        }
    }

    /// The distances of the codes by their places, as elements of a list. A code that there is not is a
    /// draw.
    pub fn elements<E: Element>(&self) -> Vec<E> {
        let mut elements: Vec<E> = self.distances.iter().map(|&d| E::of(d)).collect();
        if let Some(base) = self.base {
            elements[base] = E::FROM_BASE;
        }
        elements
    }
}

/// The distance of a winner's wins that a code with a side to move stands for. `to_plies`: the code is
/// in moves, and the distance is to be in plies.
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
