//! The Python package: asks the Rust library and says in Python what it answers.
//!
//! The documents are those of the command line, and the exceptions are classes of
//! `package/sakmak/errors.py`.

mod errors;

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::types::PyInt;
use pythonize::pythonize;
use serde::Serialize;
use tablebase::board::Fen;
use tablebase::probe::{Options, Tablebase as Tables};
use tablebase::rules::{Count, RuleSet};

use errors::Failure;

/// The tables of some directories. It may be asked from any number of threads.
#[pyclass(frozen, module = "sakmak")]
struct Tablebase {
    /// None once it has been closed.
    tables: RwLock<Option<Tables>>,
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (*directories, cache_bytes = None, most_open = None))]
    fn new(
        directories: Vec<PathBuf>,
        cache_bytes: Option<usize>,
        most_open: Option<usize>,
    ) -> Result<Tablebase, Failure> {
        let default = Options::default();
        let mut tables = Tables::with_options(&Options {
            cache_bytes: cache_bytes.unwrap_or(default.cache_bytes),
            most_open,
            ..default
        })?;
        for directory in directories {
            add(&mut tables, directory)?;
        }
        Ok(Tablebase {
            tables: RwLock::new(Some(tables)),
        })
    }

    /// Adds the tables of a directory and tells how many are new.
    fn add_directory(&self, py: Python<'_>, directory: PathBuf) -> Result<usize, Failure> {
        py.detach(|| {
            let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
            add(tables.as_mut().ok_or(Failure::Closed)?, directory)
        })
    }

    /// What becomes of a position, and its moves from the best to the worst.
    ///
    /// A count that runs is in the FEN, in plies, or given here, in moves: the number it has come to
    /// and, if it is not that of the men on the board, its limit.
    #[pyo3(signature = (fen, rules = "makruk", count = None, limit = None))]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        fen: &str,
        rules: &str,
        count: Option<Bound<'py, PyInt>>,
        limit: Option<Bound<'py, PyInt>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (count, limit) = (moves(count)?, moves(limit)?);
        self.ask(py, fen, rules, count, limit, |tables, fen, rules| {
            Ok(tables.answer(fen, rules)?.document())
        })
    }

    /// Best play by both sides to the end.
    #[pyo3(signature = (fen, rules = "makruk", count = None, limit = None))]
    fn line<'py>(
        &self,
        py: Python<'py>,
        fen: &str,
        rules: &str,
        count: Option<Bound<'py, PyInt>>,
        limit: Option<Bound<'py, PyInt>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (count, limit) = (moves(count)?, moves(limit)?);
        self.ask(py, fen, rules, count, limit, |tables, fen, rules| {
            let line = tables.line(&fen.position, rules, &Count::from_fen(fen))?;
            Ok(line.document(fen, rules))
        })
    }

    /// The endings there are tables of, the smaller ones first.
    #[getter]
    fn materials(&self) -> Result<Vec<String>, Failure> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        let tables = tables.as_ref().ok_or(Failure::Closed)?;
        Ok(tables.tables().map(|(name, _)| name.to_string()).collect())
    }

    /// True once it has been closed.
    #[getter]
    fn closed(&self) -> bool {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.is_none()
    }

    /// Closes the files. Closing twice does nothing.
    fn close(&self, py: Python<'_>) {
        // It waits for those that are asking, who may be waiting for Python.
        py.detach(|| {
            let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
            *tables = None;
        });
    }

    fn __enter__(this: Py<Self>, py: Python<'_>) -> Result<Py<Self>, Failure> {
        match this.get().closed() {
            true => Err(Failure::Closed),
            false => Ok(this.clone_ref(py)),
        }
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, py: Python<'_>, _args: Vec<Bound<'_, PyAny>>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        match self.materials() {
            Ok(materials) => format!("<sakmak.Tablebase of {} tables>", materials.len()),
            Err(_) => "<sakmak.Tablebase, closed>".to_string(),
        }
    }
}

impl Tablebase {
    /// Asks something about a position; other threads of Python go on meanwhile.
    fn ask<'py, T: Serialize + Send>(
        &self,
        py: Python<'py>,
        fen: &str,
        rules: &str,
        count: Option<u32>,
        limit: Option<u32>,
        question: impl FnOnce(&Tables, &Fen, RuleSet) -> Result<T, Failure> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let document = py.detach(|| {
            let rules: RuleSet = rules.parse()?;
            let fen = rules.read_fen(fen)?;
            let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
            let tables = tables.as_ref().ok_or(Failure::Closed)?;
            let fen = tables.with_count(&fen, rules, count, limit)?;
            question(tables, &fen, rules)
        })?;
        Ok(pythonize(py, &document)?)
    }
}

/// A number of moves.
fn moves(number: Option<Bound<'_, PyInt>>) -> Result<Option<u32>, Failure> {
    let read = |number: Bound<'_, PyInt>| {
        number
            .extract()
            .map_err(|_| Failure::Number(number.to_string()))
    };
    number.map(read).transpose()
}

fn add(tables: &mut Tables, directory: PathBuf) -> Result<usize, Failure> {
    tables
        .add_directory(&directory)
        .map_err(|error| Failure::Directory(directory, error))
}

/// The part written in Rust.
#[pymodule]
fn _sakmak(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Tablebase>()
}
