//! Counts: the moves that the winning side has left.
//!
//! Against a bare king, makruk starts from the number of men on the board: with n men and a limit
//! of X, the stronger side has X − n moves from the baring, and mate on the last of them wins. A
//! capture by the bare king changes neither the limit nor the number. So a running count cannot be
//! derived from the position, and callers pass it in. All other counts start from 0.

use serde::Serialize;
use thiserror::Error;

use crate::board::{Color, Fen, FenCount, FenCountError, Position};
use crate::material::Material;

use super::RuleSet;
use super::fifty_moves::{self, FIFTY_MOVES_PLIES};
use super::limits::{LimitKind, boards_honor_limit, in_moves, pieces_honor_limit};

/// The state of the count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    /// A count that begins with the next move of the counting side. If the other side is to move,
    /// it makes that move first, uncounted.
    #[default]
    Fresh,
    /// No count, but the plies since the last capture, for ASEAN chess's fifty-move rule. In the
    /// other rule sets, a fresh count.
    Clock {
        /// Plies since the last capture.
        plies: u32,
    },
    /// A running count, in plies as in a FEN.
    Explicit {
        /// The limit, two plies for each move.
        limit_plies: u32,
        /// The number counted.
        counted_plies: u32,
    },
    /// A running count, and ASEAN chess's clock that a capture by the bare king has restarted. A
    /// FEN has room for the count only. The other rule sets ignore the clock.
    Both {
        /// The limit, two plies for each move.
        limit_plies: u32,
        /// The number counted.
        counted_plies: u32,
        /// Plies since the last capture.
        clock_plies: u32,
    },
}

/// The reason why a count is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountError {
    /// The numbers are invalid with any men.
    #[error(transparent)]
    Numbers(#[from] FenCountError),
    /// The rules have no count in this position.
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
}

impl Count {
    /// The count of a FEN. [`Count::note`] checks it against the men.
    pub fn from_fen(fen: &Fen) -> Count {
        match fen.count {
            Some(count) => Count::of_plies(count.limit(), count.counted()),
            None => Count::of_plies(0, fen.clock),
        }
    }

    /// The count of fields 4 and 5 of a FEN, or of a program's own counters. With a limit of 0
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

    /// The FEN of a position with this count; inverse of [`Count::from_fen`].
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

    /// The plies left by ASEAN chess's fifty-move rule, for both sides until the next capture.
    pub(crate) fn plies_to_capture(&self) -> u32 {
        fifty_moves::plies_left(self.plies_since_capture())
    }

    /// The limit and the number counted, in plies, of a running count.
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

    /// Plies since the last capture; the number counted if that is unknown.
    fn plies_since_capture(&self) -> u32 {
        match *self {
            Count::Fresh => 0,
            Count::Clock { plies } => plies,
            Count::Explicit { counted_plies, .. } => counted_plies,
            Count::Both { clock_plies, .. } => clock_plies,
        }
    }

    /// Checks that the rules have a count with these men. The numbers may be ones that no game
    /// leads to: see [`Count::note`].
    ///
    /// # Errors
    ///
    /// If the limit is 0, or the rules have no count with these men.
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
        let counted = match material.bare_side() {
            // The limit may come from men that have been captured since.
            Some(_) => material.is_pawnless(),
            None => boards_honor_limit(rules, material).is_some(),
        };
        if !counted {
            return Err(CountError::NothingCounted {
                limit,
                rules,
                material,
            });
        }
        Ok(())
    }
}

/// The winning side's allowance under the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Allowance {
    /// The rule that ends the game first.
    pub kind: LimitKind,
    /// Its limit, in moves.
    pub limit: u32,
    /// The number counted, in moves; before a fresh count, its start.
    pub counted: u32,
    /// True if the count is running.
    pub started: bool,
    /// The moves that the winning side has left, including the next one if it is to move.
    pub moves_available: u32,
}

impl Allowance {
    /// The allowance of `winner`; none if no rule ends the game, or if `winner` has no men and
    /// cannot win.
    ///
    /// In ASEAN chess with men on both sides only the fifty-move rule applies, which every capture
    /// restarts: the allowance ends at the next capture.
    ///
    /// The fifty-move rule counts from the last known capture: this position for a fresh count, the
    /// baring for an explicit one. The count against a bare king began with that capture too, or
    /// earlier, so a clock without a count is taken for the count as well. Where the clock ends the
    /// game first, a forced capture by the bare king may win with fewer moves than mate takes: see
    /// [`late_captures_matter`](super::late_captures_matter).
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
            // The limit is explicit, whatever men have been captured since.
            Count::Explicit {
                limit_plies,
                counted_plies,
            }
            | Count::Both {
                limit_plies,
                counted_plies,
                ..
            } => Some(running(kind, limit_plies, counted_plies, to_move)),
            Count::Clock { plies } if plies > 0 && bare && rules == RuleSet::Asean => {
                let plies = plies.min(FIFTY_MOVES_PLIES);
                pieces_honor_limit(rules, material.army(winner))
                    .map(|limit| running(kind, 2 * limit, plies, to_move))
            }
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
        let fifty = (rules == RuleSet::Asean).then(|| within_fifty_moves(to_move, count));
        // Of equal allowances the count's is reported.
        [honor, fifty]
            .into_iter()
            .flatten()
            .min_by_key(|allowance| allowance.moves_available)
    }
}

/// The moves that `winner` has left; none if no rule ends the game.
///
/// [`Allowance::new`] also returns the rule.
pub fn moves_available(
    rules: RuleSet,
    material: Material,
    winner: Color,
    turn: Color,
    count: &Count,
) -> Option<u32> {
    Allowance::new(rules, material, winner, turn, count).map(|allowance| allowance.moves_available)
}

/// The allowance of a count that begins with the next move of the side that counts, after `start`.
fn fresh(kind: LimitKind, limit: u32, start: u32, to_move: bool) -> Allowance {
    Allowance {
        kind,
        limit,
        counted: start,
        started: false,
        moves_available: (limit + u32::from(to_move)).saturating_sub(start),
    }
}

/// The allowance of a running count.
fn running(kind: LimitKind, limit_plies: u32, counted_plies: u32, to_move: bool) -> Allowance {
    Allowance {
        kind,
        limit: limit_plies / 2,
        counted: number_said(counted_plies, to_move),
        started: true,
        moves_available: moves_left(after_limit(limit_plies), counted_plies, to_move),
    }
}

/// The number that the counting side has said last. It says one with each of its own moves,
/// whichever side's move the count began with.
pub(super) fn number_said(counted_plies: u32, winner_to_move: bool) -> u32 {
    if winner_to_move {
        counted_plies.div_ceil(2)
    } else {
        counted_plies / 2
    }
}

/// The allowance of the fifty-move rule.
fn within_fifty_moves(to_move: bool, count: &Count) -> Allowance {
    let plies = count.plies_since_capture().min(FIFTY_MOVES_PLIES);
    Allowance {
        kind: LimitKind::FiftyMoves,
        limit: FIFTY_MOVES_PLIES / 2,
        counted: plies / 2,
        started: plies > 0,
        // The game is drawn as soon as a hundred plies are made.
        moves_available: moves_left(FIFTY_MOVES_PLIES, plies, to_move),
    }
}

/// The counter at which the game ends: one more move is allowed at the limit.
pub(super) const fn after_limit(limit_plies: u32) -> u32 {
    limit_plies.saturating_add(1)
}

/// The moves of the winning side before the counter reaches `end`. There the game is drawn unless
/// the last move mates.
pub(super) fn moves_left(end: u32, counted_plies: u32, to_move: bool) -> u32 {
    let left = end.saturating_sub(counted_plies);
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

    /// White's moves with a fresh count, when it is to move and when it is not.
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
        assert_eq!(asean("KRvKN"), [fifty, fifty]);
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
        // The count is at least as old as the last capture.
        assert_eq!(moves(RuleSet::Asean, "KRvK", Black, 10), Some(11));
        assert_eq!(moves(RuleSet::Asean, "KRvK", Black, 60), Some(0));
        assert_eq!(moves(RuleSet::Asean, "KNMvK", Black, 80), Some(10));
        assert_eq!(moves(RuleSet::Asean, "KRvKN", Black, 80), Some(10));
        assert_eq!(moves(RuleSet::Asean, "KRvKN", White, 81), Some(10));
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
        assert_eq!(count.validate(RuleSet::Makruk, material), Ok(()));
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
        // From the baring: the bare king's move captures nothing.
        assert_eq!(moves(Black, 6), Some(13));
        assert_eq!(moves(White, 7), Some(13));
        assert_eq!(moves(Black, 8), Some(12));
        // The bare king has announced the limit: one final move.
        assert_eq!(moves(White, 31), Some(1));
        assert_eq!(moves(Black, 32), Some(0));
        // The count began with the stronger side to move, which adds that move.
        assert_eq!(moves(White, 6), Some(14));
        assert_eq!(moves(Black, 7), Some(13));
        assert_eq!(moves(White, 32), Some(1));
        assert_eq!(moves(White, 33), Some(0));
    }

    #[test]
    fn the_stronger_side_has_a_move_more_where_the_count_begins_with_it() {
        let fen = "8/2k5/5m2/4S3/1M6/1K6/8/8 w - 128 0 60";
        let fen = Fen::parse(fen, Lettering::Makruk).unwrap();
        let allowance = |turn, counted| {
            let (rules, material) = (RuleSet::Makruk, fen.position.material());
            let count = explicit(128, counted);
            let allowance = Allowance::new(rules, material, White, turn, &count).unwrap();
            (allowance.counted, allowance.moves_available)
        };
        assert_eq!(allowance(White, 0), (0, 65));
        assert_eq!(allowance(Black, 1), (0, 64));
        assert_eq!(allowance(White, 2), (1, 64));
        assert_eq!(allowance(White, 128), (64, 1));
        // The usual parity, for a count that began with the counting side to move.
        assert_eq!(allowance(Black, 0), (0, 64));
        assert_eq!(allowance(White, 1), (1, 64));
        assert_eq!(allowance(White, 127), (64, 1));
    }

    #[test]
    fn the_limit_in_force_is_kept_when_men_have_gone() {
        let mets = material("KMMvK");
        let count = explicit(16, 12);
        assert_eq!(count.validate(RuleSet::Makruk, mets), Ok(()));
        let moves = moves_available(RuleSet::Makruk, mets, White, Black, &count);
        assert_eq!(moves, Some(2));
        // In ASEAN chess too, although a met alone has no count.
        let count = explicit(32, 20);
        assert_eq!(count.validate(RuleSet::Asean, mets), Ok(()));
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
        // Other programs write a count even if it decides nothing, and continue play until a draw
        // is claimed.
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
        for (limit, counted) in [(88, 0), (32, 33), (33, 8), (2, 0)] {
            assert_eq!(check(RuleSet::Makruk, "KRvK", limit, counted), Ok(()));
            assert_eq!(check(RuleSet::Makruk, "KRvKN", limit, counted), Ok(()));
        }
    }

    #[test]
    fn a_count_beyond_its_limit_leaves_no_move() {
        for rules in RuleSet::ALL {
            for turn in [White, Black] {
                let count = explicit(32, 33);
                let left = moves_available(rules, material("KRvK"), White, turn, &count);
                assert_eq!(left, Some(0));
            }
        }
    }

    #[test]
    fn a_clock_beyond_100_plies_is_one_of_100() {
        for (name, turn) in [("KRvKN", White), ("KRvK", White), ("KNMvK", Black)] {
            let allowance = |plies| {
                let count = Count::Clock { plies };
                Allowance::new(RuleSet::Asean, material(name), White, turn, &count)
            };
            assert_eq!(allowance(150), allowance(100), "{name}");
        }
    }

    #[test]
    fn a_count_that_no_men_begin_leaves_what_its_numbers_say() {
        // The form in which cutechess writes `88 7`.
        let left = |turn| {
            let count = explicit(88, 0);
            moves_available(RuleSet::Makruk, material("KSMvK"), White, turn, &count)
        };
        assert_eq!((left(White), left(Black)), (Some(45), Some(44)));
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
                            let _ = count.validate(rules, material(name));
                            count.note(rules, material(name), turn);
                            moves_available(rules, material(name), winner, turn, &count);
                        }
                    }
                }
            }
        }
    }
}
