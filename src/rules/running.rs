//! Advances a running count by a move.

use super::allowance::{after_limit, moves_left, number_said};
use super::count::Count;
use super::limits::{boards_honor_limit, pieces_honor_limit};
use super::rule_set::RuleSet;
use crate::board::{Color, Position, Role};
use crate::material::Material;

impl Count {
    /// The count after a move that leads from the position `before` to the position `after`.
    ///
    /// A running count advances by a ply with every move, captures included. When a side's last man
    /// is captured, the count against the bare king begins instead. In ASEAN chess a capture by the
    /// bare king also restarts the fifty-move rule. A fresh count begins with the next move of the
    /// counting side, which is the bare king or, with men on both sides, the losing side.
    ///
    /// Makruk counts nothing while there are bia; its count begins when the last bia is gone. In
    /// ouk the board's honor runs on when a king is bared while there are bia. When the last bia is
    /// gone and a king is bare, the count against it begins. `winner` is the winning side or, in a
    /// draw, either side.
    #[must_use]
    pub fn after(
        &self,
        rules: RuleSet,
        before: &Position,
        after: &Position,
        winner: Color,
    ) -> Count {
        let bare = |position: &Position| position.material().bare_side();
        let captured = before.occupied().len() != after.occupied().len();
        if !before.is_pawnless() && !rules.has_fifty_move_rule() {
            if begins_afresh(rules, before.material(), after.material()) {
                return begin_after_the_last_bia(rules, before, after);
            }
            return match (*self, boards_honor_limit(rules, before.material())) {
                _ if !rules.counts_with_bia() => Count::Fresh,
                (Count::Fresh | Count::Clock { .. }, Some(limit)) => {
                    begin_on_the_board(limit, before, winner)
                }
                _ => self.go_on(rules, captured),
            };
        }
        if !before.is_pawnless() {
            // No count runs while there are bia. The clock is set back by captures and bia's moves.
            return match (captured || has_moved_bia(before, after), bare(after)) {
                (false, _) => self.go_on(rules, false),
                // If the bare king has taken the last bia, the count begins after the next move.
                (true, Some(side)) if after.is_pawnless() && after.turn() == side => {
                    begin(rules, after, !side)
                }
                (true, _) => Count::Fresh,
            };
        }
        match (bare(before), bare(after)) {
            // The last man has been captured, and the bare king is to move.
            (None, Some(side)) => begin(rules, after, !side),
            (Some(side), _) => {
                let next = self.against_bare_king(rules, before, side);
                match (captured && rules.has_fifty_move_rule(), next.running()) {
                    (false, _) => next,
                    (true, None) => Count::Fresh,
                    (true, Some((limit_plies, counted_plies))) => Count::Both {
                        limit_plies,
                        counted_plies,
                        clock_plies: 0,
                    },
                }
            }
            (None, None) => match (*self, boards_honor_limit(rules, before.material())) {
                (Count::Fresh | Count::Clock { .. }, Some(limit)) => {
                    begin_on_the_board(limit, before, winner)
                }
                _ => self.go_on(rules, captured),
            },
        }
    }

    /// The count after a move in a position with a bare king, as if the move captured nothing.
    fn against_bare_king(self, rules: RuleSet, before: &Position, side: Color) -> Count {
        match self {
            // In makruk and ouk a clock without a count is a fresh count.
            Count::Fresh | Count::Clock { .. } if !rules.has_fifty_move_rule() => {
                begin_with(rules, before, side)
            }
            Count::Fresh if limit(rules, before, !side).is_some() => {
                begin_with(rules, before, side)
            }
            // The count is at least as old as the last capture.
            Count::Clock { plies } if rules.has_fifty_move_rule() => {
                match limit(rules, before, !side) {
                    Some(limit) => Count::of_plies(2 * limit, plies.saturating_add(1)),
                    None => self.go_on(rules, false),
                }
            }
            _ => self.go_on(rules, false),
        }
    }

    /// The count one ply later, or the fifty-move rule's clock if there is no count.
    fn go_on(self, rules: RuleSet, captured: bool) -> Count {
        match self {
            Count::Explicit { .. } | Count::Both { .. } => self.one_more(),
            _ if captured || !rules.has_fifty_move_rule() => Count::Fresh,
            _ => self.one_more(),
        }
    }

    fn one_more(self) -> Count {
        match self {
            Count::Fresh => Count::Clock { plies: 1 },
            Count::Clock { plies } => Count::Clock {
                plies: plies.saturating_add(1),
            },
            Count::Explicit {
                limit_plies,
                counted_plies,
            } => Count::Explicit {
                limit_plies,
                counted_plies: counted_plies.saturating_add(1),
            },
            Count::Both {
                limit_plies,
                counted_plies,
                clock_plies,
            } => Count::Both {
                limit_plies,
                counted_plies: counted_plies.saturating_add(1),
                clock_plies: clock_plies.saturating_add(1),
            },
        }
    }

    /// True if the count leaves the winning side no more moves: the game is drawn, unless the last
    /// move has mated. `winner_to_move` is true if the winning side is to move.
    pub fn is_over(&self, rules: RuleSet, winner_to_move: bool) -> bool {
        // A capture with the very last ply restarts the fifty-move rule.
        if self.is_clock_over(rules) {
            return true;
        }
        self.running().is_some_and(|(limit, counted)| {
            moves_left(after_limit(limit), counted, winner_to_move) == 0
        })
    }

    /// True if the fifty-move rule has ended the game.
    pub(crate) fn is_clock_over(&self, rules: RuleSet) -> bool {
        rules.has_fifty_move_rule() && self.plies_to_capture() == 0
    }

    /// The number that the counting side says with the last move, if that move is counted.
    pub fn number(&self) -> Option<u32> {
        self.running()
            .map(|(_, counted)| number_said(counted, true))
    }
}

/// True if a move begins a new count: it captures a side's last man, or captures or promotes the
/// last bia. In ouk the end of the last bia begins a count only against a bare king.
pub fn begins_afresh(rules: RuleSet, before: Material, after: Material) -> bool {
    let bares = after.bare_side().is_some();
    match before.is_pawnless() {
        true => before.bare_side().is_none() && bares,
        false if rules.counts_with_bia() => {
            after.is_pawnless() && bares && after != Material::BARE_KINGS
        }
        false => after.is_pawnless(),
    }
}

/// The board's honor after its first move, which is counted if the losing side made it.
fn begin_on_the_board(limit: u32, before: &Position, winner: Color) -> Count {
    Count::Explicit {
        limit_plies: 2 * limit,
        counted_plies: u32::from(before.turn() != winner),
    }
}

/// True if a move from the position `before` to the position `after` is that of a bia.
fn has_moved_bia(before: &Position, after: &Position) -> bool {
    let mover = before.turn();
    before.men(mover, Role::Bia) != after.men(mover, Role::Bia)
}

fn limit(rules: RuleSet, position: &Position, stronger: Color) -> Option<u32> {
    pieces_honor_limit(rules, position.material().army(stronger))
}

/// The count against a bare king, before its first counted move.
fn begin(rules: RuleSet, position: &Position, stronger: Color) -> Count {
    match limit(rules, position, stronger) {
        None => Count::Fresh,
        Some(limit) => Count::Explicit {
            limit_plies: 2 * limit,
            counted_plies: 2 * rules.first_number(position.occupied().len() as u32),
        },
    }
}

/// The count of makruk or ouk that begins when the last bia has been captured or promoted. If a
/// bare king captured it, the capture is the first counted move.
fn begin_after_the_last_bia(rules: RuleSet, before: &Position, after: &Position) -> Count {
    let Some(side) = after.material().bare_side() else {
        return match boards_honor_limit(rules, after.material()) {
            Some(limit) => Count::of_plies(2 * limit, 0),
            None => Count::Fresh,
        };
    };
    match (begin(rules, after, !side), before.turn() == side) {
        (
            Count::Explicit {
                limit_plies,
                counted_plies,
            },
            true,
        ) => Count::of_plies(limit_plies, counted_plies.saturating_sub(1)),
        (begun, _) => begun,
    }
}

/// The count against the bare king `side` after a move from `before`. If the bare king made the
/// move, that move is the first counted move; otherwise the bare king's next move is.
fn begin_with(rules: RuleSet, before: &Position, side: Color) -> Count {
    let begun = begin(rules, before, !side);
    // The stronger side moves before the first counted move.
    match before.turn() == side {
        true => begun.one_more(),
        false => begun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Fen, Lettering};
    use crate::rules::moves_available;

    fn play(fen: &str, uci: &[&str], rules: RuleSet) -> Vec<Count> {
        let fen = Fen::parse(fen, rules.lettering()).unwrap();
        let (mut position, mut count) = (fen.position, Count::from_fen(&fen));
        let mut counts = vec![];
        for m in uci {
            let next = position.play(m.parse().unwrap());
            count = count.after(rules, &position, &next, Color::White);
            counts.push(count);
            position = next;
        }
        counts
    }

    fn explicit(limit: u32, counted: u32) -> Count {
        Count::Explicit {
            limit_plies: limit,
            counted_plies: counted,
        }
    }

    #[test]
    fn the_count_begins_with_the_bare_kings_move_and_is_not_stopped_by_its_captures() {
        let fen = "8/8/8/3k4/3M4/8/3K4/R7 w - - 0 1";
        let counts = play(fen, &["a1a2", "d5d4", "a2a4"], RuleSet::Makruk);
        assert_eq!(counts, [explicit(32, 8), explicit(32, 9), explicit(32, 10)]);
    }

    #[test]
    fn a_clock_without_a_count_begins_the_bare_kings_count_like_none() {
        for (turn, moves, counted) in [
            ("w", ["a1a2", "d5d4"], [6, 7]),
            ("b", ["d5d4", "a1a2"], [7, 8]),
        ] {
            for clock in [0, 7] {
                let fen = format!("8/8/8/3k4/8/8/3K4/R7 {turn} - - {clock} 9");
                let expected = |limit| counted.map(|counted| explicit(limit, counted));
                assert_eq!(play(&fen, &moves, RuleSet::Makruk), expected(32), "{fen}");
                assert_eq!(play(&fen, &moves, RuleSet::Ouk), expected(30), "{fen}");
            }
        }
    }

    #[test]
    fn the_fall_of_the_last_man_begins_the_count_afresh() {
        let fen = "8/8/8/3k4/3m4/2K5/3R4/8 w - 128 50 30";
        assert_eq!(play(fen, &["d2d4"], RuleSet::Makruk), [explicit(32, 6)]);
        assert_eq!(play(fen, &["c3b3"], RuleSet::Makruk), [explicit(128, 51)]);
        let asean = "8/8/8/3k4/3q4/2K5/3R4/8 w - - 0 30";
        assert_eq!(play(asean, &["d2d4"], RuleSet::Asean), [explicit(32, 0)]);
        let clock = Count::Clock { plies: 1 };
        assert_eq!(play(asean, &["c3b3"], RuleSet::Asean), [clock]);
    }

    #[test]
    fn with_the_last_bia_makruks_count_begins() {
        for (what, fen, m, expected) in [
            // K+S+M v K: the count starts from four men, and its limit is 44.
            (
                "it promotes",
                "8/8/8/7P/8/1S6/8/1K1k4 w - - 0 1",
                "h5h6m",
                explicit(88, 8),
            ),
            (
                "one of two",
                "8/8/8/7P/7P/1S6/8/1K1k4 w - - 0 1",
                "h5h6m",
                Count::Fresh,
            ),
            (
                "the bare king takes it",
                "8/8/8/2P5/2k5/8/8/KR6 b - - 0 1",
                "c4c5",
                explicit(32, 5),
            ),
            (
                "the enemy's last man falls",
                "8/8/8/2P5/2k5/8/1n6/KR6 w - - 0 1",
                "b1b2",
                Count::Fresh,
            ),
            (
                "the last man falls, a bia",
                "8/8/8/3p4/3R4/k7/8/K7 w - - 0 1",
                "d4d5",
                explicit(32, 6),
            ),
            (
                "both sides have men, the winner is to move",
                "8/8/8/8/k2p4/8/2K5/7R b - - 0 1",
                "d4d3m",
                explicit(128, 0),
            ),
            (
                "both sides have men, the loser is to move",
                "8/8/8/3P4/k7/7n/2K5/7R w - - 0 1",
                "d5d6m",
                explicit(128, 0),
            ),
            (
                "nothing but two kings are left",
                "8/8/8/2P5/2k5/8/8/K7 b - - 0 1",
                "c4c5",
                Count::Fresh,
            ),
        ] {
            assert_eq!(play(fen, &[m], RuleSet::Makruk), [expected], "{what}");
        }
    }

    #[test]
    fn in_ouk_the_boards_honor_runs_on_until_a_king_is_bare_and_no_bia_is_left() {
        for (what, fen, m, expected) in [
            (
                "the last bia promotes against a bare king without a count",
                "8/8/8/7P/8/1S6/8/1K1k4 w - - 0 1",
                "h5h6m",
                explicit(86, 8),
            ),
            (
                "it promotes against a bare king under the board's honor",
                "8/8/8/7P/8/1S6/8/1K1k4 w - 126 21 1",
                "h5h6m",
                explicit(86, 8),
            ),
            (
                "one of two promotes without a count",
                "8/8/8/7P/7P/1S6/8/1K1k4 w - - 0 1",
                "h5h6m",
                Count::Fresh,
            ),
            (
                "one of two promotes under the board's honor",
                "8/8/8/7P/7P/1S6/8/1K1k4 w - 126 21 1",
                "h5h6m",
                explicit(126, 22),
            ),
            (
                "a bia steps and captures nothing",
                "8/8/8/8/7P/1S6/8/1K1k4 w - 126 21 1",
                "h4h5",
                explicit(126, 22),
            ),
            (
                "the bare king takes the last bia",
                "8/8/8/2P5/2k5/8/8/KR6 b - 126 20 1",
                "c4c5",
                explicit(30, 5),
            ),
            (
                "the enemy's last man falls under a count",
                "8/8/8/2P5/2k5/8/1n6/KR6 w - 126 21 1",
                "b1b2",
                explicit(126, 22),
            ),
            (
                "the enemy's last man falls as the count begins",
                "8/8/8/2P5/2k5/8/1n6/KR6 w - - 0 1",
                "b1b2",
                explicit(126, 0),
            ),
            (
                "the last man falls, a bia",
                "8/8/8/3p4/3R4/k7/8/K7 w - 126 21 1",
                "d4d5",
                explicit(30, 6),
            ),
            (
                "both sides have men, the winner is to move",
                "8/8/8/8/k2p4/8/2K5/7R b - 126 20 1",
                "d4d3m",
                explicit(126, 21),
            ),
            (
                "both sides have men as the count begins",
                "8/8/8/3P4/k7/7n/2K5/7R w - - 0 1",
                "d5d6m",
                explicit(126, 0),
            ),
            (
                "nothing but two kings are left",
                "8/8/8/2P5/2k5/8/8/K7 b - 126 20 1",
                "c4c5",
                explicit(126, 21),
            ),
        ] {
            assert_eq!(play(fen, &[m], RuleSet::Ouk), [expected], "{what}");
        }
    }

    #[test]
    fn the_count_that_begins_with_the_last_bia_leaves_what_a_fresh_one_does() {
        for (fen, m) in [
            ("8/8/8/7P/8/1S6/8/1K1k4 w", "h5h6m"),
            ("8/8/8/2P5/2k5/8/8/KR6 b", "c4c5"),
            ("8/8/8/8/k2p4/8/2K5/7R b", "d4d3m"),
            ("8/8/8/3P4/k7/7n/2K5/7R w", "d5d6m"),
        ] {
            for rules in [RuleSet::Makruk, RuleSet::Ouk] {
                let position = Fen::parse(fen, Lettering::Makruk).unwrap().position;
                let next = position.play(m.parse().unwrap());
                let (before, men) = (position.material(), next.material());
                if !begins_afresh(rules, before, men) {
                    continue;
                }
                let begun = Count::Fresh.after(rules, &position, &next, Color::White);
                let left = |count| moves_available(rules, men, Color::White, next.turn(), count);
                assert_ne!(begun, Count::Fresh);
                assert_eq!(left(&begun), left(&Count::Fresh), "{rules} {fen}");
            }
        }
    }

    #[test]
    fn a_capture_by_a_bare_king_starts_the_clock_again_in_asean_chess() {
        let both = |limit_plies, counted_plies, clock_plies| Count::Both {
            limit_plies,
            counted_plies,
            clock_plies,
        };
        let knights = "8/8/8/3k4/3Q4/8/3K4/N7 b - 128 50 30";
        let counts = play(knights, &["d5d4", "a1b3"], RuleSet::Asean);
        assert_eq!(counts, [both(128, 51, 0), both(128, 52, 1)]);
        // A clock alone is also the count, if there is one.
        let clock = "8/8/8/3k4/3Q4/8/3K4/N7 b - - 50 30";
        assert_eq!(play(clock, &["d5d4"], RuleSet::Asean), [both(128, 51, 0)]);
        let mets = "8/8/8/3k4/3Q4/8/3K4/Q7 b - - 50 30";
        let counts = play(mets, &["d5d4", "a1b2"], RuleSet::Asean);
        assert_eq!(counts, [Count::Fresh, Count::Clock { plies: 1 }]);
        let makruk = "8/8/8/3k4/3M4/8/3K4/N7 b - 128 50 30";
        assert_eq!(
            play(makruk, &["d5d4"], RuleSet::Makruk),
            [explicit(128, 51)]
        );
    }

    #[test]
    fn a_game_is_over_where_the_winner_has_no_move_left() {
        let over = |rules, limit, counted, winner_to_move| {
            explicit(limit, counted).is_over(rules, winner_to_move)
        };
        for (limit, rules) in [
            (128, RuleSet::Makruk),
            (126, RuleSet::Ouk),
            (32, RuleSet::Asean),
        ] {
            assert!(!over(rules, limit, limit - 1, false));
            assert!(over(rules, limit, limit, false));
            // Once the limit is reached, one final move is left.
            assert!(!over(rules, limit, limit, true));
            assert!(over(rules, limit, limit + 1, true));
        }
        // In ASEAN chess the fifty-move rule ends a longer count, unless the last ply captures.
        assert!(!over(RuleSet::Asean, 128, 99, false));
        assert!(over(RuleSet::Asean, 128, 100, false));
        assert!(!over(RuleSet::Asean, 128, 99, true));
        assert!(over(RuleSet::Asean, 128, 100, true));
    }

    #[test]
    fn the_number_said_does_not_depend_on_who_moves_first() {
        let makruk = |fen: &str, uci: &[&str]| {
            let counts = play(fen, uci, RuleSet::Makruk);
            counts.iter().map(Count::number).collect::<Vec<_>>()
        };
        let moves = ["c3b3", "d5e5", "b3c3", "e5d5"];
        let said = |numbers: Vec<Option<u32>>| [numbers[1], numbers[3]];
        // The weaker side has captured the last bia, so White moves before Black says 1.
        let fen = "8/8/8/3k4/6m1/2K5/R7/8 w - 128";
        assert_eq!(
            said(makruk(&format!("{fen} 0 1"), &moves)),
            [Some(1), Some(2)]
        );
        assert_eq!(
            said(makruk(&format!("{fen} 1 1"), &moves)),
            [Some(2), Some(3)]
        );
    }

    #[test]
    fn a_move_takes_one_from_what_the_winner_has_left() {
        let fen = Fen::parse("8/8/8/3k4/8/3K4/2SM4/8 w", Lettering::Makruk).unwrap();
        for rules in [RuleSet::Makruk, RuleSet::Ouk] {
            let (mut position, mut count) = (fen.position, Count::Fresh);
            let material = position.material();
            let left = |position: &Position, count: &Count| {
                moves_available(rules, material, Color::White, position.turn(), count).unwrap()
            };
            let mut before = left(&position, &count);
            for _ in 0..20 {
                let m = position.legal_moves()[0];
                let next = position.play(m);
                count = count.after(rules, &position, &next, Color::White);
                let now = left(&next, &count);
                assert_eq!(before - now, u32::from(position.turn() == Color::White));
                (position, before) = (next, now);
            }
        }
    }
}
