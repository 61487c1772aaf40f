//! A solved ending with bia.

use crate::board::{Color, Role, Square, SquareSet};
use crate::index::{Bia, BiaPlacements, Transform};
use crate::solve::{BitPlanes, Keep, Solution};

/// An ending with bia, solved for the wins of one side: a slice for each placement of the bia.
#[derive(Debug)]
pub struct BiaSolution {
    placements: BiaPlacements,
    slices: Vec<Solution>,
}

impl BiaSolution {
    /// Wraps the slices of these placements, in the placements' order.
    pub(super) fn new(placements: BiaPlacements, slices: Vec<Solution>) -> BiaSolution {
        BiaSolution { placements, slices }
    }

    /// The placements of the bia, in the order of the slices.
    pub fn placements(&self) -> &BiaPlacements {
        &self.placements
    }

    /// The solved slices, one for each placement of the bia.
    pub fn slices(&self) -> &[Solution] {
        &self.slices
    }

    /// Finds the lane with these bia, the winner's king on `king` and the other men on the squares
    /// that `men` returns. Returns the slice with these bia or their mirror image, the index of the
    /// lane in the slice, and the transform from the other king's square to its bit in the lane.
    ///
    /// # Panics
    ///
    /// If the ending has no such placement of bia.
    pub fn lane(
        &self,
        bia: Bia,
        king: Square,
        men: impl Fn(Color, Role) -> SquareSet,
    ) -> (&Solution, usize, Transform) {
        let (transform, number) = self.placements.number(bia).expect("bia of this ending");
        let slice = &self.slices[number];
        let (_, lane) = slice.layout.lane(transform.square(king), |group| {
            let group = slice.layout.groups()[group];
            transform.set(men(group.color, group.role))
        });
        (slice, lane, transform)
    }

    /// The memory that the solution takes, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.slices.iter().map(Solution::memory_bytes).sum()
    }

    /// Drops the distances that `keep` does not include.
    pub(super) fn keep_only(&mut self, keep: Keep) {
        for slice in &mut self.slices {
            match keep {
                Keep::Winner => slice.loser_to_move = None,
                Keep::Loser => slice.winner_to_move = BitPlanes::new(0),
                Keep::Open | Keep::Both => {}
            }
        }
    }
}
