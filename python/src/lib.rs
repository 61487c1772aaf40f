//! The Python package: calls the Rust library and converts its answers to Python.
//!
//! The package's dictionaries have the fields of the JSON that the command line prints. The
//! exceptions are classes of `package/sakmak/errors.py`.

mod answer;
mod arguments;
mod arrays;
mod directories;
mod errors;
mod find;
mod games;
mod many;
mod question;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyString, PyTuple};
use pythonize::pythonize;
use tablebase::board::Color;
use tablebase::material::CanonicalMaterial;
use tablebase::probe::{CacheStatistics, Distance, Options, ProbeError, Tablebase as Tables};
use tablebase::rules::{Category, Count, RuleSet};

use arguments::{Letters, Moves, Number, access};
use directories::{add, warn_without_tables};
use errors::Failure;
use question::Question;

/// The tables of some directories. Any number of threads may use the object at once.
///
/// cache_bytes is the memory for decoded blocks, 64 MiB by default. most_open is the largest number
/// of files open at once; by default there is no limit. access is the way to read files. "blocks",
/// the default, reads each block only when a probe needs it; if a file is truncated or overwritten
/// while the tablebase is open, probes of its table raise an error. "map" maps files into memory,
/// which is a little faster, but ends the process if a file is truncated during a read. "whole"
/// reads each file into memory. None of these options changes an answer.
#[pyclass(frozen, module = "sakmak")]
struct Tablebase {
    /// None once the tablebase is closed.
    tables: RwLock<Option<Tables>>,
    options: GivenOptions,
}

/// The options as they were passed.
struct GivenOptions {
    cache_bytes: Option<usize>,
    most_open: Option<usize>,
    access: Option<String>,
}

#[pymethods]
impl Tablebase {
    #[new]
    #[pyo3(signature = (*directories, cache_bytes = None, most_open = None, access = None))]
    fn new(
        py: Python<'_>,
        directories: Vec<PathBuf>,
        cache_bytes: Option<Number>,
        most_open: Option<Number>,
        access: Option<&str>,
    ) -> PyResult<Tablebase> {
        let default = Options::default();
        let options = GivenOptions {
            cache_bytes: cache_bytes.as_ref().map(|bytes| bytes.0),
            most_open: most_open.as_ref().map(|files| files.0),
            access: access.map(str::to_string),
        };
        let mut tables = Tables::with_options(&Options {
            cache_bytes: cache_bytes.map_or(default.cache_bytes, |bytes| bytes.0),
            most_open: most_open.map(|files| files.0),
            access: self::access(access)?,
        })
        .map_err(Failure::from)?;
        for directory in directories {
            add(&mut tables, directory)?;
        }
        let inventory = tables.inventory();
        if inventory.endings() == 0 && !inventory.directories().is_empty() {
            warn_without_tables(py, inventory.directories())?;
        }
        Ok(Tablebase {
            tables: RwLock::new(Some(tables)),
            options,
        })
    }

    /// Adds the tables of a directory. Returns the number of endings that had no table before.
    fn add_directory(&self, py: Python<'_>, directory: PathBuf) -> PyResult<usize> {
        let (added, endings) = py.detach(|| {
            let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
            let tables = tables.as_mut().ok_or(Failure::Closed)?;
            let added = add(tables, directory.clone())?;
            Ok::<_, Failure>((added, tables.inventory().endings()))
        })?;
        if endings == 0 {
            warn_without_tables(py, &[directory])?;
        }
        Ok(added)
    }

    /// Probes a position and ranks its moves.
    ///
    /// A running count is given either in the FEN, in plies, or by count and limit, in moves. count
    /// is the number that the count has reached. limit is the limit of the count, which is only
    /// needed if the men on the board do not determine it. lettering is the lettering of the FEN:
    /// "makruk" (K R N S M P), "asean" (K R N B Q P) or "any". The default is the lettering of the
    /// rules.
    #[pyo3(signature = (fen, rules = "makruk", count = None, limit = None, *, lettering = None))]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        fen: &str,
        rules: &str,
        count: Option<Moves>,
        limit: Option<Moves>,
        lettering: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = Question {
            fen,
            rules,
            count,
            limit,
            lettering,
        };
        let answer = self.question(py, question, |tables, fen, rules| {
            Ok(tables.answer(fen, rules)?)
        })?;
        answer::document(py, &answer)
    }

    /// Like probe, but returns default if a table is missing or no table can have the position.
    #[pyo3(signature = (
        fen, default = None, rules = "makruk", count = None, limit = None, *, lettering = None
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn get<'py>(
        &self,
        py: Python<'py>,
        fen: &str,
        default: Option<Bound<'py, PyAny>>,
        rules: &str,
        count: Option<Moves>,
        limit: Option<Moves>,
        lettering: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = Question {
            fen,
            rules,
            count,
            limit,
            lettering,
        };
        let answer = self.question(py, question, |tables, fen, rules| {
            Ok(tables.answer(fen, rules)?)
        });
        match answer {
            Err(failure) if failure.is_not_in_tables() => {
                Ok(default.unwrap_or_else(|| py.None().into_bound(py)))
            }
            answer => answer::document(py, &answer?),
        }
    }

    /// Returns only the category that probe would give, which is much faster.
    #[pyo3(signature = (fen, rules = "makruk", count = None, limit = None, *, lettering = None))]
    fn category(
        &self,
        py: Python<'_>,
        fen: &str,
        rules: &str,
        count: Option<Moves>,
        limit: Option<Moves>,
        lettering: Option<&str>,
    ) -> Result<&'static str, Failure> {
        let question = Question {
            fen,
            rules,
            count,
            limit,
            lettering,
        };
        let category = self.question(py, question, |tables, fen, rules| {
            Ok(tables.category(&fen.position, rules, &Count::from_fen(fen))?)
        })?;
        Ok(category.name())
    }

    /// Like category, but uses only blocks that are already decoded. Returns None if any other
    /// block is needed. It never reads a file and never waits.
    #[pyo3(signature = (fen, rules = "makruk", count = None, limit = None, *, lettering = None))]
    fn category_cached(
        &self,
        py: Python<'_>,
        fen: &str,
        rules: &str,
        count: Option<Moves>,
        limit: Option<Moves>,
        lettering: Option<&str>,
    ) -> Result<Option<&'static str>, Failure> {
        let question = Question {
            fen,
            rules,
            count,
            limit,
            lettering,
        };
        let category = self.question(py, question, |tables, fen, rules| {
            match tables
                .cached()
                .category(&fen.position, rules, &Count::from_fen(fen))
            {
                Err(ProbeError::NotDecoded) => Ok(None),
                category => Ok(Some(category?)),
            }
        })?;
        Ok(category.map(Category::name))
    }

    /// Returns the least and the greatest possible category of a position, from one lookup in the
    /// verdict table of its ending. The two differ only if the table does not show whether a win is
    /// in time for a running count. Without a verdict table both are the result of category.
    #[pyo3(signature = (fen, rules = "makruk", count = None, limit = None, *, lettering = None))]
    fn category_bounds(
        &self,
        py: Python<'_>,
        fen: &str,
        rules: &str,
        count: Option<Moves>,
        limit: Option<Moves>,
        lettering: Option<&str>,
    ) -> Result<(&'static str, &'static str), Failure> {
        let question = Question {
            fen,
            rules,
            count,
            limit,
            lettering,
        };
        let [least, most] = self.question(py, question, |tables, fen, rules| {
            let count = Count::from_fen(fen);
            Ok(tables.by_category().bounds(&fen.position, rules, &count)?)
        })?;
        Ok((least.name(), most.name()))
    }

    /// Probes many positions with several threads: a list of FENs, each with its own count, or a
    /// sakmak.Boards, which holds positions in NumPy arrays. For FENs, returns a sakmak.Many: arrays
    /// of categories, distances to mate and distances to honor, and a dictionary of errors. For
    /// Boards, returns the same in NumPy arrays.
    #[pyo3(signature = (positions, rules = "makruk", *, lettering = None))]
    fn probe_many<'py>(
        &self,
        py: Python<'py>,
        positions: Bound<'py, PyAny>,
        rules: &str,
        lettering: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if positions.hasattr("_packed")? {
            let answers = self.arrays(&positions, rules, many::probe_arrays)?;
            return answers.into_arrays(py);
        }
        if positions.is_instance_of::<PyString>() {
            let message = "pass a list of FENs: probe takes one".to_string();
            return Err(Failure::Input(message).into());
        }
        let fens: Vec<PyBackedStr> = positions.extract()?;
        let answers = py.detach(|| {
            let rules: RuleSet = rules.parse()?;
            let letters = Letters::named(lettering)?;
            self.with(|tables| Ok(many::probe(tables, &fens, rules, letters)))
        })?;
        answers.into_python(py)
    }

    /// Returns the categories of the positions of a sakmak.Boards as a NumPy array of int8: see
    /// sakmak.CATEGORIES. The position whose index is smallest among those with an error raises it.
    #[pyo3(signature = (boards, rules = "makruk"))]
    fn category_many<'py>(
        &self,
        py: Python<'py>,
        boards: Bound<'py, PyAny>,
        rules: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !boards.hasattr("_packed")? {
            let message = "pass a sakmak.Boards: probe_many takes FENs".to_string();
            return Err(Failure::Input(message).into());
        }
        let categories = self.arrays(&boards, rules, many::categories)?;
        categories.into_array(py)
    }

    /// Returns the distance to mate of the side to move, with nothing counted: n if it mates in n
    /// moves, -n if it is mated in n, 0 if it is mated already, None in a draw. No other probe is
    /// cheaper.
    #[pyo3(signature = (fen, rules = "makruk", *, lettering = None))]
    fn dtm(
        &self,
        py: Python<'_>,
        fen: &str,
        rules: &str,
        lettering: Option<&str>,
    ) -> Result<Option<i32>, Failure> {
        let question = Question {
            fen,
            rules,
            count: None,
            limit: None,
            lettering,
        };
        let dtm = self.question(py, question, |tables, fen, rules| {
            Ok(tables.dtm_in(rules.game(), &fen.position)?)
        })?;
        Ok(match dtm {
            Distance::Win(moves) => Some(moves.0.into()),
            Distance::Loss(moves) => Some(-i32::from(moves.0)),
            Distance::Draw => None,
        })
    }

    /// Iterates over all legal positions of an ending with one side to move, whichever side the
    /// table stores, in chunks of NumPy arrays: the squares of the men, in the order of the ending's
    /// name, and the positions' values under a fresh count. See sakmak.Chunk. chunk is the number of
    /// positions in a chunk, 65,536 by default.
    #[pyo3(signature = (ending, rules = "makruk", *, turn = "white", chunk = None))]
    fn positions(
        this: Py<Self>,
        ending: &str,
        rules: &str,
        turn: &str,
        chunk: Option<Number>,
    ) -> Result<arrays::Chunks, Failure> {
        let rules: RuleSet = rules.parse()?;
        let material = arguments::ending(ending)?;
        let turn = match turn {
            "white" | "w" => Color::White,
            "black" | "b" => Color::Black,
            _ => {
                return Err(Failure::Input(format!(
                    "{turn:?} is not a side: pass \"white\" or \"black\""
                )));
            }
        };
        let material = material.material();
        let chunk = chunk.map_or(65_536, |positions| positions.0);
        Ok(arrays::Chunks::new(this, material, rules, turn, chunk))
    }

    /// True if the table stores the position with this side to move, so that a probe is cheap.
    #[pyo3(signature = (fen, rules = "makruk", *, lettering = None))]
    fn is_stored(
        &self,
        py: Python<'_>,
        fen: &str,
        rules: &str,
        lettering: Option<&str>,
    ) -> Result<bool, Failure> {
        let question = Question {
            fen,
            rules,
            count: None,
            limit: None,
            lettering,
        };
        self.question(py, question, |tables, fen, rules| {
            Ok(tables.is_stored_in(rules.game(), &fen.position)?)
        })
    }

    /// Returns best play by both sides to the end of the game.
    #[pyo3(signature = (fen, rules = "makruk", count = None, limit = None, *, lettering = None))]
    fn line<'py>(
        &self,
        py: Python<'py>,
        fen: &str,
        rules: &str,
        count: Option<Moves>,
        limit: Option<Moves>,
        lettering: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = Question {
            fen,
            rules,
            count,
            limit,
            lettering,
        };
        let document = self.question(py, question, |tables, fen, rules| {
            let line = tables.line(&fen.position, rules, &Count::from_fen(fen))?;
            Ok(line.document(fen, rules))
        })?;
        Ok(pythonize(py, &document)?)
    }

    /// Annotates the games of a PGN. Returns a list with one dictionary per game, which has the
    /// fields of `sakmak annotate --json`. rules is the rule set of games without a Variant tag.
    /// count_from is the move with which board's honor began: "41", "41w", "41b", "first" or
    /// "never".
    #[pyo3(signature = (pgn, rules = "makruk", *, count_from = None))]
    fn annotate<'py>(
        &self,
        py: Python<'py>,
        pgn: &str,
        rules: &str,
        count_from: Option<&str>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let documents =
            py.detach(|| self.with(|tables| games::annotate(tables, pgn, rules, count_from)))?;
        Ok(pythonize(py, &documents)?)
    }

    /// Returns the games of a PGN with the tables' results in comments, like `sakmak annotate`.
    #[pyo3(signature = (pgn, rules = "makruk", *, count_from = None))]
    fn annotate_pgn(
        &self,
        py: Python<'_>,
        pgn: &str,
        rules: &str,
        count_from: Option<&str>,
    ) -> Result<String, Failure> {
        py.detach(|| self.with(|tables| games::annotate_pgn(tables, pgn, rules, count_from)))
    }

    /// Returns the statistics of an ending by distance to mate, from its table's header. For each
    /// side to move, they contain the number of positions that each side wins in each number of
    /// moves, the number of draws, and examples as lists of squares.
    fn statistics<'py>(&self, py: Python<'py>, ending: &str) -> PyResult<Bound<'py, PyAny>> {
        let material = arguments::ending(ending)?;
        // Copied, since Python may stop this thread while it makes objects: a thread that waits for the
        // tables must not wait for that.
        let statistics =
            self.with(|tables| Ok(tables.inventory().statistics(material)?.clone()))?;
        Ok(pythonize(py, &statistics)?)
    }

    /// Returns the statistics of an ending under a rule set with a fresh count, from its table's header:
    /// for each side to move the number of positions by category, the moves that the count leaves, and
    /// the longest wins.
    #[pyo3(signature = (ending, rules = "makruk"))]
    fn statistics_in_time<'py>(
        &self,
        py: Python<'py>,
        ending: &str,
        rules: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rules: RuleSet = rules.parse().map_err(Failure::from)?;
        let material = arguments::ending(ending)?.in_game(rules.game());
        let overlay = self.with(|tables| Ok(tables.inventory().overlay(material, rules)?))?;
        Ok(pythonize(py, &overlay)?)
    }

    /// Finds positions of an ending with the given properties, like `sakmak find`. Returns an
    /// iterator of dictionaries, which ends when there are no more positions.
    #[pyo3(signature = (
        ending, rules = "makruk", *, turn = "w", verdict = None, dtm = None, margin = None,
        only_move = false, capture = None, promotion = None, zugzwang = false, first_move = None,
        men = None, seed = 1
    ))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn find(
        this: Py<Self>,
        ending: &str,
        rules: &str,
        turn: &str,
        verdict: Option<&str>,
        dtm: Option<find::Lengths>,
        margin: Option<i32>,
        only_move: bool,
        capture: Option<&str>,
        promotion: Option<&str>,
        zugzwang: bool,
        first_move: Option<&str>,
        men: Option<Vec<String>>,
        seed: u64,
    ) -> Result<find::Find, Failure> {
        let criteria = find::RawCriteria {
            rules,
            turn,
            verdict,
            dtm,
            margin,
            only_move,
            capture,
            promotion,
            zugzwang,
            first_move,
            men: men.unwrap_or_default(),
        };
        let wanted = criteria.wanted()?;
        let ending = arguments::ending(ending)?;
        let cursor = this
            .get()
            .with(|tables| find::cursor(tables, ending, &wanted, seed))?;
        Ok(find::Find::new(this, cursor, ending, wanted.rules))
    }

    /// Returns the number of lookups whose block was already decoded ("hits"), and the number of
    /// all other lookups ("misses").
    fn cache_statistics(&self) -> Result<HashMap<&'static str, u64>, Failure> {
        let CacheStatistics { hits, misses } =
            self.with(|tables| Ok(tables.inventory().cache_statistics()))?;
        Ok(HashMap::from([("hits", hits), ("misses", misses)]))
    }

    /// The largest number of men in a table, kings included; 0 if there are no tables.
    #[getter]
    fn most_men(&self) -> Result<usize, Failure> {
        self.with(|tables| Ok(tables.inventory().most_men()))
    }

    fn __len__(&self) -> Result<usize, Failure> {
        self.with(|tables| Ok(tables.inventory().len()))
    }

    /// True if the material, such as "KSMvK", has a distance table.
    fn __contains__(&self, material: &str) -> Result<bool, Failure> {
        self.with(|tables| {
            let material = material.parse::<CanonicalMaterial>();
            Ok(material.is_ok_and(|material| tables.inventory().path(material).is_some()))
        })
    }

    /// The endings with distance tables, smaller ones first.
    #[getter]
    fn materials(&self) -> Result<Vec<String>, Failure> {
        self.with(|tables| {
            Ok(tables
                .inventory()
                .materials()
                .map(|name| name.to_string())
                .collect())
        })
    }

    /// True once the tablebase is closed.
    #[getter]
    fn closed(&self) -> bool {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.is_none()
    }

    /// A tablebase is pickled as its directories and options, and opened again.
    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        let directories = self.with(|tables| Ok(tables.inventory().directories().to_vec()))?;
        let options = PyDict::new(py);
        options.set_item("cache_bytes", self.options.cache_bytes)?;
        options.set_item("most_open", self.options.most_open)?;
        options.set_item("access", &self.options.access)?;
        Ok((PyTuple::new(py, directories)?, options))
    }

    /// Closes the files. Closing them again does nothing.
    fn close(&self, py: Python<'_>) {
        // Closing waits for running queries, which may be waiting for the GIL.
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

/// The part of the package that is written in Rust.
#[pymodule]
fn _sakmak(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<arrays::Chunks>()?;
    module.add_class::<find::Find>()?;
    module.add_class::<Tablebase>()
}
