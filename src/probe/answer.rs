//! The answer for a position and its moves: with distances or, if a distance table is missing, with
//! categories alone.

use super::category_answer::CategoryAnswer;
use super::distance_answer::{AnswerDocument, DistanceAnswer};
use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Color, Fen, Move, Position};
use crate::rules::{Allowance, Category, Count, RuleSet};

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
