//! Adds a count to FENs, for programs that count only if the FEN contains a count.

use sakmak::game::GameState;
use sakmak::rules::RuleSet;

use super::super::Failure;

/// Adds to a FEN the count that begins with the next move of the counting side. If no count can be
/// added, the limit in the FEN is 0, because cutechess interprets a dash as a game without counts.
pub fn with_count(fen: &str, rules: RuleSet) -> Result<String, Failure> {
    let state =
        GameState::from_fen(fen, rules).map_err(|error| Failure::input(error.to_string()))?;
    let counters = state.counters.with_fresh_count(&state.board);
    let text = GameState { counters, ..state }.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    if let Some(limit @ &mut "-") = fields.get_mut(3) {
        *limit = "0";
    }
    Ok(fields.join(" "))
}
