//! What becomes of the positions of some lanes with either side to move: what a scan adds up.

use super::placing::{LaneResults, MAX_GROUPS, Placing};
use super::square_counts::SETS;
use crate::board::{Square, SquareSet};

/// A lane with White to move: on the board, and under the count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timed {
    /// Without a count.
    pub words: LaneResults,
    /// White wins inside the count.
    pub in_time: SquareSet,
    /// Black does.
    pub lost_in_time: SquareSet,
}

impl Timed {
    /// The sets that a [`Tally`](super::Tally) has numbers of, in its order.
    pub fn sets(&self) -> [SquareSet; SETS] {
        let LaneResults { white, black, .. } = self.words;
        let legal = self.words.legal();
        [legal, white, self.in_time, black, self.lost_in_time]
    }
}

/// A lane with either side to move.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// The square of White's king.
    pub king: Square,
    /// The positions of the whole board that each of its positions stands for.
    pub weight: u64,
    /// With White to move.
    pub white_to_move: Timed,
    /// With Black to move.
    pub black_to_move: LaneResults,
}

/// Some lanes whose men, without the kings, are on the same squares.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    /// The squares of each group of men, as in a [`Placing`].
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
