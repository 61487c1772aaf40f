//! Finds the move that is hardest to answer: of the moves that keep the player's result, the one
//! that leaves the opponent the fewest moves that keep the opponent's.

use serde::Serialize;

use super::refusal::Refusal;
use crate::board::Fen;
use crate::probe::{DistanceAnswer, RankedMove, Tablebase};
use crate::rules::RuleSet;

/// The move that is hardest to answer.
#[derive(Serialize)]
pub(super) struct Document {
    fen: String,
    rules: RuleSet,
    /// The move; none if there are no legal moves.
    #[serde(rename = "move")]
    resists: Option<Resisting>,
}

#[derive(Serialize)]
struct Resisting {
    uci: String,
    san: String,
    /// How many of the opponent's moves keep the opponent's result, and how many there are in all.
    keeping: usize,
    legal: usize,
}

/// The document of a position.
pub(super) fn document(
    tablebase: &Tablebase,
    fen: &Fen,
    rules: RuleSet,
) -> Result<Document, Refusal> {
    let answer = tablebase.answer_by_distance(fen, rules)?;
    let mut best: Option<(Resisting, usize)> = None;
    for ranked in equals(&answer) {
        let (next, count) = answer.after(ranked);
        let replies = tablebase.best_moves(&next, rules, &count)?;
        let result = replies.first().map(|reply| reply.category.points());
        let keeps = |reply: &&RankedMove| Some(reply.category.points()) == result;
        let keeping = replies.iter().filter(keeps).count();
        // Moves are in the order of distance: the first of equals is the longest.
        if best.as_ref().is_none_or(|&(_, fewest)| keeping < fewest) {
            let resisting = Resisting {
                uci: ranked.m.to_string(),
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

/// The moves with the same result as the best one; if they win, only the quickest. If mate could be
/// forced with nothing counted, only the moves after which it still could be.
fn equals(answer: &DistanceAnswer) -> &[RankedMove] {
    let moves = &answer.moves;
    let Some(best) = moves.first() else {
        return moves;
    };
    let same = match best.category.points() {
        1 => 1,
        // The moves are ordered by category.
        _ => moves
            .iter()
            .take_while(|ranked| ranked.category == best.category)
            .count(),
    };
    &moves[..same]
}
