//! What the naive twin's values are worth while both sides have men and the count is fresh.

use super::Value;
use sakmak::board::Color;
use sakmak::rules::{Category, RuleSet};

/// The category of a position in which both sides have men, from its value with the moves counted to
/// mate and that with the moves counted to honor.
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
