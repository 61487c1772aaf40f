//! Writes a puzzle's solution as text.

use sakmak::board::{Color, Lettering};
use sakmak::material::CanonicalMaterial;
use sakmak_play::find::{Puzzle, Theme};

/// A puzzle with its ending.
pub struct Numbered {
    pub ending: CanonicalMaterial,
    pub puzzle: Puzzle,
}

/// The numbered moves of a solution, for example `1. Rd4 Kc3 2. Kb1`.
pub fn solution(puzzle: &Puzzle, lettering: Lettering) -> String {
    let mut words = Vec::new();
    let mut number = 1;
    for (i, m) in puzzle.moves.iter().enumerate() {
        let white = m.before.turn() == Color::White;
        match white {
            true => words.push(format!("{number}.")),
            false if i == 0 => words.push(format!("{number}...")),
            false => {}
        }
        words.push(m.before.san(m.m, lettering));
        number += u32::from(!white);
    }
    words.join(" ")
}

/// States how many moves the count leaves and how many the winner needs. Empty if either number is
/// unknown.
pub fn allowance(puzzle: &Puzzle) -> String {
    match (puzzle.available, puzzle.needed) {
        (Some(available), Some(needed)) => format!("{available} moves allowed, {needed} needed"),
        _ => String::new(),
    }
}

/// The remark printed beside a puzzle: its grade, its number of only moves, and its margin.
pub fn about(numbered: &Numbered) -> String {
    let puzzle = &numbered.puzzle;
    let moves = puzzle.solver_moves().count();
    let margin = match puzzle.margin {
        None => String::new(),
        Some(margin @ 0..) => format!(", {margin} to spare"),
        Some(margin) => format!(", the count is short by {}", -margin),
    };
    let answer = match (puzzle.theme(), puzzle.promotes()) {
        (Some(Theme::PromoteOrWait), true) => "promote; ",
        (Some(Theme::PromoteOrWait), false) => "wait; ",
        _ => "",
    };
    format!(
        "{answer}grade {} of 5, {moves} only moves{margin}",
        puzzle.grade()
    )
}
