//! What the tables know of a game at one moment.

use crate::board::{Color, Position};
use crate::game::GameState;
use crate::probe::{ProbeError, Tablebase, Value};
use crate::rules::{Category, Count, RuleSet};

/// A game before its first move or after one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The board, and the counters as engines keep them.
    pub state: GameState,
    /// True if it is known that board's honor is counted.
    pub is_counted: bool,
    /// What the tables know; none if they do not know the position.
    pub known: Option<Known>,
}

/// A position that the tables know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The position.
    pub position: Position,
    /// The count with which it is judged.
    pub count: Count,
    /// What it is worth to the side to move.
    pub value: Value,
    /// The other reading, where nobody says whether board's honor was counted: what it is worth if
    /// it was, from the first moment on.
    pub if_counted: Option<(Count, Value)>,
}

impl Known {
    /// Asks the tables.
    pub(super) fn ask(
        tablebase: &Tablebase,
        rules: RuleSet,
        position: Position,
        count: Count,
        if_counted: Option<Count>,
    ) -> Result<Known, ProbeError> {
        let value = tablebase.probe(&position, rules, &count)?;
        let if_counted = match if_counted {
            Some(count) => Some((count, tablebase.probe(&position, rules, &count)?)),
            None => None,
        };
        Ok(Known {
            position,
            count,
            value,
            if_counted,
        })
    }

    /// What it is worth to the side to move.
    pub fn category(&self) -> Category {
        self.value.category
    }

    /// The moves that the winner needs: to mate or, while both sides have men, to honor.
    pub fn needed(&self) -> Option<u32> {
        let distance = self.value.dth.unwrap_or(self.value.dtm);
        distance.moves().map(|moves| moves.0.into())
    }

    /// The moves that the count leaves to the side that would win.
    pub fn left(&self) -> Option<u32> {
        self.value
            .allowance
            .map(|allowance| allowance.moves_available)
    }

    /// The side that would mate if nothing were counted.
    pub fn stronger(&self) -> Option<Color> {
        self.value.dtm.winner(self.position.turn())
    }

    /// The side that wins under the rules; none for a draw.
    pub fn winner(&self) -> Option<Color> {
        let turn = self.position.turn();
        match self.category() {
            Category::Win => Some(turn),
            Category::Loss => Some(!turn),
            _ => None,
        }
    }
}
