//! A line: best play by both sides, to the end.

use super::distance::Distance;
use super::error::ProbeError;
use super::tablebase::Tablebase;
use crate::board::{Move, Position};
use crate::rules::{Category, Count, RuleSet};

/// One move of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position it is made in.
    pub before: Position,
    /// The move.
    pub m: Move,
    /// What it is worth to the player who makes it.
    pub category: Category,
    /// The distance to mate for that player, counted from before the move.
    pub dtm: Distance,
    /// The number that the player says with the move, if the move is counted.
    pub counted: Option<u32>,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The count has run out.
    Counted,
    /// Neither side can win, and none has to go on.
    Draw,
}

/// Best play by both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The moves.
    pub moves: Vec<Played>,
    /// The position after them.
    pub last: Position,
    /// The count there.
    pub count: Count,
    /// Why it goes no further.
    pub end: End,
}

impl Tablebase {
    /// Best play by both sides under a rule set, from a position with a count. It ends with mate,
    /// where the count runs out, or where neither side can force mate any more.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::best_moves`], of every position on the way.
    pub fn line(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Line, ProbeError> {
        let mut line = Line {
            moves: Vec::new(),
            last: *position,
            count: *count,
            end: End::Draw,
        };
        loop {
            let before = line.last;
            let ranked = self.best_moves(&before, rules, &line.count)?;
            let Some(best) = ranked.first() else {
                line.end = match before.is_check() {
                    true => End::Checkmate,
                    false => End::Stalemate,
                };
                return Ok(line);
            };
            let winner = best.dtm.winner(before.turn());
            let winner_to_move = winner.is_none_or(|winner| winner == before.turn());
            if line.count.is_over(rules, winner_to_move) {
                line.end = End::Counted;
                return Ok(line);
            }
            let Some(winner) = winner else {
                return Ok(line);
            };
            let next = before.play(best.m);
            let count = line.count.after(rules, &before, &next, winner);
            let counted = count.number().filter(|_| before.turn() != winner);
            // The number before 1 is not said.
            let counted = counted.filter(|&number| number > 0);
            line.moves.push(Played {
                before,
                m: best.m,
                category: best.category,
                dtm: best.dtm,
                counted,
            });
            line.last = next;
            line.count = count;
        }
    }
}
