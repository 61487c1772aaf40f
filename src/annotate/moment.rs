//! A moment of a game, with its result from the tables.

use crate::board::{Color, Position};
use crate::game::GameState;
use crate::probe::{ProbeError, Tablebase, Value};
use crate::rules::{Category, Count, RuleSet};

/// A game before its first move or after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The board, with counters as engines keep them.
    pub state: GameState,
    /// True if board's honor is known to be counted.
    pub is_counted: bool,
    /// The tables' result; none if the position is not in the tables.
    pub known: Option<ProbedPosition>,
}

/// A position in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedPosition {
    /// The position.
    pub position: Position,
    /// The count that the position is judged with.
    pub count: Count,
    /// Its value for the side to move.
    pub value: Value,
    /// The count and the value if board's honor was counted from its first possible moment. For
    /// games that do not show whether it was.
    pub if_counted: Option<(Count, Value)>,
}

impl ProbedPosition {
    /// Probes the tables.
    pub(super) fn ask(
        tablebase: &Tablebase,
        rules: RuleSet,
        position: Position,
        count: Count,
        if_counted: Option<Count>,
    ) -> Result<ProbedPosition, ProbeError> {
        let value = tablebase.probe(&position, rules, &count)?;
        let if_counted = match if_counted {
            Some(count) => Some((count, tablebase.probe(&position, rules, &count)?)),
            None => None,
        };
        Ok(ProbedPosition {
            position,
            count,
            value,
            if_counted,
        })
    }

    /// The category for the side to move.
    pub fn category(&self) -> Category {
        self.value.category
    }

    /// The moves that the winner needs: to mate or, with men on both sides, to honor.
    pub fn needed(&self) -> Option<u32> {
        let distance = self.value.dth.unwrap_or(self.value.dtm);
        distance.moves().map(|moves| moves.0.into())
    }

    /// The moves that the count leaves the winning side.
    pub fn left(&self) -> Option<u32> {
        self.value
            .allowance
            .map(|allowance| allowance.moves_available)
    }

    /// The side that could force mate with nothing counted.
    pub fn stronger(&self) -> Option<Color> {
        self.value.dtm.winner(self.position.turn())
    }

    /// The winner under the rules; none for a draw.
    pub fn winner(&self) -> Option<Color> {
        let turn = self.position.turn();
        match self.category() {
            Category::Win => Some(turn),
            Category::Loss => Some(!turn),
            _ => None,
        }
    }
}
