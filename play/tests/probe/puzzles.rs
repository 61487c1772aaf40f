//! Puzzles are solved again by the naive solver.

use std::collections::HashMap;

use sakmak::board::{Color, Position, Role, Square};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Options;
use sakmak::rules::RuleSet;
use sakmak_play::find::{Criteria, Finder, Puzzle, Stipulation};

use crate::common::{tablebase, tables};
use crate::naive_solver::{NaiveTable, Value, moves_after_baring};

/// The naive tables of endings with a bare black king.
struct Naive(HashMap<CanonicalMaterial, NaiveTable>);

impl Naive {
    fn value(&mut self, position: &Position) -> Value {
        if position.occupied().len() == 2 {
            return Value::Draw;
        }
        let (material, _) = position.material().canonical();
        let table = self
            .0
            .entry(material)
            .or_insert_with(|| NaiveTable::solve(material));
        let mut squares: Vec<Square> = Vec::new();
        for color in Color::ALL {
            for role in Role::ALL {
                squares.extend(position.men(color, role));
            }
        }
        table.value(&squares, position.turn())
    }
}

/// Solves puzzles of an ending again, and returns their number.
fn solve_again(naive: &mut Naive, name: &str, turn: Color, most: usize) -> usize {
    let directory = std::env::var_os("SAKMAK_TABLES");
    let directory = directory
        .as_ref()
        .map_or(tables(), |path| std::path::Path::new(path));
    let tablebase = tablebase(directory, &Options::default());
    let wanted = Criteria {
        turn: Some(turn),
        only_move: true,
        ..Criteria::new(RuleSet::Makruk)
    };
    let finder = Finder::new(&tablebase, name.parse().unwrap(), &wanted, 11).unwrap();
    let puzzles = finder
        .filter_map(|found| Puzzle::of(&tablebase, RuleSet::Makruk, &found.unwrap()).unwrap());
    let mut solved = 0;
    for puzzle in puzzles.take(most) {
        solved += 1;
        let men: Vec<(Color, Role)> = puzzle.position.material().roles().collect();
        let fresh = moves_after_baring(RuleSet::Makruk, &men);
        // White's move comes before the first counted one.
        let mut left = fresh + u32::from(puzzle.position.turn() == Color::White);
        let mut position = puzzle.position;
        for (i, m) in puzzle.moves.iter().enumerate() {
            assert_eq!(m.before, position);
            let white_moves = position.turn() == Color::White;
            let left_after = left - u32::from(white_moves);
            if position.turn() == puzzle.solver() {
                let keeping: Vec<_> = position
                    .legal_moves()
                    .iter()
                    .copied()
                    .filter(|&m| {
                        let value = naive.value(&position.play(m));
                        let won =
                            matches!(value, Value::Win(Color::White, moves) if moves <= left_after);
                        won == (puzzle.goal == Stipulation::Win)
                    })
                    .collect();
                assert_eq!(keeping, [m.m], "{name}, move {i}: {position:?}");
            }
            position = position.play(m.m);
            left = left_after;
        }
        assert_eq!(puzzle.is_mate, position.is_checkmate());
        assert!((1..=5).contains(&puzzle.grade()));
    }
    solved
}

#[test]
fn each_move_of_a_puzzle_is_the_only_one() {
    let mut naive = Naive(HashMap::new());
    for turn in Color::ALL {
        assert!(solve_again(&mut naive, "KRvK", turn, 100) > 10, "{turn}");
    }
}

#[test]
#[ignore = "slow: run with --ignored"]
fn two_hundred_puzzles_are_solved_again_by_the_naive_solver() {
    let mut naive = Naive(HashMap::new());
    let mut solved = 0;
    for name in ["KSMvK", "KNMvK"] {
        for turn in Color::ALL {
            solved += solve_again(&mut naive, name, turn, 50);
        }
    }
    println!("{solved} puzzles solved again");
    assert_eq!(solved, 200);
}
