//! Answers questions as text.

use serde::Serialize;

use super::explore::explore;
use super::question::Question;
use super::question_kind::QuestionKind;
use super::refusal::Refusal;
use super::{lila, moves, reply, why};
use sakmak::probe::{Answer, Tablebase, line_pgn};
use sakmak::rules::Count;

impl QuestionKind {
    /// Answers the question from a tablebase.
    ///
    /// # Errors
    ///
    /// If the question is invalid, or a table is missing or cannot be used.
    pub fn answer(self, tablebase: &Tablebase, question: &Question) -> Result<String, Refusal> {
        let rules = question.rules;
        let fen = match self {
            // A count is that of the game.
            QuestionKind::Moves => question.fen,
            _ => question.with_count(tablebase)?,
        };
        match self {
            QuestionKind::Moves => json(&moves::document(tablebase, &fen, rules)),
            QuestionKind::Probe => json(&tablebase.answer(&fen, rules)?.document()),
            QuestionKind::Explore => json(&explore(tablebase, question)?),
            QuestionKind::Why => match question.played {
                Some(m) => json(&why::document(tablebase, &fen, rules, m)?),
                None => Err(Refusal::input(
                    "no move is given: add move= in UCI notation",
                )),
            },
            QuestionKind::Reply => json(&reply::document(tablebase, &fen, rules)?),
            QuestionKind::Lila(_) => json(&match tablebase.answer(&fen, rules)? {
                Answer::Distances(answer) => lila::document(&answer),
                Answer::Categories(answer) => lila::by_category(&answer),
            }),
            QuestionKind::Line | QuestionKind::LinePgn | QuestionKind::Mainline(_) => {
                let line = tablebase.line(&fen.position, rules, &Count::from_fen(&fen))?;
                match self {
                    QuestionKind::LinePgn => {
                        Ok(line_pgn("Best play by both sides", &fen, rules, &line))
                    }
                    QuestionKind::Mainline(_) => json(&lila::mainline(&fen, rules, &line)),
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
