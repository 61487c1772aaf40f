//! Probes many positions at once: takes a list and returns arrays.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyByteArray, PyDict};
use tablebase::probe::{Distance, Tablebase};
use tablebase::rules::{Category, Count, RuleSet};

use crate::arguments::Letters;
use crate::errors::Failure;

/// The smallest number of positions for which it pays to start another thread.
const MIN_PER_THREAD: usize = 4096;

/// The value in the arrays for a missing distance.
const NO_DISTANCE: i16 = -1;

/// The value in the arrays for a missing category. Categories have the same numbers as in the C
/// library.
const NO_ANSWER: i8 = 4;

/// One position's values in the three result arrays.
#[derive(Clone, Copy)]
struct Row {
    category: i8,
    dtm: i16,
    dth: i16,
}

impl Row {
    const EMPTY: Row = Row {
        category: NO_ANSWER,
        dtm: NO_DISTANCE,
        dth: NO_DISTANCE,
    };
}

/// The results for many positions.
pub struct Answers {
    rows: Vec<Row>,
    errors: Vec<(usize, Failure)>,
}

/// Probes FENs, each with its own count, with several threads.
pub fn probe(
    tables: &Tablebase,
    fens: &[PyBackedStr],
    rules: RuleSet,
    letters: Letters,
) -> Answers {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let share = fens.len().div_ceil(threads).max(MIN_PER_THREAD);
    let mut rows = vec![Row::EMPTY; fens.len()];
    let parts = fens.chunks(share).zip(rows.chunks_mut(share)).enumerate();
    let parts = Mutex::new(parts);
    let work = || {
        let mut errors = Vec::new();
        loop {
            let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, (fens, rows))) = next else {
                return errors;
            };
            errors.extend(part(tables, fens, rows, rules, letters, number * share));
        }
    };
    let mut errors = std::thread::scope(|scope| {
        // If the system refuses a thread, the others do its part.
        let threads: Vec<_> = (1..fens.len().div_ceil(share))
            .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut errors = work();
        for thread in threads {
            match thread.join() {
                Ok(found) => errors.extend(found),
                Err(fault) => std::panic::resume_unwind(fault),
            }
        }
        errors
    });
    errors.sort_unstable_by_key(|&(index, _)| index);
    Answers { rows, errors }
}

/// Probes a part of the list of FENs. `start` is the index in the whole list of the part's first
/// FEN. Returns the errors, each with the index of its FEN.
fn part(
    tables: &Tablebase,
    fens: &[PyBackedStr],
    rows: &mut [Row],
    rules: RuleSet,
    letters: Letters,
    start: usize,
) -> Vec<(usize, Failure)> {
    let mut errors = Vec::new();
    for (index, (fen, row)) in (start..).zip(fens.iter().zip(rows)) {
        match one(tables, fen, rules, letters) {
            Ok(found) => *row = found,
            Err(error) => errors.push((index, error)),
        }
    }
    errors
}

fn one(tables: &Tablebase, fen: &str, rules: RuleSet, letters: Letters) -> Result<Row, Failure> {
    let fen = letters.read(fen, rules)?;
    let position = &fen.position;
    let value = tables.probe(position, rules, &Count::from_fen(&fen))?;
    Ok(Row {
        category: number(value.category),
        dtm: moves(Some(value.dtm)),
        dth: moves(value.dth),
    })
}

fn number(category: Category) -> i8 {
    match category {
        Category::Loss => -2,
        Category::BlessedLoss => -1,
        Category::Draw => 0,
        Category::CursedWin => 1,
        Category::Win => 2,
    }
}

fn moves(distance: Option<Distance>) -> i16 {
    let moves = distance.and_then(Distance::moves);
    moves.map_or(NO_DISTANCE, |moves| moves.0.try_into().unwrap_or(i16::MAX))
}

impl Answers {
    /// Converts the results to `sakmak.Many`: three arrays, and the errors by index.
    pub fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let array = |letter: &str, bytes: Vec<u8>| {
            let array = py.import("array")?.getattr("array")?.call1((letter,))?;
            array.call_method1("frombytes", (PyByteArray::new(py, &bytes),))?;
            PyResult::Ok(array)
        };
        let rows = self.rows.iter();
        let categories = rows
            .clone()
            .map(|row| row.category.cast_unsigned())
            .collect();
        let dtm = rows.clone().flat_map(|row| row.dtm.to_ne_bytes()).collect();
        let dth = rows.flat_map(|row| row.dth.to_ne_bytes()).collect();
        let errors = PyDict::new(py);
        for (place, failure) in self.errors {
            errors.set_item(place, PyErr::from(failure).into_value(py))?;
        }
        let many = py.import("sakmak.documents")?.getattr("Many")?;
        many.call1((
            array("b", categories)?,
            array("h", dtm)?,
            array("h", dth)?,
            errors,
        ))
    }
}
