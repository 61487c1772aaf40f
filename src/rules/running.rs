//! A count as it runs: what it is after a move.

use super::count::Count;
use super::limits::{FIFTY_MOVES_PLIES, boards_honor_limit, pieces_honor_limit};
use super::rule_set::RuleSet;
use crate::board::{Color, Position};

impl Count {
    /// The count after a move that led from `before` to `after`.
    ///
    /// A running count goes on by a ply, whatever the move takes, until a side's last man falls:
    /// then the count against the bare king begins afresh. A count that has not begun begins with
    /// the next move of the side that counts: the bare king's or, with men on both sides, that of
    /// the side that does not win. `winner` is the side that would win, or any if neither would.
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
        match (bare(before), bare(after)) {
            // The last man has fallen; the bare king is to move.
            (None, Some(side)) => begin(rules, after, !side),
            (Some(side), _) => match *self {
                Count::Fresh
                    if rules != RuleSet::Asean || limit(rules, before, !side).is_some() =>
                {
                    let begun = begin(rules, before, !side);
                    // The stronger side's move comes before the first that is counted.
                    if before.turn() == side {
                        begun.one_more()
                    } else {
                        begun
                    }
                }
                _ => self.go_on(rules, captured),
            },
            (None, None) => match (*self, boards_honor_limit(rules, before.material())) {
                (Count::Fresh | Count::Clock { .. }, Some(limit)) => Count::Explicit {
                    limit_plies: 2 * limit,
                    counted_plies: u32::from(before.turn() != winner),
                },
                _ => self.go_on(rules, captured),
            },
        }
    }

    /// The count a ply further, or the fifty-move rule's clock where nothing is counted.
    fn go_on(self, rules: RuleSet, captured: bool) -> Count {
        match self {
            Count::Explicit { .. } => self.one_more(),
            _ if captured || rules != RuleSet::Asean => Count::Fresh,
            _ => self.one_more(),
        }
    }

    fn one_more(self) -> Count {
        match self {
            Count::Fresh => Count::Clock { plies: 1 },
            Count::Clock { plies } => Count::Clock { plies: plies + 1 },
            Count::Explicit {
                limit_plies,
                counted_plies,
            } => Count::Explicit {
                limit_plies,
                counted_plies: (counted_plies + 1).min(limit_plies),
            },
        }
    }

    /// True if the game is over by the count, unless the position is mate: its limit is reached,
    /// and the move that the winning side had left is made.
    pub fn is_over(&self, rules: RuleSet) -> bool {
        let fifty_moves = |plies| rules == RuleSet::Asean && plies >= FIFTY_MOVES_PLIES;
        match *self {
            // The fifty-move rule, which runs beside it, may end the game first.
            Count::Explicit {
                limit_plies,
                counted_plies,
            } => counted_plies >= limit_plies || fifty_moves(counted_plies),
            Count::Clock { plies } => fifty_moves(plies),
            Count::Fresh => false,
        }
    }

    /// The number that the counting side has said last, if it has said any: half the plies, a
    /// begun pair counting as one.
    pub fn number(&self) -> Option<u32> {
        match *self {
            Count::Explicit { counted_plies, .. } => Some(counted_plies.div_ceil(2)),
            _ => None,
        }
    }
}

fn limit(rules: RuleSet, position: &Position, stronger: Color) -> Option<u32> {
    pieces_honor_limit(rules, position.material().army(stronger))
}

/// The count against a bare king before its first counted move.
fn begin(rules: RuleSet, position: &Position, stronger: Color) -> Count {
    match limit(rules, position, stronger) {
        None => Count::Fresh,
        Some(limit) => Count::Explicit {
            limit_plies: 2 * limit,
            counted_plies: match rules {
                // In ASEAN chess the men are not counted.
                RuleSet::Asean => 0,
                _ => 2 * (position.occupied().len() as u32).min(limit),
            },
        },
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
    fn the_fifty_move_rule_ends_a_longer_count_in_asean_chess() {
        assert!(!explicit(128, 99).is_over(RuleSet::Asean));
        assert!(explicit(128, 100).is_over(RuleSet::Asean));
        assert!(explicit(32, 32).is_over(RuleSet::Asean));
        assert!(!explicit(128, 127).is_over(RuleSet::Makruk));
        assert!(explicit(128, 128).is_over(RuleSet::Makruk));
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
