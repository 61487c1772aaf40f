//! Searches an ending for puzzles.

use super::answer::json;
use super::refusal::Refusal;
use super::search::find_refusal;
use super::values::{self, LIMIT, TURN};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSet;
use sakmak_play::find::{Criteria, Puzzles, Theme};

/// A search for puzzles, with its criteria.
#[derive(Clone, Debug)]
pub struct PuzzleSearch {
    ending: CanonicalMaterial,
    wanted: Criteria,
    theme: Option<Theme>,
    limit: usize,
    seed: u64,
    /// The maximum number of cells of the table that the search examines, rounded up to whole
    /// batches of blocks.
    most_cells: u64,
}

impl PuzzleSearch {
    /// Makes a search of an ending for puzzles under a rule set, with either side to move. The
    /// search finds at most `limit` puzzles, in an order determined by the seed.
    pub fn new(ending: CanonicalMaterial, rules: RuleSet, limit: usize, seed: u64) -> PuzzleSearch {
        PuzzleSearch {
            ending,
            wanted: Criteria {
                turn: None,
                only_move: true,
                ..Criteria::new(rules)
            },
            theme: None,
            limit,
            seed,
            most_cells: u64::MAX,
        }
    }

    /// Restricts the search to puzzles of `theme`, if there is one, and to about `most_cells` cells
    /// of the table.
    pub fn of_theme(self, theme: Option<Theme>, most_cells: u64) -> PuzzleSearch {
        PuzzleSearch {
            theme,
            most_cells,
            ..self
        }
    }

    /// Parses the parameters `ending`, `rules`, `turn` (w, b or any), `theme`, `limit`, `seed` and
    /// `cells`. Ignores other parameters. A theme determines the side to move.
    ///
    /// # Errors
    ///
    /// If there is no ending, or a value is invalid.
    pub fn parse(parameters: impl Iterator<Item = (String, String)>) -> Result<Self, Refusal> {
        let (mut ending, mut theme) = (None, None);
        let (mut rules, mut turn, mut limit, mut seed) = (RuleSet::Makruk, None, 10, 1);
        let mut most_cells = u64::MAX;
        for (name, value) in parameters {
            let bad = |what: &str| Refusal::input(format!("{name} is {value:?}: give {what}"));
            match name.as_str() {
                "ending" => ending = Some(values::ending(&value)?),
                "rules" => rules = value.parse()?,
                "turn" => turn = values::turn(&value).ok_or_else(|| bad(TURN))?,
                "theme" => {
                    let names = "promote-or-wait or stop-promotion";
                    theme = Some(Theme::from_name(&value).ok_or_else(|| bad(names))?);
                }
                "limit" => limit = values::limit(&value).ok_or_else(|| bad(LIMIT))?,
                "seed" => seed = value.parse().map_err(|_| bad("a whole number"))?,
                "cells" => most_cells = value.parse().map_err(|_| bad("a whole number"))?,
                _ => {}
            }
        }
        let ending = ending.ok_or_else(|| {
            Refusal::input("no ending is given: add a parameter such as ending=KSMvK")
        })?;
        let mut search = PuzzleSearch::new(ending, rules, limit, seed);
        search.wanted.turn = turn;
        Ok(search.of_theme(theme, most_cells))
    }

    /// Finds puzzles, and returns one JSON object per line, as printed by `sakmak find --puzzles
    /// --format json`. When `go_on` returns false, returns the puzzles found so far.
    ///
    /// # Errors
    ///
    /// If no puzzle is found, or a table is missing or cannot be used. If `go_on` returns false
    /// before the first puzzle, the error is [`Busy`](crate::RefusalKind::Busy), since more time
    /// may find one. If the search has a limit on cells, it is `Busy` whenever `go_on` returns false:
    /// then the same question has the same answer on every machine that has the time.
    pub fn answer(
        &self,
        tablebase: &Tablebase,
        go_on: impl Fn() -> bool + Sync,
    ) -> Result<String, Refusal> {
        let (answer, was_stopped) = self.search(tablebase, go_on)?;
        // A search that ends early may have missed puzzles that a longer one lists first.
        let must_end = answer.is_empty() || self.most_cells != u64::MAX;
        if was_stopped && must_end {
            return Err(Refusal::busy(format!(
                "the search for puzzles of {} did not end in the time allowed: try again later, or another ending",
                self.ending
            )));
        }
        match answer.is_empty() {
            false => Ok(answer),
            true => Err(Refusal::not_found(format!(
                "no puzzle of {} was found: try another ending or side to move",
                self.ending
            ))),
        }
    }

    /// Returns the puzzles found, one per line, and whether `go_on` has ended the search.
    pub(crate) fn search(
        &self,
        tablebase: &Tablebase,
        go_on: impl Fn() -> bool + Sync,
    ) -> Result<(String, bool), Refusal> {
        let (endings, wanted, seed) = (&[self.ending], &self.wanted, self.seed);
        let puzzles = match self.theme {
            Some(theme) => Puzzles::of_theme(tablebase, endings, wanted, theme, seed),
            None => Puzzles::new(tablebase, endings, wanted, seed),
        };
        let mut puzzles = puzzles.map_err(find_refusal)?;
        puzzles.limit_cells(self.most_cells);
        let mut answer = String::new();
        for _ in 0..self.limit {
            let Some(puzzle) = puzzles.next_while(&go_on) else {
                break;
            };
            let (ending, puzzle) = puzzle?;
            answer += &json(&puzzle.document(ending, self.wanted.rules))?;
        }
        Ok((answer, puzzles.were_stopped()))
    }
}
