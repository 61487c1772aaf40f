//! Probes many positions at once: takes a list and returns arrays.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyByteArray, PyBytes, PyDict};
use tablebase::board::Position;
use tablebase::probe::{Distance, Tablebase, Value};
use tablebase::rules::{Category, Count, RuleSet};

use crate::arguments::Letters;
use crate::arrays::Arrays;
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
pub struct Row {
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

    /// The row of a position.
    pub fn probe(
        tables: &Tablebase,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Row, Failure> {
        Ok(Row::of(&tables.probe(position, rules, count)?))
    }

    fn of(value: &Value) -> Row {
        Row {
            category: number(value.category),
            dtm: moves(Some(value.dtm)),
            dth: moves(value.dth),
        }
    }
}

/// The results for many positions: a row for each, and the errors by index.
pub struct Answers<R = Row> {
    pub rows: Vec<R>,
    pub errors: Vec<(usize, Failure)>,
}

/// Probes FENs, each with its own count, with several threads.
pub fn probe(
    tables: &Tablebase,
    fens: &[PyBackedStr],
    rules: RuleSet,
    letters: Letters,
) -> Answers {
    in_parallel(fens.len(), Row::EMPTY, |index| {
        let fen = letters.read(&fens[index], rules)?;
        Row::probe(tables, &fen.position, rules, &Count::from_fen(&fen))
    })
}

/// Probes positions in arrays with several threads.
pub fn probe_arrays(tables: &Tablebase, arrays: &Arrays<'_>, rules: RuleSet) -> Answers {
    in_parallel(arrays.len(), Row::EMPTY, |index| {
        let (position, count) = (arrays.position(index)?, arrays.count(index));
        Row::probe(tables, &position, rules, &count)
    })
}

/// The categories of positions in arrays, as the bytes of an array of their numbers, looked up with
/// several threads.
pub fn categories(tables: &Tablebase, arrays: &Arrays<'_>, rules: RuleSet) -> Answers<u8> {
    in_parallel(arrays.len(), NO_ANSWER.cast_unsigned(), |index| {
        let (position, count) = (arrays.position(index)?, arrays.count(index));
        let category = tables.category(&position, rules, &count)?;
        Ok(number(category).cast_unsigned())
    })
}

/// Computes the rows of so many positions with several threads. A position with an error has the row
/// `empty`.
fn in_parallel<R: Copy + Send>(
    positions: usize,
    empty: R,
    ask: impl Fn(usize) -> Result<R, Failure> + Sync,
) -> Answers<R> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let share = positions.div_ceil(threads).max(MIN_PER_THREAD);
    let mut rows = vec![empty; positions];
    let parts = Mutex::new(rows.chunks_mut(share).enumerate());
    let work = || {
        let mut errors = Vec::new();
        loop {
            let next = parts.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((part, rows)) = next else {
                return errors;
            };
            for (index, row) in (part * share..).zip(rows) {
                match ask(index) {
                    Ok(found) => *row = found,
                    Err(error) => errors.push((index, error)),
                }
            }
        }
    };
    let mut errors = std::thread::scope(|scope| {
        // If the system refuses a thread, the others do its part.
        let threads: Vec<_> = (1..positions.div_ceil(share))
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
        let [categories, dtm, dth] = self.columns();
        let arrays = (array("b", categories)?, array("h", dtm)?, array("h", dth)?);
        let errors = self.errors(py)?;
        let many = py.import("sakmak.documents")?.getattr("Many")?;
        many.call1((arrays.0, arrays.1, arrays.2, errors))
    }

    /// Converts the results to `sakmak.arrays.ArrayAnswers`, which has NumPy arrays.
    pub fn into_arrays(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let [categories, dtm, dth] = self.columns().map(|bytes| PyBytes::new(py, &bytes));
        let errors = self.errors(py)?;
        let answers = py.import("sakmak.arrays")?.getattr("_answers")?;
        answers.call1((categories, dtm, dth, errors))
    }

    /// The categories, the distances to mate and the distances to honor as the bytes of arrays.
    fn columns(&self) -> [Vec<u8>; 3] {
        let rows = self.rows.iter();
        [
            (rows.clone().map(|row| row.category.cast_unsigned())).collect(),
            (rows.clone().flat_map(|row| row.dtm.to_ne_bytes())).collect(),
            rows.flat_map(|row| row.dth.to_ne_bytes()).collect(),
        ]
    }

    /// The errors by the index of the position.
    fn errors(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let errors = PyDict::new(py);
        for (place, failure) in self.errors {
            errors.set_item(place, PyErr::from(failure).into_value(py))?;
        }
        Ok(errors)
    }
}

impl Answers<u8> {
    /// Converts the categories to a NumPy array. Raises the first error, with the index of its
    /// position.
    pub fn into_array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let module = py.import("sakmak.arrays")?;
        if let Some((place, failure)) = self.errors.into_iter().next() {
            let error = PyErr::from(failure).into_value(py);
            return Err(PyErr::from_value(
                module.getattr("_at")?.call1((place, error))?,
            ));
        }
        let categories = PyBytes::new(py, &self.rows);
        module.getattr("_categories")?.call1((categories,))
    }
}
