//! Finds the move that is hardest to answer. It keeps the player's result, and leaves the opponent
//! the fewest moves that keep the opponent's result.

use serde::Serialize;

use super::refusal::Refusal;
use sakmak::board::Fen;
use sakmak::probe::{DistanceAnswer, RankedMove, Tablebase};
use sakmak::rules::RuleSet;

/// The JSON response with the move that is hardest to answer.
#[derive(Serialize)]
pub(super) struct Document {
    fen: String,
    rules: RuleSet,
    /// The move that is hardest to answer. Null if there are no legal moves.
    #[serde(rename = "move")]
    resists: Option<Resisting>,
}

#[derive(Serialize)]
struct Resisting {
    uci: String,
    san: String,
    /// The number of the opponent's replies that keep the opponent's result. `legal` is the number
    /// of all legal replies.
    keeping: usize,
    legal: usize,
}

/// Finds the move that is hardest to answer in a position, and makes the JSON response with this
/// move.
pub(super) fn document(
    tablebase: &Tablebase,
    fen: &Fen,
    rules: RuleSet,
) -> Result<Document, Refusal> {
    let answer = tablebase.distance_answer(fen, rules)?;
    let mut best: Option<(Resisting, usize)> = None;
    for ranked in equally_good(&answer) {
        let (next, count) = answer.after(ranked);
        let replies = tablebase.best_moves(&next, rules, &count)?;
        let result = replies.first().map(|reply| reply.category.points());
        let keeps = |reply: &&RankedMove| Some(reply.category.points()) == result;
        let keeping = replies.iter().filter(keeps).count();
        // Moves are ordered by distance, so of equally hard moves the one with the longest defence
        // is kept.
        if best.as_ref().is_none_or(|&(_, fewest)| keeping < fewest) {
            let resisting = Resisting {
                uci: ranked.m.uci(rules.lettering()).to_string(),
                san: fen.position.san(ranked.m, rules.lettering()),
                keeping,
                legal: replies.len(),
            };
            best = Some((resisting, keeping));
        }
    }
    Ok(Document {
        fen: fen.display(rules.lettering()).to_string(),
        rules,
        resists: best.map(|(resisting, _)| resisting),
    })
}

/// The moves with the same category as the best move. If that category is a win, returns only the
/// first move, which wins the fastest.
fn equally_good(answer: &DistanceAnswer) -> &[RankedMove] {
    let moves = &answer.moves;
    let Some(best) = moves.first() else {
        return moves;
    };
    let same = match best.category.points() {
        1 => 1,
        // Moves are ordered by category, so those with the best category come first.
        _ => moves
            .iter()
            .take_while(|ranked| ranked.category == best.category)
            .count(),
    };
    &moves[..same]
}
