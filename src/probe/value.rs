//! What a distance is worth under a rule set, with a count.

use super::distance::{Distance, Moves};
use crate::board::{Color, Position};
use crate::rules::{Allowance, Category, Count, Outcome, RuleSet, category, fifty_moves_left};

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The distance to mate, as if nothing were counted.
    pub dtm: Distance,
    /// The distance to honor; none against a bare king.
    pub dth: Option<Distance>,
    /// What it is worth under the rule set, with the count.
    pub category: Category,
    /// What the count leaves to the side that wins or, in a draw, to the side that has men (the
    /// side to move, if both have). None if no rule ends the game.
    pub allowance: Option<Allowance>,
}

impl Value {
    /// The value of a position in which one side, or each, has only its king. The distance may be
    /// that after a move of the side to move, counted from before it.
    pub(super) fn against_bare_king(
        position: &Position,
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Value {
        let turn = position.turn();
        let material = position.material();
        let stronger = !material.bare_side().unwrap_or(Color::Black);
        let winner = dtm.winner(turn).unwrap_or(stronger);
        let allowance = Allowance::new(rules, material, winner, turn, count);
        Value {
            dtm,
            dth: None,
            category: judge(dtm, turn, allowance.map(|a| a.moves_available)),
            allowance,
        }
    }

    /// The value of a position in which both sides have men. The distances may be those after a
    /// move of the side to move, counted from before it. None if they do not decide it.
    pub(super) fn with_men_on_both_sides(
        position: &Position,
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
        dth: Distance,
    ) -> Option<Value> {
        let turn = position.turn();
        let winner = dth.winner(turn).or(dtm.winner(turn)).unwrap_or(turn);
        let allowance = Allowance::new(rules, position.material(), winner, turn, count);
        let category = match (dth, dtm) {
            // Mate can be forced, but every way to it bares the king too late.
            (Distance::Draw, Distance::Win(_)) => Category::CursedWin,
            (Distance::Draw, Distance::Loss(_)) => Category::BlessedLoss,
            _ => judge(dth, turn, allowance.map(|a| a.moves_available)),
        };
        let decided = match (rules, dth.moves()) {
            (RuleSet::Asean, Some(Moves(moves))) => {
                // Without a capture on the way it is in time; with one, who knows.
                u32::from(moves) <= fifty_moves_left(winner == turn, count) || moves == 0
            }
            _ => true,
        };
        decided.then_some(Value {
            dtm,
            dth: Some(dth),
            category,
            allowance,
        })
    }
}

/// The category of a distance.
fn judge(distance: Distance, turn: Color, available: Option<u32>) -> Category {
    let outcome: Outcome = distance.outcome(turn);
    category(outcome, turn, available)
}

/// The slowest win of the side to move that is one under the rule set, with the count: any faster
/// one is as good. To honor where both sides have men.
pub(super) fn slowest_win(position: &Position, rules: RuleSet, count: &Count) -> Distance {
    let turn = position.turn();
    let material = position.material();
    let allowance = Allowance::new(rules, material, turn, turn, count);
    let mut moves = allowance.map_or(u32::MAX, |a| a.moves_available);
    if rules == RuleSet::Asean && material.bare_side().is_none() {
        moves = moves.min(fifty_moves_left(true, count));
    }
    Distance::Win(Moves(u16::try_from(moves).unwrap_or(u16::MAX)))
}

/// The fastest loss of the side to move, who would be mated if nothing were counted, that the count
/// turns into a draw: any slower one is as good. To honor; both sides have men.
pub(super) fn fastest_count_draw(position: &Position, rules: RuleSet, count: &Count) -> Distance {
    let turn = position.turn();
    let allowance = Allowance::new(rules, position.material(), !turn, turn, count);
    let moves = allowance.and_then(|a| u16::try_from(a.moves_available.saturating_add(1)).ok());
    match moves {
        Some(moves) if rules != RuleSet::Asean => Distance::Loss(Moves(moves)),
        _ => Distance::Draw,
    }
}
