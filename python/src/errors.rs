//! Maps errors to the classes of `package/sakmak/errors.py`.

use std::fmt::Display;
use std::io;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tablebase::probe::{GivenCountError, ProbeError};
use tablebase::remedy::{GenerateReason, ProgramWords, Remedy};
use tablebase::rules::{ReadError, RuleSetError};
use tablebase::table::{TableError, TableErrorKind, TableKind};

/// The reason why a call has no result.
pub enum Failure {
    /// The tablebase has been closed.
    Closed,
    /// A directory cannot be read.
    Directory(PathBuf, io::Error),
    /// An argument is invalid.
    Input(String),
    /// No rule set has the name.
    Rules(RuleSetError),
    /// The text is not the FEN of a position in the tables.
    Fen(ReadError),
    /// The number is not a valid count.
    Number(String),
    /// The position cannot have the count.
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

impl Failure {
    /// True if the tables have no answer to a question without a mistake: a table is missing, or no
    /// table can contain the position.
    pub fn is_not_in_tables(&self) -> bool {
        match self {
            Failure::Fen(error) => matches!(error, ReadError::NotInTables(_)),
            Failure::Probe(error) => {
                error.is_missing() || matches!(error, ProbeError::NotInTables(_))
            }
            _ => false,
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| exception(py, &failure).unwrap_or_else(|error| error))
    }
}

/// Makes the exception that Python raises for a failure.
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
                "{} cannot be read ({error}): check that the directory exists and that you may read it",
                path.display()
            ),
            vec![],
        ),
        Failure::Input(message) => ("InputError", message.clone(), vec![]),
        Failure::Rules(error) => ("RulesError", error.to_string(), vec![]),
        Failure::Fen(error) => match error {
            ReadError::Fen(_) => ("FenError", with_advice(error, error.remedy()), vec![]),
            ReadError::NotInTables(_) => ("NotInTablesError", error.to_string(), vec![]),
        },
        Failure::Number(number) => (
            "CountError",
            format!("{number} is not a count: give a whole number of moves, for instance 20"),
            vec![],
        ),
        Failure::Count(error) => ("CountError", error.to_string(), vec![]),
        Failure::Probe(error) => match error {
            ProbeError::Count(_) => ("CountError", error.to_string(), vec![]),
            ProbeError::NotInTables(_) => ("NotInTablesError", error.to_string(), vec![]),
            ProbeError::Missing { material: name, .. }
            | ProbeError::MissingRules { material: name, .. } => (
                "MissingTableError",
                with_advice(error, error.remedy()),
                vec![material(name)],
            ),
            ProbeError::Table(table) => (
                class_of(table),
                with_advice(table, error.remedy()),
                vec![
                    table.material().as_ref().and_then(|name| material(name)),
                    table.path().map(|path| path.display().to_string()),
                ],
            ),
            ProbeError::NoMemory { .. } => {
                let message = with_advice(error, error.remedy());
                ("NoMemoryError", message, vec![])
            }
            ProbeError::NotDecoded => ("Error", error.to_string(), vec![]),
        },
    };
    let class = py.import("sakmak.errors")?.getattr(class)?;
    let mut arguments = vec![Some(message)];
    arguments.extend(about);
    let exception = class.call1(PyTuple::new(py, arguments)?)?;
    Ok(PyErr::from_value(exception))
}

/// The message of a library error, followed by its remedy, as one sentence.
fn with_advice(error: &impl Display, remedy: Option<Remedy>) -> String {
    let words = ProgramWords {
        name: "the package",
        generate: &|table, reason| match reason {
            GenerateReason::Missing => format!("sakmak generate {table}"),
            GenerateReason::Unusable(TableKind::Distances) => {
                format!("sakmak generate --force {table}")
            }
            GenerateReason::Unusable(TableKind::Verdicts) => {
                format!("sakmak generate --verdicts {table}")
            }
            GenerateReason::Lacking(TableKind::Distances, rules) => {
                format!("sakmak generate {table} --rules {rules}")
            }
            GenerateReason::Lacking(TableKind::Verdicts, rules) => {
                format!("sakmak generate {table} --rules {rules} --verdicts")
            }
        },
        choose_rules: &|rules| {
            format!("pass rules={rules:?} if the game is {rules}, or lettering=\"any\"")
        },
        fewer_files: "pass most_open, for instance most_open=100",
        less_memory: "pass a smaller cache_bytes",
        other_directory: "choose another directory",
    };
    match remedy {
        Some(remedy) => format!("{error}: {}", remedy.advice(&words)),
        None => error.to_string(),
    }
}

fn class_of(error: &TableError) -> &'static str {
    match error.kind() {
        TableErrorKind::Io { .. } => "UnreadableTableError",
        TableErrorKind::NotATable => "NotATableError",
        TableErrorKind::Version { .. } | TableErrorKind::RulesRevision { .. } => "VersionError",
        TableErrorKind::Truncated { .. } | TableErrorKind::TooLong { .. } => "WrongLengthError",
        TableErrorKind::HeaderCorrupt { .. } => "DamagedHeaderError",
        TableErrorKind::ModelCorrupt { .. } => "DamagedModelError",
        TableErrorKind::BlockCorrupt { .. } => "DamagedBlockError",
        TableErrorKind::WrongMaterial { .. } => "WrongTableError",
        TableErrorKind::NoMemory { .. } => "NoMemoryError",
        TableErrorKind::LaterCheckpoint
        | TableErrorKind::OutOfRange { .. }
        | TableErrorKind::BadInput(_) => "TableError",
    }
}
