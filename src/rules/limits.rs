//! Limits of the counts, and of ASEAN chess's fifty-move rule.
//!
//! Makruk's limits of board's honor and pieces' honor are from a printed makruk brochure and the
//! makruk guides of pychess and SchemingMind. Those of ASEAN chess are from pychess's ASEAN guide,
//! those of ouk from Fairy-Stockfish's `cambodian`. All were compared with Fairy-Stockfish.
//!
//! Fifty moves of each side without a capture are a draw in ASEAN chess, also during a count against
//! a bare king. [`super::allowance`] computes the moves that this rule leaves,
//! [`super::late_capture`] the time gained by a bare king's capture. In a game a pawn's move
//! restarts the rule too.

use serde::Serialize;

use super::RuleSet;
use crate::board::Role;
use crate::material::{Army, Material};

/// The number of plies without a capture after which an ASEAN game is drawn: fifty moves of each
/// side.
pub const FIFTY_MOVES_PLIES: u32 = 100;

/// The number of plies left for the next capture. The last of these plies may be the capture
/// itself.
pub(super) const fn plies_left(plies_since_capture: u32) -> u32 {
    FIFTY_MOVES_PLIES.saturating_sub(plies_since_capture)
}

/// The rule that ends a count or a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitKind {
    /// The count against a bare king.
    PiecesHonor,
    /// The count while both sides have men.
    BoardsHonor,
    /// ASEAN chess: fifty moves of each side without a capture are a draw.
    FiftyMoves,
}

/// A line in a table of limits: a role, the smallest number of men of this role in the army, and
/// the limit for such an army.
type Line = (Role, usize, u32);

/// Makruk's limits for pieces' honor, in moves. The first line that applies is used. For a khon
/// with two knights, a literal reading of pychess's guide gives 44; the other sources and
/// Fairy-Stockfish give 32.
const MAKRUK: &[Line] = &[
    (Role::Rook, 2, 8),
    (Role::Rook, 1, 16),
    (Role::Khon, 2, 22),
    (Role::Knight, 2, 32),
    (Role::Khon, 1, 44),
];

/// The limit if no line applies: for one knight, or only mets.
const MAKRUK_ELSE: u32 = 64;

/// ASEAN chess's limits, in moves. An army without any of these men has no count.
const ASEAN: &[Line] = &[
    (Role::Rook, 1, 16),
    (Role::Khon, 1, 44),
    (Role::Knight, 1, 64),
];

/// The limit of the count against a bare king, in moves, for the men that the stronger side has
/// when the count starts. `None` if the stronger side has no men, or if there is no count, for
/// example because that side has a bia.
pub fn pieces_honor_limit(rules: RuleSet, stronger: Army) -> Option<u32> {
    if stronger.is_empty() || !stronger.is_pawnless() {
        return None;
    }
    let first_fit = |lines: &[Line]| {
        lines
            .iter()
            .find(|&&(role, least, _)| stronger.count(role) >= least)
            .map(|&(_, _, limit)| limit)
    };
    let makruk = first_fit(MAKRUK).unwrap_or(MAKRUK_ELSE);
    match rules {
        RuleSet::Makruk => Some(makruk),
        RuleSet::Asean => first_fit(ASEAN),
        // In ouk a game is drawn when the count reaches makruk's limit, not when it passes the
        // limit.
        RuleSet::Ouk => Some(makruk - 1),
    }
}

/// The limit of the count while both sides have men, in moves. None if nothing is counted.
pub fn boards_honor_limit(rules: RuleSet, material: Material) -> Option<u32> {
    if material.white.is_empty() || material.black.is_empty() {
        return None;
    }
    match rules {
        // Makruk's count begins when the last bia is gone.
        RuleSet::Makruk => material.is_pawnless().then_some(64),
        RuleSet::Asean => None,
        // Ouk counts once a side has at most three men, its king included.
        RuleSet::Ouk => match material.white.len().min(material.black.len()) {
            0..3 => limit_with_bia(rules),
            _ => None,
        },
    }
}

/// The only limit, in moves, that a count can have while there are bia: that of ouk's board's
/// honor. `None` if the rule set counts nothing then.
pub(crate) fn limit_with_bia(rules: RuleSet) -> Option<u32> {
    rules.counts_with_bia().then_some(63)
}

/// All limits that a count against a bare king can have, in moves, in ascending order.
pub fn pieces_honor_limits(rules: RuleSet) -> impl Iterator<Item = u32> + Clone {
    let (lines, last, less) = match rules {
        RuleSet::Makruk => (MAKRUK, Some(MAKRUK_ELSE), 0),
        RuleSet::Asean => (ASEAN, None, 0),
        RuleSet::Ouk => (MAKRUK, Some(MAKRUK_ELSE), 1),
    };
    let limits = lines.iter().map(|&(_, _, limit)| limit).chain(last);
    limits.map(move |limit| limit - less)
}

/// A number of plies as text: in moves or, if it is odd, in plies.
pub(super) fn in_moves(plies: u32) -> String {
    match plies % 2 {
        0 => format!("{} moves", plies / 2),
        _ => format!("{plies} plies"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{MAX_MEN, materials_of};

    fn limits(name: &str) -> [Option<u32>; 3] {
        let material: Material = name.parse().unwrap();
        RuleSet::ALL.map(|rules| pieces_honor_limit(rules, material.white))
    }

    #[test]
    fn the_first_line_that_fits_the_men_decides() {
        assert_eq!(limits("KRRNvK"), [Some(8), Some(16), Some(7)]);
        assert_eq!(limits("KRNNSSvK"), [Some(16), Some(16), Some(15)]);
        assert_eq!(limits("KSSNNvK"), [Some(22), Some(44), Some(21)]);
        assert_eq!(limits("KNNSvK"), [Some(32), Some(44), Some(31)]);
        assert_eq!(limits("KNNMvK"), [Some(32), Some(64), Some(31)]);
        assert_eq!(limits("KSNMvK"), [Some(44), Some(44), Some(43)]);
        assert_eq!(limits("KNMMvK"), [Some(64), Some(64), Some(63)]);
        assert_eq!(limits("KMMMvK"), [Some(64), None, Some(63)]);
    }

    #[test]
    fn a_side_without_men_has_no_limit() {
        for rules in RuleSet::ALL {
            assert_eq!(pieces_honor_limit(rules, Army::BARE), None);
        }
    }

    #[test]
    fn nothing_is_counted_against_a_bare_king_while_a_bia_stands() {
        assert_eq!(limits("KRRPvK"), [None; 3]);
    }

    #[test]
    fn one_man_more_never_makes_the_limit_longer() {
        // So the limit of the starting men never exceeds that of the men left.
        for material in (3..MAX_MEN).flat_map(materials_of) {
            let army = material.material().white;
            for role in Role::PAWNLESS {
                for rules in RuleSet::ALL {
                    let limit = |army| pieces_honor_limit(rules, army).unwrap_or(u32::MAX);
                    assert!(limit(army.with(role)) <= limit(army), "{army} {role:?}");
                }
            }
        }
    }

    #[test]
    fn the_possible_limits_are_those_that_some_men_have() {
        for rules in RuleSet::ALL {
            let mut found: Vec<u32> = (3..=MAX_MEN)
                .flat_map(materials_of)
                .filter_map(|material| pieces_honor_limit(rules, material.material().white))
                .collect();
            found.sort();
            found.dedup();
            let possible: Vec<u32> = pieces_honor_limits(rules).collect();
            assert_eq!(found, possible);
        }
    }

    #[test]
    fn the_boards_honor_is_counted_while_both_sides_have_men() {
        let limits = |name: &str| {
            let material = name.parse().unwrap();
            RuleSet::ALL.map(|rules| boards_honor_limit(rules, material))
        };
        assert_eq!(limits("KRvKN"), [Some(64), None, Some(63)]);
        assert_eq!(limits("KRRRvKNN"), [Some(64), None, Some(63)]);
        assert_eq!(limits("KRRRvKNNN"), [Some(64), None, None]);
        assert_eq!(limits("KRvK"), [None; 3]);
        // Not in makruk while a bia stands.
        assert_eq!(limits("KRPvKN"), [None, None, Some(63)]);
        assert_eq!(limits("KRvKP"), [None, None, Some(63)]);
    }
}
