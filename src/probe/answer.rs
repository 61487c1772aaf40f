//! The answer for a position and its moves: with distances or, if a distance table is missing, with
//! categories alone; and the JSON document of both.
//!
//! The field names of the document must not change: the command line and the Python package print it.

use super::by_category::BoundedMove;
use super::error::ProbeError;
use super::ranking::RankedMove;
use super::tablebase::Tablebase;
use super::value::Value;
use crate::board::{Color, Fen, Move, Position};
use crate::rules::{Allowance, Category, Count, CountNote, RuleSet};

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
}

/// A note on the count of a FEN, if no game can reach this count or if the count cannot change the
/// result.
pub(super) fn count_note(fen: &Fen, rules: RuleSet) -> Option<CountNote> {
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
}

/// The number of moves that the count still allows the winning side. In a draw, the side that is
/// not bare is taken for the winning side, or the side to move if neither side is bare.
pub(super) fn allowance(
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
    }
}
