//! The count under which a scan judges wins.

use crate::board::Color;
use crate::material::Material;
use crate::rules::{Count, RuleSet, moves_available};

/// The rule set under which a scan judges wins.
pub const RULES: RuleSet = RuleSet::Makruk;

/// The number of moves that a fresh count allows `winner`, with `turn` to move.
pub fn available(material: Material, winner: Color, turn: Color) -> u16 {
    let moves = moves_available(RULES, material, winner, turn, &Count::Fresh);
    moves.map_or(u16::MAX, |moves| moves.try_into().unwrap_or(u16::MAX))
}
