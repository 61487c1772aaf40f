//! Finds the legal positions at the start of a solve.

use super::geometry::Geometry;
use crate::board::{Color, Role, Square, SquareSet, attacks};

/// Sets of squares that describe a lane before the first step.
#[derive(Clone, Copy, Debug)]
pub struct LaneStart {
    /// The squares of all men except the lane's king.
    pub men: u64,
    /// The squares that the winner attacks.
    pub attacked: u64,
    /// The squares that the lane's king may enter, with or without a capture.
    pub open: u64,
    /// The squares of the lane's king for which the position is legal with that king's side to
    /// move.
    pub legal: u64,
}

/// Computes the sets of squares of a lane. Returns `None` if two of the lane's men share a square.
#[inline(always)]
pub fn lane_start(
    geometry: &Geometry,
    slab: usize,
    digits: &[usize],
    occupied: SquareSet,
    lane: usize,
) -> Option<LaneStart> {
    let inner = SquareSet(geometry.inner_squares[lane]);
    if !(inner & occupied).is_empty() {
        return None;
    }
    let men = occupied | inner;
    let king = geometry.layout.domain()[slab];
    let winner = geometry.layout.winner();
    let near = attacks::king(king);
    let [fixed_attack, loser_bia_attack] = geometry.fixed_attacks;
    let mut attacked = near | fixed_attack;
    let mut losers = geometry.layout.bia().of(!winner);
    let mut checked = match loser_bia_attack.contains(king) {
        true => SquareSet::ALL,
        false => SquareSet::EMPTY,
    };
    for (group, graph) in geometry.graphs.iter().enumerate() {
        let kind = geometry.layout.groups()[group];
        let squares = graph.squares(digits.get(group).copied().unwrap_or(lane));
        if kind.color == winner {
            for from in squares {
                attacked |= attacks::attacks(kind.role, kind.color, from, men);
            }
        } else {
            losers |= squares;
            for from in squares {
                checked |= checks(kind.role, kind.color, from, king, men);
            }
        }
    }
    Some(LaneStart {
        men: men.0,
        attacked: attacked.0,
        open: !attacked.0 & !king.set().0 & !losers.0,
        legal: !men.0 & !near.0 & !checked.0,
    })
}

/// The squares of the lane's king for which a man on `from` gives check to the winner's king.
#[inline(always)]
fn checks(role: Role, color: Color, from: Square, king: Square, men: SquareSet) -> SquareSet {
    if !attacks::attacks(role, color, from, men).contains(king) {
        SquareSet::EMPTY
    } else if role == Role::Rook {
        // The lane's king may block the check.
        !attacks::between(from, king)
    } else {
        SquareSet::ALL
    }
}
