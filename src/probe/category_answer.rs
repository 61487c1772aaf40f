//! Answers from verdict tables, for positions whose distances are missing.

use super::by_category::BoundedMove;
use super::distance_answer::{
    AnswerDocument, CountDocument, MoveDocument, count_after_move, count_note,
};
use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Color, Fen, Position};
use crate::rules::{Allowance, Category, Count, CountNote, RuleSet, begins_afresh};

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
    pub(super) fn answer_by_category(
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
        let lettering = self.rules.lettering();
        let position = &self.fen.position;
        let moves = self.moves.iter().map(|found| {
            let [category, most] = found.bounds;
            MoveDocument {
                uci: found.m.uci(lettering).to_string(),
                san: position.san(found.m, lettering),
                player: position.turn().to_string(),
                category,
                at_most: (most != category).then_some(most),
                dtm: None,
                dth: None,
                capture: position.is_capture(found.m),
                checkmate: position.play(found.m).is_checkmate(),
                count: self.begins(found),
            }
        });
        let [category, most] = self.bounds;
        AnswerDocument {
            fen: self.fen.display(lettering).to_string(),
            rules: self.rules,
            side_to_move: position.turn().to_string(),
            category,
            at_most: (most != category).then_some(most),
            missing_distances: self.missing.missing().map(|table| table.to_string()),
            dtm: None,
            dth: None,
            unit: "moves",
            checkmate: position.is_checkmate(),
            stalemate: position.is_stalemate(),
            insufficient_material: self.insufficient_material,
            count: self.allowance.map(|allowance| CountDocument {
                allowance,
                note: self.note(),
            }),
            moves: moves.collect(),
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
