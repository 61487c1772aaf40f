//! Late captures: a bare king's forced capture that gains time in ASEAN chess.
//!
//! A capture by the bare king restarts the fifty-move rule, but not the count. So a win that takes
//! too long for the fifty-move rule still succeeds if the king is forced to capture, and mate
//! follows inside the count.
//!
//! This never happens if the winner has a rook or a khon, or had one when the count began: then the
//! count ends within a hundred plies, whether anything is captured or not. So only knights and mets
//! matter here.

use super::allowance::after_limit;
use super::count::Count;
use super::limits::FIFTY_MOVES_PLIES;
use super::rule_set::RuleSet;
use crate::board::{Color, Role};
use crate::material::CanonicalMaterial;

/// The limit, in plies, of the count against a knight without a rook or a khon.
const KNIGHTS_LIMIT_PLIES: u32 = 128;

/// The number of plies by which this count outlasts the fifty-move rule, if one capture started
/// both.
const BEYOND_THE_CLOCK: u32 = after_limit(KNIGHTS_LIMIT_PLIES) - FIFTY_MOVES_PLIES;

/// True for the endings in which a bare king's capture can gain time. Their tables store the number
/// of plies until mate or until such a capture.
///
/// These are three endings of five men. In the other five-man endings with knights and mets, the
/// number of plies follows from the distance to mate; a test of `generate` checks this for each of
/// them. With six or more men, no table stores plies.
pub fn late_captures_matter(material: CanonicalMaterial) -> bool {
    let men = material.army(Color::White);
    material.is_bare()
        && men.len() == 3
        && men.count(Role::Met) > 0
        && men.count(Role::Knight) + men.count(Role::Met) == 3
}

/// The number of plies that the fifty-move rule must still leave when a bare king captures a man,
/// if mate then follows in `moves` moves of the winner. The win is in time if the clock before the capture
/// is at most 100 minus this number.
///
/// The capture is a ply, and must be made while the clock is below 100. It restarts the clock. Mate
/// then comes within 2 · moves − 1 plies, which are fewer than 100 in all endings of four men. The
/// capture does not restart the count. If clock and count are both at c plies before the capture,
/// mate is in time if c + 1 + 2 · moves − 1 is at most 129: the limit of 128, and one more move.
///
/// If the winner has only mets, there is no count. But mate then follows in at most two moves, so a
/// count would make no difference.
pub fn plies_of_late_capture(moves: u16) -> u16 {
    moves
        .saturating_mul(2)
        .saturating_sub(BEYOND_THE_CLOCK as u16)
        .max(1)
}

impl Count {
    /// True in ASEAN chess if no count runs, or if the count lasts long enough: when the fifty-move
    /// rule would end the game, the count must still have the plies left that
    /// [`plies_of_late_capture`] assumes.
    pub(crate) fn outlasts_the_clock(&self, rules: RuleSet) -> bool {
        let least = self.plies_to_capture() + BEYOND_THE_CLOCK;
        rules.has_fifty_move_rule()
            && self
                .running()
                .is_none_or(|(limit, counted)| after_limit(limit).saturating_sub(counted) >= least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{moves_available, pieces_honor_limit};

    #[test]
    fn a_capture_takes_what_the_count_leaves() {
        // With the remaining plies on the clock, mate after the capture is just in time.
        for moves in 1..=50u16 {
            let plies = u32::from(plies_of_late_capture(moves));
            let in_time = |clock: u32| {
                let count = Count::Both {
                    limit_plies: KNIGHTS_LIMIT_PLIES,
                    counted_plies: clock + 1,
                    clock_plies: 0,
                };
                let white = Color::White;
                let men = "KNMvK".parse().unwrap();
                let left = moves_available(RuleSet::Asean, men, white, white, &count);
                clock < FIFTY_MOVES_PLIES && u32::from(moves) <= left.unwrap()
            };
            assert!(in_time(FIFTY_MOVES_PLIES - plies), "{moves}");
            assert!(!in_time(FIFTY_MOVES_PLIES - plies + 1), "{moves}");
        }
    }

    #[test]
    fn only_the_count_of_knights_outlasts_the_clock() {
        let limits = ["KRvK", "KSvK", "KNvK", "KMvK"].map(|name| {
            let men: CanonicalMaterial = name.parse().unwrap();
            pieces_honor_limit(RuleSet::Asean, men.material().white)
        });
        let outlasts = limits.map(|limit| {
            let limit_plies = 2 * limit.unwrap_or(0);
            Count::of_plies(limit_plies, 30).outlasts_the_clock(RuleSet::Asean)
        });
        assert_eq!(outlasts, [false, false, true, true]);
        assert_eq!(limits[2], Some(KNIGHTS_LIMIT_PLIES / 2));
    }
}
