//! Puzzles from several endings, and the JSON document of a puzzle.

use std::collections::VecDeque;

use serde::Serialize;

use super::contradiction::CriteriaError;
use super::criteria::Criteria;
use super::finder::{Cursor, FindError};
use super::puzzle::{Puzzle, Stipulation};
use super::theme::Theme;
use sakmak::board::{Fen, Game};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::RuleSet;

/// A search of several endings for puzzles. The endings take turns, with one puzzle each.
#[derive(Debug)]
pub struct Puzzles<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    theme: Option<Theme>,
    searches: VecDeque<(CanonicalMaterial, Cursor)>,
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
        }
        None
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
