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
use super::fifty_moves::{self, FIFTY_MOVES_PLIES};
use super::limits::{LimitKind, boards_honor_limit, in_moves, pieces_honor_limit};

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
    /// A count that runs and, since the bare king has captured, a clock of ASEAN chess's fifty-move
    /// rule that is younger. A FEN has no place for both: it states the count. To the other rule sets
    /// this is the count.
    Both {
        /// The limit: two plies for each move.
        limit_plies: u32,
        /// Counted so far.
        counted_plies: u32,
        /// Plies since the last capture.
        clock_plies: u32,
    },
}

/// Why a count means nothing in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CountError {
    /// The two numbers are no count, whatever the men.
    #[error(transparent)]
    Numbers(#[from] FenCountError),
    /// A count where the rules know none.
    #[error(
        "a limit of {} is given, but {rules} counts nothing in {material}: leave the count out",
        in_moves(*.limit)
    )]
    NothingCounted {
        /// The limit given, in plies.
        limit: u32,
        /// The rule set.
        rules: RuleSet,
        /// The men on the board.
        material: Material,
    },
}

impl Count {
    /// What a FEN says of the count. [`Count::note`] tells whether the men allow it.
    pub fn from_fen(fen: &Fen) -> Count {
        match fen.count {
            Some(count) => Count::of_plies(count.limit(), count.counted()),
            None => Count::of_plies(0, fen.clock),
        }
    }

    /// What fields 4 and 5 of a FEN say, or a program's own counters: a limit of 0 is no count, and
    /// the other number then the plies since the last capture.
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

    /// The FEN of a position with this count: what [`Count::from_fen`] reads.
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

    /// The plies that ASEAN chess's fifty-move rule leaves to either side until the next capture.
    pub(crate) fn plies_to_capture(&self) -> u32 {
        fifty_moves::plies_left(self.plies_since_capture())
    }

    /// The limit and the number of plies counted, if a count runs.
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

    /// The plies since the last capture; as many as are counted, if no more is known.
    fn plies_since_capture(&self) -> u32 {
        match *self {
            Count::Fresh => 0,
            Count::Clock { plies } => plies,
            Count::Explicit { counted_plies, .. } => counted_plies,
            Count::Both { clock_plies, .. } => clock_plies,
        }
    }

    /// Checks that a count means something with these men. Its numbers are taken as they are, even
    /// if no play leads to them: see [`Count::note`].
    ///
    /// # Errors
    ///
    /// If the limit is zero, or the rules know no count for these men.
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
            // A limit may be that of men no longer on the board.
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
    /// None too if `winner` has no men, since it cannot win. In ASEAN chess with men on both sides
    /// only the fifty-move rule runs, which starts again with every capture: it limits the way to
    /// the next capture.
    ///
    /// The fifty-move rule is taken to run from the last capture known of: the moment of the probe
    /// for a fresh count, the baring for an explicit one. The count against a bare king began with
    /// a capture too, or earlier, so a clock without a count is taken for the count as well. Where the
    /// clock is what ends the game first, a capture that the bare king is forced to make may win
    /// with fewer moves than mate takes: see [`late_captures_matter`](super::late_captures_matter).
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

/// What the fifty-move rule leaves.
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

/// Where the counter ends the game: a move may still be made with the limit counted.
pub(super) const fn after_limit(limit_plies: u32) -> u32 {
    limit_plies.saturating_add(1)
}

/// The moves that the side that would win makes before the counter comes to `end`, where the game
/// is drawn unless the last move mates.
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
        // The count is as old as the last capture, or older.
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
        // From the baring: the bare king's move takes nothing from the other side.
        assert_eq!(moves(Black, 6), Some(13));
        assert_eq!(moves(White, 7), Some(13));
        assert_eq!(moves(Black, 8), Some(12));
        // The bare king has announced the limit: one final move.
        assert_eq!(moves(White, 31), Some(1));
        assert_eq!(moves(Black, 32), Some(0));
        // The count began with the stronger side to move, which has that move beside the others.
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
        // The usual parity, where the count began with the counting side to move.
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
        // In ASEAN chess too, though mets alone would not be counted.
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
        // Other programs write one where nothing comes of it, and play on where a draw is to be
        // claimed.
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
        // What cutechess has left of `88 7`.
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
