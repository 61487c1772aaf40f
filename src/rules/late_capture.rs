//! Captures that gain time: against a bare king, late in ASEAN chess's fifty moves.
//!
//! A capture by the bare king starts the fifty-move rule again, but not the count. So it may be forced
//! to give the other side time: what takes too long for the clock is won all the same if the king
//! has nothing better than such a capture, and mate follows inside the count.
//!
//! With a rook or a khon this makes no difference, nor wherever such a man has fallen: their count
//! is over before a hundred plies are made, captures or not. That leaves knights and mets.

use super::count::{Count, after_limit};
use super::fifty_moves::FIFTY_MOVES_PLIES;
use super::rule_set::RuleSet;
use crate::board::{Color, Role};
use crate::material::CanonicalMaterial;

/// The limit of the count against a knight and no rook or khon, in plies.
const KNIGHTS_LIMIT_PLIES: u32 = 128;

/// The plies that this count leaves beyond the fifty-move rule, if both began with one capture.
const BEYOND_THE_CLOCK: u32 = after_limit(KNIGHTS_LIMIT_PLIES) - FIFTY_MOVES_PLIES;

/// True for the endings in which a capture by the bare king can gain the other side time: their
/// tables have the plies until mate or such a capture.
///
/// Of five men they are these three: in the other endings of knights and mets the plies would be those
/// of the distance to mate, which a test of `generate` proves of each. Of six men
/// and more the plies are in no table.
pub fn late_captures_matter(material: CanonicalMaterial) -> bool {
    let men = material.army(Color::White);
    material.is_bare()
        && men.len() == 3
        && men.count(Role::Met) > 0
        && men.count(Role::Knight) + men.count(Role::Met) == 3
}

/// What a capture by the bare king takes of the clock, in plies, if mate then follows in so many moves
/// of the winner: it is in time with up to 100 less this on the clock before it.
///
/// The capture itself is a ply, and has to be made while the clock is below 100. The clock then starts
/// again, and mate comes in 2 · moves − 1 plies, which in the endings of four men is below 100. The
/// count goes on: with c plies on the clock, and counted, before the capture, mate is in time if
/// c + 1 + 2 · moves − 1 is at most 129, since a move may still be made with the limit counted.
///
/// With mets alone there is no count. But then mate follows in two moves at most, and a count
/// would make no difference.
pub fn plies_of_late_capture(moves: u16) -> u16 {
    moves
        .saturating_mul(2)
        .saturating_sub(BEYOND_THE_CLOCK as u16)
        .max(1)
}

impl Count {
    /// True if the fifty-move rule ends the game so long before the count that
    /// [`plies_of_late_capture`] holds: it is what it takes of the clock if the count leaves just that
    /// much more.
    pub(crate) fn outlasts_the_clock(&self, rules: RuleSet) -> bool {
        let least = self.plies_to_capture() + BEYOND_THE_CLOCK;
        rules == RuleSet::Asean
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
        // With as many plies on the clock as are left of 100, mate after the capture is just in time.
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
