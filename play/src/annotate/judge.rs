//! Judges a move by comparison with the other legal moves.

use sakmak::board::{Move, Position};
use sakmak::probe::{Distance, Line, ProbeError, RankedMove, Tablebase};
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
