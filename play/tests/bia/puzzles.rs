//! Solves puzzles about promotion again, without the tables.

use sakmak::board::{Color, Position, Role, Square};
use sakmak::internals::Goal;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet, moves_available};
use sakmak_play::find::{Criteria, Puzzle, Puzzles, Stipulation, Theme};

use crate::common::{HONOR, Libraries, material, shared_tables};
use crate::naive::Value;
use crate::naive::bia::{Aim, NaiveBook};

const MAKRUK: RuleSet = RuleSet::Makruk;

/// Decides whether a side wins a position with bia.
trait Judge {
    fn wins(&mut self, winner: Color, position: &Position) -> bool;
}

/// The solver, without tables.
#[derive(Default)]
struct Solved(Libraries);

impl Judge for Solved {
    fn wins(&mut self, winner: Color, position: &Position) -> bool {
        self.0.moves(winner, HONOR, position).is_some()
    }
}

/// The naive solver.
struct Naive(NaiveBook);

impl Judge for Naive {
    fn wins(&mut self, winner: Color, position: &Position) -> bool {
        let table = self
            .0
            .table(position.material().roles().collect(), Aim::Honor);
        let mut free = Color::ALL.map(|color| {
            Role::ALL.map(|role| {
                position
                    .men(color, role)
                    .collect::<Vec<Square>>()
                    .into_iter()
            })
        });
        let men = table.men().iter();
        let squares: Vec<Square> = men
            .map(|&(color, role)| free[color.index()][role as usize].next().unwrap())
            .collect();
        matches!(table.value(&squares, position.turn()), Value::Win(side, _) if side == winner)
    }
}

/// Solves a puzzle move by move; each move of the solver must be the only one that reaches the
/// goal. Returns the number of moves.
fn solve_again(judge: &mut dyn Judge, pawnless: &mut Libraries, puzzle: &Puzzle) -> usize {
    let solver = puzzle.solver();
    let winner = match puzzle.goal {
        Stipulation::Win => solver,
        Stipulation::Draw => !solver,
    };
    let mut position = puzzle.position;
    // The moves that the count leaves the winner, once it has begun.
    let mut left: Option<u32> = None;
    for (i, m) in puzzle.moves.iter().enumerate() {
        assert_eq!(m.before, position);
        let mut won_after = |m| {
            let next = position.play(m);
            if !next.is_pawnless() {
                return judge.wins(winner, &next);
            }
            if next.material().army(winner).is_empty() {
                return false;
            }
            let left = left_after(left, winner, &position, &next);
            let is_bare = next.material().army(!winner).is_empty();
            let aim = if is_bare { Goal::Mate } else { HONOR };
            let moves = pawnless.moves(winner, aim, &next);
            moves.is_some_and(|moves| !is_bare || moves <= left.unwrap())
        };
        if position.turn() == solver {
            let reaches =
                |m: &sakmak::board::Move| won_after(*m) == (puzzle.goal == Stipulation::Win);
            let reaching: Vec<_> = position
                .legal_moves()
                .iter()
                .copied()
                .filter(reaches)
                .collect();
            assert_eq!(reaching, [m.m], "move {i}: {position:?}");
        }
        let next = position.play(m.m);
        left = match next.is_pawnless() {
            true => left_after(left, winner, &position, &next),
            false => None,
        };
        position = next;
    }
    puzzle.moves.len()
}

/// The moves that a count leaves the winner after a move: the count begins when the last bia goes.
fn left_after(
    left: Option<u32>,
    winner: Color,
    before: &Position,
    after: &Position,
) -> Option<u32> {
    match left {
        Some(left) => Some(left.saturating_sub(u32::from(before.turn() == winner))),
        None => moves_available(
            MAKRUK,
            after.material(),
            winner,
            after.turn(),
            &Count::Fresh,
        ),
    }
}

/// Solves a number of puzzles of a theme again, all with a bare king, and returns how many begin
/// with a promotion.
fn solve_theme(
    tablebase: &Tablebase,
    judge: &mut dyn Judge,
    names: &[&str],
    (theme, men, number): (Theme, &[&str], usize),
) -> usize {
    let endings: Vec<CanonicalMaterial> = names
        .iter()
        .map(|name| material(name).canonical().0)
        .collect();
    let wanted = Criteria {
        men: men.iter().map(|man| man.parse().unwrap()).collect(),
        ..Criteria::new(MAKRUK)
    };
    let puzzles = Puzzles::of_theme(tablebase, &endings, &wanted, theme, 11).unwrap();
    let mut pawnless = Libraries::default();
    let (mut solved, mut promoting) = (0, 0);
    for puzzle in puzzles.take(number) {
        let (_, puzzle) = puzzle.unwrap();
        assert_eq!(puzzle.theme(), Some(theme));
        assert!(solve_again(judge, &mut pawnless, &puzzle) >= 3);
        assert!((1..=5).contains(&puzzle.grade()));
        solved += 1;
        promoting += usize::from(puzzle.promotes());
    }
    assert_eq!(solved, number, "{names:?} {theme:?}");
    promoting
}

#[test]
fn puzzles_about_promotion_have_one_solution() {
    let tablebase = shared_tables();
    let mut judge = Solved::default();
    let mut solve = |theme| solve_theme(tablebase, &mut judge, &["KSPvK"], (theme, &[], 20));
    let promoting = solve(Theme::PromoteOrWait);
    assert_eq!(promoting, 10);
    assert_eq!(solve(Theme::StopPromotion), 0);
}

#[test]
#[ignore = "slow: run with --ignored"]
fn two_hundred_puzzles_about_promotion_are_solved_again_by_the_naive_solver() {
    let tablebase = shared_tables();
    let mut judge = Naive(NaiveBook::whole());
    let names = ["KSPvK", "KRPvK"];
    let mut solve = |theme, number| {
        let promoting = solve_theme(tablebase, &mut judge, &names, (theme, &[], number));
        println!("{number} puzzles solved again, {promoting} by a promotion at once");
    };
    solve(Theme::PromoteOrWait, 150);
    solve(Theme::StopPromotion, 50);
}
