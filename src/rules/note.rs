//! Notes on counts that cannot arise in a game. Probes accept them all the same.

use std::fmt;

use serde::{Serialize, Serializer};

use super::RuleSet;
use super::allowance::{after_limit, number_said};
use super::count::Count;
use super::limits::{
    FIFTY_MOVES_PLIES, boards_honor_limit, in_moves, pieces_honor_limit, pieces_honor_limits,
};
use crate::board::Color;
use crate::material::Material;

/// The reason why no game leads to a count. The fields are in plies, as in a FEN; the messages are
/// in moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CountNote {
    /// A clock is given, although the rule set has none. This is not a mistake: Fairy-Stockfish and
    /// other programs write a clock into every FEN without a count.
    Clock {
        /// The plies on the clock.
        plies: u32,
        /// The rule set.
        rules: RuleSet,
    },
    /// The clock is beyond the limit of ASEAN chess's fifty-move rule. A game can go on after that,
    /// because the draw must be claimed.
    ClockOver {
        /// The plies on the clock.
        plies: u32,
    },
    /// The number counted exceeds the limit by more than the one move that is still allowed at the
    /// limit.
    CountedTooMany {
        /// The number counted.
        counted: u32,
        /// The limit.
        limit: u32,
    },
    /// The limit differs from that of a count with men on both sides.
    TwoSided {
        /// The limit.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The correct limit.
        expected: u32,
    },
    /// No combination of men has this limit.
    NoSuchLimit {
        /// The limit.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
    },
    /// The limit is longer than that of the men on the board. This is impossible in a game: the
    /// limit is set by these men or by more men, and more men never have a longer limit.
    LimitTooLong {
        /// The limit.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
        /// The limit of the men on the board.
        most: u32,
    },
    /// The number counted is smaller than the number that the count starts from.
    CountedTooFew {
        /// The number counted, in moves.
        number: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
    },
}

impl Count {
    /// A note if no game leads to this count with these men and this side to move, or if the count
    /// has no effect. The limit may come from men that have since been captured, but it is never
    /// longer than that of the men on the board.
    pub fn note(&self, rules: RuleSet, material: Material, turn: Color) -> Option<CountNote> {
        let (limit, counted) = match (*self, self.running()) {
            (Count::Clock { plies }, _) if !rules.has_fifty_move_rule() => {
                return Some(CountNote::Clock { plies, rules });
            }
            (Count::Clock { plies }, _) => {
                return (plies > FIFTY_MOVES_PLIES).then_some(CountNote::ClockOver { plies });
            }
            (_, running) => running?,
        };
        let too_many =
            (counted > after_limit(limit)).then_some(CountNote::CountedTooMany { counted, limit });
        let Some(bare) = material.bare_side().filter(|_| material.is_pawnless()) else {
            let expected = match material.is_pawnless() {
                true => 2 * boards_honor_limit(rules, material)?,
                // No other limit is valid then.
                false => limit,
            };
            if expected != limit {
                return Some(CountNote::TwoSided {
                    limit,
                    rules,
                    expected,
                });
            }
            return too_many;
        };
        if !pieces_honor_limits(rules).any(|possible| 2 * possible == limit) {
            return Some(CountNote::NoSuchLimit { limit, rules });
        }
        let most = pieces_honor_limit(rules, material.army(!bare)).map(|moves| 2 * moves);
        if let Some(most) = most.filter(|&most| limit > most) {
            return Some(CountNote::LimitTooLong {
                limit,
                rules,
                material,
                most,
            });
        }
        if too_many.is_some() {
            return too_many;
        }
        let winner_to_move = turn != bare;
        // One ply less if the stronger side is to move, since that move comes before the first
        // counted one.
        let first = 2 * rules.first_number(material.men() as u32);
        let least = first.saturating_sub(u32::from(winner_to_move));
        (counted < least).then_some(CountNote::CountedTooFew {
            number: number_said(counted, winner_to_move),
            rules,
            material,
        })
    }
}

impl fmt::Display for CountNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            CountNote::Clock { plies, rules } => write!(
                f,
                "the {plies} plies since the last capture have no effect in {rules}, which has no \
                 fifty-move rule"
            ),
            CountNote::ClockOver { plies } => write!(
                f,
                "{plies} plies since the last capture are read as {FIFTY_MOVES_PLIES}, at which the game \
                 is drawn"
            ),
            CountNote::CountedTooMany { counted, limit } => write!(
                f,
                "{counted} plies are counted, but the limit is {limit}, so the count has ended; if these \
                 two numbers are a clock and a move number, write - - {limit} {counted}"
            ),
            CountNote::TwoSided {
                limit,
                rules,
                expected,
            } => write!(
                f,
                "while both sides have men, {rules} counts to {}, not {}",
                expected / 2,
                in_moves(limit)
            ),
            CountNote::NoSuchLimit { limit, rules } => {
                let limits: Vec<_> = pieces_honor_limits(rules).map(|l| l.to_string()).collect();
                let (last, first) = limits.split_last().unwrap_or((&limits[0], &[]));
                write!(
                    f,
                    "no men have a limit of {} in {rules}: the limits are {} and {last}",
                    in_moves(limit),
                    first.join(", ")
                )
            }
            CountNote::LimitTooLong {
                limit,
                rules,
                material,
                most,
            } => write!(
                f,
                "the limit is {}, but {material} has at most {} in {rules}",
                in_moves(limit),
                most / 2
            ),
            CountNote::CountedTooFew {
                number,
                rules,
                material,
            } => write!(
                f,
                "{number} counted, but in {rules} the count begins with the {} men of {material}",
                material.men()
            ),
        }
    }
}

impl Serialize for CountNote {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};
    use RuleSet::{Asean, Makruk, Ouk};

    fn note(
        rules: RuleSet,
        name: &str,
        turn: Color,
        limit: u32,
        counted: u32,
    ) -> Option<CountNote> {
        let count = Count::Explicit {
            limit_plies: limit,
            counted_plies: counted,
        };
        count.note(rules, name.parse().unwrap(), turn)
    }

    fn material() -> Material {
        "KRvKN".parse().unwrap()
    }

    #[test]
    fn a_count_that_play_leads_to_has_no_note() {
        assert_eq!(note(Makruk, "KRvK", Black, 32, 6), None);
        assert_eq!(note(Makruk, "KRvK", White, 32, 5), None);
        assert_eq!(note(Makruk, "KRvK", White, 32, 6), None);
        assert_eq!(note(Makruk, "KMMvK", Black, 16, 12), None);
        assert_eq!(note(Asean, "KRvK", Black, 32, 0), None);
        assert_eq!(note(Asean, "KMMvK", Black, 32, 20), None);
        assert_eq!(note(Makruk, "KRvKN", Black, 128, 0), None);
        assert_eq!(note(Ouk, "KRvKN", White, 126, 0), None);
        // The count is over, but a game can lead to it, so there is no note.
        assert_eq!(note(Makruk, "KRvK", White, 32, 33), None);
    }

    #[test]
    fn a_count_that_no_play_leads_to_is_noted_in_moves() {
        let words = |rules, name, turn, limit, counted| {
            note(rules, name, turn, limit, counted).unwrap().to_string()
        };
        assert_eq!(
            words(Makruk, "KSMvK", Black, 88, 0),
            "0 counted, but in makruk the count begins with the 4 men of KSMvK"
        );
        assert_eq!(
            words(Makruk, "KRvK", Black, 30, 8),
            "no men have a limit of 15 moves in makruk: the limits are 8, 16, 22, 32, 44 and 64"
        );
        assert_eq!(
            words(Makruk, "KRvK", Black, 33, 8),
            "no men have a limit of 33 plies in makruk: the limits are 8, 16, 22, 32, 44 and 64"
        );
        assert_eq!(
            words(Makruk, "KvKRR", Black, 32, 8),
            "the limit is 16 moves, but KvKRR has at most 8 in makruk"
        );
        assert_eq!(
            words(Ouk, "KRvKN", Black, 128, 8),
            "while both sides have men, ouk counts to 63, not 64 moves"
        );
        let clock = |rules: RuleSet| Count::Clock { plies: 37 }.note(rules, material(), White);
        assert_eq!(
            clock(Makruk).unwrap().to_string(),
            "the 37 plies since the last capture have no effect in makruk, which has no fifty-move \
             rule"
        );
        assert_eq!(clock(Asean), None);
        let over = Count::Clock { plies: 150 }.note(Asean, material(), White);
        assert_eq!(
            over.unwrap().to_string(),
            "150 plies since the last capture are read as 100, at which the game is drawn"
        );
        // The five fields of xboard.
        assert_eq!(
            words(Makruk, "KSMvK", White, 16, 34),
            "34 plies are counted, but the limit is 16, so the count has ended; if these two numbers \
             are a clock and a move number, write - - 16 34"
        );
        assert!(words(Ouk, "KSMvK", White, 16, 34).contains("no men have a limit of 8 moves"));
        assert!(matches!(
            note(Asean, "KSvK", Black, 44, 8),
            Some(CountNote::NoSuchLimit { .. })
        ));
    }
}
