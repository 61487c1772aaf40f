//! Failures of commands: messages, advice and exit codes.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use sakmak::directory::{LockError, ManifestError};
use sakmak::generate::JobError;
use sakmak::material::{MaterialError, SetError};
use sakmak::probe::{GivenCountError, ProbeError};
use sakmak::remedy::Remedy;
use sakmak::rules::{CountError, NotInTables, ReadError};
use sakmak::table::{TableError, TableKind};
use sakmak::verify::VerifyError;
use sakmak_play::find::{CriteriaError, FindError};
use sakmak_study::report::ReportError;

use super::remedy::advice;
use super::stderr::say;
use super::tables_args::TablesArgs;

/// The exit code, as in sysexits.h, for a failure that may be temporary: the command might succeed
/// later, or on another machine.
pub const TRY_AGAIN: u8 = 75;

/// A failure of a command, with a message, advice and an exit code.
pub struct Failure {
    kind: Kind,
    /// The message: what went wrong and where.
    fact: String,
    help: Option<Help>,
}

/// The category of a failure, which determines the exit code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The command worked, but its result is negative: a table is missing for a probe, or a
    /// verification found a difference.
    No,
    /// The position cannot be in any table.
    NotInTables,
    /// The usage or the input is wrong.
    Input,
    /// The machine failed: disk, memory, or an unusable file.
    Machine,
    /// The failure may be temporary: the command might succeed later, or on another machine.
    Temporary,
}

/// Advice that follows the message. The commands in the advice name the user's directories, so they
/// are composed only when the advice is shown.
enum Help {
    Words(String),
    Remedy(Remedy),
    /// Advice to generate missing tables, with the arguments of `sakmak generate`.
    Generate(String),
    /// Advice to generate a wrong table again.
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

    /// The failure for a negative answer.
    pub fn no(fact: impl ToString) -> Failure {
        Failure::new(Kind::No, fact, None)
    }

    /// The failure for unusable input.
    pub fn input(fact: impl ToString) -> Failure {
        Failure::new(Kind::Input, fact, None)
    }

    /// The failure for a fault of the machine.
    pub fn machine(fact: impl ToString) -> Failure {
        Failure::new(Kind::Machine, fact, None)
    }

    /// The failure for threads that the system refuses to start.
    pub fn threads(error: impl Display) -> Failure {
        Failure::machine(format_args!("the threads cannot be started ({error})"))
            .help("end other programs, or raise the limit on processes (ulimit -u)")
    }

    /// Marks a failure as one that may be temporary: the command might succeed later, or on another
    /// machine.
    pub fn temporary(mut self) -> Failure {
        self.kind = Kind::Temporary;
        self
    }

    /// Turns a temporary failure into an ordinary failure of the machine, for commands that do not
    /// tell the two apart.
    pub fn permanent(mut self) -> Failure {
        if self.kind == Kind::Temporary {
            self.kind = Kind::Machine;
        }
        self
    }

    /// The failure for a bug in this program.
    pub fn bug(fact: impl ToString) -> Failure {
        Failure::new(Kind::Machine, fact, Some(Help::Remedy(Remedy::Report)))
    }

    /// Adds advice to the failure.
    pub fn help(mut self, words: impl ToString) -> Failure {
        self.help = Some(Help::Words(words.to_string()));
        self
    }

    /// Adds the advice to generate this set.
    pub fn generate(mut self, set: impl ToString) -> Failure {
        self.help = Some(Help::Generate(set.to_string()));
        self
    }

    /// Adds the advice to generate this table again.
    pub fn regenerate(mut self, table: impl ToString) -> Failure {
        self.help = Some(Help::Regenerate(table.to_string()));
        self
    }

    /// The exit code of the program.
    pub fn code(&self) -> u8 {
        match self.kind {
            Kind::No | Kind::NotInTables => 1,
            Kind::Input => 2,
            Kind::Machine => 3,
            Kind::Temporary => TRY_AGAIN,
        }
    }

    /// The category's name in a JSON document.
    pub fn word(&self) -> &'static str {
        match self.kind {
            Kind::No => "missing-table",
            Kind::NotInTables => "not-in-tables",
            Kind::Input => "input",
            Kind::Machine => "file",
            Kind::Temporary => "busy",
        }
    }

    /// Turns the failure of one item into the failure of a command in which `failures` of `total`
    /// items failed. The message keeps the reason for this item as an example. `what` states what
    /// failed, for instance "positions have no answer".
    pub fn among(mut self, failures: u64, total: u64, what: &str) -> Failure {
        if total != 1 {
            self.fact = format!(
                "{failures} of {total} {what}, for example because {}",
                self.fact
            );
        }
        self
    }

    /// Joins message and advice in one sentence.
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
                "{}; if that does not help, report it as a bug in sakmak",
                advice(
                    &Remedy::Regenerate {
                        kind: TableKind::Distances,
                        table: Some(table.clone()),
                    },
                    tables
                )
            ),
        })
    }

    /// Prints the message on standard error, and the advice on the next line. Returns the exit
    /// code.
    pub fn report(&self, tables: &TablesArgs) -> ExitCode {
        let mut text = format!("sakmak: {}", self.fact);
        if let Some(advice) = self.advice(tables) {
            text += &format!("\nhelp: {advice}");
        }
        say(text);
        ExitCode::from(self.code())
    }
}

/// Defines conversions from the library's errors to failures with an exit code, without advice.
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
    NotInTables => NotInTables,
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

impl From<LockError> for Failure {
    fn from(error: LockError) -> Failure {
        let advice = match &error {
            LockError::Write { path, source } => return cannot("written", path, source),
            LockError::Foreign { .. } => "move it away, or choose another directory with --tables",
            LockError::OtherUser { .. } => {
                "ask that user to remove it when nobody generates tables there, or choose another directory \
                 with --tables"
            }
        };
        Failure::machine(error).help(advice)
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Failure {
        let temporary = error.is_temporary();
        let failure = match error {
            JobError::Busy { .. } => Failure::machine(error)
                .help("wait until it has finished, then run the same command again"),
            JobError::Lock(error) => error.into(),
            JobError::Table(error) => error.into(),
            JobError::Record(error) => error.into(),
            JobError::Io { path, source } => cannot("written", &path, &source),
        };
        match temporary {
            true => failure.temporary(),
            false => failure,
        }
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
            ProbeError::NotInTables(_) => Kind::NotInTables,
            ProbeError::Table(_) | ProbeError::NotDecoded | ProbeError::NoMemory { .. } => {
                Kind::Machine
            }
        };
        let help = error.remedy().map(Help::Remedy);
        Failure::new(kind, error, help)
    }
}

impl From<FindError> for Failure {
    fn from(error: FindError) -> Failure {
        match error {
            FindError::Probe(error) => error.into(),
            FindError::Criteria(error) => error.into(),
        }
    }
}

impl From<CriteriaError> for Failure {
    fn from(error: CriteriaError) -> Failure {
        let option = match error {
            CriteriaError::NotBare => Some("--turn b"),
            CriteriaError::BareLoss => Some("--turn w"),
            _ => None,
        };
        let failure = Failure::input(error);
        match option {
            Some(option) => failure.help(format_args!("the option is {option}")),
            None => failure,
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Failure {
        Failure::bug(error)
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

/// The failure for a file or directory that cannot be read or written.
pub fn cannot(doing: &str, path: &Path, error: &io::Error) -> Failure {
    let advice = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space and run the same command again, or choose another directory with --tables"
        }
        _ => {
            "check that it exists and that you may use it, or choose another directory with --tables"
        }
    };
    Failure::machine(format_args!(
        "{} cannot be {doing} ({error})",
        path.display()
    ))
    .help(advice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_has_its_own_advice() {
        let advice = |kind: io::ErrorKind| {
            let failure = cannot("written", Path::new("tables/KRvK.skm"), &kind.into());
            failure.sentence(&TablesArgs::default())
        };
        assert!(advice(io::ErrorKind::StorageFull).contains("free some space and run the same"));
        assert!(advice(io::ErrorKind::PermissionDenied).contains("that you may use it"));
    }
}
