//! Answers questions as text.

use serde::Serialize;

use super::ask::Ask;
use super::explore::explore;
use super::question::Question;
use super::refusal::Refusal;
use super::{lila, moves, reply, why};
use sakmak::probe::{Answer, Tablebase, line_pgn};
use sakmak::rules::Count;

impl Ask {
    /// Answers the question from a tablebase.
    ///
    /// # Errors
    ///
    /// If the question is invalid, or a table is missing or cannot be used.
    pub fn answer(self, tablebase: &Tablebase, question: &Question) -> Result<String, Refusal> {
        let rules = question.rules;
        let fen = match self {
            // A count is that of the game.
            Ask::Moves => question.fen,
            _ => question.with_count(tablebase)?,
        };
        match self {
            Ask::Moves => json(&moves::document(tablebase, &fen, rules)),
            Ask::Probe => json(&tablebase.answer(&fen, rules)?.document()),
            Ask::Explore => json(&explore(tablebase, question)?),
            Ask::Why => match question.played {
                Some(m) => json(&why::document(tablebase, &fen, rules, m)?),
                None => Err(Refusal::input(
                    "no move is given: add move= in UCI notation",
                )),
            },
            Ask::Reply => json(&reply::document(tablebase, &fen, rules)?),
            Ask::Lila(_) => json(&match tablebase.answer(&fen, rules)? {
                Answer::Distances(answer) => lila::document(&answer),
                Answer::Categories(answer) => lila::by_category(&answer),
            }),
            Ask::Line | Ask::LinePgn | Ask::Mainline(_) => {
                let line = tablebase.line(&fen.position, rules, &Count::from_fen(&fen))?;
                match self {
                    Ask::LinePgn => Ok(line_pgn("Best play by both sides", &fen, rules, &line)),
                    Ask::Mainline(_) => json(&lila::mainline(&fen, rules, &line)),
                    _ => json(&line.document(&fen, rules)),
                }
            }
        }
    }
}

/// Formats a document as one line of JSON.
pub fn json(document: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(document)
        .map(|text| text + "\n")
        .map_err(|error| Refusal::internal(format!("an answer cannot be written as JSON: {error}")))
}
