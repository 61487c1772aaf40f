//! How a command ends when it does not end well.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use sakmak::material::{MaterialError, SetError};
use sakmak::probe::{GivenCountError, ProbeError};
use sakmak::rules::{CountError, MayLeap, ReadError};
use sakmak::table::{ManifestError, TableError};

use super::output::say;
use super::remedy::with_advice;

/// Why a command stops, and with which exit code.
pub struct Failure {
    kind: Kind,
    error: anyhow::Error,
}

/// What goes wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The answer is no: a table is missing for a probe, or verifying found a difference.
    No,
    /// No table has such a position.
    NotInTables,
    /// Wrong usage or input.
    Input,
    /// The disk, the memory, or a file that cannot be used.
    Machine,
}

impl Failure {
    /// The answer is no.
    pub fn no(message: impl Into<String>) -> Failure {
        Failure {
            kind: Kind::No,
            error: anyhow::Error::msg(message.into()),
        }
    }

    /// What the user gave cannot be used.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure {
            kind: Kind::Input,
            error: anyhow::Error::msg(message.into()),
        }
    }

    /// The machine failed us.
    pub fn machine(message: impl Into<String>) -> Failure {
        Failure {
            kind: Kind::Machine,
            error: anyhow::Error::msg(message.into()),
        }
    }

    /// Something that cannot happen has.
    pub fn bug(error: impl fmt::Display) -> Failure {
        Failure::machine(format!("{error}: please report this as a fault of sakmak"))
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self.kind {
            Kind::No | Kind::NotInTables => 1,
            Kind::Input => 2,
            Kind::Machine => 3,
        }
    }

    /// The word for it in a document.
    pub fn word(&self) -> &'static str {
        match self.kind {
            Kind::No => "missing-table",
            Kind::NotInTables => "not-in-tables",
            Kind::Input => "input",
            Kind::Machine => "file",
        }
    }

    /// The same for the first of its kind among several questions.
    pub fn among(self, failed: u64, asked: u64) -> Failure {
        let Failure { kind, error } = self;
        let error = match asked {
            1 => error,
            _ => {
                anyhow::anyhow!("{failed} of {asked} positions have no answer, one because {error}")
            }
        };
        Failure { kind, error }
    }

    /// Says why on standard error.
    pub fn report(&self) -> ExitCode {
        say(format_args!("sakmak: {}", self.error));
        ExitCode::from(self.code())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.error, f)
    }
}

/// Errors of the library that are always the same kind.
macro_rules! kinds {
    ($($error:ty => $kind:ident),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure { kind: Kind::$kind, error: error.into() }
            }
        })*
    };
}

kinds! {
    CountError => Input,
    MaterialError => Input,
    SetError => Input,
}

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        Failure::machine(with_advice(&error, &error.remedy()))
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Failure {
        Failure::machine(with_advice(&error, &error.remedy()))
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match (&error, error.remedy()) {
            (&ReadError::MayLeap(error), _) => error.into(),
            (_, Some(remedy)) => Failure::input(with_advice(&error, &remedy)),
            _ => Failure {
                kind: Kind::Input,
                error: error.into(),
            },
        }
    }
}

impl From<MayLeap> for Failure {
    fn from(error: MayLeap) -> Failure {
        Failure {
            kind: Kind::NotInTables,
            error: error.into(),
        }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let kind = match &error {
            ProbeError::Table(table) => {
                return Failure::machine(with_advice(table, &table.remedy()));
            }
            ProbeError::Count(_) => Kind::Input,
            ProbeError::Missing { .. } => Kind::No,
            ProbeError::MayLeap(_) => Kind::NotInTables,
            _ => Kind::Machine,
        };
        Failure {
            kind,
            error: error.into(),
        }
    }
}

impl From<GivenCountError> for Failure {
    fn from(error: GivenCountError) -> Failure {
        match error {
            GivenCountError::Probe(error) => error.into(),
            error => Failure {
                kind: Kind::Input,
                error: error.into(),
            },
        }
    }
}

/// A file or directory that the system does not let us use.
pub fn cannot(doing: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::machine(format!(
        "{} cannot be {doing} ({error}): check that it is there and that you may use it, or choose another directory with --tables",
        path.display()
    ))
}
