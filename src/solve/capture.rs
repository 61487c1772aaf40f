//! Finds the positions from which a capture leads to given positions of a subending.

use super::geometry::{Geometry, Place};
use super::leaf::Shape;
use super::rows::{Rows, or_into};
use crate::board::{Color, SquareSet};

/// Adds to `sum` the captures by the lane's king that lead to a position in `leaf`. Each is a bit
/// on the square of the captured man. Returns false only if it adds no bits.
#[inline(always)]
pub fn by_lane_king(
    geometry: &Geometry,
    shape: &Shape,
    leaf: &Rows,
    place: Place,
    sum: &mut [u64],
) -> bool {
    let row = shape.row(place.slab, place.digits);
    let graph = &geometry.graphs[shape.group];
    if let Some(&digit) = place.digits.get(shape.group) {
        let mut any = false;
        for removal in graph.removals(digit) {
            let rest = removal.rest as usize * shape.strides[shape.group];
            if let Some(words) = leaf.row(row + rest) {
                for (sum, word) in sum.iter_mut().zip(words) {
                    *sum |= word & 1 << removal.square;
                }
                any = true;
            }
        }
        return any;
    }
    let Some(words) = leaf.row(row) else {
        return false;
    };
    if let [word] = *words {
        for square in SquareSet(word) {
            // The lane in which a single man is on this square, if it can be there.
            for &lane in &geometry.lanes_on[square.index()] {
                sum[lane as usize] |= square.set().0;
            }
        }
    } else {
        for (lane, sum) in sum.iter_mut().enumerate() {
            for removal in graph.removals(lane) {
                *sum |= words[removal.rest as usize] & 1 << removal.square;
            }
        }
    }
    true
}

/// A capture that leads from a row of lanes to a row of a leaf.
#[derive(Clone, Copy, Debug)]
pub struct Strike {
    /// The index, in the leaf, of the row that the capture leads to.
    row: usize,
    /// The squares between the captor and the captured man.
    between: u64,
    inner_man: InnerMan,
}

/// The involvement of the innermost group in a capture.
#[derive(Clone, Copy, Debug)]
enum InnerMan {
    /// The captor and the captured man both belong to outer groups.
    Neither,
    /// The captor belongs to the innermost group and captures on this square.
    Captor(u8),
    /// The captured man belongs to the innermost group and stands on this square.
    Victim(u8),
}

/// Calls `visit` for each capture in this row in which a man of `color` captures a man of
/// `shape.group`. Includes captures by the winner's king, but not by the lane's king. Stops and
/// returns true as soon as `visit` returns true.
#[inline(always)]
pub fn strikes(
    geometry: &Geometry,
    shape: &Shape,
    color: Color,
    place: Place,
    mut visit: impl FnMut(Strike) -> bool,
) -> bool {
    let victims = &geometry.graphs[shape.group];
    let row = shape.row(place.slab, place.digits);
    let outer_victim = place.digits.get(shape.group).map(|&digit| {
        let stride = shape.strides[shape.group];
        (victims.squares(digit), digit, stride)
    });
    // The row after a capture on a square, given the row without the victim's digit.
    let fallen = |row: usize, square: u8| match outer_victim {
        Some((_, digit, stride)) => {
            let removal = victims.removals(digit).iter().find(|r| r.square == square);
            row + removal.map_or(0, |r| r.rest as usize * stride)
        }
        None => row,
    };
    let inner_man = |square: u8| match outer_victim {
        Some(_) => InnerMan::Neither,
        None => InnerMan::Victim(square),
    };
    if color == geometry.layout.winner() {
        for &(square, slab) in &geometry.king_targets[place.slab] {
            let hit = match outer_victim {
                Some((men, ..)) => men.0 >> square & 1 != 0,
                None => place.occupied >> square & 1 == 0,
            };
            if hit {
                let strike = Strike {
                    row: fallen(shape.row(slab, place.digits), square),
                    between: 0,
                    inner_man: inner_man(square),
                };
                if visit(strike) {
                    return true;
                }
            }
        }
    }
    let groups = geometry.layout.groups();
    for (group, &digit) in place.digits.iter().enumerate() {
        if groups[group].color != color {
            continue;
        }
        let stride = shape.strides[group];
        for ray in geometry.graphs[group].rays(digit) {
            let mut between = 0;
            for step in ray {
                let taken = place.occupied >> step.square & 1 != 0;
                let hit = match outer_victim {
                    Some((men, ..)) => men.0 >> step.square & 1 != 0,
                    None => !taken,
                };
                if hit {
                    let moved = row - digit * stride + step.to as usize * stride;
                    let strike = Strike {
                        row: fallen(moved, step.square),
                        between,
                        inner_man: inner_man(step.square),
                    };
                    if visit(strike) {
                        return true;
                    }
                }
                if taken {
                    break;
                }
                between |= 1 << step.square;
            }
        }
    }
    let inner = groups.len() - 1;
    if let Some((men, ..)) = outer_victim
        && groups[inner].color == color
    {
        for square in men {
            let square = square.index() as u8;
            let strike = Strike {
                row: fallen(row, square),
                between: 0,
                inner_man: InnerMan::Captor(square),
            };
            if visit(strike) {
                return true;
            }
        }
    }
    false
}

impl Strike {
    /// The index, in the leaf, of the row that the capture leads to.
    #[inline(always)]
    pub fn row(self) -> usize {
        self.row
    }

    /// Adds to `sum` the positions from which the capture leads to a position in `leaf`. Returns
    /// false if the leaf's row has no positions.
    #[inline(always)]
    pub fn gather(self, geometry: &Geometry, leaf: &Rows, place: Place, sum: &mut [u64]) -> bool {
        let Some(words) = leaf.row(self.row) else {
            return false;
        };
        match self.inner_man {
            InnerMan::Neither if self.between == 0 => or_into(sum, words),
            InnerMan::Neither => {
                let lanes = sum.iter_mut().zip(words).zip(&geometry.inner_squares);
                for ((sum, word), inner) in lanes {
                    if inner & self.between == 0 {
                        *sum |= word & !self.between;
                    }
                }
            }
            InnerMan::Captor(square) => {
                for arrival in &geometry.arrivals[square as usize] {
                    if arrival.between & place.occupied == 0 {
                        sum[arrival.lane as usize] |= words[arrival.to as usize] & !arrival.between;
                    }
                }
            }
            InnerMan::Victim(square) => {
                let graph = &geometry.graphs[geometry.graphs.len() - 1];
                for &lane in &geometry.lanes_on[square as usize] {
                    let lane = lane as usize;
                    if geometry.inner_squares[lane] & self.between != 0 {
                        continue;
                    }
                    let removal = graph.removals(lane).iter().find(|r| r.square == square);
                    let rest = removal.map_or(0, |r| r.rest as usize);
                    sum[lane] |= words[rest] & !self.between;
                }
            }
        }
        true
    }
}
