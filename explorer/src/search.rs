//! Searches an ending for positions.

use super::answer::json;
use super::refusal::Refusal;
use super::values::{self, CATEGORIES, LIMIT, RANGE, TURN, moves_range};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSet;
use sakmak_play::find::{Capture, Criteria, Cursor, FindError, FirstMove, Promotion};

/// A search for positions, with its criteria.
#[derive(Clone, Debug)]
pub struct Search {
    ending: CanonicalMaterial,
    wanted: Criteria,
    limit: usize,
    seed: u64,
}

impl Search {
    /// Parses parameters: `ending`, and the options of `sakmak find` with `_` for `-`; `men` may be
    /// repeated. Ignores other parameters.
    ///
    /// # Errors
    ///
    /// If there is no ending, a value is invalid, or the options contradict each other.
    pub fn parse(parameters: impl Iterator<Item = (String, String)>) -> Result<Search, Refusal> {
        let mut ending = None;
        let mut wanted = Criteria::new(RuleSet::Makruk);
        let (mut limit, mut seed) = (10, 1);
        for (name, value) in parameters {
            let bad = |what: &str| Refusal::input(format!("{name} is {value:?}: give {what}"));
            match name.as_str() {
                "ending" => ending = Some(values::ending(&value)?),
                "rules" => wanted.rules = value.parse()?,
                "turn" => wanted.turn = values::turn(&value).ok_or_else(|| bad(TURN))?,
                "verdict" => {
                    let verdict = values::category(&value);
                    wanted.category = Some(verdict.ok_or_else(|| bad(CATEGORIES))?);
                }
                "dtm" => {
                    let range = moves_range(&value);
                    wanted.dtm = Some(range.ok_or_else(|| bad(RANGE))?);
                }
                "margin" => {
                    let margin = value.parse();
                    wanted.margin = Some(margin.map_err(|_| bad("a whole number of moves"))?);
                }
                "only_move" => wanted.only_move = flag(&value).ok_or_else(|| bad(FLAG))?,
                "zugzwang" => wanted.zugzwang = flag(&value).ok_or_else(|| bad(FLAG))?,
                "capture" => {
                    let capture = Capture::from_name(&value);
                    wanted.capture = Some(capture.ok_or_else(|| bad("throws-win or saves-king"))?);
                }
                "first_move" => {
                    let first = FirstMove::from_name(&value);
                    let names = "quiet, check, capture or promotion";
                    wanted.first_move = Some(first.ok_or_else(|| bad(names))?);
                }
                "promotion" => {
                    let promotion = Promotion::from_name(&value);
                    let names = "throws-win, wins or only";
                    wanted.promotion = Some(promotion.ok_or_else(|| bad(names))?);
                }
                "men" => {
                    let region = value.parse();
                    wanted.men.push(
                        region.map_err(|_| bad("a man and its squares, as K@d4 or k@a-d1-4"))?,
                    );
                }
                "limit" => limit = values::limit(&value).ok_or_else(|| bad(LIMIT))?,
                "seed" => seed = value.parse().map_err(|_| bad("a whole number"))?,
                _ => {}
            }
        }
        wanted
            .check()
            .map_err(|error| Refusal::input(error.to_string()))?;
        let ending = ending.ok_or_else(|| {
            Refusal::input("no ending is given: add a parameter such as ending=KSMvK")
        })?;
        wanted
            .check_endings(&[ending])
            .map_err(|error| Refusal::input(error.to_string()))?;
        Ok(Search {
            ending,
            wanted,
            limit,
            seed,
        })
    }

    /// Finds matching positions, and returns one JSON object per line, as printed by `sakmak find
    /// --format json`. When `go_on` returns false, returns the positions found so far.
    ///
    /// # Errors
    ///
    /// If no position is found, or a table is missing or cannot be used. If `go_on` returns false
    /// before the first position, the error is [`Busy`](crate::RefusalKind::Busy), since more time
    /// may find one.
    pub fn answer(
        &self,
        tablebase: &Tablebase,
        go_on: impl Fn() -> bool + Sync,
    ) -> Result<String, Refusal> {
        let cursor = Cursor::new(tablebase, self.ending, &self.wanted, self.seed);
        let mut cursor = cursor.map_err(find_refusal)?;
        let mut answer = String::new();
        for _ in 0..self.limit {
            let Some(found) = cursor.next_while(tablebase, &go_on) else {
                break;
            };
            let document = found?.document(tablebase, self.ending, self.wanted.rules)?;
            answer += &json(&document)?;
        }
        match (answer.is_empty(), cursor.was_stopped()) {
            (false, _) => Ok(answer),
            (true, false) => Err(Refusal::not_found(format!(
                "no matching position in {}: use fewer filters",
                self.ending
            ))),
            (true, true) => Err(Refusal::busy(format!(
                "no matching position in {} was found in the time allowed: use fewer filters, or try again later",
                self.ending
            ))),
        }
    }
}

/// Converts an error at the start of a search to a refusal.
pub(super) fn find_refusal(error: FindError) -> Refusal {
    match error {
        FindError::Criteria(error) => Refusal::input(error.to_string()),
        FindError::Probe(error) => error.into(),
    }
}

const FLAG: &str = "true or false";

/// Parses the value of a switch. An empty value switches it on.
fn flag(value: &str) -> Option<bool> {
    match value {
        "" | "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}
