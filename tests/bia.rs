//! Endings with bia: what the solver finds, against known figures and against the naive solver.

mod naive;

use std::rc::Rc;

use naive::Value;
use naive::bia::{Aim, BiaTable, NaiveBook};
use sakmak::board::{Color, Fen, Lettering, Position, Role, Square, SquareSet};
use sakmak::generate::Library;
use sakmak::index::{Bia, Group, Transform};
use sakmak::internals::{BiaLibrary, BiaSolution, Goal};
use sakmak::material::Material;
use sakmak::rules::{Count, RuleSet, moves_available};

const HONOR: Goal = Goal::Honor(RuleSet::Makruk);

fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// Positions of the whole board: all and won with the winner to move, all and lost with the loser.
fn counts(solution: &BiaSolution) -> [u64; 4] {
    let mut sums = [0; 4];
    for slice in solution.slices() {
        let steps = &slice.counts.steps;
        sums[0] += slice.counts.winner_legal;
        sums[1] += steps.iter().map(|step| step.wins.positions).sum::<u64>();
        sums[2] += slice.counts.loser_legal;
        sums[3] += steps.iter().map(|step| step.losses.positions).sum::<u64>();
    }
    sums
}

/// The longest distances, with the winner and with the loser to move.
fn longest(solution: &BiaSolution) -> [usize; 2] {
    let slices = solution.slices().iter();
    let steps = slices.flat_map(|slice| slice.counts.steps.iter().enumerate());
    steps.fold([0, 0], |[won, lost], (moves, step)| {
        let longer = |positions, most: usize| if positions > 0 { most.max(moves) } else { most };
        [
            longer(step.wins.positions, won),
            longer(step.losses.positions, lost),
        ]
    })
}

/// A side's bia and king, and its other men by role.
fn bia_of(position: &Position) -> Bia {
    Bia::new(Color::ALL.map(|color| position.men(color, Role::Bia)))
}

/// The winner's moves in a position that it wins.
fn moves(solution: &BiaSolution, winner: Color, position: &Position) -> Option<u32> {
    let men = |color, role| position.men(color, role);
    let (slice, lane, transform) = solution.lane(bia_of(position), position.king(winner), men);
    let bit = transform.square(position.king(!winner)).index();
    let number = match position.turn() == winner {
        true => u32::from(slice.winner_to_move.get(lane, bit)),
        false => u32::from(slice.loser_to_move.as_ref().unwrap().get(lane, bit)),
    };
    let one_more = u32::from(position.turn() != winner);
    (number > 0).then(|| number - one_more)
}

#[test]
fn wins_with_a_bia_and_a_rook_or_a_khon_are_as_many_as_known() {
    let mut library = BiaLibrary::new();
    for (name, on_the_board, in_makruk, most_moves) in [
        (
            "KRPvK",
            [3_944_668, 3_944_668, 5_124_732, 4_630_748],
            [3_944_668, 3_944_380, 5_124_732, 4_593_768],
            9,
        ),
        (
            "KSPvK",
            [4_670_346, 3_772_646, 5_124_732, 2_952_418],
            [4_670_346, 3_731_732, 5_124_732, 2_912_438],
            21,
        ),
    ] {
        let mate = library.solution(material(name), Color::White, Goal::Mate);
        assert_eq!(counts(&mate), on_the_board, "{name}");
        let honor = library.solution(material(name), Color::White, HONOR);
        assert_eq!(counts(&honor), in_makruk, "{name}");
        assert_eq!(longest(&honor)[0], most_moves, "{name}");
    }
}

/// Of the positions with White to move that it wins with a bia that can promote: all, those in which
/// promoting at once wins no longer, and those in which only the count is why.
fn promotions(library: &mut BiaLibrary, name: &str) -> [u64; 3] {
    let honor = library.solution(material(name), Color::White, HONOR);
    let mut promoted = material(name);
    promoted.white = promoted.white.without(Role::Bia).unwrap().with(Role::Met);
    let mate = Library::new().solution(promoted, Color::White, Goal::Mate);
    let available = |turn| {
        let count = Count::Fresh;
        moves_available(RuleSet::Makruk, promoted, Color::White, turn, &count).unwrap()
    };
    let mut found = [0; 3];
    for slice in honor.slices() {
        let layout = &slice.layout;
        let bia = layout.bia();
        let on = bia.all().first().unwrap().offset(0, 1).unwrap();
        if Bia::home(Color::White).contains(on) {
            continue;
        }
        for lane in 0..layout.lanes() {
            let (slab, men) = layout.men(lane);
            let king = layout.domain()[slab];
            let all = men.iter().fold(bia.all().with(king), |all, &men| all | men);
            if all.len() != 2 + men.len() || all.contains(on) {
                continue;
            }
            let (transform, after) = mate.layout.lane(king, |g| {
                let group = mate.layout.groups()[g];
                let like = |g: &Group| g.role == group.role;
                let own = layout.groups().iter().position(like);
                let own = own.map_or(SquareSet::EMPTY, |own| men[own]);
                match group.role {
                    Role::Met => own.with(on),
                    _ => own,
                }
            });
            for square in !all.with(on) {
                if slice.winner_to_move.get(lane, square.index()) == 0 {
                    continue;
                }
                let bit = transform.square(square).index();
                let losers = mate.loser_to_move.as_ref().unwrap();
                let number = u32::from(losers.get(after, bit));
                let weight = layout.weight(king);
                found[0] += weight;
                found[1] += weight * u64::from(number == 0 || number - 1 > available(Color::Black));
                found[2] += weight * u64::from(number > 0 && number - 1 > available(Color::Black));
            }
        }
    }
    found
}

#[test]
fn promoting_at_once_throws_away_as_many_wins_as_known() {
    let mut library = BiaLibrary::new();
    let found = promotions(&mut library, "KRPvK");
    assert_eq!(found, [1_247_394, 288_778, 220_586]);
    let found = promotions(&mut library, "KSPvK");
    assert_eq!(found[..2], [1_217_080, 182_524]);
}

#[test]
fn a_promotion_that_starts_the_count_too_early_is_no_win() {
    let mut library = BiaLibrary::new();
    for (fen, only, to_honor, promotion, to_mate, left) in [
        ("8/8/8/7P/8/1S6/8/1K1k4 w", "b3c4", 14, "h5h6m", 44, 40),
        ("8/8/8/2P5/3k4/1R6/8/7K w", "b3b5", 0, "c5c6m", 14, 12),
    ] {
        let position = Fen::parse(fen, Lettering::Makruk).unwrap().position;
        let honor = library.solution(position.material(), Color::White, HONOR);
        let distance = moves(&honor, Color::White, &position).unwrap();
        if to_honor > 0 {
            assert_eq!(distance, to_honor, "{fen}");
        }
        for m in position.legal_moves() {
            let after = position.play(m);
            if after.is_pawnless() {
                assert_eq!(m.to_string(), promotion);
                let mut pawnless = Library::new();
                let mate = pawnless.solution(after.material(), Color::White, Goal::Mate);
                let men = |g: usize| {
                    let group = mate.layout.groups()[g];
                    after.men(group.color, group.role)
                };
                let (transform, lane) = mate.layout.lane(after.king(Color::White), men);
                let bit = transform.square(after.king(Color::Black)).index();
                let losers = mate.loser_to_move.as_ref().unwrap();
                assert_eq!(losers.get(lane, bit) - 1, to_mate, "{fen}");
                let count = Count::Fresh;
                let available = moves_available(
                    RuleSet::Makruk,
                    after.material(),
                    Color::White,
                    Color::Black,
                    &count,
                );
                assert_eq!(available, Some(left), "{fen}");
            } else {
                let wins = moves(&honor, Color::White, &after).is_some();
                assert_eq!(wins, m.to_string() == only, "{fen} {m}");
            }
        }
    }
}

/// Asserts that both solvers say the same of every position, under both goals; the bia stand where the
/// book has them.
fn assert_as_naive(book: &mut NaiveBook, name: &str) {
    let mut library = BiaLibrary::new();
    let mut legal = [0; 2];
    for (aim, goal) in [(Aim::Mate, Goal::Mate), (Aim::Honor, HONOR)] {
        let naive = book.table(material(name).roles().collect(), aim);
        let solved = Color::ALL.map(|winner| {
            let has_men = !material(name).army(winner).is_empty();
            has_men.then(|| library.solution(material(name), winner, goal))
        });
        for turn in Color::ALL {
            let (mut positions, mut wins) = (0, [0; 2]);
            for squares in naive.placements() {
                let expected = naive.value(&squares, turn);
                if expected == Value::Illegal {
                    continue;
                }
                positions += 1;
                let found = value(&naive, &solved, &squares, turn);
                assert_eq!(
                    found,
                    expected,
                    "{name} {aim:?} {turn} {:?} {squares:?}",
                    naive.men()
                );
                if let Value::Win(winner, _) = found {
                    wins[winner.index()] += 1;
                }
            }
            legal[turn.index()] = positions;
            let whole = book.is_whole().then(|| {
                let of = |winner: Color| solved[winner.index()].as_ref().map(|s| counts(s));
                Color::ALL.map(|winner| {
                    of(winner).map(|c| match winner == turn {
                        true => [c[0], c[1]],
                        false => [c[2], c[3]],
                    })
                })
            });
            for (winner, found) in whole.into_iter().flatten().enumerate() {
                if let Some(found) = found {
                    assert_eq!(found, [positions, wins[winner]], "{name} {aim:?} {turn}");
                }
            }
            println!("{name} {aim:?}: {turn} to move, {positions} positions, wins {wins:?}");
        }
    }
}

/// What the solver says of a position.
fn value(
    naive: &BiaTable,
    solved: &[Option<Rc<BiaSolution>>; 2],
    squares: &[Square],
    turn: Color,
) -> Value {
    let men = |color, role| {
        let men = naive.men().iter().zip(squares);
        let like = men.filter(|&(&man, _)| man == (color, role));
        like.map(|(_, &square)| square).collect::<SquareSet>()
    };
    let bia = Bia::new(Color::ALL.map(|color| men(color, Role::Bia)));
    let mut found = Value::Draw;
    for winner in Color::ALL {
        let Some(solution) = &solved[winner.index()] else {
            continue;
        };
        let king = |color| men(color, Role::King).first().unwrap();
        let (slice, lane, transform): (_, _, Transform) = solution.lane(bia, king(winner), men);
        let bit = transform.square(king(!winner)).index();
        let number = match turn == winner {
            true => u32::from(slice.winner_to_move.get(lane, bit)),
            false => u32::from(slice.loser_to_move.as_ref().unwrap().get(lane, bit)),
        };
        if number > 0 {
            assert_eq!(found, Value::Draw, "both sides win");
            found = Value::Win(winner, number - u32::from(turn != winner));
        }
    }
    found
}

#[test]
fn a_bia_alone_is_as_the_naive_solver_has_it() {
    assert_as_naive(&mut NaiveBook::whole(), "KPvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn two_bia_are_as_the_naive_solver_has_them() {
    let mut book = NaiveBook::whole();
    for name in ["KPPvK", "KPvKP"] {
        assert_as_naive(&mut book, name);
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn four_men_with_a_bia_are_as_the_naive_solver_has_them() {
    for name in [
        "KRPvK", "KNPvK", "KSPvK", "KMPvK", "KRvKP", "KNvKP", "KSvKP", "KMvKP",
    ] {
        assert_as_naive(&mut NaiveBook::whole(), name);
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn five_men_with_bia_on_both_sides_are_as_the_naive_solver_has_them() {
    for (name, first_ranks) in [("KMPvKP", [4, 3]), ("KPPvKP", [3, 4])] {
        assert_as_naive(&mut NaiveBook::with_bia_from(first_ranks), name);
    }
}
