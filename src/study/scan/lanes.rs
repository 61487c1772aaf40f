//! The input of a scan: the results of each lane, with either side to move.

use super::placing::{LaneResults, MAX_GROUPS, Placing};
use super::square_counts::SETS;
use crate::board::{Square, SquareSet};

/// A lane with White to move: its results on the board, and those under the count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timed {
    /// The results without a count.
    pub words: LaneResults,
    /// Won by White inside the count.
    pub in_time: SquareSet,
    /// Won by Black inside the count.
    pub lost_in_time: SquareSet,
}

impl Timed {
    /// The sets counted by a [`Tally`](super::Tally), in its order.
    pub fn sets(&self) -> [SquareSet; SETS] {
        let LaneResults { white, black, .. } = self.words;
        let legal = self.words.legal();
        [legal, white, self.in_time, black, self.lost_in_time]
    }
}

/// The results of a lane with either side to move.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// The square of White's king.
    pub king: Square,
    /// How many positions on the whole board each position of the lane stands for.
    pub weight: u64,
    /// With White to move.
    pub white_to_move: Timed,
    /// With Black to move.
    pub black_to_move: LaneResults,
}

/// Lanes with the same squares of all men but the kings.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    /// The squares of each group, as in a [`Placing`].
    pub men: [SquareSet; MAX_GROUPS],
    /// The lanes.
    pub lanes: &'a [Lane],
}

impl Plane<'_> {
    /// The placing of a lane.
    pub fn placing(&self, lane: &Lane) -> Placing {
        Placing {
            king: lane.king,
            men: self.men,
        }
    }
}
