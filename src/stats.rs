//! Exact statistics of an ending: how many positions end how, and an example of each.
//!
//! Counts are of positions on the whole board: no symmetry removed, like men interchangeable.
//! Lists are indexed by moves of the winning side until mate (or honor, for that metric).

use serde::{Deserialize, Serialize};

use crate::board::Color;

/// The squares (numbers below 64) of one position's men, in the order White's king, White's men
/// in R N S M order, Black's king, Black's men in R N S M order. Like men stand in rising order.
pub type Example = Vec<u8>;

/// What becomes of the legal positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Positions White wins, by moves of White.
    pub white_wins: Vec<u64>,
    /// Positions Black wins, by moves of Black.
    pub black_wins: Vec<u64>,
    /// Positions neither side can win.
    pub draws: u64,
    /// For each entry of `white_wins` a position of that length, where there is one.
    pub white_examples: Vec<Option<Example>>,
    /// For each entry of `black_wins` a position of that length, where there is one.
    pub black_examples: Vec<Option<Example>>,
}

impl Counts {
    /// The number of legal positions.
    pub fn legal(&self) -> u64 {
        self.white_wins.iter().sum::<u64>() + self.black_wins.iter().sum::<u64>() + self.draws
    }

    /// The wins of one side.
    pub fn wins(&self, winner: Color) -> &[u64] {
        match winner {
            Color::White => &self.white_wins,
            Color::Black => &self.black_wins,
        }
    }

    /// An example for each entry of [`Counts::wins`].
    pub fn examples(&self, winner: Color) -> &[Option<Example>] {
        match winner {
            Color::White => &self.white_examples,
            Color::Black => &self.black_examples,
        }
    }
}

/// The statistics of an ending under one metric.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// With White to move.
    pub white_to_move: Counts,
    /// With Black to move.
    pub black_to_move: Counts,
}

impl Statistics {
    /// The counts with this side to move.
    pub fn to_move(&self, turn: Color) -> &Counts {
        match turn {
            Color::White => &self.white_to_move,
            Color::Black => &self.black_to_move,
        }
    }

    /// The counts with this side to move, to be filled.
    pub fn to_move_mut(&mut self, turn: Color) -> &mut Counts {
        match turn {
            Color::White => &mut self.white_to_move,
            Color::Black => &mut self.black_to_move,
        }
    }
}
