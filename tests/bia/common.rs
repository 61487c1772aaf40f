//! Solved endings, with bia and without, and their values of single positions.

use std::sync::{Arc, OnceLock};

use sakmak::board::{Color, Position, Role, SquareSet};
use sakmak::generate::SolvedEndings;
use sakmak::index::Bia;
use sakmak::internals::{BiaSolution, Goal, Solution};
use sakmak::material::Material;
use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet, moves_available};

use crate::making::make;
use crate::naive::Value;

pub const HONOR: Goal = Goal::Honor(RuleSet::Makruk);

/// A directory with the tables of these sets, and a tablebase of it.
pub fn tables(sets: &[&str]) -> (tempfile::TempDir, Tablebase) {
    let directory = tempfile::tempdir().unwrap();
    for set in sets {
        make(set, directory.path());
    }
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();
    (directory, tablebase)
}

/// Endings of each kind: against a bare king with a man or a bia beside the bia, and with bia on
/// one side or both.
pub const SHARED: [&str; 5] = ["KRPvK", "KSPvK", "KPPvK", "KRvKP", "KPvKP"];

/// Tables of [`SHARED`] and of their subendings, made once.
pub fn shared_tables() -> &'static Tablebase {
    static TABLES: OnceLock<(tempfile::TempDir, Tablebase)> = OnceLock::new();
    &TABLES.get_or_init(|| tables(&SHARED)).1
}

/// A random legal position of an ending; either colour may have either side's men.
pub fn by_chance(chance: &mut fastrand::Rng, name: &str) -> Position {
    let game = material(name).game();
    loop {
        let swap = chance.bool();
        let men = material(name).roles().map(|(color, role)| {
            let color = if swap { !color } else { color };
            let squares = match role {
                Role::Bia => game.bia_home(color),
                _ => SquareSet::ALL,
            };
            let square = squares.into_iter().nth(chance.usize(0..squares.len()));
            (square.unwrap(), color, role)
        });
        let men: Vec<_> = men.collect();
        let turn = Color::ALL[usize::from(chance.bool())];
        if let Ok(position) = Position::from_men(men, turn) {
            return position;
        }
    }
}

pub fn material(name: &str) -> Material {
    name.parse().unwrap()
}

/// The number of positions on the whole board: all and those won with the winner to move, all and
/// those lost with the loser to move.
pub fn counts(solution: &BiaSolution) -> [u64; 4] {
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

/// Both sides' bia.
pub fn bia_of(position: &Position) -> Bia {
    Bia::new(Color::ALL.map(|color| position.men(color, Role::Bia)))
}

/// An ending with bia, solved for each side that has men.
pub fn solve(
    solved_endings: &mut SolvedEndings,
    material: Material,
    goal: Goal,
) -> [Option<Arc<BiaSolution>>; 2] {
    Color::ALL.map(|winner| {
        let has_men = !material.army(winner).is_empty();
        has_men.then(|| solved_endings.bia_solution(material, winner, goal))
    })
}

/// The solver's value of a legal position.
pub fn value(
    solved: &[Option<Arc<BiaSolution>>; 2],
    turn: Color,
    men: impl Fn(Color, Role) -> SquareSet,
) -> Value {
    let bia = Bia::new(Color::ALL.map(|color| men(color, Role::Bia)));
    let mut found = Value::Draw;
    for winner in Color::ALL {
        let Some(solution) = &solved[winner.index()] else {
            continue;
        };
        let king = |color| men(color, Role::King).first().unwrap();
        let (slice, lane, transform) = solution.lane(bia, king(winner), &men);
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

/// The winner's moves in a position that it wins.
pub fn moves(solution: &BiaSolution, winner: Color, position: &Position) -> Option<u32> {
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

/// The winner's moves in a position without bia, if it wins.
pub fn pawnless_moves(solution: &Solution, winner: Color, position: &Position) -> Option<u32> {
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

/// Endings with bia and those that they lead to.
#[derive(Default)]
pub struct Libraries {
    bia: SolvedEndings,
    pawnless: SolvedEndings,
}

impl Libraries {
    /// The winner's moves, if it wins. Without bia the goal honor is reached if a fresh count
    /// leaves enough moves.
    pub fn moves(&mut self, winner: Color, goal: Goal, position: &Position) -> Option<u32> {
        let material = position.material();
        if material.army(winner).is_empty() {
            return None;
        }
        if !position.is_pawnless() {
            let solution = self.bia.bia_solution(material, winner, goal);
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
}
