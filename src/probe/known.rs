//! Answers with all that the tables know of a position: with distances or, if those are missing,
//! with categories.

use super::answer::{Answer, AnswerDocument};
use super::category_answer::CategoryAnswer;
use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Color, Fen, Move, Position};
use crate::rules::{Allowance, Category, Count, RuleSet};

/// An answer of distance tables or of verdict tables.
#[derive(Debug)]
pub enum Known {
    /// With distances.
    Distances(Answer),
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
    /// As for [`Tablebase::answer`], if verdict tables do not answer either.
    pub fn known(&self, fen: &Fen, rules: RuleSet) -> Result<Known, ProbeError> {
        match self.answer(fen, rules) {
            Err(missing) if missing.is_missing() => {
                let answer = self.answer_by_category(fen, rules, missing)?;
                Ok(Known::Categories(answer))
            }
            answer => Ok(Known::Distances(answer?)),
        }
    }
}

impl Known {
    /// The position with its count.
    pub fn fen(&self) -> &Fen {
        match self {
            Known::Distances(answer) => &answer.fen,
            Known::Categories(answer) => &answer.fen,
        }
    }

    /// The rule set of the question.
    pub fn rules(&self) -> RuleSet {
        match self {
            Known::Distances(answer) => answer.rules,
            Known::Categories(answer) => answer.rules,
        }
    }

    /// The side that can force mate with nothing counted.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Known::Distances(answer) => answer.value.dtm.winner(answer.fen.position.turn()),
            Known::Categories(answer) => answer.winner(),
        }
    }

    /// The least and the greatest possible category for the side to move.
    pub fn bounds(&self) -> [Category; 2] {
        match self {
            Known::Distances(answer) => [answer.value.category; 2],
            Known::Categories(answer) => answer.bounds,
        }
    }

    /// The winning side's allowance under the count, as in
    /// [`Value::allowance`](super::Value::allowance).
    pub fn allowance(&self) -> Option<Allowance> {
        match self {
            Known::Distances(answer) => answer.value.allowance,
            Known::Categories(answer) => answer.allowance,
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
            Known::Distances(answer) => {
                let turn = answer.fen.position.turn();
                let moves = answer.moves.iter();
                moves
                    .map(|ranked| next(ranked.m, answer.after(ranked), ranked.dtm.winner(turn)))
                    .collect()
            }
            Known::Categories(answer) => {
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
            Known::Distances(answer) => answer.document(),
            Known::Categories(answer) => answer.document(),
        }
    }
}
