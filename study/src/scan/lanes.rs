//! The input of a scan: the results of each lane (the 64 squares of Black's king), with either side
//! to move.

use super::placing::{LaneResults, MAX_GROUPS, Placing};
use super::square_counts::SETS;
use sakmak::board::{Square, SquareSet};

/// The results of a lane with White to move, on the board and under the count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timed {
    /// The results on the board, without a count.
    pub on_board: LaneResults,
    /// Positions won by White inside the count.
    pub in_time: SquareSet,
    /// Positions won by Black inside the count.
    pub lost_in_time: SquareSet,
}

impl Timed {
    /// The sets in the order in which a [`Tally`](super::Tally) counts them.
    pub fn sets(&self) -> [SquareSet; SETS] {
        let LaneResults { white, black, .. } = self.on_board;
        let legal = self.on_board.legal();
        [legal, white, self.in_time, black, self.lost_in_time]
    }
}

/// The results of a lane with either side to move.
#[derive(Clone, Copy, Debug)]
pub struct Lane {
    /// The square of White's king.
    pub king: Square,
    /// The number of positions on the whole board that a position of the lane represents: all its
    /// images under symmetry.
    pub weight: u64,
    /// The results with White to move.
    pub white_to_move: Timed,
    /// The results with Black to move.
    pub black_to_move: LaneResults,
}

/// The lanes in which all men but the kings have the same squares.
#[derive(Clone, Copy, Debug)]
pub struct Plane<'a> {
    /// The squares of each group, as in [`Placing::men`].
    pub men: [SquareSet; MAX_GROUPS],
    /// The lanes of one or more squares of White's king.
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
