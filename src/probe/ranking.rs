//! Ranks the legal moves of a position by their values.

use std::cmp::Reverse;

use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::tablebase::Tablebase;
use super::value::Value;
use crate::board::{Move, Position, Role, SquareSet};
use crate::material::Material;
use crate::rules::{Allowance, Category, Count, RuleSet, begins_afresh};

/// A legal move with its value for the player who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The distance to mate for the player who makes the move, measured from the position before
    /// the move.
    pub dtm: Distance,
    /// The distance to honor for the player who makes the move, measured from the position before
    /// the move. It is 1 if the move captures the last man and wins inside the count, or if it
    /// captures or promotes the last bia and wins. In ASEAN chess it is 1 for any capture and for
    /// any bia's move that keeps the win. `None` against a bare king without bia.
    pub dth: Option<Distance>,
    /// The category of the move under the rule set and the count, for the player who makes it.
    pub category: Category,
    /// The number of moves that the new count allows the winner, if the move captures or promotes
    /// the last bia. The winner is the side that mates with nothing counted. `None` if the move
    /// begins no count.
    pub begins: Option<Allowance>,
    /// True if the move captures a man.
    pub capture: bool,
    /// True if the move mates.
    pub checkmate: bool,
    /// True if the move draws, the opponent has several replies, and all but one of them lose.
    /// Computed only where that is cheap; otherwise false.
    pub only_reply: bool,
}

/// The value of a move under the rules, for the player who makes it.
struct After {
    dth: Option<Distance>,
    category: Category,
    begins: Option<Allowance>,
}

/// True if moves are ranked by the distance to mate, because every step of a bia restarts the
/// fifty-move rule and so ends the distance to honor.
fn ranks_by_mate(rules: RuleSet, material: Material) -> bool {
    rules.has_fifty_move_rule() && !material.is_pawnless()
}

impl RankedMove {
    /// The key by which moves are sorted: the better the move, the greater its key. The distance to
    /// mate comes before the distance to honor if `by_mate` is true.
    fn rank(&self, by_mate: bool) -> (Category, Distance, Distance, bool) {
        let honor = self.dth.unwrap_or(self.dtm);
        let (first, second) = match by_mate {
            true => (self.dtm, honor),
            false => (honor, self.dtm),
        };
        (self.category, first, second, self.only_reply)
    }
}

impl Tablebase {
    /// The legal moves, best first. They are sorted by category, then by distance: the shortest win
    /// or the longest loss first. The distance is to mate or, if both sides have men, to honor.
    /// Drawing moves after which all replies but one lose come before other drawing moves. Moves
    /// that compare equal are in the order of [`Position::legal_moves`].
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::probe`], for the position after each move.
    pub fn best_moves(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Vec<RankedMove>, ProbeError> {
        rules.check_in_tables(position, SquareSet::EMPTY)?;
        let material = position.material().in_game(rules.game());
        count.validate(rules, material)?;
        // Only a side with men can win after the opponent's mistake.
        let look_further = !material.army(position.turn()).is_empty()
            && self.is_stored_in(rules.game(), position)?;
        let mut moves = Vec::new();
        for m in position.legal_moves_in(rules.game()) {
            moves.push(self.ranked(position, rules, count, m, look_further)?);
        }
        let by_mate = ranks_by_mate(rules, material);
        moves.sort_by_key(|m| Reverse(m.rank(by_mate)));
        Ok(moves)
    }

    /// The legal moves whose values the tables have, best first. In contrast to
    /// [`best_moves`](Tablebase::best_moves), a missing or corrupt table concerns only the moves
    /// that need it.
    ///
    /// # Errors
    ///
    /// If no table can contain the position, or the position cannot have this count.
    pub fn known_moves(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Vec<RankedMove>, ProbeError> {
        rules.check_in_tables(position, SquareSet::EMPTY)?;
        let material = position.material().in_game(rules.game());
        count.validate(rules, material)?;
        let moves = position.legal_moves_in(rules.game()).into_iter();
        let ranked = moves.map(|m| self.ranked(position, rules, count, m, false));
        let mut known: Vec<RankedMove> = ranked.filter_map(Result::ok).collect();
        let by_mate = ranks_by_mate(rules, material);
        known.sort_by_key(|m| Reverse(m.rank(by_mate)));
        Ok(known)
    }

    /// A move with its value. `look_further` states whether to compute
    /// [`RankedMove::only_reply`].
    fn ranked(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
        m: Move,
        look_further: bool,
    ) -> Result<RankedMove, ProbeError> {
        let next = position.play(m);
        let dtm = self.dtm_in(rules.game(), &next)?.before_move();
        let capture = position.is_capture(m);
        let after = self.after(position, rules, count, (&next, m), dtm)?;
        let After {
            dth,
            category,
            begins,
        } = after;
        Ok(RankedMove {
            m,
            dtm,
            dth,
            category,
            begins,
            capture,
            checkmate: dtm == Distance::Win(Moves(1)),
            only_reply: dtm == Distance::Draw
                && look_further
                && self.has_only_reply(rules, &next)?,
        })
    }

    /// True if there are several legal moves, and exactly one has a category of at least this many
    /// points (see [`Category::points`]). The search stops at the second such move, so it costs far
    /// less than [`best_moves`](Tablebase::best_moves).
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::probe`].
    pub fn has_only_move(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
        points: i8,
    ) -> Result<bool, ProbeError> {
        let moves = position.legal_moves_in(rules.game());
        let mut reaching = 0;
        for &m in &moves {
            let next = position.play(m);
            let dtm = self.dtm_in(rules.game(), &next)?.before_move();
            let after = self.after(position, rules, count, (&next, m), dtm)?;
            reaching += usize::from(after.category.points() >= points);
            if reaching > 1 {
                return Ok(false);
            }
        }
        Ok(moves.len() > 1 && reaching == 1)
    }

    /// The value of a move under the rules, for the player who makes it.
    fn after(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
        (next, m): (&Position, Move),
        dtm: Distance,
    ) -> Result<After, ProbeError> {
        let men = position.material();
        let capture = position.is_capture(m);
        if let Some(bare) = men.bare_side().filter(|_| men.is_bare_without_bia()) {
            let restarts = rules.has_fifty_move_rule() && count.plies_to_capture() > 0;
            let category = match capture && restarts {
                // The capture restarts the fifty-move rule. The stored distances take this into
                // account only under limits that a game reaches and that outlast the rule.
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
        if !begins_afresh(rules, men, next.material()) {
            let restarts = capture || position.by_role(Role::Bia).contains(m.from);
            let dth = self.distance_after(next, rules, restarts)?;
            let value = Value::with_men_on_both_sides(position, rules, count, dtm, dth);
            return Ok(After {
                dth: value.dth,
                category: value.category,
                begins: None,
            });
        }
        let after = self.probe(next, rules, &Count::Fresh)?;
        let (dth, category) = match -after.category {
            // The count or the fifty-move rule has ended the game already.
            Category::Win if count.is_over(rules, true) => {
                (Distance::Win(Moves(1)), Category::CursedWin)
            }
            Category::Loss if count.is_clock_over(rules) => {
                (Distance::Loss(Moves(0)), Category::BlessedLoss)
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

    /// True if the side to move has several moves, and all but one of them lose.
    fn has_only_reply(&self, rules: RuleSet, position: &Position) -> Result<bool, ProbeError> {
        let game = rules.game();
        let moves = position.legal_moves_in(game);
        let mut holding = 0;
        for &m in &moves {
            if self.dtm_in(game, &position.play(m))?.before_move() >= Distance::Draw {
                holding += 1;
            }
        }
        Ok(moves.len() > 1 && holding == 1)
    }
}
