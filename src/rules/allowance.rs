//! The allowance: the number of moves that a count leaves to the winning side.
//!
//! Makruk's count against a bare king starts from the number of men on the board. With n men and a
//! limit of X, the stronger side has X − n moves after it bares the king, and mate with the last of
//! them still wins. All other counts start from 0.

use serde::Serialize;

use super::RuleSet;
use super::count::Count;
use super::limits::{FIFTY_MOVES_PLIES, LimitKind, boards_honor_limit, pieces_honor_limit};
use crate::board::Color;
use crate::material::Material;

/// The moves that the winning side still has under a count, with the rule that limits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Allowance {
    /// The rule that ends the game first.
    pub kind: LimitKind,
    /// The limit of this rule, in moves.
    pub limit: u32,
    /// The number counted, in moves. Before a fresh count begins, the number that it starts from.
    pub counted: u32,
    /// True if the count is running.
    pub started: bool,
    /// The number of moves that the winning side has left, including the next move if that side is
    /// to move.
    pub moves_available: u32,
}

impl Allowance {
    /// The allowance of `winner`. None if no rule ends the game, or if `winner` has no men and
    /// cannot win.
    ///
    /// In ASEAN chess with men on both sides only the fifty-move rule applies. Every capture
    /// restarts the rule, so the allowance is for the moves up to the next capture.
    ///
    /// The clock of the fifty-move rule starts at the last known capture: at this position for a
    /// fresh count, and at the capture that bared the king for an explicit count. [`Count::Clock`]
    /// gives only a clock. Against a bare king its number also serves as the number counted,
    /// because the count began with the last capture or earlier. If the clock would end the game
    /// before the count, a capture that the bare king is forced to make may still save the win: see
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
        // While there are bia, no count begins against a bare king, but the board's honor of ouk
        // runs on.
        let kind = match bare && material.is_pawnless() {
            true => LimitKind::PiecesHonor,
            false => LimitKind::BoardsHonor,
        };
        let honor = match *count {
            // The limit is given, so captures since then do not change it.
            Count::Explicit {
                limit_plies,
                counted_plies,
            }
            | Count::Both {
                limit_plies,
                counted_plies,
                ..
            } => Some(running(kind, limit_plies, counted_plies, to_move)),
            Count::Clock { plies } if plies > 0 && bare && rules.has_fifty_move_rule() => {
                let plies = plies.min(FIFTY_MOVES_PLIES);
                pieces_honor_limit(rules, material.army(winner))
                    .map(|limit| running(kind, 2 * limit, plies, to_move))
            }
            Count::Fresh | Count::Clock { .. } if bare => {
                let start = rules.first_number(material.men() as u32);
                pieces_honor_limit(rules, material.army(winner))
                    .map(|limit| fresh(kind, limit, start, to_move))
            }
            Count::Fresh | Count::Clock { .. } => {
                boards_honor_limit(rules, material).map(|limit| fresh(kind, limit, 0, to_move))
            }
        };
        if !rules.has_fifty_move_rule() {
            return honor;
        }
        let fifty = within_fifty_moves(to_move, count);
        // If the two allowances are equal, the count's is returned.
        Some(match honor {
            Some(honor) if honor.moves_available <= fifty.moves_available => honor,
            _ => fifty,
        })
    }
}

/// The moves that `winner` has left; `None` if no rule ends the game.
///
/// [`Allowance::new`] also returns the rule that limits them.
pub fn moves_available(
    rules: RuleSet,
    material: Material,
    winner: Color,
    turn: Color,
    count: &Count,
) -> Option<u32> {
    Allowance::new(rules, material, winner, turn, count).map(|allowance| allowance.moves_available)
}

/// The allowance of a count that begins with the next move of the counting side. That move has the
/// number `start` + 1.
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

/// The last number that the counting side said. That side says a number with each of its own moves,
/// whichever side moved first when the count began.
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
        // The game is drawn as soon as a hundred plies have been made.
        moves_available: moves_left(FIFTY_MOVES_PLIES, plies, to_move),
    }
}

/// The number of counted plies at which the game ends. Once the limit is reached, one more move is
/// allowed.
pub(super) const fn after_limit(limit_plies: u32) -> u32 {
    limit_plies.saturating_add(1)
}

/// The number of moves that the winning side can make until the counter reaches `end`. At `end` the
/// game is drawn, unless the last move mates.
pub(super) fn moves_left(end: u32, counted_plies: u32, to_move: bool) -> u32 {
    let left = end.saturating_sub(counted_plies);
    if to_move { left.div_ceil(2) } else { left / 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Fen, Lettering};
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

    /// The number of moves that a fresh count leaves White, with White to move and with Black to
    /// move.
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
        // A count from the baring of the king on: the bare king's move captures nothing.
        assert_eq!(moves(Black, 6), Some(13));
        assert_eq!(moves(White, 7), Some(13));
        assert_eq!(moves(Black, 8), Some(12));
        // The bare king has said the limit, so one final move is left.
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
        // The same limit in ASEAN chess, although a met alone has no count there.
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
