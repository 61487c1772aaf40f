//! The results of scanning every position of an ending with bia.

use serde::{Deserialize, Serialize};

use sakmak::board::{Color, Fen, Role, Square};
use sakmak::rules::RuleSet;

/// The effect of immediate promotion for one side of an ending. All counts are of positions on the
/// whole board with that side to move. Like men are interchangeable. Mirror images count as
/// different positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionScan {
    /// The rule set.
    pub rules: RuleSet,
    /// The side.
    #[serde(with = "crate::as_text")]
    pub side: Color,
    /// The number of legal positions.
    pub legal: u64,
    /// The number of positions won under the count.
    pub won: u64,
    /// The number of positions won on the board, with nothing counted.
    pub won_on_board: u64,
    /// The number of positions won under the count in which a bia can promote at once.
    pub possible: u64,
    /// The number of positions won under the count in which every immediate promotion throws the
    /// win away.
    pub throws: u64,
    /// The number of positions won under the count in which every immediate promotion throws the
    /// win away, but only because of the count: mate can still be forced after some promotion.
    pub throws_by_count: u64,
    /// The number of positions won on the board in which a bia can promote at once.
    pub possible_on_board: u64,
    /// The number of positions won on the board in which no immediate promotion keeps the forced
    /// mate.
    pub throws_on_board: u64,
    /// The results of promotion by the man that the bia becomes: a met or, in ASEAN chess, any man
    /// but a king.
    pub men: Vec<PromotedTo>,
    /// The results of the ending with a met instead of one bia.
    pub promoted: Option<Won>,
    /// The results of the ending with one bia fewer.
    pub lost: Option<Won>,
    /// The results by the square of a bia. Each square on the a- to d-file includes its mirror
    /// image. A position with several bia counts once for each bia.
    pub squares: Vec<BiaSquare>,
    /// The results by the number of steps from the side's king to its nearest bia. The first entry
    /// is for one step.
    pub king: Vec<Won>,
    /// The results of a sample of won positions in which promotion is possible.
    pub moves: MovesSample,
    /// The results of a sample of positions in which promotion throws the win away. Empty in ASEAN
    /// chess, where each move of a bia sets back the clock, so distances do not measure the wait.
    pub waits: WaitSample,
    /// Examples of positions in which promotion throws the win away only because of the count.
    #[serde(with = "crate::as_text::list")]
    pub examples: Vec<Fen>,
}

impl PromotionScan {
    /// The results of promotion to this man.
    pub fn promoted_to(&self, role: Role) -> PromotedTo {
        let man = role.letter();
        let found = self.men.iter().find(|to| to.man == man);
        found.copied().unwrap_or(PromotedTo {
            man,
            keeps: 0,
            only: 0,
        })
    }
}

/// The results of promotion to one man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotedTo {
    /// The letter of the man.
    pub man: char,
    /// The number of positions won under the count in which some promotion to this man keeps the
    /// win.
    pub keeps: u64,
    /// The number of positions won under the count in which promotion to this man keeps the win,
    /// but no promotion to another man does.
    pub only: u64,
}

/// The results of positions with a bia on one square or its mirror image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BiaSquare {
    /// The square, on the a- to d-file.
    #[serde(with = "crate::as_text")]
    pub square: Square,
    /// The number of positions with a bia on this square or its mirror image, and the number won.
    #[serde(flatten)]
    pub won: Won,
    /// The number of won positions in which this bia is one step from promotion and some bia can
    /// promote at once.
    pub possible: u64,
    /// The number of those positions in which every immediate promotion, of whichever bia, throws
    /// the win away.
    pub throws: u64,
}

/// A number of positions, and the number of these won under the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Won {
    /// The number of all positions.
    pub legal: u64,
    /// The number of positions won under the count.
    pub won: u64,
}

/// The moves in a sample of won positions in which a bia can promote at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovesSample {
    /// The number of positions in the sample.
    pub asked: u64,
    /// The number of positions with several legal moves, only one of them winning.
    pub only_move: u64,
    /// The number of positions in which the only winning move is a promotion.
    pub only_promotion: u64,
}

/// The distances to honor in a sample of positions in which every immediate promotion throws the
/// win away. They show how long best play takes to mate, or to a new count that leaves enough
/// moves. A sample can show quantiles, but not the maximum over all positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitSample {
    /// The number of positions in the sample.
    pub asked: u64,
    /// The median of the distances to honor, in moves.
    pub median_moves: u32,
    /// The 95th percentile of the distances to honor, in moves.
    pub most_moves: u32,
}

/// Positions in which only the count saves the weaker side from mate. This side owns the last bia
/// and is to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastBiaScan {
    /// The rule set.
    pub rules: RuleSet,
    /// The weaker side.
    #[serde(with = "crate::as_text")]
    pub side: Color,
    /// The number of positions.
    pub held: u64,
    /// The number of positions in which the weaker side can promote its bia at once.
    pub possible: u64,
    /// The number of positions in which promoting the bia at once draws.
    pub promotion_draws: u64,
    /// The number of sampled positions whose moves were all probed.
    pub asked: u64,
    /// The number of sampled positions in which every drawing move is a promotion.
    pub only_promotion: u64,
    /// The number of sampled positions in which every drawing move gives up the bia: it moves to a
    /// square where it can be captured.
    pub only_giving_up: u64,
    /// Examples of positions in which every drawing move is a promotion.
    #[serde(with = "crate::as_text::list")]
    pub promotion_examples: Vec<Fen>,
    /// Examples of positions in which every drawing move gives up the bia.
    #[serde(with = "crate::as_text::list")]
    pub giving_up_examples: Vec<Fen>,
}

/// The results on promotion in an ending, under each rule set of its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionStudy {
    /// The rule sets that were studied: those of the verdict tables.
    pub rules: Vec<RuleSet>,
    /// The results for each side that has bia and wins some position.
    pub promotions: Vec<PromotionScan>,
    /// The results for the side that owns the only bia, if the other side wins some position.
    pub last_bia: Vec<LastBiaScan>,
}

/// The number of examples in each list.
pub const EXAMPLES: usize = 3;
