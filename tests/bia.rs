//! Endings with bia: what the solver finds, against known figures and against the naive solver.

mod naive;

use std::rc::Rc;

use naive::Value;
use naive::bia::{Aim, BiaTable, NaiveBook};
use sakmak::board::{Color, Fen, Lettering, Position, Role, Square, SquareSet};
use sakmak::generate::Library;
use sakmak::index::{Bia, Group, Transform};
use sakmak::internals::{BiaLibrary, BiaSolution, Goal, Solution};
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
                let after_it = pawnless_moves(&mate, Color::White, &after);
                assert_eq!(after_it, Some(to_mate), "{fen}");
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

/// Endings with bia and those that they lead to.
#[derive(Default)]
struct Libraries {
    bia: BiaLibrary,
    pawnless: Library,
}

/// The winner's moves in a position without bia, if it wins.
fn pawnless_moves(solution: &Solution, winner: Color, position: &Position) -> Option<u32> {
    let men = |g: usize| {
        let group = solution.layout.groups()[g];
        position.men(group.color, group.role)
    };
    let (transform, lane) = solution.layout.lane(position.king(winner), men);
    let bit = transform.square(position.king(!winner)).index();
    let number = match position.turn() == winner {
        true => u32::from(solution.winner_to_move.get(lane, bit)),
        false => u32::from(solution.loser_to_move.as_ref().unwrap().get(lane, bit)),
    };
    (number > 0).then(|| number - u32::from(position.turn() != winner))
}

impl Libraries {
    /// The winner's moves, if it wins: without bia it has reached its goal if a fresh count judges so.
    fn moves(&mut self, winner: Color, goal: Goal, position: &Position) -> Option<u32> {
        let material = position.material();
        if material.army(winner).is_empty() {
            return None;
        }
        if !position.is_pawnless() {
            let solution = self.bia.solution(material, winner, goal);
            return moves(&solution, winner, position);
        }
        let is_bare = material.army(!winner).is_empty();
        let counted = if is_bare { Goal::Mate } else { goal };
        let solution = self.pawnless.solution(material, winner, counted);
        let moves = pawnless_moves(&solution, winner, position)?;
        let (turn, count) = (position.turn(), Count::Fresh);
        let available = moves_available(RuleSet::Makruk, material, winner, turn, &count)?;
        match goal {
            Goal::Mate => Some(moves),
            _ => (moves <= available).then_some(0),
        }
    }

    /// The same from the positions after each legal move.
    fn moves_by_one_ply(&mut self, winner: Color, goal: Goal, position: &Position) -> Option<u32> {
        if position.material().army(winner).is_empty() {
            return None;
        }
        let moves = position.legal_moves().into_iter();
        let after = moves.map(|m| self.moves(winner, goal, &position.play(m)));
        let after: Vec<Option<u32>> = after.collect();
        match position.turn() == winner {
            true => after.into_iter().flatten().min().map(|moves| moves + 1),
            false if after.is_empty() => position.is_check().then_some(0),
            false => after
                .into_iter()
                .try_fold(0, |most, moves| Some(most.max(moves?))),
        }
    }

    /// Asserts that a position's values are those of one ply.
    fn assert_one_ply(&mut self, position: &Position, what: &str) {
        for winner in Color::ALL {
            for goal in [Goal::Mate, HONOR] {
                let found = self.moves(winner, goal, position);
                let expected = self.moves_by_one_ply(winner, goal, position);
                let fen = Fen::new(*position).display(Lettering::Makruk).to_string();
                assert_eq!(found, expected, "{what}: {fen}, {winner} wins, {goal:?}");
            }
        }
    }

    /// Asserts it of so many positions by chance.
    fn assert_one_ply_by_chance(&mut self, name: &str, positions: usize) {
        let mut chance = fastrand::Rng::with_seed(45);
        let mut looked_at = 0;
        while looked_at < positions {
            let men = material(name).roles().map(|(color, role)| {
                let squares = match role {
                    Role::Bia => Bia::home(color),
                    _ => SquareSet::ALL,
                };
                let square = squares.into_iter().nth(chance.usize(0..squares.len()));
                (square.unwrap(), color, role)
            });
            let men: Vec<_> = men.collect();
            for turn in Color::ALL {
                if let Ok(position) = Position::from_men(men.iter().copied(), turn) {
                    self.assert_one_ply(&position, name);
                    looked_at += 1;
                }
            }
        }
    }
}

#[test]
fn each_thing_that_can_happen_with_a_bia_is_seen_one_ply_on() {
    let mut libraries = Libraries::default();
    for (what, fen, moves) in [
        (
            "a pinned bia may step on its file",
            "8/8/8/3k4/3p4/2M5/8/3R1K2 b",
            "d4d3m",
        ),
        (
            "a blocked bia leaves no move",
            "8/8/8/8/1p6/1K6/2M5/k7 b",
            "",
        ),
        (
            "a bia takes a bia",
            "8/3k4/8/2p5/3P4/8/3K4/8 w",
            "d4c5 d4d5",
        ),
        (
            "two bia stand face to face",
            "8/3k4/8/3p4/3P4/8/3K4/8 w",
            "",
        ),
        (
            "a bia promotes by a capture",
            "8/8/3s4/2P1k3/8/8/3K4/8 w",
            "c5d6m c5c6m",
        ),
        (
            "a bia takes a bia and promotes",
            "8/8/3p4/2P5/6k1/8/3K4/8 w",
            "c5c6m c5d6m",
        ),
        (
            "a promotion gives check",
            "8/2k5/8/1P6/8/8/1R6/1K6 w",
            "b5b6m",
        ),
        (
            "the bare king takes the last bia",
            "8/8/8/2P5/2k5/8/8/KR6 b",
            "c4c5",
        ),
        (
            "the weaker side gives up its last bia",
            "8/8/8/k2p4/8/3K4/8/7R b",
            "d5d4",
        ),
        (
            "the weaker side promotes its last bia",
            "8/8/8/8/k2p4/8/2K5/7R b",
            "d4d3m",
        ),
        (
            "a man of the loser's takes the last bia",
            "8/8/1k1s4/4P3/8/8/8/K7 b",
            "d6e5",
        ),
    ] {
        let Ok(fen) = Fen::parse(fen, Lettering::Makruk) else {
            panic!("{what}: {fen}");
        };
        let legal = fen.position.legal_moves();
        for m in moves.split_whitespace() {
            assert!(legal.contains(&m.parse().unwrap()), "{what}: {m}");
        }
        assert!(
            !moves.is_empty()
                || !legal
                    .iter()
                    .any(|m| bia_of(&fen.position).all().contains(m.from))
        );
        libraries.assert_one_ply(&fen.position, what);
    }
}

#[test]
fn values_are_those_of_one_ply() {
    let mut libraries = Libraries::default();
    for name in ["KRPvK", "KSPvK", "KPPvK", "KPvKP", "KRvKP", "KMvKP"] {
        libraries.assert_one_ply_by_chance(name, 4000);
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn values_of_five_men_are_those_of_one_ply() {
    for name in [
        "KMPvKP", "KPPvKP", "KRPvKP", "KRPvKS", "KSPPvK", "KNPvKM", "KPPPvK", "KPPvKM",
    ] {
        Libraries::default().assert_one_ply_by_chance(name, 20_000);
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
fn last_steps_of_a_bia_are_as_the_naive_solver_has_them() {
    let mut book = NaiveBook::with_bia_from([4, 3]);
    for name in ["KSPvK", "KRvKP", "KPPvKP"] {
        assert_as_naive(&mut book, name);
    }
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
