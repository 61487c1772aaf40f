//! Answers with all that the tables know of a position: with distances or, if those are missing,
//! with categories.

use super::category_answer::CategoryAnswer;
use super::distance_answer::{AnswerDocument, DistanceAnswer};
use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Color, Fen, Move, Position};
use crate::rules::{Allowance, Category, Count, RuleSet};

/// An answer of distance tables or of verdict tables.
#[derive(Debug)]
pub enum Answer {
    /// With distances.
    Distances(DistanceAnswer),
    /// By category alone.
    Categories(CategoryAnswer),
}

/// The position after a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// The move.
    pub m: Move,
    /// The position after it.
    pub position: Position,
    /// Its count.
    pub count: Count,
    /// The side that can force mate in the position, with nothing counted.
    pub winner: Option<Color>,
}

impl Tablebase {
    /// The answer to a position with the count of its FEN: with distances or, if a table of them is
    /// missing, by category.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::probe`] and [`Tablebase::best_moves`], if verdict tables do not answer either.
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
    /// The answer with distances.
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

    /// The position with its count.
    pub fn fen(&self) -> &Fen {
        match self {
            Answer::Distances(answer) => &answer.fen,
            Answer::Categories(answer) => &answer.fen,
        }
    }

    /// The rule set of the question.
    pub fn rules(&self) -> RuleSet {
        match self {
            Answer::Distances(answer) => answer.rules,
            Answer::Categories(answer) => answer.rules,
        }
    }

    /// The side that can force mate with nothing counted.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Answer::Distances(answer) => answer.value.dtm.winner(answer.fen.position.turn()),
            Answer::Categories(answer) => answer.winner(),
        }
    }

    /// The least and the greatest possible category for the side to move.
    pub fn bounds(&self) -> [Category; 2] {
        match self {
            Answer::Distances(answer) => [answer.value.category; 2],
            Answer::Categories(answer) => answer.bounds,
        }
    }

    /// The winning side's allowance under the count, as in
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

    /// The answer as a document.
    pub fn document(&self) -> AnswerDocument {
        match self {
            Answer::Distances(answer) => answer.document(),
            Answer::Categories(answer) => answer.document(),
        }
    }
}
