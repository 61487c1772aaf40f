//! Searches for positions by their properties.

use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use play::find::{Capture, Criteria, Cursor, FindError, FirstMove, Promotion};
use pyo3::prelude::*;
use pythonize::pythonize;
use tablebase::board::Color;
use tablebase::material::CanonicalMaterial;
use tablebase::probe::Tablebase as Tables;
use tablebase::rules::{Category, RuleSet};

use crate::Tablebase;
use crate::errors::Failure;

/// The criteria of a search, as Python passes them.
pub struct RawCriteria<'a> {
    pub rules: &'a str,
    pub turn: &'a str,
    pub verdict: Option<&'a str>,
    pub dtm: Option<Lengths>,
    pub margin: Option<i32>,
    pub only_move: bool,
    pub capture: Option<&'a str>,
    pub promotion: Option<&'a str>,
    pub zugzwang: bool,
    pub first_move: Option<&'a str>,
    pub men: Vec<String>,
}

/// Distances to mate: one number of moves, or the least and the greatest.
#[derive(Clone, Copy, FromPyObject)]
pub enum Lengths {
    #[pyo3(annotation = "a number of moves")]
    One(u32),
    #[pyo3(annotation = "a pair of numbers")]
    Range(u32, u32),
}

impl From<Lengths> for RangeInclusive<u32> {
    fn from(lengths: Lengths) -> RangeInclusive<u32> {
        match lengths {
            Lengths::One(moves) => moves..=moves,
            Lengths::Range(least, greatest) => least..=greatest,
        }
    }
}

/// Looks up the caller's word `given` in a list of words with their values. None if the caller gave
/// no word. `name` is the name of the argument, for the error.
fn word<T: Copy>(
    name: &str,
    given: Option<&str>,
    words: &[(&str, T)],
) -> Result<Option<T>, Failure> {
    let Some(given) = given else {
        return Ok(None);
    };
    let found = words.iter().find(|(word, _)| *word == given);
    match found {
        Some(&(_, value)) => Ok(Some(value)),
        None => {
            let words: Vec<String> = words.iter().map(|(word, _)| format!("{word:?}")).collect();
            let words = words.join(" or ");
            Err(Failure::Input(format!("{name} is {given:?}: pass {words}")))
        }
    }
}

impl RawCriteria<'_> {
    /// Converts the criteria to those of the library.
    pub fn wanted(&self) -> Result<Criteria, Failure> {
        let turns = [
            ("white", Some(Color::White)),
            ("w", Some(Color::White)),
            ("black", Some(Color::Black)),
            ("b", Some(Color::Black)),
            ("any", None),
        ];
        let categories = Category::ALL.map(|category| (category.name(), category));
        let captures = [
            ("throws-win", Capture::ThrowsWin),
            ("saves-king", Capture::SavesKing),
        ];
        let promotions = Promotion::ALL.map(|promotion| (promotion.name(), promotion));
        let first_moves = FirstMove::ALL.map(|first| (first.name(), first));
        let men = self.men.iter().map(|region| {
            region
                .parse()
                .map_err(|error| Failure::Input(format!("{error}")))
        });
        let wanted = Criteria {
            rules: self.rules.parse()?,
            turn: word("turn", Some(self.turn), &turns)?.flatten(),
            category: word("verdict", self.verdict, &categories)?,
            dtm: self.dtm.map(RangeInclusive::from),
            margin: self.margin,
            only_move: self.only_move,
            capture: word("capture", self.capture, &captures)?,
            promotion: word("promotion", self.promotion, &promotions)?,
            zugzwang: self.zugzwang,
            first_move: word("first_move", self.first_move, &first_moves)?,
            men: men.collect::<Result<_, Failure>>()?,
        };
        wanted
            .check()
            .map_err(|error| Failure::Input(error.to_string()))?;
        Ok(wanted)
    }
}

/// Starts a search.
pub fn cursor(
    tables: &Tables,
    ending: CanonicalMaterial,
    wanted: &Criteria,
    seed: u64,
) -> Result<Cursor, Failure> {
    wanted
        .check_endings(&[ending])
        .map_err(|error| Failure::Input(error.to_string()))?;
    Cursor::new(tables, ending, wanted, seed).map_err(|error| match error {
        FindError::Probe(error) => Failure::Probe(error),
        FindError::Criteria(error) => Failure::Input(error.to_string()),
    })
}

/// An iterator over the positions that a search finds.
#[pyclass(frozen, module = "sakmak")]
pub struct Find {
    tablebase: Py<Tablebase>,
    cursor: Mutex<Cursor>,
    ending: CanonicalMaterial,
    rules: RuleSet,
}

impl Find {
    /// Wraps the cursor of a search.
    pub(crate) fn new(
        tablebase: Py<Tablebase>,
        cursor: Cursor,
        ending: CanonicalMaterial,
        rules: RuleSet,
    ) -> Find {
        Find {
            tablebase,
            cursor: Mutex::new(cursor),
            ending,
            rules,
        }
    }
}

#[pymethods]
impl Find {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let tablebase = self.tablebase.get();
        let document = py.detach(|| {
            tablebase.with(|tables| {
                let mut cursor = self.cursor.lock().unwrap_or_else(PoisonError::into_inner);
                let Some(found) = cursor.next(tables) else {
                    return Ok(None);
                };
                Ok(Some(found?.document(tables, self.ending, self.rules)?))
            })
        })?;
        document
            .map(|document| Ok(pythonize(py, &document)?))
            .transpose()
    }
}
