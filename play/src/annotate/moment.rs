//! A moment of a game: the position before the first move or after a move, with the tables' result.

use sakmak::board::{Color, Position};
use sakmak::game::GameState;
use sakmak::probe::{ProbeError, Tablebase, Value};
use sakmak::rules::{Category, Count, RuleSet};

/// The state of a game before its first move or after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The board with its counters: those that the game states, or else those that an engine would
    /// keep.
    pub state: GameState,
    /// True if board's honor is known to be counted.
    pub is_counted: bool,
    /// The tables' result. None if the position is not in the tables.
    pub known: Option<ProbedPosition>,
}

/// The result of a position that is in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedPosition {
    /// The position.
    pub position: Position,
    /// The count under which the position is judged.
    pub count: Count,
    /// The position's value for the side to move.
    pub value: Value,
    /// The count and the value as if board's honor had been counted from its first possible moment.
    /// None if the game shows whether it was counted.
    pub if_counted: Option<(Count, Value)>,
}

impl ProbedPosition {
    /// Probes a position under `count` and, if given, also under the count `if_counted`.
    pub(super) fn probe(
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

    /// The number of moves that the winner needs: the distance to honor if the position has one,
    /// otherwise the distance to mate.
    pub fn needed(&self) -> Option<u32> {
        let distance = self.value.dth.unwrap_or(self.value.dtm);
        distance.moves().map(|moves| moves.0.into())
    }

    /// The number of moves that the count leaves the winning side.
    pub fn left(&self) -> Option<u32> {
        self.value
            .allowance
            .map(|allowance| allowance.moves_available)
    }

    /// The side that can force mate with nothing counted. None if neither can.
    pub fn stronger(&self) -> Option<Color> {
        self.value.dtm.winner(self.position.turn())
    }

    /// The winner under the rules. None for a draw.
    pub fn winner(&self) -> Option<Color> {
        let turn = self.position.turn();
        match self.category() {
            Category::Win => Some(turn),
            Category::Loss => Some(!turn),
            _ => None,
        }
    }
}
