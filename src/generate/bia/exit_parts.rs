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
    OnePerMan(Vec<Vec<Part>>),
}

impl GroupParts {
    /// Returns the part of each man that can make the exit or, if no man of the group moves, the
    /// only part. Empty if the exit is impossible with this digit.
    pub fn of(&self, digit: usize) -> impl Iterator<Item = Part> {
        let (one, some) = match self {
            GroupParts::OnePerDigit(parts) => (Some(parts[digit]), &[][..]),
            GroupParts::OnePerMan(parts) => (None, &parts[digit][..]),
        };
        let one = one.filter(|&part| part != u32::MAX).map(|part| (part, 0));
        one.into_iter().chain(some.iter().copied())
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
