//! The full answer to a position: its distances or, if a distance table is missing, only categories
//! from verdict tables.

use super::category_answer::CategoryAnswer;
use super::distance_answer::{AnswerDocument, DistanceAnswer};
use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Color, Fen, Move, Position};
use crate::rules::{Allowance, Category, Count, RuleSet};

/// The answer to a position, from distance tables or from verdict tables.
#[derive(Debug)]
pub enum Answer {
    /// The position's tables have distances.
    Distances(DistanceAnswer),
    /// A distance table is missing; verdict tables have the category alone.
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
    /// The side that can force mate after the move if nothing is counted; none in a draw.
    pub winner: Option<Color>,
}

impl Tablebase {
    /// Answers a position under a rule set, with the count of its FEN. The answer has distances or,
    /// if a distance table is missing, categories from verdict tables.
    ///
    /// # Errors
    ///
    /// Those of [`Tablebase::probe`] and [`Tablebase::best_moves`], if verdict tables cannot answer
    /// either.
    pub fn answer(&self, fen: &Fen, rules: RuleSet) -> Result<Answer, ProbeError> {
        match self.answer_by_distance(fen, rules) {
            Err(missing) if missing.is_missing() => {
                let answer = self.answer_by_category(fen, rules, missing)?;
                Ok(Answer::Categories(answer))
            }
            answer => Ok(Answer::Distances(answer?)),
        }
    }
}

impl Answer {
    /// Returns the answer with distances. An answer by category becomes an error.
    ///
    /// # Errors
    ///
    /// [`ProbeError::Missing`] or [`ProbeError::MissingRules`], which names the missing table.
    pub fn with_distances(self) -> Result<DistanceAnswer, ProbeError> {
        match self {
            Answer::Distances(answer) => Ok(answer),
            Answer::Categories(answer) => Err(answer.missing),
        }
    }

    /// The position asked about, with its count.
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

    /// The side that can force mate if nothing is counted; none in a draw.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Answer::Distances(answer) => answer.value.dtm.winner(answer.fen.position.turn()),
            Answer::Categories(answer) => answer.winner(),
        }
    }

    /// The least and the greatest category that the position may have for the side to move. Both
    /// are equal if the answer has distances.
    pub fn bounds(&self) -> [Category; 2] {
        match self {
            Answer::Distances(answer) => [answer.value.category; 2],
            Answer::Categories(answer) => answer.bounds,
        }
    }

    /// The moves that the count leaves the winning side: see
    /// [`Value::allowance`](super::Value::allowance).
    pub fn allowance(&self) -> Option<Allowance> {
        match self {
            Answer::Distances(answer) => answer.value.allowance,
            Answer::Categories(answer) => answer.allowance,
        }
    }

    /// The positions after the legal moves, best moves first.
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

    /// The answer as the document that `probe --json` prints.
    pub fn document(&self) -> AnswerDocument {
        match self {
            Answer::Distances(answer) => answer.document(),
            Answer::Categories(answer) => answer.document(),
        }
    }
}
