//! Which class of `package/sakmak/errors.py` an error is.

use std::io;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablebase::probe::{GivenCountError, ProbeError};
use tablebase::rules::{ReadError, RuleSetError};
use tablebase::table::{TableError, TableErrorKind};

/// Why there is no answer.
pub enum Failure {
    /// The tablebase has been closed.
    Closed,
    /// A directory cannot be read.
    Directory(PathBuf, io::Error),
    /// What was given cannot be used.
    Input(String),
    /// The name is no rule set's.
    Rules(RuleSetError),
    /// The text is no FEN of a position in the tables.
    Fen(ReadError),
    /// A number is none that a count comes to.
    Number(String),
    /// The count cannot run.
    Count(GivenCountError),
    /// The tables have no answer.
    Probe(ProbeError),
}

impl From<RuleSetError> for Failure {
    fn from(error: RuleSetError) -> Failure {
        Failure::Rules(error)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::Fen(error)
    }
}

impl From<GivenCountError> for Failure {
    fn from(error: GivenCountError) -> Failure {
        match error {
            GivenCountError::Probe(error) => Failure::Probe(error),
            error => Failure::Count(error),
        }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        Failure::Probe(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| exception(py, &failure).unwrap_or_else(|error| error))
    }
}

/// The exception that is raised.
fn exception(py: Python<'_>, failure: &Failure) -> PyResult<PyErr> {
    let material = |material: &dyn ToString| Some(material.to_string());
    let (class, message, about) = match failure {
        Failure::Closed => (
            "ClosedError",
            "the tablebase is closed: open it again with sakmak.Tablebase".to_string(),
            vec![],
        ),
        Failure::Directory(path, error) => (
            "DirectoryError",
            format!(
                "{} cannot be read ({error}): check that the directory is there and that you may read it",
                path.display()
            ),
            vec![],
        ),
        Failure::Input(message) => ("InputError", message.clone(), vec![]),
        Failure::Rules(error) => ("RulesError", error.to_string(), vec![]),
        Failure::Fen(error) => match error {
            ReadError::Fen(_) => ("FenError", error.to_string(), vec![]),
            ReadError::MayLeap(_) => ("NotInTablesError", error.to_string(), vec![]),
        },
        Failure::Number(number) => (
            "CountError",
            format!("{number} is no count: give a whole number of moves, for instance 20"),
            vec![],
        ),
        Failure::Count(error) => ("CountError", error.to_string(), vec![]),
        Failure::Probe(error) => match error {
            ProbeError::Count(_) => ("CountError", error.to_string(), vec![]),
            ProbeError::MayLeap(_) => ("NotInTablesError", error.to_string(), vec![]),
            ProbeError::Missing { material: name, .. } => {
                ("MissingTableError", error.to_string(), vec![material(name)])
            }
            ProbeError::Table(table) => (
                class_of(table),
                error.to_string(),
                vec![
                    table.material().as_ref().and_then(|name| material(name)),
                    table.path().map(|path| path.display().to_string()),
                ],
            ),
            ProbeError::NoMemory { .. } => ("NoMemoryError", error.to_string(), vec![]),
            _ => ("Error", error.to_string(), vec![]),
        },
    };
    let class = py.import("sakmak.errors")?.getattr(class)?;
    let mut arguments = vec![Some(message)];
    arguments.extend(about);
    let exception = class.call1(PyTuple::new(py, arguments)?)?;
    Ok(PyErr::from_value(exception))
}

fn class_of(error: &TableError) -> &'static str {
    match error.kind() {
        TableErrorKind::Io { .. } => "UnreadableTableError",
        TableErrorKind::NotATable => "NotATableError",
        TableErrorKind::Version { .. } | TableErrorKind::RulesRevision { .. } => "VersionError",
        TableErrorKind::Truncated { .. } | TableErrorKind::TooLong { .. } => "WrongLengthError",
        TableErrorKind::HeaderCorrupt { .. } => "DamagedHeaderError",
        TableErrorKind::DictionaryCorrupt { .. } => "DamagedDictionaryError",
        TableErrorKind::BlockCorrupt { .. } => "DamagedBlockError",
        TableErrorKind::WrongMaterial { .. } => "WrongTableError",
        TableErrorKind::NoMemory { .. } => "NoMemoryError",
        _ => "TableError",
    }
}
