//! Puzzles: positions in which the side to move, the *solver*, has to find at least two moves in a
//! row, each of them the only move that keeps the result.

use super::criteria::{margin, needed};
use super::finder::Found;
use super::theme::Theme;
use sakmak::board::{Color, Move, Position};
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};

/// The smallest number of the solver's moves in a puzzle's solution.
const FEWEST: usize = 2;
/// The largest number of the solver's moves in a solution. Longer solutions are cut off.
const MOST: usize = 40;

/// A puzzle with its solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position, with a fresh count.
    pub position: Position,
    /// The result that the solver has to reach.
    pub goal: Stipulation,
    /// The solver's moves and the replies, in order. The solution ends at the latest before the
    /// solver's first move that is not the only one to keep the result.
    pub moves: Vec<PuzzleMove>,
    /// True if the solution ends with mate.
    pub is_mate: bool,
    /// The margin: the moves that the count leaves minus the moves that the winner needs.
    pub margin: Option<i32>,
    /// The number of moves that the count leaves the winner.
    pub available: Option<u32>,
    /// The number of moves that the winner needs: the distance to honor or, without one, to mate.
    pub needed: Option<u32>,
}

/// The result that the solver has to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stipulation {
    /// A win inside the count. The solution need not end with mate.
    Win,
    /// A draw, whether by the count or not.
    Draw,
}

/// A move of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleMove {
    /// The position before the move.
    pub before: Position,
    /// The count before the move.
    pub count: Count,
    /// The move itself.
    pub m: Move,
    /// The number of legal moves in the position before the move.
    pub legal: usize,
}

impl Puzzle {
    /// Makes a puzzle from a position. None if the solution has fewer than two moves by the solver.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::best_moves`].
    pub fn of(
        tablebase: &Tablebase,
        rules: RuleSet,
        found: &Found,
    ) -> Result<Option<Puzzle>, ProbeError> {
        let solver = found.position.turn();
        let goal = match found.value.category {
            Category::Win => Stipulation::Win,
            Category::Loss => return Ok(None),
            _ => Stipulation::Draw,
        };
        // The side whose moves the count limits.
        let winner = match goal {
            Stipulation::Win => solver,
            Stipulation::Draw => !solver,
        };
        let mut puzzle = Puzzle {
            position: found.position,
            goal,
            moves: Vec::new(),
            is_mate: false,
            margin: margin(&found.value),
            available: found.value.allowance.map(|left| left.moves_available),
            needed: needed(&found.value),
        };
        let mut replies = Vec::new();
        let (mut position, mut count) = (found.position, Count::Fresh);
        while puzzle.moves.len() + replies.len() < 2 * MOST {
            if count.is_over(rules, solver == winner) {
                break;
            }
            let Some(m) = only_move(tablebase, rules, &position, &count, goal)? else {
                break;
            };
            // A reply belongs to the solution only if the solver has an answer to it.
            puzzle.moves.append(&mut replies);
            puzzle.moves.push(m);
            let next = position.play(m.m);
            count = count.after(rules, &position, &next, winner);
            let ranked = tablebase.best_moves(&next, rules, &count)?;
            let Some(reply) = ranked.first() else {
                puzzle.is_mate = next.is_check();
                break;
            };
            replies.push(PuzzleMove {
                before: next,
                count,
                m: reply.m,
                legal: ranked.len(),
            });
            position = next.play(reply.m);
            count = count.after(rules, &next, &position, winner);
        }
        let long_enough = puzzle.solver_moves().count() >= FEWEST;
        Ok(long_enough.then_some(puzzle))
    }

    /// The side that has to solve the puzzle.
    pub fn solver(&self) -> Color {
        self.position.turn()
    }

    /// The solver's moves.
    pub fn solver_moves(&self) -> impl Iterator<Item = &PuzzleMove> {
        let solver = self.solver();
        self.moves.iter().filter(move |m| m.before.turn() == solver)
    }

    /// The difficulty of the puzzle, from 1 to 5. It depends on the length of the solution, the
    /// number of legal moves, the solver's quiet moves, and the margin.
    pub fn grade(&self) -> u8 {
        let moves = self.solver_moves().count();
        let quiet = self.solver_moves().filter(|m| m.is_quiet()).count();
        let choice: usize = self.solver_moves().map(|m| m.legal).sum();
        let tight = self.margin.is_some_and(|margin| (-1..=1).contains(&margin));
        let points = moves + quiet + choice / (4 * moves.max(1)) + usize::from(tight);
        match points {
            0..=5 => 1,
            6..=8 => 2,
            9..=12 => 3,
            13..=18 => 4,
            _ => 5,
        }
    }

    /// The theme of the puzzle. None if it is not about promotion.
    pub fn theme(&self) -> Option<Theme> {
        Theme::of(&self.position, self.goal == Stipulation::Win)
    }

    /// True if the first move of the solution promotes a bia.
    pub fn promotes(&self) -> bool {
        self.moves.first().is_some_and(|m| m.m.promotion.is_some())
    }

    /// The task of the solver, in words.
    pub fn task(&self) -> String {
        let (solver, other) = match self.solver() {
            Color::White => ("White", "Black"),
            Color::Black => ("Black", "White"),
        };
        match self.theme() {
            Some(Theme::PromoteOrWait) => {
                return format!("{solver} to move and win: promote or wait?");
            }
            Some(Theme::StopPromotion) => {
                return format!("{solver} to move and draw: stop the promotion");
            }
            None => {}
        }
        let bare = self.position.by_color(self.solver()).len() == 1;
        match (self.goal, bare) {
            (Stipulation::Win, _) => format!("{solver} to move and win inside the count"),
            (Stipulation::Draw, true) => {
                format!("{solver} to move and hold out until the count is over")
            }
            (Stipulation::Draw, false) => format!("{solver} to move and draw against {other}"),
        }
    }
}

impl PuzzleMove {
    /// True if the move is neither a capture nor a check.
    pub fn is_quiet(&self) -> bool {
        !self.before.is_capture(self.m) && !self.before.play(self.m).is_check()
    }
}

/// The only move that reaches the goal. `None` if several moves reach it, or if the position has
/// only one legal move.
fn only_move(
    tablebase: &Tablebase,
    rules: RuleSet,
    position: &Position,
    count: &Count,
    goal: Stipulation,
) -> Result<Option<PuzzleMove>, ProbeError> {
    let least = match goal {
        Stipulation::Win => 1,
        Stipulation::Draw => 0,
    };
    let ranked = tablebase.best_moves(position, rules, count)?;
    let reaches = |category: Category| category.points() >= least;
    let mut reaching = ranked.iter().filter(|m| reaches(m.category));
    Ok(match (reaching.next(), reaching.next()) {
        (Some(only), None) if ranked.len() > 1 => Some(PuzzleMove {
            before: *position,
            count: *count,
            m: only.m,
            legal: ranked.len(),
        }),
        _ => None,
    })
}
