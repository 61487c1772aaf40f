//! The JSON documents of answers, which the program, the bindings and the server share.

use serde::Serialize;

use super::answer::{Answer, CategoryAnswer, DistanceAnswer, allowance, count_note};
use super::by_category::BoundedMove;
use super::distance::{Distance, Moves};
use super::value::Value;
use crate::board::{Fen, Move};
use crate::rules::{Allowance, Category, Count, CountNote, RuleSet, begins_afresh};

/// The document that `probe --json` prints: see [`Answer`] and [`CategoryAnswer`].
#[derive(Clone, Debug, Serialize)]
pub struct AnswerDocument {
    fen: String,
    rules: RuleSet,
    side_to_move: String,
    /// The category for the side to move. In an answer without distances, the least possible
    /// category.
    category: Category,
    /// The greatest possible category for the side to move, if it differs from the least.
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Category>,
    /// The ending whose distance table is missing, if the answer has no distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_distances: Option<String>,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    unit: &'static str,
    checkmate: bool,
    stalemate: bool,
    insufficient_material: bool,
    count: Option<CountDocument>,
    moves: Vec<MoveDocument>,
}

impl AnswerDocument {
    /// A document without distances and moves, for a category between these bounds.
    fn new(
        fen: &Fen,
        rules: RuleSet,
        [category, most]: [Category; 2],
        allowance: Option<Allowance>,
    ) -> AnswerDocument {
        let position = &fen.position;
        let is_stuck = position.legal_moves_in(rules.game()).is_empty();
        AnswerDocument {
            fen: fen.display(rules.lettering()).to_string(),
            rules,
            side_to_move: position.turn().to_string(),
            category,
            at_most: (most != category).then_some(most),
            missing_distances: None,
            dtm: None,
            dth: None,
            unit: "moves",
            checkmate: is_stuck && position.is_check(),
            stalemate: is_stuck && !position.is_check(),
            insufficient_material: rules.is_insufficient(position.material()),
            count: allowance.map(|allowance| CountDocument {
                allowance,
                note: count_note(fen, rules),
            }),
            moves: Vec::new(),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
struct CountDocument {
    #[serde(flatten)]
    allowance: Allowance,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<CountNote>,
}

#[derive(Clone, Debug, Serialize)]
struct MoveDocument {
    uci: String,
    san: String,
    #[serde(rename = "for")]
    player: String,
    category: Category,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_most: Option<Category>,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    capture: bool,
    checkmate: bool,
    /// The number of moves allowed by the count that begins with the capture or promotion of the
    /// last bia. `None` if the move begins no count.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<Allowance>,
}

impl MoveDocument {
    /// A document of a move that does not mate, without distances and count, for a category between
    /// these bounds.
    fn new(fen: &Fen, rules: RuleSet, m: Move, [category, most]: [Category; 2]) -> MoveDocument {
        let (position, lettering) = (&fen.position, rules.lettering());
        MoveDocument {
            uci: m.uci(lettering).to_string(),
            san: position.san(m, lettering),
            player: position.turn().to_string(),
            category,
            at_most: (most != category).then_some(most),
            dtm: None,
            dth: None,
            capture: position.is_capture(m),
            checkmate: false,
            count: None,
        }
    }
}

impl Answer {
    /// Converts the answer to the JSON document that `probe --json` prints.
    pub fn document(&self) -> AnswerDocument {
        match self {
            Answer::Distances(answer) => answer.document(),
            Answer::Categories(answer) => answer.document(),
        }
    }
}

impl DistanceAnswer {
    /// Converts the answer to the JSON document that `probe --json` prints.
    pub fn document(&self) -> AnswerDocument {
        let moves = self.moves.iter().map(|ranked| MoveDocument {
            dtm: ranked.dtm.moves(),
            dth: ranked.dth.and_then(Distance::moves),
            checkmate: ranked.checkmate,
            count: ranked.begins,
            ..MoveDocument::new(&self.fen, self.rules, ranked.m, [ranked.category; 2])
        });
        let Value { category, .. } = self.value;
        AnswerDocument {
            dtm: self.value.dtm.moves(),
            dth: self.value.dth.and_then(Distance::moves),
            moves: moves.collect(),
            ..AnswerDocument::new(&self.fen, self.rules, [category; 2], self.value.allowance)
        }
    }
}

impl CategoryAnswer {
    /// Converts the answer to the JSON document that [`Answer::document`] returns, without
    /// distances. The document contains the least possible category of the position and of each
    /// move, and also the greatest if it differs.
    pub fn document(&self) -> AnswerDocument {
        let moves = self.moves.iter().map(|found| MoveDocument {
            checkmate: self.fen.position.play(found.m).is_checkmate(),
            count: self.begins(found),
            ..MoveDocument::new(&self.fen, self.rules, found.m, found.bounds)
        });
        AnswerDocument {
            missing_distances: self.missing.missing().map(|table| table.to_string()),
            moves: moves.collect(),
            ..AnswerDocument::new(&self.fen, self.rules, self.bounds, self.allowance)
        }
    }

    /// The number of moves allowed by the count that begins with the capture or promotion of the
    /// last bia. `None` if the move begins no count.
    fn begins(&self, found: &BoundedMove) -> Option<Allowance> {
        let before = &self.fen.position;
        let next = before.play(found.m);
        let ends =
            !before.is_pawnless() && begins_afresh(self.rules, before.material(), next.material());
        ends.then(|| allowance(self.rules, &next, &Count::Fresh, -found.fresh))
            .flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Lettering;
    use crate::probe::Tablebase;

    #[test]
    fn two_kings_have_a_document_with_all_moves() {
        let fen = Fen::parse("8/8/8/3k4/8/3K4/8/8 w", Lettering::Makruk).unwrap();
        let answer = Tablebase::new().answer(&fen, RuleSet::Makruk).unwrap();
        let json = serde_json::to_value(answer.document()).unwrap();
        assert_eq!(json["category"], "draw");
        // The kings face each other with one square between them: three of the eight squares are
        // attacked.
        assert_eq!(json["moves"].as_array().unwrap().len(), 5);
        assert_eq!(json["moves"][0]["for"], "white");
        assert_eq!(json["dtm"], serde_json::Value::Null);
    }
}
