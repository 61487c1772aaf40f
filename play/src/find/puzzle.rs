//! Puzzles: positions in which the side to move, the *solver*, has to find at least two moves in a
//! row, each of them the only move that keeps the result. Their themes, their search in several
//! endings, and their JSON document.

use std::collections::VecDeque;

use sakmak::board::{Color, Fen, Game, Move, Position, Role, attacks};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};
use serde::Serialize;

use super::contradiction::CriteriaError;
use super::criteria::{Criteria, Promotion, can_promote, margin, needed};
use super::finder::{Cursor, FindError, Found};

/// The theme of a puzzle about promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Theme {
    /// The solver can promote at once, and has only one winning move: a promotion or another move.
    PromoteOrWait,
    /// The solver has to draw against a bia that is one step from promotion.
    StopPromotion,
}

impl Theme {
    /// Both themes.
    pub const ALL: [Theme; 2] = [Theme::PromoteOrWait, Theme::StopPromotion];

    /// The name in options and documents.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::PromoteOrWait => "promote-or-wait",
            Theme::StopPromotion => "stop-promotion",
        }
    }

    /// The theme with this name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The theme of a position, if it has one. `wins` is true if the side to move has to win, false
    /// if it has to draw.
    pub(super) fn of(position: &Position, wins: bool) -> Option<Theme> {
        match wins {
            true => can_promote(Game::Makruk, position).then_some(Theme::PromoteOrWait),
            false => is_threatened(position).then_some(Theme::StopPromotion),
        }
    }

    /// The criteria for an ending's puzzles of this theme: those in `wanted` combined with the
    /// theme's own. Returns one element for each search. For each side with bia,
    /// [`Theme::PromoteOrWait`] needs two searches: one for positions in which promotion is the
    /// solution, and one for those in which it is not.
    pub(super) fn wanted(self, ending: CanonicalMaterial, wanted: &Criteria) -> Vec<Criteria> {
        let has_bia = |side: &Color| !ending.army(*side).is_pawnless();
        let mut all = Vec::new();
        for side in Color::ALL.into_iter().filter(has_bia) {
            let turn = match self {
                Theme::PromoteOrWait => side,
                Theme::StopPromotion => !side,
            };
            let answers: &[Option<Promotion>] = match self {
                Theme::PromoteOrWait => &[Some(Promotion::ThrowsWin), Some(Promotion::Only)],
                Theme::StopPromotion => &[None],
            };
            all.extend(answers.iter().map(|&promotion| Criteria {
                turn: Some(turn),
                promotion,
                only_move: true,
                ..wanted.clone()
            }));
        }
        all
    }
}

/// True if the side that is not to move has a bia one step from promotion.
fn is_threatened(position: &Position) -> bool {
    let other = !position.turn();
    let mut bia = position.men(other, Role::Bia);
    bia.any(|from| {
        let mut steps = attacks::bia_step(other, from);
        steps.any(|to| Game::Makruk.promotes(other, to))
    })
}

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

/// A search of several endings for puzzles. The endings take turns, with one puzzle each.
#[derive(Debug)]
pub struct Puzzles<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    theme: Option<Theme>,
    searches: VecDeque<(CanonicalMaterial, Cursor)>,
    /// True if the caller has ended the search of an ending.
    stopped: bool,
}

impl<'a> Puzzles<'a> {
    /// Searches for puzzles among matching positions.
    ///
    /// # Errors
    ///
    /// If the criteria contradict each other, or a table is missing or cannot be used.
    pub fn new(
        tablebase: &'a Tablebase,
        endings: &[CanonicalMaterial],
        wanted: &Criteria,
        seed: u64,
    ) -> Result<Puzzles<'a>, FindError> {
        let wanted = endings.iter().map(|&ending| (ending, wanted.clone()));
        Puzzles::of(tablebase, wanted, None, seed)
    }

    /// Searches for puzzles of a theme among matching positions. The theme determines the side to
    /// move.
    ///
    /// # Errors
    ///
    /// As for [`Puzzles::new`], and if none of the endings has bia.
    pub fn of_theme(
        tablebase: &'a Tablebase,
        endings: &[CanonicalMaterial],
        wanted: &Criteria,
        theme: Theme,
        seed: u64,
    ) -> Result<Puzzles<'a>, FindError> {
        let of_ending = |&ending| {
            let all = theme.wanted(ending, wanted).into_iter();
            all.map(move |wanted| (ending, wanted))
        };
        let all: Vec<(CanonicalMaterial, Criteria)> = endings.iter().flat_map(of_ending).collect();
        match all.is_empty() {
            true => Err(CriteriaError::NoBia.into()),
            false => Puzzles::of(tablebase, all, Some(theme), seed),
        }
    }

    fn of(
        tablebase: &'a Tablebase,
        all: impl IntoIterator<Item = (CanonicalMaterial, Criteria)>,
        theme: Option<Theme>,
        seed: u64,
    ) -> Result<Puzzles<'a>, FindError> {
        let mut rules = RuleSet::Makruk;
        let mut searches = VecDeque::new();
        for (ending, wanted) in all {
            rules = wanted.rules;
            let cursor = Cursor::new(tablebase, ending, &wanted, seed)?;
            searches.push_back((ending, cursor));
        }
        Ok(Puzzles {
            tablebase,
            rules,
            theme,
            searches,
            stopped: false,
        })
    }

    /// Ends the search of each ending after this number of cells, rounded up to whole batches of
    /// blocks.
    pub fn limit_cells(&mut self, cells: u64) {
        for (_, cursor) in &mut self.searches {
            cursor.limit_cells(cells);
        }
    }

    /// Finds the next puzzle, and returns it with its ending. The search ends when `go_on` returns
    /// false.
    pub fn next_while(
        &mut self,
        go_on: impl Fn() -> bool + Sync,
    ) -> Option<Result<(CanonicalMaterial, Puzzle), ProbeError>> {
        while let Some((ending, mut cursor)) = self.searches.pop_front() {
            while let Some(found) = cursor.next_while(self.tablebase, &go_on) {
                let puzzle = found.and_then(|found| Puzzle::of(self.tablebase, self.rules, &found));
                match puzzle {
                    Err(error) => return Some(Err(error)),
                    Ok(Some(puzzle)) if self.theme.is_none() || puzzle.theme() == self.theme => {
                        self.searches.push_back((ending, cursor));
                        return Some(Ok((ending, puzzle)));
                    }
                    Ok(_) => {}
                }
            }
            self.stopped |= cursor.was_stopped();
        }
        None
    }

    /// True if `go_on` has ended the search of an ending, so that more time might find more.
    pub fn were_stopped(&self) -> bool {
        self.stopped || self.searches.iter().any(|(_, cursor)| cursor.was_stopped())
    }
}

impl Iterator for Puzzles<'_> {
    type Item = Result<(CanonicalMaterial, Puzzle), ProbeError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_while(|| true)
    }
}

/// The output of `find --puzzles --format json` for a puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleDocument {
    ending: String,
    fen: String,
    rules: RuleSet,
    side_to_move: String,
    goal: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<&'static str>,
    grade: u8,
    margin: Option<i32>,
    moves_available: Option<u32>,
    moves_needed: Option<u32>,
    /// The solver's moves and the replies, in order.
    solution: Vec<String>,
    moves: Vec<String>,
    checkmate: bool,
}

impl Puzzle {
    /// Converts the puzzle to a document.
    pub fn document(&self, ending: CanonicalMaterial, rules: RuleSet) -> PuzzleDocument {
        let lettering = rules.lettering();
        let solution = self.moves.iter().map(|m| m.before.san(m.m, lettering));
        PuzzleDocument {
            ending: ending.to_string(),
            fen: Fen::new(self.position).display(lettering).to_string(),
            rules,
            side_to_move: self.solver().to_string(),
            goal: match self.goal {
                Stipulation::Win => "win",
                Stipulation::Draw => "draw",
            },
            // The themes are about makruk's promotion to a met.
            theme: match ending.game() {
                Game::Makruk => self.theme().map(Theme::name),
                Game::Asean => None,
            },
            grade: self.grade(),
            margin: self.margin,
            moves_available: self.available,
            moves_needed: self.needed,
            solution: solution.collect(),
            moves: {
                let moves = self.moves.iter();
                moves.map(|m| m.m.uci(lettering).to_string()).collect()
            },
            checkmate: self.is_mate,
        }
    }
}
