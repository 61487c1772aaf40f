//! The count that a scan applies: it determines which wins are in time.

use sakmak::board::Color;
use sakmak::material::Material;
use sakmak::rules::{Count, RuleSet, moves_available};

/// The rule set whose count determines which wins are in time.
pub const RULES: RuleSet = RuleSet::Makruk;

/// The number of moves that a fresh count allows `winner`, with `turn` to move.
pub fn available(material: Material, winner: Color, turn: Color) -> u16 {
    let moves = moves_available(RULES, material, winner, turn, &Count::Fresh);
    moves.map_or(u16::MAX, |moves| moves.try_into().unwrap_or(u16::MAX))
}
