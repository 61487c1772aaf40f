//! The categories of the naive solver's values where both sides have men and the count is fresh.

use super::Value;
use sakmak::board::Color;
use sakmak::rules::{Category, RuleSet};

/// The category of a position with men on both sides, from its values by moves to mate and by moves
/// to honor.
pub fn verdict(rules: RuleSet, turn: Color, mate: Value, honor: Value) -> Category {
    // The side that would win moves before the first move that is counted.
    let most = |winner| match rules {
        RuleSet::Makruk => 64 + u32::from(winner == turn),
        RuleSet::Ouk => 63 + u32::from(winner == turn),
        RuleSet::Asean => 50,
    };
    match (honor, mate) {
        (Value::Win(winner, moves), _) if moves <= most(winner) => match winner == turn {
            true => Category::Win,
            false => Category::Loss,
        },
        (_, Value::Win(winner, _)) => match winner == turn {
            true => Category::CursedWin,
            false => Category::BlessedLoss,
        },
        _ => Category::Draw,
    }
}
