//! What the tables know of a game at one moment.

use crate::board::{Color, Position};
use crate::game::GameState;
use crate::probe::{Distance, ProbeError, Tablebase, Value};
use crate::rules::{Category, Count, RuleSet};

/// A game before its first move or after one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The board, and the counters as engines keep them.
    pub state: GameState,
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
    /// The distance to mate for the side to move.
    pub dtm: Distance,
    /// The distance to honor for the side to move; none against a bare king.
    pub dth: Option<Distance>,
    /// What it is worth to the side to move; none where the tables do not decide.
    pub value: Option<Value>,
    /// The other reading, where nobody says whether board's honor was counted: what it is worth if
    /// it was, from the first moment on.
    pub if_counted: Option<(Count, Option<Value>)>,
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
        let (dtm, dth) = match value {
            Some(value) => (value.dtm, value.dth),
            None => (tablebase.dtm(&position)?, tablebase.dth(&position, rules)?),
        };
        let if_counted = match if_counted {
            Some(count) => Some((count, tablebase.probe(&position, rules, &count)?)),
            None => None,
        };
        Ok(Known {
            position,
            count,
            dtm,
            dth,
            value,
            if_counted,
        })
    }

    /// What it is worth to the side to move.
    pub fn category(&self) -> Option<Category> {
        self.value.map(|value| value.category)
    }

    /// The moves that the winner needs: to mate or, while both sides have men, to honor.
    pub fn needed(&self) -> Option<u32> {
        let distance = self.dth.unwrap_or(self.dtm);
        distance.moves().map(|moves| moves.0.into())
    }

    /// The moves that the count leaves to the side that would win.
    pub fn left(&self) -> Option<u32> {
        self.value?
            .allowance
            .map(|allowance| allowance.moves_available)
    }

    /// The side that would mate if nothing were counted.
    pub fn stronger(&self) -> Option<Color> {
        self.dtm.winner(self.position.turn())
    }

    /// How the game ends under the rules: the side that wins, or none for a draw. None of both
    /// where the tables do not decide.
    pub fn winner(&self) -> Option<Option<Color>> {
        let turn = self.position.turn();
        match self.category()? {
            Category::Win => Some(Some(turn)),
            Category::Loss => Some(Some(!turn)),
            _ => Some(None),
        }
    }
}
