//! The value of a distance under a rule set and a count.

use super::distance::{Distance, Honor, HonorDistance, Moves, Plies};
use super::error::ProbeError;
use crate::board::{Color, Position};
use crate::material::Material;
use crate::rules::{
    Allowance, Category, Count, Outcome, RuleSet, category, late_captures_matter, moves_available,
};

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The distance to mate, with nothing counted.
    pub dtm: Distance,
    /// The distance to honor. `None` against a bare king without bia. In ASEAN chess, the distance
    /// ends with any capture after which the position is still won, and a win that the fifty-move
    /// rule prevents is a draw.
    pub dth: Option<Distance>,
    /// The category under the rule set and the count.
    pub category: Category,
    /// The number of moves that the count still allows the winning side. In a draw, the side that
    /// is not bare is taken for the winning side, or the side to move if neither side is bare.
    /// `None` if no rule ends the game.
    pub allowance: Option<Allowance>,
}

impl Value {
    /// The value of a position with one bare king or two. `dtm` is the position's distance to mate,
    /// or the distance if a certain move is played.
    pub(super) fn against_bare_king(
        (material, turn): (Material, Color),
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Value {
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

    /// True if a capture by the bare king may give the winner enough time to mate.
    /// [`Value::with_captures`] then computes the category.
    pub(super) fn may_be_won_by_a_capture(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> bool {
        self.category.is_count_draw()
            && count.outlasts_the_clock(rules)
            && late_captures_matter(position.material().canonical().0)
    }

    /// The value against a bare king in ASEAN chess. `to_capture` is the number of plies until
    /// mate, or until the bare king captures a man and mate then follows inside the count.
    pub(super) fn with_captures(self, to_capture: Distance<Plies>, count: &Count) -> Value {
        let category = match to_capture {
            Distance::Win(plies) if in_time(plies, count) => Category::Win,
            Distance::Loss(plies) if in_time(plies, count) => Category::Loss,
            _ => self.category,
        };
        Value { category, ..self }
    }

    /// The value of a position in which both sides have men or there is a bia. `dtm` and `honor`
    /// are the position's distances, or the distances if a certain move is played.
    pub(super) fn with_men_on_both_sides(
        position: &Position,
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
        honor: HonorDistance,
    ) -> Value {
        let turn = position.turn();
        let dth = honor.in_moves();
        let winner = dth.winner(turn).or(dtm.winner(turn)).unwrap_or(turn);
        let allowance = Allowance::new(rules, position.material(), winner, turn, count);
        let available = allowance.map(|a| a.moves_available);
        let (judged, available) = match honor {
            Honor::Plies(Distance::Win(plies) | Distance::Loss(plies)) => {
                match in_time(plies, count) {
                    true => (dth, None),
                    false => (Distance::Draw, None),
                }
            }
            _ => (dth, available),
        };
        let category = match (judged, dtm) {
            // Mate can be forced, but in every line the capture comes too late.
            (Distance::Draw, Distance::Win(_)) => Category::CursedWin,
            (Distance::Draw, Distance::Loss(_)) => Category::BlessedLoss,
            _ => judge(judged, turn, available),
        };
        Value {
            dtm,
            dth: Some(dth),
            category,
            allowance,
        }
    }
}

/// The category of a distance for the side to move. `available` is the number of moves that the
/// count still allows the winner.
fn judge(distance: Distance, turn: Color, available: Option<u32>) -> Category {
    let outcome: Outcome = distance.outcome(turn);
    category(outcome, turn, available)
}

/// True if the fifty-move rule still allows this many plies.
fn in_time(Plies(plies): Plies, count: &Count) -> bool {
    u32::from(plies) <= count.plies_to_capture()
}

/// The slowest win for the side to move that is still in time under the rule set and the count.
/// Faster wins have the same category, so a lookup can stop when it finds this win or a faster one.
pub(super) fn slowest_win(position: &Position, rules: RuleSet, count: &Count) -> Distance {
    let turn = position.turn();
    let allowance = Allowance::new(rules, position.material(), turn, turn, count);
    let most = allowance.map_or(u32::MAX, |a| a.moves_available);
    Distance::Win(Moves(u16::try_from(most).unwrap_or(u16::MAX)))
}

/// The fastest loss for the side to move that the count turns into a draw. Slower losses have the
/// same category, so a lookup can stop when it finds this loss or a slower one. Both sides have
/// men.
pub(super) fn fastest_count_draw(position: &Position, rules: RuleSet, count: &Count) -> Distance {
    let turn = position.turn();
    let allowance = Allowance::new(rules, position.material(), !turn, turn, count);
    let next = allowance.map(|a| a.moves_available.saturating_add(1));
    match next.and_then(|moves| u16::try_from(moves).ok()) {
        Some(moves) => Distance::Loss(Moves(moves)),
        None => Distance::Draw,
    }
}

/// The distance to honor in ASEAN chess, in plies, at which a lookup can stop because no better
/// distance changes the category. `dtm` shows which side wins. For the winner it is the slowest win
/// that the fifty-move rule allows, as in [`slowest_win`]. For the loser it is the fastest loss
/// that the rule turns into a draw, as in [`fastest_count_draw`].
pub(super) fn enough_plies(dtm: Distance, count: &Count) -> Distance<Plies> {
    let plies = |n: u32| u16::try_from(n).map(Plies);
    let left = count.plies_to_capture();
    match dtm {
        Distance::Loss(_) => plies(left.saturating_add(1)).map_or(Distance::Draw, Distance::Loss),
        _ => Distance::Win(plies(left).unwrap_or(Plies(u16::MAX))),
    }
}

/// The least and the greatest possible category of a position under a count, given its category
/// with a fresh count.
pub(super) fn category_bounds(
    position: &Position,
    rules: RuleSet,
    count: &Count,
    fresh: Category,
) -> [Category; 2] {
    let (winner, won, late) = match fresh {
        _ if *count == Count::Fresh => return [fresh; 2],
        // Neither side can force mate.
        Category::Draw => return [fresh; 2],
        Category::Win | Category::CursedWin => {
            (position.turn(), Category::Win, Category::CursedWin)
        }
        Category::Loss | Category::BlessedLoss => {
            (!position.turn(), Category::Loss, Category::BlessedLoss)
        }
    };
    let left = |count| {
        let left = moves_available(rules, position.material(), winner, position.turn(), count);
        left.unwrap_or(u32::MAX)
    };
    let (now, then) = (left(count), left(&Count::Fresh));
    // In ASEAN chess a capture may gain more time than the count leaves.
    let settled = !rules.has_fifty_move_rule()
        && match fresh == won {
            true => now >= then,
            false => now <= then,
        };
    match settled {
        true => [fresh; 2],
        false => [won.min(late), won.max(late)],
    }
}

/// Rejects a count that the position cannot have.
pub(super) fn validate(
    position: &Position,
    rules: RuleSet,
    count: &Count,
) -> Result<(), ProbeError> {
    if *count != Count::Fresh {
        count.validate(rules, position.material())?;
    }
    Ok(())
}
