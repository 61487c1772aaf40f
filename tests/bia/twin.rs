//! The solver agrees with the naive solver.

use sakmak::board::Color;
use sakmak::generate::SolvedEndings;
use sakmak::internals::Goal;

use crate::common::{HONOR, counts, material, solve, value};
use crate::naive::Value;
use crate::naive::bia::{Aim, NaiveBook};

/// Asserts that both solvers agree on every position, under both goals, with bia only on the
/// squares of the book.
fn assert_as_naive(book: &mut NaiveBook, name: &str) {
    let mut solved_endings = SolvedEndings::new();
    let mut legal = [0; 2];
    for (aim, goal) in [(Aim::Mate, Goal::Mate), (Aim::Honor, HONOR)] {
        let naive = book.table(material(name).roles().collect(), aim);
        let solved = solve(&mut solved_endings, material(name), goal);
        for turn in Color::ALL {
            let (mut positions, mut wins) = (0, [0; 2]);
            for squares in naive.placements() {
                let expected = naive.value(&squares, turn);
                if expected == Value::Illegal {
                    continue;
                }
                positions += 1;
                let men = |color, role| {
                    let men = naive.men().iter().zip(&squares);
                    let like = men.filter(|&(&man, _)| man == (color, role));
                    like.map(|(_, &square)| square).collect()
                };
                let found = value(&solved, turn, men);
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

#[test]
fn a_bia_alone_is_as_the_naive_solver_has_it() {
    assert_as_naive(&mut NaiveBook::whole(), "KPvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn last_steps_of_a_bia_are_as_the_naive_solver_has_them() {
    let mut book = NaiveBook::with_bia_from([4, 3]);
    for name in ["KSPvK", "KRvKP", "KMPvKP", "KPPvKP"] {
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
