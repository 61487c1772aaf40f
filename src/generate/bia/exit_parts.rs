//! The parts of which the lane index of a position after an exit is the sum.

use crate::board::SquareSet;
use crate::index::Transform;
use crate::solve::LaneLayout;

/// The number that a group's digit adds to a lane's index, and the squares between the origin and
/// the target of the moving man, which must be empty.
pub(super) type Part = (u32, u64);

/// The parts of the lane index that one group contributes, under one transform.
#[derive(Debug)]
pub(super) enum GroupParts {
    /// One number for each digit, if no man of the group moves; `u32::MAX` if the exit is
    /// impossible with that digit.
    OnePerDigit(Vec<u32>),
    /// For each digit, one part for each man of the group that can make the exit.
    OnePerMan(ManParts),
}

/// Parts for each man that can make an exit, digit by digit, in one array.
#[derive(Debug)]
pub(super) struct ManParts {
    parts: Vec<Part>,
    /// For each digit, the end of its parts.
    ends: Vec<u32>,
}

impl ManParts {
    /// Makes the parts of `digits` digits. `add` appends the parts of one digit to the array.
    pub fn new(digits: usize, mut add: impl FnMut(usize, &mut Vec<Part>)) -> ManParts {
        let mut parts = Vec::with_capacity(digits);
        let ends = (0..digits).map(|digit| {
            add(digit, &mut parts);
            parts.len() as u32
        });
        ManParts {
            ends: ends.collect(),
            parts,
        }
    }

    /// The parts of each digit in turn.
    pub fn digits(&self) -> impl Iterator<Item = &[Part]> {
        (0..self.ends.len()).map(|digit| self.of(digit))
    }

    /// The parts of one digit.
    pub fn of(&self, digit: usize) -> &[Part] {
        let first = digit.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.parts[first as usize..self.ends[digit] as usize]
    }
}

/// Reads the words of the given lanes into `out`, and applies a transform to each word.
#[inline(always)]
pub(super) fn pick(words: &[u64], lanes: &[u32], turn: Transform, out: &mut [u64]) {
    for (out, &lane) in out.iter_mut().zip(lanes) {
        *out = words[lane as usize];
    }
    if turn != Transform::IDENTITY {
        for out in out {
            *out = turn.set(SquareSet(*out)).0;
        }
    }
}

/// The stride of a group's digits in a layout's lane index.
pub(super) fn stride(layout: &LaneLayout, group: usize) -> usize {
    let inner = group + 1..layout.groups().len();
    inner.map(|g| layout.placements(g).len()).product()
}
