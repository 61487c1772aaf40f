//! The count: how many moves the side that would win still has.
//!
//! Against a bare king makruk counts all the men on the board and goes on from there: with n men and
//! a limit of X the stronger side has X − n moves from the baring, and mate on the last of them
//! wins. Once it runs, neither the limit nor the number changes when the bare king captures, so both
//! come from outside as soon as they are known. The other counts start from 0.

use serde::Serialize;
use thiserror::Error;

use crate::board::{Color, Fen, FenCount, FenCountError, Position};
use crate::material::Material;

use super::RuleSet;
use super::limits::{
    FIFTY_MOVES_PLIES, LimitKind, boards_honor_limit, pieces_honor_limit, possible_limits,
};

/// How far the count has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    /// None is given: it begins with the next move of the side that counts. If the other side is to
    /// move, it has that move beside those of the count.
    #[default]
    Fresh,
    /// No count is given but the plies since the last capture are, which ASEAN chess's fifty-move
    /// rule counts. To the other rule sets this is a fresh count.
    Clock {
        /// Plies since the last capture.
        plies: u32,
    },
    /// A count that runs, in the plies of a FEN.
    Explicit {
        /// The limit: two plies for each move.
        limit_plies: u32,
        /// Counted so far.
        counted_plies: u32,
    },
}

/// Why a count cannot run in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountError {
    /// The two numbers are no count, whatever the men.
    #[error(transparent)]
    Numbers(#[from] FenCountError),
    /// A count where the rules know none.
    #[error(
        "a limit of {limit} plies is given, but {rules} counts nothing in {material}: leave the count out"
    )]
    NothingCounted {
        /// The limit given, in plies.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
    },
    /// Not the limit that is counted while both sides have men.
    #[error(
        "a limit of {limit} plies is given, but {rules} counts to {expected} plies while both sides have men, as in {material}: give that limit, or none"
    )]
    TwoSided {
        /// The limit given, in plies.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
        /// The limit while both sides have men, in plies.
        expected: u32,
    },
    /// A limit that no men have.
    #[error(
        "a limit of {limit} plies is given, but no men have it in {rules}: against a bare king give {possible} plies, two for each move",
        possible = in_words(.possible)
    )]
    NoSuchLimit {
        /// The limit given, in plies.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The limits there are, in plies.
        possible: Vec<u32>,
    },
    /// A limit that cannot have been set with so many men still on the board.
    #[error(
        "a limit of {limit} plies is given, but the men of {material} have at most {most} in {rules}: give the limit of the men on the board when the count began"
    )]
    LimitTooLong {
        /// The limit given, in plies.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
        /// The limit of those men, in plies.
        most: u32,
    },
    /// Fewer plies than the count began with.
    #[error(
        "{counted} plies are counted, but in {rules} the count begins with the men on the board, which makes at least {least} plies in {material}: give what has been counted, two plies for each number"
    )]
    CountedTooFew {
        /// The plies given as counted.
        counted: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
        /// The fewest there can be.
        least: u32,
    },
}

/// Numbers as a sentence lists them: `16, 32 or 44`.
fn in_words(numbers: &[u32]) -> String {
    let words: Vec<_> = numbers.iter().map(u32::to_string).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

impl Count {
    /// What a FEN says of the count. [`Count::validate`] tells whether the men allow it.
    pub fn from_fen(fen: &Fen) -> Count {
        match fen.count {
            Some(count) => Count::Explicit {
                limit_plies: count.limit(),
                counted_plies: count.counted(),
            },
            None if fen.clock > 0 => Count::Clock { plies: fen.clock },
            None => Count::Fresh,
        }
    }

    /// The FEN of a position with this count: what [`Count::from_fen`] reads.
    pub fn to_fen(self, position: Position, fullmove: u32) -> Fen {
        let mut fen = Fen::new(position);
        fen.fullmove = fullmove;
        match self {
            Count::Explicit {
                limit_plies,
                counted_plies,
            } => fen.count = FenCount::new(limit_plies, counted_plies).ok(),
            Count::Clock { plies } => fen.clock = plies,
            Count::Fresh => {}
        }
        fen
    }

    /// Checks that such a count can run with these men and this side to move.
    ///
    /// The limit may be that of men no longer on the board, but never longer than that of those
    /// that are.
    ///
    /// # Errors
    ///
    /// If no play leads there.
    pub fn validate(
        &self,
        rules: RuleSet,
        material: Material,
        turn: Color,
    ) -> Result<(), CountError> {
        let Count::Explicit {
            limit_plies: limit,
            counted_plies: counted,
        } = *self
        else {
            return Ok(());
        };
        FenCount::new(limit, counted)?;
        if !material.white.is_empty() && !material.black.is_empty() {
            return match boards_honor_limit(rules, material).map(|moves| 2 * moves) {
                None => Err(CountError::NothingCounted {
                    limit,
                    rules,
                    material,
                }),
                Some(expected) if expected != limit => Err(CountError::TwoSided {
                    limit,
                    rules,
                    material,
                    expected,
                }),
                Some(_) => Ok(()),
            };
        }

        let possible = possible_limits(rules).map(|moves| 2 * moves);
        if !possible.clone().any(|possible| possible == limit) {
            return Err(CountError::NoSuchLimit {
                limit,
                rules,
                possible: possible.collect(),
            });
        }
        let stronger = match material.black.is_empty() {
            true => Color::White,
            false => Color::Black,
        };
        match pieces_honor_limit(rules, material.army(stronger)).map(|moves| 2 * moves) {
            Some(most) if limit > most => {
                return Err(CountError::LimitTooLong {
                    limit,
                    rules,
                    material,
                    most,
                });
            }
            _ => {}
        }
        let least = match rules {
            RuleSet::Asean => 0,
            // The stronger side's move before the first counted one is a ply less.
            _ => 2 * material.men() as u32 - u32::from(turn == stronger),
        };
        if counted < least {
            return Err(CountError::CountedTooFew {
                counted,
                rules,
                material,
                least,
            });
        }
        Ok(())
    }
}

/// What the count leaves to the side that would win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Allowance {
    /// The rule that ends the game first.
    pub kind: LimitKind,
    /// Its limit, in moves.
    pub limit: u32,
    /// The number it has come to, in moves; with a fresh count, the one it begins after.
    pub counted: u32,
    /// True if the count runs already.
    pub started: bool,
    /// The moves that the side that would win still has, its next one included if it is to move.
    pub moves_available: u32,
}

impl Allowance {
    /// What the rules leave to `winner`, or none if no rule ends the game.
    ///
    /// None too if `winner` has no men, since it cannot win, and in ASEAN chess while both sides
    /// have men: there only the fifty-move rule runs, which starts again with every capture, so it
    /// is no limit on the whole way to mate.
    ///
    /// The fifty-move rule is taken to run from the last capture known of: the moment of the probe
    /// for a fresh count, the baring for an explicit one.
    pub fn new(
        rules: RuleSet,
        material: Material,
        winner: Color,
        turn: Color,
        count: &Count,
    ) -> Option<Allowance> {
        if material.army(winner).is_empty() {
            return None;
        }
        let to_move = turn == winner;
        let bare = material.army(!winner).is_empty();
        let kind = match bare {
            true => LimitKind::PiecesHonor,
            false => LimitKind::BoardsHonor,
        };
        let honor = match *count {
            // Its limit is its own, whatever has become of the men since.
            Count::Explicit {
                limit_plies,
                counted_plies,
            } => Some(running(kind, limit_plies, counted_plies, to_move)),
            Count::Fresh | Count::Clock { .. } if bare => {
                let start = match rules {
                    RuleSet::Asean => 0,
                    RuleSet::Makruk | RuleSet::Ouk => material.men() as u32,
                };
                pieces_honor_limit(rules, material.army(winner))
                    .map(|limit| fresh(kind, limit, start, to_move))
            }
            Count::Fresh | Count::Clock { .. } => {
                boards_honor_limit(rules, material).map(|limit| fresh(kind, limit, 0, to_move))
            }
        };
        let fifty = (rules == RuleSet::Asean && bare).then(|| fifty_moves(to_move, count));
        // Where both leave as many moves, the count is the one to name.
        [honor, fifty]
            .into_iter()
            .flatten()
            .min_by_key(|allowance| allowance.moves_available)
    }
}

/// The moves that the rules leave to `winner`, or none if no rule ends the game.
///
/// See [`Allowance::new`], which also tells which rule that is.
pub fn moves_available(
    rules: RuleSet,
    material: Material,
    winner: Color,
    turn: Color,
    count: &Count,
) -> Option<u32> {
    Allowance::new(rules, material, winner, turn, count).map(|allowance| allowance.moves_available)
}

/// What a count leaves that begins with the next move of the side that counts, after `start`.
fn fresh(kind: LimitKind, limit: u32, start: u32, to_move: bool) -> Allowance {
    Allowance {
        kind,
        limit,
        counted: start,
        started: false,
        moves_available: (limit + u32::from(to_move)).saturating_sub(start),
    }
}

/// What a count leaves that runs.
fn running(kind: LimitKind, limit_plies: u32, counted_plies: u32, to_move: bool) -> Allowance {
    Allowance {
        kind,
        limit: limit_plies / 2,
        counted: counted_plies.div_ceil(2),
        started: true,
        moves_available: moves_left(limit_plies, counted_plies, to_move),
    }
}

/// What the fifty-move rule leaves.
fn fifty_moves(to_move: bool, count: &Count) -> Allowance {
    let plies = match *count {
        Count::Fresh => 0,
        Count::Clock { plies } => plies,
        Count::Explicit { counted_plies, .. } => counted_plies,
    };
    Allowance {
        kind: LimitKind::FiftyMoves,
        limit: FIFTY_MOVES_PLIES / 2,
        counted: plies / 2,
        started: plies > 0,
        moves_available: moves_left(FIFTY_MOVES_PLIES, plies, to_move),
    }
}

/// The moves that the fifty-move rule leaves to the side that would win, if there is no capture on
/// the way. `to_move` tells whether it is that side's move.
pub fn fifty_moves_left(to_move: bool, count: &Count) -> u32 {
    fifty_moves(to_move, count).moves_available
}

/// The moves that the side that would win has in the plies that are left.
fn moves_left(limit_plies: u32, counted_plies: u32, to_move: bool) -> u32 {
    let left = limit_plies.saturating_sub(counted_plies);
    if to_move { left.div_ceil(2) } else { left / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Lettering;
    use crate::material::{MAX_MEN, materials_of};
    use Color::{Black, White};

    fn material(name: &str) -> Material {
        name.parse().unwrap()
    }

    fn explicit(limit_plies: u32, counted_plies: u32) -> Count {
        Count::Explicit {
            limit_plies,
            counted_plies,
        }
    }

    /// The moves White has with a fresh count, when it is to move and when it is not.
    fn white_has(rules: RuleSet, name: &str) -> [Option<u32>; 2] {
        [White, Black]
            .map(|turn| moves_available(rules, material(name), White, turn, &Count::Fresh))
    }

    #[test]
    fn against_a_bare_king_all_men_are_counted_first() {
        let makruk = |name| white_has(RuleSet::Makruk, name);
        assert_eq!(makruk("KRRNvK"), [Some(4), Some(3)]);
        assert_eq!(makruk("KSMvK"), [Some(41), Some(40)]);
        assert_eq!(makruk("KRvK"), [Some(14), Some(13)]);
        assert_eq!(makruk("KNMMvK"), [Some(60), Some(59)]);
        assert_eq!(makruk("KSNNvK"), [Some(28), Some(27)]);
    }

    #[test]
    fn as_many_men_as_the_limit_leave_no_move() {
        let makruk = |name| white_has(RuleSet::Makruk, name);
        assert_eq!(makruk("KRRMMMMvK"), [Some(1), Some(0)]);
        assert_eq!(white_has(RuleSet::Ouk, "KRRMMMMvK"), [Some(0), Some(0)]);
    }

    #[test]
    fn ouk_gives_one_move_less() {
        let ouk = |name| white_has(RuleSet::Ouk, name);
        assert_eq!(ouk("KRvK"), [Some(13), Some(12)]);
        assert_eq!(ouk("KSMvK"), [Some(40), Some(39)]);
        assert_eq!(ouk("KRvKN"), [Some(64), Some(63)]);
    }

    #[test]
    fn asean_chess_counts_from_nothing_beside_the_fifty_move_rule() {
        let asean = |name| {
            [White, Black].map(|turn| {
                let allowance =
                    Allowance::new(RuleSet::Asean, material(name), White, turn, &Count::Fresh);
                allowance.map(|a| (a.kind, a.limit, a.moves_available))
            })
        };
        use LimitKind::{FiftyMoves, PiecesHonor};
        let rook = |moves| Some((PiecesHonor, 16, moves));
        assert_eq!(asean("KRvK"), [rook(17), rook(16)]);
        let khon = |moves| Some((PiecesHonor, 44, moves));
        assert_eq!(asean("KSNMvK"), [khon(45), khon(44)]);
        let fifty = Some((FiftyMoves, 50, 50));
        assert_eq!(asean("KNMvK"), [fifty, fifty]);
        assert_eq!(asean("KMMvK"), [fifty, fifty]);
        assert_eq!(asean("KRvKN"), [None, None]);
    }

    #[test]
    fn the_plies_since_a_capture_count_in_asean_chess_only() {
        let moves = |rules, name, turn, plies| {
            let count = Count::Clock { plies };
            moves_available(rules, material(name), White, turn, &count)
        };
        assert_eq!(moves(RuleSet::Asean, "KMMvK", Black, 96), Some(2));
        assert_eq!(moves(RuleSet::Asean, "KMMvK", White, 97), Some(2));
        assert_eq!(moves(RuleSet::Asean, "KMMvK", White, 300), Some(0));
        assert_eq!(moves(RuleSet::Asean, "KRvK", Black, 60), Some(16));
        assert_eq!(moves(RuleSet::Asean, "KRvK", Black, 80), Some(10));
        assert_eq!(moves(RuleSet::Makruk, "KMMvK", Black, 96), Some(60));
    }

    #[test]
    fn the_boards_honor_leaves_either_side_its_64_moves() {
        assert_eq!(white_has(RuleSet::Makruk, "KRvKN"), [Some(65), Some(64)]);
        let black = |turn| {
            moves_available(
                RuleSet::Makruk,
                material("KRvKN"),
                Black,
                turn,
                &Count::Fresh,
            )
        };
        assert_eq!((black(Black), black(White)), (Some(65), Some(64)));
    }

    #[test]
    fn a_side_without_men_has_no_allowance() {
        for rules in RuleSet::ALL {
            for count in [Count::Fresh, explicit(32, 8)] {
                let available =
                    |winner| moves_available(rules, material("KRvK"), winner, White, &count);
                assert_eq!(available(Black), None);
                assert!(available(White).is_some());
            }
        }
    }

    #[test]
    fn a_game_fen_leaves_what_its_counters_say() {
        let fen = "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78";
        let fen = Fen::parse(fen, Lettering::Makruk).unwrap();
        let material = fen.position.material();
        let count = Count::from_fen(&fen);
        assert_eq!(count.validate(RuleSet::Makruk, material, Black), Ok(()));
        let allowance = Allowance::new(RuleSet::Makruk, material, White, Black, &count).unwrap();
        assert_eq!(
            allowance,
            Allowance {
                kind: LimitKind::PiecesHonor,
                limit: 64,
                counted: 5,
                started: true,
                moves_available: 59
            }
        );
    }

    #[test]
    fn what_is_counted_comes_off_ply_by_ply() {
        let moves = |turn, counted| {
            moves_available(
                RuleSet::Makruk,
                material("KRvK"),
                White,
                turn,
                &explicit(32, counted),
            )
        };
        // From the baring: the bare king's move takes nothing from the other side.
        assert_eq!(moves(Black, 6), Some(13));
        assert_eq!(moves(White, 7), Some(13));
        assert_eq!(moves(Black, 8), Some(12));
        // The bare king has announced the limit: one final move.
        assert_eq!(moves(White, 31), Some(1));
        assert_eq!(moves(Black, 32), Some(0));
    }

    #[test]
    fn the_limit_in_force_is_kept_when_men_have_gone() {
        let mets = material("KMMvK");
        let count = explicit(16, 12);
        assert_eq!(count.validate(RuleSet::Makruk, mets, Black), Ok(()));
        let moves = moves_available(RuleSet::Makruk, mets, White, Black, &count);
        assert_eq!(moves, Some(2));
        // In ASEAN chess too, though mets alone would not be counted.
        let count = explicit(32, 20);
        assert_eq!(count.validate(RuleSet::Asean, mets, Black), Ok(()));
        let moves = moves_available(RuleSet::Asean, mets, White, Black, &count);
        assert_eq!(moves, Some(6));
    }

    #[test]
    fn a_fresh_count_is_the_explicit_one_of_the_moment_it_begins() {
        for name in (3..=MAX_MEN).flat_map(materials_of) {
            let material = name.material();
            if !name.is_bare() {
                continue;
            }
            for rules in [RuleSet::Makruk, RuleSet::Ouk] {
                let fresh =
                    |turn| Allowance::new(rules, material, White, turn, &Count::Fresh).unwrap();
                let limit = 2 * fresh(Black).limit;
                let begin = 2 * material.men() as u32;
                let running = |turn, counted| {
                    moves_available(rules, material, White, turn, &explicit(limit, counted))
                };
                let moves = |turn| Some(fresh(turn).moves_available);
                assert_eq!(running(Black, begin), moves(Black), "{name}");
                assert_eq!(running(White, begin + 1), moves(Black), "{name}");
                assert_eq!(running(White, begin - 1), moves(White), "{name}");
            }
        }
    }

    #[test]
    fn a_count_that_no_play_leads_to_is_refused_with_its_reason() {
        use CountError as E;
        use RuleSet::{Asean, Makruk, Ouk};
        let check = |rules, name, turn, limit, counted| {
            explicit(limit, counted).validate(rules, material(name), turn)
        };
        let error =
            |rules, name, limit, counted| check(rules, name, Black, limit, counted).unwrap_err();
        assert!(matches!(error(Makruk, "KRvK", 0, 0), E::Numbers(_)));
        assert!(matches!(error(Makruk, "KRvK", 33, 8), E::Numbers(_)));
        assert!(matches!(error(Makruk, "KRvK", 32, 33), E::Numbers(_)));
        assert!(matches!(
            error(Makruk, "KRvK", 30, 8),
            E::NoSuchLimit { .. }
        ));
        assert!(matches!(error(Asean, "KSvK", 44, 8), E::NoSuchLimit { .. }));
        assert!(matches!(error(Ouk, "KRvK", 32, 8), E::NoSuchLimit { .. }));
        assert!(matches!(
            error(Makruk, "KRvK", 88, 8),
            E::LimitTooLong { most: 32, .. }
        ));
        assert!(matches!(
            error(Makruk, "KvKRR", 32, 8),
            E::LimitTooLong { most: 16, .. }
        ));
        assert!(matches!(
            error(Makruk, "KRvK", 32, 5),
            E::CountedTooFew { least: 6, .. }
        ));
        assert_eq!(check(Makruk, "KRvK", Black, 32, 6), Ok(()));
        assert_eq!(check(Makruk, "KRvK", White, 32, 5), Ok(()));
        assert_eq!(check(Asean, "KRvK", Black, 32, 0), Ok(()));
        assert!(matches!(
            error(Makruk, "KRvKN", 32, 5),
            E::TwoSided { expected: 128, .. }
        ));
        assert_eq!(check(Makruk, "KRvKN", Black, 128, 0), Ok(()));
        assert_eq!(check(Ouk, "KRvKN", Black, 126, 0), Ok(()));
        assert!(matches!(
            error(Asean, "KRvKN", 128, 5),
            E::NothingCounted { .. }
        ));
        assert_eq!(
            error(Makruk, "KRvK", 30, 8).to_string(),
            "a limit of 30 plies is given, but no men have it in makruk: against a bare king give \
             16, 32, 44, 64, 88 or 128 plies, two for each move"
        );
    }

    #[test]
    fn any_numbers_are_answered() {
        let numbers = [0, 1, 2, 15, 16, 100, 101, 128, 999_999, u32::MAX];
        for name in ["KRvK", "KvKRR", "KMvK", "KRvKN", "KRRRvKNNN"] {
            for rules in RuleSet::ALL {
                for (winner, turn) in [(White, White), (White, Black), (Black, White)] {
                    for limit in numbers {
                        let clock = Count::Clock { plies: limit };
                        moves_available(rules, material(name), winner, turn, &clock);
                        for counted in numbers {
                            let count = explicit(limit, counted);
                            let _ = count.validate(rules, material(name), turn);
                            moves_available(rules, material(name), winner, turn, &count);
                        }
                    }
                }
            }
        }
    }
}
