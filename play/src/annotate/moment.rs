//! A moment of a game: the position before the first move or after a move, with the tables' result,
//! and the judgement of a move by comparison with the other legal moves.

use sakmak::board::{Color, Move, Position};
use sakmak::game::GameState;
use sakmak::probe::{Distance, Line, ProbeError, RankedMove, Tablebase, Value};
use sakmak::rules::{Category, Count, RuleSet};

/// A move that was played, compared with the alternatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The best category that a legal move has for the player.
    pub best: Category,
    /// The category of the played move, for the player.
    pub played: Category,
    /// The moves that keep the best category, the best first.
    pub keeping: Vec<Move>,
    /// The number of legal moves.
    pub legal: usize,
    /// The number of moves by which the played move delays the player's win or hastens the player's
    /// loss. 0 if the result changes.
    pub cost: u32,
    /// Best play from the position before the move. None unless the played move made the result
    /// worse.
    pub line: Option<Line>,
}

/// The number of moves that the winner needs after this move.
fn needed(ranked: &RankedMove) -> Distance {
    ranked.dth.unwrap_or(ranked.dtm)
}

impl Judged {
    /// Compares a move with the other legal moves in a position. None if the position is not in the
    /// tables.
    pub(super) fn of_move(
        tablebase: &Tablebase,
        rules: RuleSet,
        position: &Position,
        count: &Count,
        m: Move,
    ) -> Result<Option<Judged>, ProbeError> {
        let ranked = match tablebase.best_moves(position, rules, count) {
            Err(error) if error.is_missing() => return Ok(None),
            ranked => ranked?,
        };
        let played = ranked.iter().find(|ranked| ranked.m == m);
        let (Some(first), Some(move_played)) = (ranked.first(), played) else {
            return Ok(None);
        };
        let (best, played) = (first.category, move_played.category);
        let worse = played.points() < best.points();
        let keeping = ranked
            .iter()
            .filter(|ranked| ranked.category.points() == best.points())
            .map(|ranked| ranked.m);
        let cost = match (needed(first), needed(move_played)) {
            (Distance::Win(best), Distance::Win(played)) => played.0.saturating_sub(best.0),
            (Distance::Loss(best), Distance::Loss(played)) => best.0.saturating_sub(played.0),
            _ => 0,
        };
        Ok(Some(Judged {
            best,
            played,
            keeping: keeping.collect(),
            legal: ranked.len(),
            cost: match worse {
                true => 0,
                false => cost.into(),
            },
            line: match worse {
                true => Some(tablebase.line(position, rules, count)?),
                false => None,
            },
        }))
    }

    /// True if the result got worse for the player: a win becomes a draw or a loss, or a draw a
    /// loss.
    pub fn is_mistake(&self) -> bool {
        self.played.points() < self.best.points()
    }
}

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
