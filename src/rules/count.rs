//! The state of a count: fresh, or running with its limit and its number.
//!
//! A capture by the bare king changes neither the limit nor the number. So a running count cannot
//! be computed from the position alone, and callers pass it in.

use thiserror::Error;

use crate::board::{Fen, FenCount, FenCountError, Position};
use crate::material::Material;

use super::RuleSet;
use super::limits::{boards_honor_limit, in_moves, limit_with_bia, plies_left};

/// The state of the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    /// A count that begins with the next move of the counting side. If the other side is to move,
    /// that move comes first and is not counted.
    #[default]
    Fresh,
    /// No count, only the plies since the last capture, for ASEAN chess's fifty-move rule. Other
    /// rule sets treat this as a fresh count.
    Clock {
        /// The plies since the last capture.
        plies: u32,
    },
    /// A running count, with its numbers in plies as in a FEN.
    Explicit {
        /// The limit, two plies for each move.
        limit_plies: u32,
        /// The number counted, in plies.
        counted_plies: u32,
    },
    /// A running count and the clock of ASEAN chess's fifty-move rule, which differ if a capture by
    /// the bare king has restarted the clock, or if the count began later than the clock, with a
    /// move that captured nothing. A FEN has room for the count only. Other rule sets
    /// ignore the clock.
    Both {
        /// The limit, two plies for each move.
        limit_plies: u32,
        /// The number counted, in plies.
        counted_plies: u32,
        /// The plies since the last capture.
        clock_plies: u32,
    },
}

/// The reason why a count is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountError {
    /// The numbers cannot belong to any count.
    #[error(transparent)]
    Numbers(#[from] FenCountError),
    /// The rules count nothing in this position.
    #[error(
        "a limit of {} is given, but {rules} counts nothing in {material}: leave the count out",
        in_moves(*.limit)
    )]
    NothingCounted {
        /// The limit, in plies.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
    },
    /// There are bia, and the limit is not that of the board's honor, the only count that runs
    /// then.
    #[error(
        "a limit of {} is given, but while a bia (pawn) is on the board, {rules} counts to \
         {expected}: give that limit, or leave the count out",
        in_moves(*.limit)
    )]
    LimitWithBia {
        /// The limit, in plies.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The limit of the board's honor, in moves.
        expected: u32,
    },
}

impl Count {
    /// The count of a FEN. [`Count::note`] checks whether a game can lead to it.
    pub fn from_fen(fen: &Fen) -> Count {
        match fen.count {
            Some(count) => Count::of_plies(count.limit(), count.counted()),
            None => Count::of_plies(0, fen.clock),
        }
    }

    /// The count in fields 4 and 5 of a FEN, or in a program's own counters. With a limit of 0
    /// there is no count, and `counted` is the number of plies since the last capture.
    pub fn of_plies(limit: u32, counted: u32) -> Count {
        match (limit, counted) {
            (0, 0) => Count::Fresh,
            (0, plies) => Count::Clock { plies },
            (limit_plies, counted_plies) => Count::Explicit {
                limit_plies,
                counted_plies,
            },
        }
    }

    /// The FEN of a position with this count. [`Count::from_fen`] is the inverse.
    pub fn to_fen(self, position: Position, fullmove: u32) -> Fen {
        let mut fen = Fen::new(position);
        fen.fullmove = fullmove;
        match self {
            Count::Explicit {
                limit_plies,
                counted_plies,
            }
            | Count::Both {
                limit_plies,
                counted_plies,
                ..
            } => fen.count = FenCount::new(limit_plies, counted_plies).ok(),
            Count::Clock { plies } => fen.clock = plies,
            Count::Fresh => {}
        }
        fen
    }

    /// The plies, of both sides together, after which ASEAN chess's fifty-move rule ends the game if
    /// no man is captured.
    pub(crate) fn plies_to_capture(&self) -> u32 {
        plies_left(self.plies_since_capture())
    }

    /// The limit and the number counted, in plies; `None` if no count is running.
    pub const fn running(&self) -> Option<(u32, u32)> {
        match *self {
            Count::Fresh | Count::Clock { .. } => None,
            Count::Explicit {
                limit_plies,
                counted_plies,
            }
            | Count::Both {
                limit_plies,
                counted_plies,
                ..
            } => Some((limit_plies, counted_plies)),
        }
    }

    /// The plies since the last capture. If these are unknown, the plies counted.
    pub(super) fn plies_since_capture(&self) -> u32 {
        match *self {
            Count::Fresh => 0,
            Count::Clock { plies } => plies,
            Count::Explicit { counted_plies, .. } => counted_plies,
            Count::Both { clock_plies, .. } => clock_plies,
        }
    }

    /// Checks that the rules have a count with these men. Numbers that cannot arise in a game are
    /// accepted: see [`Count::note`].
    ///
    /// # Errors
    ///
    /// If the limit is 0, if the rules have no count with these men, or if they have another limit
    /// while there are bia.
    pub fn validate(&self, rules: RuleSet, material: Material) -> Result<(), CountError> {
        let (limit, counted) = match *self {
            Count::Fresh | Count::Clock { .. } => return Ok(()),
            Count::Explicit {
                limit_plies,
                counted_plies,
            }
            | Count::Both {
                limit_plies,
                counted_plies,
                ..
            } => (limit_plies, counted_plies),
        };
        FenCount::new(limit, counted)?;
        let with_bia = (!material.is_pawnless()).then(|| limit_with_bia(rules));
        let counted = match (material.bare_side(), with_bia) {
            (None, _) => boards_honor_limit(rules, material).is_some(),
            // A king that is bared while there are bia does not end the board's honor.
            (Some(_), Some(with_bia)) => with_bia.is_some(),
            // The limit may come from men that have since been captured.
            (Some(_), None) => true,
        };
        match with_bia.flatten() {
            _ if !counted => Err(CountError::NothingCounted {
                limit,
                rules,
                material,
            }),
            Some(expected) if 2 * expected != limit => Err(CountError::LimitWithBia {
                limit,
                rules,
                expected,
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    fn explicit(limit_plies: u32, counted_plies: u32) -> Count {
        Count::Explicit {
            limit_plies,
            counted_plies,
        }
    }

    #[test]
    fn a_count_is_refused_only_where_it_means_nothing() {
        let check =
            |rules, name, limit, counted| explicit(limit, counted).validate(rules, material(name));
        let asean = check(RuleSet::Asean, "KRvKN", 128, 5).unwrap_err();
        assert_eq!(
            asean.to_string(),
            "a limit of 64 moves is given, but asean counts nothing in KRvKN: leave the count out"
        );
        assert!(matches!(
            check(RuleSet::Ouk, "KRRRvKNNN", 126, 5),
            Err(CountError::NothingCounted { .. })
        ));
        let clock = |rules, plies| Count::Clock { plies }.validate(rules, material("KRvKN"));
        // Other programs write a count even if it has no effect, and continue until somebody claims
        // the draw.
        for rules in RuleSet::ALL {
            assert_eq!(clock(rules, 101), Ok(()));
        }
        for name in ["KRPvK", "KRvKP"] {
            let error = check(RuleSet::Makruk, name, 128, 5);
            assert!(matches!(error, Err(CountError::NothingCounted { .. })));
        }
        assert!(matches!(
            check(RuleSet::Makruk, "KRvK", 0, 0),
            Err(CountError::Numbers(_))
        ));
        for name in ["KRPvK", "KRPvKP", "KRvKP"] {
            assert_eq!(check(RuleSet::Ouk, name, 126, 5), Ok(()));
            for limit in [30, 124, 128] {
                let error = check(RuleSet::Ouk, name, limit, 5).unwrap_err();
                assert!(matches!(
                    error,
                    CountError::LimitWithBia { expected: 63, .. }
                ));
            }
            let error = check(RuleSet::Asean, name, 126, 5);
            assert!(matches!(error, Err(CountError::NothingCounted { .. })));
        }
        let error = check(RuleSet::Ouk, "KRPvK", 30, 8).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a limit of 15 moves is given, but while a bia (pawn) is on the board, ouk counts to \
             63: give that limit, or leave the count out"
        );
        for (limit, counted) in [(88, 0), (32, 33), (33, 8), (2, 0)] {
            assert_eq!(check(RuleSet::Makruk, "KRvK", limit, counted), Ok(()));
            assert_eq!(check(RuleSet::Makruk, "KRvKN", limit, counted), Ok(()));
        }
    }
}
