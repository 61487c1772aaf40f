//! The answer from distance tables, and the JSON document of both kinds of answers.
//!
//! The field names must not change: the command line and the Python package print this document.

use serde::Serialize;

use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::ranking::RankedMove;
use super::tablebase::Tablebase;
use super::value::Value;
use crate::board::{Color, Fen, Move, Position};
use crate::rules::{Allowance, Category, Count, CountNote, RuleSet};

/// A position with its value and its ranked moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DistanceAnswer {
    /// The probed position, with its count.
    pub fen: Fen,
    /// The rule set of the probe.
    pub rules: RuleSet,
    /// The value of the position.
    pub value: Value,
    /// The legal moves, best first.
    pub moves: Vec<RankedMove>,
    /// True if neither side could mate even with the opponent's help.
    pub insufficient_material: bool,
}

impl Tablebase {
    /// Computes the answer with distances for a position, under a rule set and the count of the
    /// FEN.
    pub fn distance_answer(&self, fen: &Fen, rules: RuleSet) -> Result<DistanceAnswer, ProbeError> {
        rules.check_fen(fen)?;
        let position = &fen.position;
        let count = Count::from_fen(fen);
        // Probes the position first, so that a mistake of the caller is reported before anything
        // else.
        let value = self.probe(position, rules, &count)?;
        Ok(DistanceAnswer {
            fen: *fen,
            rules,
            value,
            moves: self.best_moves(position, rules, &count)?,
            insufficient_material: rules.is_insufficient(position.material()),
        })
    }
}

impl DistanceAnswer {
    /// True if the side to move is checkmated.
    pub fn checkmate(&self) -> bool {
        self.moves.is_empty() && self.fen.position.is_check()
    }

    /// True if the side to move is stalemated.
    pub fn stalemate(&self) -> bool {
        self.moves.is_empty() && !self.fen.position.is_check()
    }

    /// The position and the count after one of the ranked moves.
    pub fn after(&self, ranked: &RankedMove) -> (Position, Count) {
        let winner = ranked.dtm.winner(self.fen.position.turn());
        count_after_move(&self.fen, self.rules, ranked.m, winner)
    }

    /// A note on the position's count, if no game can reach this count or if the count cannot
    /// change the result.
    pub fn note(&self) -> Option<CountNote> {
        count_note(&self.fen, self.rules)
    }

    /// Converts the answer to the JSON document that `probe --json` prints.
    pub fn document(&self) -> AnswerDocument {
        let lettering = self.rules.lettering();
        let position = &self.fen.position;
        let moves = self.moves.iter().map(|ranked| MoveDocument {
            uci: ranked.m.uci(lettering).to_string(),
            san: position.san(ranked.m, lettering),
            player: position.turn().to_string(),
            category: ranked.category,
            at_most: None,
            dtm: ranked.dtm.moves(),
            dth: ranked.dth.and_then(Distance::moves),
            capture: ranked.capture,
            checkmate: ranked.checkmate,
            count: ranked.begins,
        });
        AnswerDocument {
            fen: self.fen.display(lettering).to_string(),
            rules: self.rules,
            side_to_move: position.turn().to_string(),
            category: self.value.category,
            at_most: None,
            missing_distances: None,
            dtm: self.value.dtm.moves(),
            dth: self.value.dth.and_then(Distance::moves),
            unit: "moves",
            checkmate: self.checkmate(),
            stalemate: self.stalemate(),
            insufficient_material: self.insufficient_material,
            count: self.value.allowance.map(|allowance| CountDocument {
                allowance,
                note: self.note(),
            }),
            moves: moves.collect(),
        }
    }
}

/// A note on the count of a FEN, if no game can reach this count or if the count cannot change the
/// result.
pub(super) fn count_note(fen: &Fen, rules: RuleSet) -> Option<CountNote> {
    let position = &fen.position;
    Count::from_fen(fen).note(rules, position.material(), position.turn())
}

/// The position after a move, with its count. `winner` is the side that can force mate from that
/// position if nothing is counted.
pub(super) fn count_after_move(
    fen: &Fen,
    rules: RuleSet,
    m: Move,
    winner: Option<Color>,
) -> (Position, Count) {
    let before = &fen.position;
    let next = before.play(m);
    let count = Count::from_fen(fen);
    let both_have_men = next.material().bare_side().is_none();
    // No count begins in a drawn position.
    if winner.is_none() && count == Count::Fresh && both_have_men {
        return (next, count);
    }
    let winner = winner.unwrap_or(before.turn());
    (next, count.after(rules, before, &next, winner))
}

/// The document that `probe --json` prints: see [`Answer`](super::Answer) and
/// [`CategoryAnswer`](super::CategoryAnswer).
#[derive(Clone, Debug, Serialize)]
pub struct AnswerDocument {
    pub(super) fen: String,
    pub(super) rules: RuleSet,
    pub(super) side_to_move: String,
    /// The category for the side to move. In an answer without distances, the least possible
    /// category.
    pub(super) category: Category,
    /// The greatest possible category for the side to move, if it differs from the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at_most: Option<Category>,
    /// The ending whose distance table is missing, if the answer has no distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) missing_distances: Option<String>,
    pub(super) dtm: Option<Moves>,
    pub(super) dth: Option<Moves>,
    pub(super) unit: &'static str,
    pub(super) checkmate: bool,
    pub(super) stalemate: bool,
    pub(super) insufficient_material: bool,
    pub(super) count: Option<CountDocument>,
    pub(super) moves: Vec<MoveDocument>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct CountDocument {
    #[serde(flatten)]
    pub(super) allowance: Allowance,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<CountNote>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct MoveDocument {
    pub(super) uci: String,
    pub(super) san: String,
    #[serde(rename = "for")]
    pub(super) player: String,
    pub(super) category: Category,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at_most: Option<Category>,
    pub(super) dtm: Option<Moves>,
    pub(super) dth: Option<Moves>,
    pub(super) capture: bool,
    pub(super) checkmate: bool,
    /// The number of moves allowed by the count that begins with the capture or promotion of the
    /// last bia. `None` if the move begins no count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) count: Option<Allowance>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Lettering;

    #[test]
    fn two_kings_are_answered_without_a_table() {
        let fen = Fen::parse("8/8/8/3k4/8/3K4/8/8 w", Lettering::Makruk).unwrap();
        let answer = Tablebase::new()
            .distance_answer(&fen, RuleSet::Makruk)
            .unwrap();
        assert!(answer.insufficient_material && !answer.stalemate() && !answer.checkmate());
        let json = serde_json::to_value(answer.document()).unwrap();
        assert_eq!(json["category"], "draw");
        // The kings face each other with one square between them: three of the eight squares are
        // attacked.
        assert_eq!(json["moves"].as_array().unwrap().len(), 5);
        assert_eq!(json["moves"][0]["for"], "white");
        assert_eq!(json["dtm"], serde_json::Value::Null);
    }
}
