//! Adds a count to FENs, for programs that count only if the FEN contains a count.

use sakmak::board::Fen;
use sakmak::game::GameState;
use sakmak::rules::RuleSet;

/// Adds to a FEN the count that begins with the next move of the counting side. If no count can be
/// added, the limit in the FEN is 0, because cutechess interprets a dash as a game without counts.
pub fn with_count(fen: &Fen, rules: RuleSet) -> String {
    let state = GameState::of_fen(fen, rules);
    let counters = state.counters.with_fresh_count(&state.board);
    let fen = GameState { counters, ..state }.fen();
    let display = fen.display(rules.lettering()).with_zero_limit();
    display.to_string()
}
