//! The answer for a position and its moves: with distances or, if a distance table is missing, with
//! categories alone; and the JSON document of both.
//!
//! The field names of the document must not change: the command line and the Python package print it.

use serde::Serialize;

use super::by_category::BoundedMove;
use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::ranking::RankedMove;
use super::tablebase::Tablebase;
use super::value::Value;
use crate::board::{Color, Fen, Move, Position};
use crate::rules::{Allowance, Category, Count, CountNote, RuleSet, begins_afresh};

/// The answer for a position, from distance tables or from verdict tables.
#[derive(Debug)]
pub enum Answer {
    /// An answer with distances, from distance tables.
    Distances(DistanceAnswer),
    /// An answer with categories only, from verdict tables, since a distance table is missing.
    Categories(CategoryAnswer),
}

/// A legal move and the position after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The move.
    pub m: Move,
    /// The position after the move.
    pub position: Position,
    /// The count after the move.
    pub count: Count,
    /// The side that can force mate from the position after the move, with nothing counted. `None`
    /// for a draw.
    pub winner: Option<Color>,
}

impl Tablebase {
    /// Probes a position and all its moves under a rule set, with the count of the FEN. If a
    /// distance table is missing, the answer has categories from verdict tables instead of
    /// distances.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::probe`] and [`Tablebase::best_moves`], unless verdict tables have the
    /// categories.
    pub fn answer(&self, fen: &Fen, rules: RuleSet) -> Result<Answer, ProbeError> {
        match self.distance_answer(fen, rules) {
            Err(missing) if missing.is_missing() => {
                let answer = self.answer_by_category(fen, rules, missing)?;
                Ok(Answer::Categories(answer))
            }
            answer => Ok(Answer::Distances(answer?)),
        }
    }
}

impl Answer {
    /// Returns the answer if it has distances, and otherwise the error for the missing distance
    /// table.
    ///
    /// # Errors
    ///
    /// [`ProbeError::Missing`] or [`ProbeError::MissingRules`]. Both name the missing table.
    pub fn with_distances(self) -> Result<DistanceAnswer, ProbeError> {
        match self {
            Answer::Distances(answer) => Ok(answer),
            Answer::Categories(answer) => Err(answer.missing),
        }
    }

    /// The probed position, with its count.
    pub fn fen(&self) -> &Fen {
        match self {
            Answer::Distances(answer) => &answer.fen,
            Answer::Categories(answer) => &answer.fen,
        }
    }

    /// The rule set under which the position was probed.
    pub fn rules(&self) -> RuleSet {
        match self {
            Answer::Distances(answer) => answer.rules,
            Answer::Categories(answer) => answer.rules,
        }
    }

    /// The side that can force mate with nothing counted. `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Answer::Distances(answer) => answer.value.dtm.winner(answer.fen.position.turn()),
            Answer::Categories(answer) => answer.winner(),
        }
    }

    /// The least and the greatest category that the position may have for the side to move. They
    /// are equal if the answer has distances.
    pub fn bounds(&self) -> [Category; 2] {
        match self {
            Answer::Distances(answer) => [answer.value.category; 2],
            Answer::Categories(answer) => answer.bounds,
        }
    }

    /// The number of moves that the count still allows the winning side: see
    /// [`Value::allowance`](super::Value::allowance).
    pub fn allowance(&self) -> Option<Allowance> {
        match self {
            Answer::Distances(answer) => answer.value.allowance,
            Answer::Categories(answer) => answer.allowance,
        }
    }

    /// The legal moves with the positions after them, best move first.
    pub fn next(&self) -> Vec<Next> {
        let next = |m, (position, count), winner| Next {
            m,
            position,
            count,
            winner,
        };
        match self {
            Answer::Distances(answer) => {
                let turn = answer.fen.position.turn();
                let moves = answer.moves.iter();
                moves
                    .map(|ranked| next(ranked.m, answer.after(ranked), ranked.dtm.winner(turn)))
                    .collect()
            }
            Answer::Categories(answer) => {
                let moves = answer.moves.iter();
                moves
                    .map(|found| next(found.m, answer.after(found), answer.winner_after(found)))
                    .collect()
            }
        }
    }

    /// Converts the answer to the JSON document that `probe --json` prints.
    pub fn document(&self) -> AnswerDocument {
        match self {
            Answer::Distances(answer) => answer.document(),
            Answer::Categories(answer) => answer.document(),
        }
    }
}

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

/// A note on the count of a FEN, if no game can reach this count or if the count cannot change the
/// result.
fn count_note(fen: &Fen, rules: RuleSet) -> Option<CountNote> {
    let position = &fen.position;
    Count::from_fen(fen).note(rules, position.material(), position.turn())
}

/// The position after a move, with its count. `winner` is the side that can force mate from that
/// position if nothing is counted.
fn count_after_move(
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

/// A position, with the least and the greatest category that it and each of its moves may have.
#[derive(Debug)]
pub struct CategoryAnswer {
    /// The probed position, with its count.
    pub fen: Fen,
    /// The rule set of the probe.
    pub rules: RuleSet,
    /// The least and the greatest possible category for the side to move. They differ only if a
    /// side wins and the tables cannot tell whether the win is inside a running count.
    pub bounds: [Category; 2],
    /// The number of moves that the count still allows the winning side: see
    /// [`Value::allowance`](super::Value::allowance).
    pub allowance: Option<Allowance>,
    /// The legal moves, best first.
    pub moves: Vec<BoundedMove>,
    /// True if neither side could mate even with the opponent's help.
    pub insufficient_material: bool,
    /// The error that names the missing distance table.
    pub missing: ProbeError,
}

impl Tablebase {
    /// Computes the answer for a position from verdict tables. `missing` is the error for the
    /// missing distance table.
    fn answer_by_category(
        &self,
        fen: &Fen,
        rules: RuleSet,
        missing: ProbeError,
    ) -> Result<CategoryAnswer, ProbeError> {
        let position = &fen.position;
        let count = Count::from_fen(fen);
        let found = self.by_category().moves(position, rules, &count);
        let moves = match found {
            Err(error) if error.is_missing() => return Err(missing),
            moves => moves?,
        };
        let bounds = self.by_category().bounds(position, rules, &count)?;
        Ok(CategoryAnswer {
            fen: *fen,
            rules,
            bounds,
            allowance: allowance(rules, position, &count, bounds[0]),
            moves,
            insufficient_material: rules.is_insufficient(position.material()),
            missing,
        })
    }
}

impl CategoryAnswer {
    /// The side that can force mate with nothing counted. `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        forced_winner(self.bounds[0], self.fen.position.turn())
    }

    /// The side that can force mate from the position after a move, with nothing counted. `None`
    /// for a draw.
    pub fn winner_after(&self, found: &BoundedMove) -> Option<Color> {
        forced_winner(found.fresh, self.fen.position.turn())
    }

    /// The position and the count after one of the moves.
    pub fn after(&self, found: &BoundedMove) -> (Position, Count) {
        count_after_move(&self.fen, self.rules, found.m, self.winner_after(found))
    }

    /// A note on the position's count, if no game can reach this count or if the count cannot
    /// change the result.
    pub fn note(&self) -> Option<CountNote> {
        count_note(&self.fen, self.rules)
    }

    /// Converts the answer to the JSON document that [`Answer::document`](super::Answer::document)
    /// returns, without distances. The document contains the least possible category of the
    /// position and of each move, and also the greatest if it differs.
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

/// The number of moves that the count still allows the winning side. In a draw, the side that is
/// not bare is taken for the winning side, or the side to move if neither side is bare.
fn allowance(
    rules: RuleSet,
    position: &Position,
    count: &Count,
    category: Category,
) -> Option<Allowance> {
    let (turn, material) = (position.turn(), position.material());
    let with_men = match material.bare_side() {
        Some(bare) if material.is_bare_without_bia() => !bare,
        _ => turn,
    };
    let winner = forced_winner(category, turn).unwrap_or(with_men);
    Allowance::new(rules, material, winner, turn, count)
}

/// The side that can force mate with nothing counted, given a position's category for `side`.
/// `None` for a draw.
pub(super) fn forced_winner(category: Category, side: Color) -> Option<Color> {
    match category {
        Category::Win | Category::CursedWin => Some(side),
        Category::Draw => None,
        Category::BlessedLoss | Category::Loss => Some(!side),
    }
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
