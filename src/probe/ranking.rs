//! The moves of a position, the best first.

use std::cmp::Reverse;

use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::tablebase::Tablebase;
use super::value::Value;
use crate::board::{Move, Position, SquareSet};
use crate::rules::{Allowance, Category, Count, RuleSet, begins_afresh};

/// A legal move and what it is worth to the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The distance to mate for the player who makes the move, counted from before it.
    pub dtm: Distance,
    /// The distance to honor for that player, counted from before the move; 1 for the capture of
    /// the last man inside the count, or of any in ASEAN chess if the win stands, or for the end of the
    /// last bia. None against a bare king, unless a bia stands.
    pub dth: Option<Distance>,
    /// What the move is worth to that player under the rules.
    pub category: Category,
    /// What the count leaves that the move begins by taking or promoting the last bia; to the side
    /// that mates if nothing is counted.
    pub begins: Option<Allowance>,
    /// True if it takes a man.
    pub capture: bool,
    /// True if it mates.
    pub checkmate: bool,
    /// True if it draws and leaves the opponent, who has more than one move, a single one that does
    /// not lose. It is looked for only where that is cheap.
    pub only_reply: bool,
}

/// The worth of a move under the rules, for the player who makes it.
struct After {
    dth: Option<Distance>,
    category: Category,
    begins: Option<Allowance>,
}

impl RankedMove {
    /// Greater for a better move.
    fn rank(&self) -> (Category, Distance, Distance, bool) {
        let distance = self.dth.unwrap_or(self.dtm);
        (self.category, distance, self.dtm, self.only_reply)
    }
}

impl Tablebase {
    /// The legal moves, the best first: by what they are worth under the rules, then the shortest
    /// win or the longest loss, to honor where both sides have men. Among drawing moves one comes
    /// first after which the opponent has to find its only move. Moves as good as each other stay
    /// in the order of [`Position::legal_moves`].
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`], of the position after each move.
    pub fn best_moves(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Vec<RankedMove>, ProbeError> {
        rules.check_in_tables(position, SquareSet::EMPTY)?;
        let material = position.material();
        count.validate(rules, material)?;
        // The opponent can go wrong only against a side that has men.
        let look_further =
            !material.army(position.turn()).is_empty() && self.is_stored(position)?;
        let mut moves = Vec::new();
        for m in position.legal_moves() {
            let next = position.play(m);
            let dtm = self.dtm(&next)?.before_move();
            let capture = position.is_capture(m);
            let after = self.after(position, rules, count, (&next, capture), dtm)?;
            let After {
                dth,
                category,
                begins,
            } = after;
            moves.push(RankedMove {
                m,
                dtm,
                dth,
                category,
                begins,
                capture,
                checkmate: dtm == Distance::Win(Moves(1)),
                only_reply: dtm == Distance::Draw && look_further && self.has_only_reply(&next)?,
            });
        }
        moves.sort_by_key(|m| Reverse(m.rank()));
        Ok(moves)
    }

    /// The worth of a move under the rules, for the player who makes it.
    fn after(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
        (next, capture): (&Position, bool),
        dtm: Distance,
    ) -> Result<After, ProbeError> {
        let men = position.material();
        if let Some(bare) = men.bare_side().filter(|_| men.is_bare_without_bia()) {
            let restarts = rules == RuleSet::Asean && count.plies_to_capture() > 0;
            let category = match capture && restarts {
                // The capture starts the fifty-move rule again. The distances have that only where a
                // limit that play leads to outlasts the rule.
                true => {
                    let count = count.after(rules, position, next, !bare);
                    -self.category(next, rules, &count)?
                }
                false => self.category_against_bare_king(position, next, rules, count, dtm)?,
            };
            return Ok(After {
                dth: None,
                category,
                begins: None,
            });
        }
        if !begins_afresh(men, next.material()) {
            let dth = self.distance_after(next, rules, capture)?;
            let value = Value::with_men_on_both_sides(position, rules, count, dtm, dth);
            return Ok(After {
                dth: value.dth,
                category: value.category,
                begins: None,
            });
        }
        let after = self.probe(next, rules, &Count::Fresh)?;
        let (dth, category) = match -after.category {
            // The fifty-move rule has ended the game before.
            Category::Win if rules == RuleSet::Asean && count.plies_to_capture() == 0 => {
                (Distance::Win(Moves(1)), Category::CursedWin)
            }
            Category::Win => (Distance::Win(Moves(1)), Category::Win),
            Category::Loss => (Distance::Loss(Moves(0)), Category::Loss),
            category => (Distance::Draw, category),
        };
        Ok(After {
            dth: Some(dth),
            category,
            begins: after.allowance.filter(|_| !men.is_pawnless()),
        })
    }

    /// True if the side to move has several moves and all but one lose.
    fn has_only_reply(&self, position: &Position) -> Result<bool, ProbeError> {
        let moves = position.legal_moves();
        let mut holding = 0;
        for &m in &moves {
            if self.dtm(&position.play(m))?.before_move() >= Distance::Draw {
                holding += 1;
            }
        }
        Ok(moves.len() > 1 && holding == 1)
    }
}
