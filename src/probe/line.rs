//! Lines: best play by both sides from a position to the end.

use super::distance::Distance;
use super::error::ProbeError;
use super::ranking::RankedMove;
use super::tablebase::Tablebase;
use crate::board::{Color, Move, Position};
use crate::rules::{Category, Count, RuleSet};

/// One move of a line of best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub m: Move,
    /// The category of the move, for the player who makes it.
    pub category: Category,
    /// The distance to mate for the player who makes the move, measured from the position before
    /// the move.
    pub dtm: Distance,
    /// The number that the player says aloud with the move, if the move is counted.
    pub counted: Option<u32>,
    /// The count after the move.
    pub count: Count,
}

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move is stalemated.
    Stalemate,
    /// The count has run out, which draws the game.
    Counted,
    /// Neither side can win.
    Draw,
}

/// A line: best play by both sides, from a position to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The moves of the line.
    pub moves: Vec<Played>,
    /// The position at the end of the line.
    pub last: Position,
    /// The count at the end of the line.
    pub count: Count,
    /// The reason why the line ends.
    pub end: End,
}

impl Tablebase {
    /// Best play by both sides under a rule set and a count. The line ends with mate, at the end of
    /// the count, or when neither side can force mate.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::best_moves`], for every position of the line.
    pub fn line(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Line, ProbeError> {
        self.play_on(Line::empty(position, count), rules)
    }

    /// The line that begins with a move that [`Tablebase::best_moves`] has ranked under the same
    /// count, and continues with best play by both sides.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::line`].
    pub fn line_after(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
        first: &RankedMove,
    ) -> Result<Line, ProbeError> {
        let mut line = Line::empty(position, count);
        // In a draw either side may be taken for the winner.
        let winner = first.dtm.winner(position.turn());
        line.push(first, rules, winner.unwrap_or(position.turn()));
        self.play_on(line, rules)
    }

    /// The line continued with best play by both sides.
    fn play_on(&self, mut line: Line, rules: RuleSet) -> Result<Line, ProbeError> {
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
            line.push(best, rules, winner);
        }
    }
}

impl Line {
    fn empty(position: &Position, count: &Count) -> Line {
        Line {
            moves: Vec::new(),
            last: *position,
            count: *count,
            end: End::Draw,
        }
    }

    /// Adds a move to the end of the line.
    fn push(&mut self, ranked: &RankedMove, rules: RuleSet, winner: Color) {
        let before = self.last;
        let next = before.play(ranked.m);
        let count = self.count.after(rules, &before, &next, winner);
        let counted = count.number().filter(|_| before.turn() != winner);
        // The count of 0 is not said aloud.
        let counted = counted.filter(|&number| number > 0);
        self.moves.push(Played {
            before,
            m: ranked.m,
            category: ranked.category,
            dtm: ranked.dtm,
            counted,
            count,
        });
        self.last = next;
        self.count = count;
    }
}
