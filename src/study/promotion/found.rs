//! Figures of a look at every position of an ending with bia.

use serde::{Deserialize, Serialize};

use crate::board::{Fen, Lettering};

/// What promoting at once comes to for one side of an ending. Counts are of positions on the whole board
/// with that side to move, like men interchangeable and no symmetry removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionScan {
    /// The side: `white` or `black`.
    pub side: String,
    /// Positions.
    pub legal: u64,
    /// Won under the count.
    pub won: u64,
    /// Won on the board, nothing counted.
    pub won_on_board: u64,
    /// Won under the count, with a bia that can be promoted at once.
    pub possible: u64,
    /// Those of them in which every promotion throws the win away.
    pub throws: u64,
    /// Those of these in which a promotion still wins on the board, but too late for the count.
    pub throws_by_count: u64,
    /// Won on the board, with a bia that can be promoted at once.
    pub possible_on_board: u64,
    /// Those of them after every promotion of which no mate can be forced.
    pub throws_on_board: u64,
    /// With a promoted bia in place of a bia.
    pub promoted: Option<Won>,
    /// Without a bia.
    pub lost: Option<Won>,
    /// By the square of a bia, those of the a- to d-file and their mirror images together; a position with
    /// several bia is counted for each.
    pub squares: Vec<BiaSquare>,
    /// By the steps of the side's king to its nearest bia, 1 first.
    pub king: Vec<Won>,
    /// Answers about a sample of the won positions in which promotion is possible.
    pub moves: MovesSample,
    /// Answers about a sample of the positions in which promotion throws the win away.
    pub waits: WaitSample,
    /// Positions in which promotion throws the win away by the count alone.
    pub examples: Vec<String>,
}

/// Positions with a bia on one square or its mirror image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BiaSquare {
    /// The square, on the a- to d-file.
    pub square: String,
    /// What becomes of them.
    #[serde(flatten)]
    pub won: Won,
    /// Won positions in which it can be promoted at once.
    pub possible: u64,
    /// Those of them in which every promotion throws the win away.
    pub throws: u64,
}

/// How many of some positions are won under the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Won {
    /// Positions.
    pub legal: u64,
    /// Won.
    pub won: u64,
}

/// Answers of a sample of won positions in which a bia can be promoted at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovesSample {
    /// Positions asked.
    pub asked: u64,
    /// In which of several moves a single one wins.
    pub only_move: u64,
    /// In which that is a promotion.
    pub only_promotion: u64,
}

/// Moves that best play makes in a sample of positions in which promoting at once throws the win away, until
/// the last bia goes in time, or mate. A sample has quantiles, but not the longest of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitSample {
    /// Positions asked.
    pub asked: u64,
    /// Half of them need at most so many moves.
    pub median_moves: u32,
    /// Nineteen in twenty need at most so many.
    pub most_moves: u32,
}

/// Positions in which the weaker side draws by the count alone while the last bia is its own: it is to
/// move and would be mated if nothing were counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBiaScan {
    /// The weaker side: `white` or `black`.
    pub side: String,
    /// Positions.
    pub held: u64,
    /// In which it can promote the bia at once.
    pub possible: u64,
    /// In which that draws.
    pub promotion_draws: u64,
    /// Positions of the sample that was asked for all moves.
    pub asked: u64,
    /// In which nothing but promotion draws.
    pub only_promotion: u64,
    /// In which nothing draws but bia moves to a square where the bia can be taken.
    pub only_giving_up: u64,
    /// Positions in which only promotion draws.
    pub promotion_examples: Vec<String>,
    /// Positions in which only giving the bia up draws.
    pub giving_up_examples: Vec<String>,
}

/// What there is to say of promotion in an ending.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionStudy {
    /// For each side with bia that wins somewhere.
    pub promotions: Vec<PromotionScan>,
    /// For each side with the last bia against a side that wins somewhere.
    pub last_bia: Vec<LastBiaScan>,
}

/// How many examples are kept of a kind.
pub const EXAMPLES: usize = 3;

/// A position in the letters of makruk.
pub fn text(fen: &Fen) -> String {
    fen.display(Lettering::Makruk).to_string()
}
