//! How a command ends when it does not end well.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use sakmak::directory::ManifestError;
use sakmak::find::FindError;
use sakmak::material::{MaterialError, SetError};
use sakmak::probe::{GivenCountError, ProbeError};
use sakmak::remedy::Remedy;
use sakmak::rules::{CountError, NotInTables, ReadError};
use sakmak::table::TableError;
use sakmak::verify::VerifyError;

use super::remedy::{advice, again};
use super::stderr::say;
use super::tables_args::TablesArgs;

/// The exit code of what may succeed later or on another machine, as sysexits.h has it.
pub const TRY_AGAIN: u8 = 75;

/// Why a command stops, with which exit code, and what the user can do about it.
pub struct Failure {
    kind: Kind,
    /// What is wrong and where.
    fact: String,
    help: Option<Help>,
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
    /// It may succeed later, or on another machine.
    Passing,
}

/// What to do. Commands are worded when they are shown, for they name the user's directory.
enum Help {
    Words(String),
    Remedy(Remedy),
    /// Generate what is missing: the arguments of `sakmak generate`.
    Generate(String),
    /// Generate a table again that is not damaged but wrong.
    Regenerate(String),
}

impl Failure {
    fn new(kind: Kind, fact: impl ToString, help: Option<Help>) -> Failure {
        Failure {
            kind,
            fact: fact.to_string(),
            help,
        }
    }

    /// The answer is no.
    pub fn no(fact: impl ToString) -> Failure {
        Failure::new(Kind::No, fact, None)
    }

    /// What the user gave cannot be used.
    pub fn input(fact: impl ToString) -> Failure {
        Failure::new(Kind::Input, fact, None)
    }

    /// The machine failed us.
    pub fn machine(fact: impl ToString) -> Failure {
        Failure::new(Kind::Machine, fact, None)
    }

    /// The same, where it may succeed later or on another machine.
    pub fn passing(mut self) -> Failure {
        self.kind = Kind::Passing;
        self
    }

    /// The same for a command that does not tell what may succeed later apart.
    pub fn lasting(mut self) -> Failure {
        if self.kind == Kind::Passing {
            self.kind = Kind::Machine;
        }
        self
    }

    /// Something that cannot happen has.
    pub fn bug(fact: impl ToString) -> Failure {
        Failure::new(Kind::Machine, fact, Some(Help::Remedy(Remedy::Report)))
    }

    /// The same with what the user can do about it.
    pub fn help(mut self, words: impl ToString) -> Failure {
        self.help = Some(Help::Words(words.to_string()));
        self
    }

    /// The same with the advice to generate this set.
    pub fn generate(mut self, set: impl ToString) -> Failure {
        self.help = Some(Help::Generate(set.to_string()));
        self
    }

    /// The same with the advice to generate this table again.
    pub fn regenerate(mut self, table: impl ToString) -> Failure {
        self.help = Some(Help::Regenerate(table.to_string()));
        self
    }

    /// The exit code.
    pub fn code(&self) -> u8 {
        match self.kind {
            Kind::No | Kind::NotInTables => 1,
            Kind::Input => 2,
            Kind::Machine => 3,
            Kind::Passing => TRY_AGAIN,
        }
    }

    /// The word for it in a document.
    pub fn word(&self) -> &'static str {
        match self.kind {
            Kind::No => "missing-table",
            Kind::NotInTables => "not-in-tables",
            Kind::Input => "input",
            Kind::Machine => "file",
            Kind::Passing => "busy",
        }
    }

    /// The same for the first of its kind among several questions.
    pub fn among(mut self, failed: u64, asked: u64, what: &str) -> Failure {
        if asked != 1 {
            self.fact = format!("{failed} of {asked} {what}, one because {}", self.fact);
        }
        self
    }

    /// What is wrong and what to do, in one sentence.
    pub fn sentence(&self, tables: &TablesArgs) -> String {
        match self.advice(tables) {
            Some(advice) => format!("{}: {advice}", self.fact),
            None => self.fact.clone(),
        }
    }

    fn advice(&self, tables: &TablesArgs) -> Option<String> {
        self.help.as_ref().map(|help| match help {
            Help::Words(words) => words.clone(),
            Help::Remedy(remedy) => advice(remedy, tables),
            Help::Generate(set) => {
                let command = tables.command(&format!("generate {set}"));
                format!("generate tables with `{command}`, or choose their directory with --tables")
            }
            Help::Regenerate(table) => format!(
                "{}, and if that does not help report it as a fault of sakmak",
                again(Some(table), tables)
            ),
        })
    }

    /// Says why on standard error, and on a line of its own what to do.
    pub fn report(&self, tables: &TablesArgs) -> ExitCode {
        let mut text = format!("sakmak: {}", self.fact);
        if let Some(advice) = self.advice(tables) {
            text += &format!("\nhelp: {advice}");
        }
        say(text);
        ExitCode::from(self.code())
    }
}

/// Errors of the library that are always the same kind, and have nothing to advise.
macro_rules! kinds {
    ($($error:ty => $kind:ident),* $(,)?) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::new(Kind::$kind, error, None)
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
        let help = Help::Remedy(error.remedy());
        Failure::new(Kind::Machine, error, Some(help))
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Failure {
        let help = Help::Remedy(error.remedy());
        Failure::new(Kind::Machine, error, Some(help))
    }
}

/// Men that no table has are bad input; a position that its rules keep out of the tables is not.
fn not_in_tables(error: &NotInTables) -> Kind {
    match error {
        NotInTables::Men(_) => Kind::Input,
        NotInTables::Bia(_) | NotInTables::BiaSquare(..) | NotInTables::MayLeap(..) => {
            Kind::NotInTables
        }
    }
}

impl From<NotInTables> for Failure {
    fn from(error: NotInTables) -> Failure {
        Failure::new(not_in_tables(&error), error, None)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        match error {
            ReadError::NotInTables(error) => error.into(),
            error => {
                let help = error.remedy().map(Help::Remedy);
                Failure::new(Kind::Input, error, help)
            }
        }
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let kind = match &error {
            ProbeError::Count(_) => Kind::Input,
            ProbeError::Missing { .. } | ProbeError::MissingRules { .. } => Kind::No,
            ProbeError::NotInTables(error) => not_in_tables(error),
            _ => Kind::Machine,
        };
        let help = error.remedy().map(Help::Remedy);
        Failure::new(kind, error, help)
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Failure {
        match error {
            FindError::Probe(error) => error.into(),
            FindError::Wanted(error) => Failure::input(error),
        }
    }
}

impl From<GivenCountError> for Failure {
    fn from(error: GivenCountError) -> Failure {
        match error {
            GivenCountError::Probe(error) => error.into(),
            error => Failure::input(error),
        }
    }
}

impl From<VerifyError> for Failure {
    fn from(error: VerifyError) -> Failure {
        match error {
            VerifyError::Table(error) => error.into(),
            VerifyError::Probe(error) => error.into(),
        }
    }
}

/// A file or directory that the system does not let us use.
pub fn cannot(doing: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::machine(format_args!(
        "{} cannot be {doing} ({error})",
        path.display()
    ))
    .help("check that it exists and that you may use it, or choose another directory with --tables")
}
