//! Questions to the tables: of one position, with the rule set and the count, or of many in arrays.

use std::sync::PoisonError;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use tablebase::board::Fen;
use tablebase::probe::Tablebase as Tables;
use tablebase::rules::RuleSet;

use crate::Tablebase;
use crate::arguments::{Letters, Moves};
use crate::arrays::Arrays;
use crate::errors::Failure;

/// A position with its rule set and count, as Python passes them.
pub(crate) struct Question<'a> {
    pub fen: &'a str,
    pub rules: &'a str,
    pub count: Option<Moves>,
    pub limit: Option<Moves>,
    pub lettering: Option<&'a str>,
}

impl Tablebase {
    /// Runs a query on the tables, or fails if they have been closed.
    pub(crate) fn with<T>(
        &self,
        ask: impl FnOnce(&Tables) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        ask(tables.as_ref().ok_or(Failure::Closed)?)
    }

    /// Runs a query on the tables and the positions of a `sakmak.arrays.Boards`, with the GIL
    /// released.
    pub(crate) fn arrays<T: Send>(
        &self,
        boards: &Bound<'_, PyAny>,
        rules: &str,
        ask: impl FnOnce(&Tables, &Arrays<'_>, RuleSet) -> T + Send,
    ) -> PyResult<T> {
        let (sets, turns, counts): (PyBackedBytes, PyBackedBytes, Option<PyBackedBytes>) =
            boards.getattr("_packed")?.extract()?;
        let answers = boards.py().detach(|| {
            let rules: RuleSet = rules.parse()?;
            let arrays = Arrays::new(&sets, &turns, counts.as_deref())?;
            self.with(|tables| Ok(ask(tables, &arrays, rules)))
        });
        Ok(answers?)
    }

    /// Runs a query on a position, with the GIL released.
    pub(crate) fn question<T: Send>(
        &self,
        py: Python<'_>,
        question: Question<'_>,
        ask: impl FnOnce(&Tables, &Fen, RuleSet) -> Result<T, Failure> + Send,
    ) -> Result<T, Failure> {
        py.detach(|| {
            let rules: RuleSet = question.rules.parse()?;
            let fen = Letters::named(question.lettering)?.read(question.fen, rules)?;
            self.with(|tables| {
                let [count, limit] = [question.count, question.limit].map(|n| n.map(|n| n.0));
                let fen = tables.with_count(&fen, rules, count, limit)?;
                ask(tables, &fen, rules)
            })
        })
    }
}
