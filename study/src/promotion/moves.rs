//! Finds the legal promotions in a lane, and their results.

use super::after::{Afters, CountWords, PromotionKind};
use super::men::Men;
use sakmak::board::{Color, Role, Square, SquareSet, attacks};
use sakmak::verdict::PlaneMen;

/// A promotion of one bia, with all men but the kings fixed.
#[derive(Clone, Debug)]
pub struct Promotion {
    kind: PromotionKind,
    to: Square,
    /// The men after the promotion.
    after: Men,
    /// Determines the legal positions after the promotion.
    plane: PlaneMen,
}

/// The results of all promotions in a lane, as sets of squares of the weaker king.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// The squares of the weaker king for which some promotion is legal, provided that the position
    /// before it is legal.
    pub possible: u64,
    /// The squares of the weaker king for which the winner wins after some promotion, on the board
    /// and in time.
    pub wins: CountWords,
    /// The wins in time by the man that the bia becomes ([`Role::index`]).
    pub by_role: [u64; Role::ALL.len()],
    /// The squares of the weaker king for which the winner does not win in time after some
    /// promotion.
    pub not_won_in_time: u64,
}

impl Promotion {
    /// All promotions of `side` with these men. Some may be illegal wherever the kings stand.
    pub fn all(afters: &Afters, side: Color, men: &Men) -> Vec<Promotion> {
        let game = afters.rules().game();
        let mut all = Vec::new();
        for from in men.of(side, Role::Bia) {
            let due = |to: &Square| game.promotes(side, *to);
            let steps = attacks::bia_step(side, from) & !men.occupied();
            let takes = attacks::attacks(Role::Bia, side, from, SquareSet::EMPTY);
            for to in (steps | takes & men.by_color(!side)).filter(due) {
                let taken = men.role_at(!side, to);
                let mut rest = men.toggled(side, Role::Bia, from);
                if let Some(role) = taken {
                    rest = rest.toggled(!side, role, to);
                }
                all.extend(game.promotions().iter().map(|&role| {
                    let after = rest.toggled(side, role, to);
                    Promotion {
                        kind: PromotionKind { side, role, taken },
                        to,
                        plane: PlaneMen::new(afters.winner(), after.groups()),
                        after,
                    }
                }));
            }
        }
        all
    }

    /// Adds the results of this promotion, with the winner's king on `king`, to `outcome`.
    pub fn add(&self, afters: &Afters, king: Square, outcome: &mut Outcome) {
        if king == self.to {
            return;
        }
        // After the promotion the other side is to move.
        let turn = usize::from(self.kind.side == afters.winner());
        let legal = self.plane.facts(king).legal[turn];
        if legal == 0 {
            return;
        }
        let wins = afters.wins(self.kind, &self.after, king);
        outcome.possible |= legal;
        outcome.wins.board |= wins.board & legal;
        outcome.wins.in_time |= wins.in_time & legal;
        outcome.by_role[self.kind.role.index()] |= wins.in_time & legal;
        outcome.not_won_in_time |= legal & !wins.in_time;
    }
}
