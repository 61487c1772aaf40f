//! Parses the parameter values that several kinds of searches share.

use std::ops::RangeInclusive;

use super::refusal::Refusal;
use sakmak::board::Color;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::Category;

/// The maximum number of positions in an answer.
pub const MOST_FOUND: usize = 100;

/// The valid categories, as listed in the message that rejects any other value.
pub(super) const CATEGORIES: &str = "win, cursed-win, draw, blessed-loss or loss";
pub(super) const LIMIT: &str = "a number from 1 to 100";
pub(super) const RANGE: &str = "a number of moves, or two as in 10..20";
pub(super) const TURN: &str = "w, b or any";

/// Parses the name of an ending.
pub(super) fn ending(value: &str) -> Result<CanonicalMaterial, Refusal> {
    let read = value.parse::<CanonicalMaterial>();
    read.map_err(|error| Refusal::input(error.to_string()))
}

/// Parses the name of a category.
pub(super) fn category(value: &str) -> Option<Category> {
    Category::ALL.into_iter().find(|c| c.name() == value)
}

/// Parses a side to move. `None` if the value is invalid, `Some(None)` for either side.
pub(super) fn turn(value: &str) -> Option<Option<Color>> {
    match value {
        "w" => Some(Some(Color::White)),
        "b" => Some(Some(Color::Black)),
        "any" => Some(None),
        _ => None,
    }
}

/// Parses a number of positions.
pub(super) fn limit(value: &str) -> Option<usize> {
    value.parse().ok().filter(|n| (1..=MOST_FOUND).contains(n))
}

/// Parses a number of moves, or a range such as `10..20`.
pub(super) fn moves_range(text: &str) -> Option<RangeInclusive<u32>> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    Some(from.parse().ok()?..=to.parse().ok()?)
}
