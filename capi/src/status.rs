//! The result of a call, as a number and as a message.

use std::borrow::Cow;
use std::ffi::c_char;
use std::fmt::Display;

use tablebase::board::{FenError, PositionError};
use tablebase::probe::ProbeError;
use tablebase::remedy::{GenerateReason, ProgramWords, Remedy};
use tablebase::rules::{CountError, NotInTables, ReadError};
use tablebase::table::{TableError, TableErrorKind, TableKind};

/// The size in bytes of the longest message, including the terminating zero. A longer message is
/// truncated.
pub const SAKMAK_MESSAGE_SIZE: usize = 1024;

/// The result of a call. 1 to 19 are mistakes of the caller. 20 to 29 mean that the tables have no
/// answer, although nothing is wrong. 30 to 49 mean that files or directories cannot be used, or
/// that memory is short. 50 and above are faults of the library.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SakmakStatus {
    /// Success.
    Ok = 0,
    /// A required pointer is NULL.
    NullPointer = 1,
    /// The handle is NULL: it was closed, or never opened.
    ClosedHandle = 2,
    /// The handle does not point to an open tablebase. Not every wrong pointer is recognised.
    InvalidHandle = 3,
    /// A string is not UTF-8.
    NotUtf8 = 4,
    /// The rule set is not one of SakmakRules.
    BadRules = 5,
    /// A string is not a FEN in the letters of the rule set.
    BadFen = 6,
    /// The men do not form a legal position, or a square, colour or role is out of range.
    BadPosition = 7,
    /// Nothing is counted in the position under the rules, or the kind of the count is not a value
    /// of SakmakCountKind.
    BadCount = 8,
    /// The buffer is too small.
    BufferTooSmall = 9,
    /// An option is out of range.
    BadOption = 10,
    /// A text is not a legal move of the position in UCI notation.
    BadMove = 11,
    /// No directory contains the table, or the table lacks the rule set.
    MissingTable = 20,
    /// No table contains the position, which may be legal: it has too many men, a king or met of ouk
    /// may still make its first leap, or a bia is on a square where tables have none.
    NotInTables = 21,
    /// A block that the answer needs has not been decoded. Only sakmak_probe_cached and
    /// sakmak_category_cached return this.
    NotDecoded = 22,
    /// A directory does not exist or cannot be read.
    BadDirectory = 30,
    /// A table's file cannot be opened or read. The message has the system's error, and names
    /// most_open if too many files are open.
    UnreadableTable = 31,
    /// The file is not a table.
    NotATable = 32,
    /// The table was written with another format version, or for another revision of the rules.
    OtherVersion = 33,
    /// The length of the file differs from the length stated in its header.
    WrongLength = 34,
    /// The table's header is damaged.
    DamagedHeader = 35,
    /// The model of a section is damaged.
    DamagedModel = 36,
    /// A block, or its entry in the index, is damaged.
    DamagedBlock = 37,
    /// The file is the table of another ending.
    WrongTable = 38,
    /// There is not enough memory: for the cache (sakmak_open) or for a table.
    NoMemory = 39,
    /// The table cannot be used for another reason, which the message states.
    OtherDamage = 40,
    /// A fault of the library: please report it.
    Internal = 50,
}

/// An error, with a message. A successful call does not change it.
#[repr(C)]
pub struct SakmakError {
    /// The result of the call.
    pub status: SakmakStatus,
    /// One sentence in UTF-8, zero-terminated. It says what is wrong, where, and what to do.
    pub message: [c_char; SAKMAK_MESSAGE_SIZE],
}

/// The status and the message of a failed call.
pub struct Failure {
    pub status: SakmakStatus,
    message: Cow<'static, str>,
}

impl Failure {
    pub fn new(status: SakmakStatus, message: impl Into<Cow<'static, str>>) -> Failure {
        Failure {
            status,
            message: message.into(),
        }
    }

    /// Joins the messages of two failures with the same status.
    pub fn and(self, other: Failure) -> Failure {
        Failure::new(self.status, format!("{}; {}", self.message, other.message))
    }

    /// Writes the failure to the structure of the C caller.
    pub fn write(&self, error: &mut SakmakError) {
        error.status = self.status;
        // Cuts the message between characters.
        let mut end = self.message.len().min(SAKMAK_MESSAGE_SIZE - 1);
        while !self.message.is_char_boundary(end) {
            end -= 1;
        }
        let bytes = self.message.as_bytes()[..end].iter();
        error.message = [0; SAKMAK_MESSAGE_SIZE];
        for (to, from) in error.message.iter_mut().zip(bytes) {
            *to = from.cast_signed() as c_char;
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        let status = match error {
            ReadError::Fen(_) => SakmakStatus::BadFen,
            ReadError::NotInTables(_) => SakmakStatus::NotInTables,
        };
        Failure::new(status, with_advice(&error, error.remedy()))
    }
}

impl From<FenError> for Failure {
    fn from(error: FenError) -> Failure {
        Failure::from(ReadError::from(error))
    }
}

impl From<NotInTables> for Failure {
    fn from(error: NotInTables) -> Failure {
        Failure::new(SakmakStatus::NotInTables, error.to_string())
    }
}

impl From<PositionError> for Failure {
    fn from(error: PositionError) -> Failure {
        Failure::new(SakmakStatus::BadPosition, error.to_string())
    }
}

impl From<CountError> for Failure {
    fn from(error: CountError) -> Failure {
        Failure::new(SakmakStatus::BadCount, error.to_string())
    }
}

impl From<ProbeError> for Failure {
    fn from(error: ProbeError) -> Failure {
        let status = match &error {
            ProbeError::Count(_) => SakmakStatus::BadCount,
            ProbeError::NotInTables(_) => SakmakStatus::NotInTables,
            ProbeError::Missing { .. } | ProbeError::MissingRules { .. } => {
                SakmakStatus::MissingTable
            }
            ProbeError::Table(error) => of_table(error),
            ProbeError::NotDecoded => SakmakStatus::NotDecoded,
            ProbeError::NoMemory { .. } => SakmakStatus::NoMemory,
        };
        Failure::new(status, with_advice(&error, error.remedy()))
    }
}

/// The message of a library error, followed by its remedy, as one sentence.
fn with_advice(error: &impl Display, remedy: Option<Remedy>) -> String {
    let words = ProgramWords {
        name: "the library",
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
            let constant = rules.to_ascii_uppercase();
            format!("pass SAKMAK_RULES_{constant} if the game is {rules}")
        },
        fewer_files: "set most_open, for instance to 100",
        less_memory: "pass a smaller cache_bytes",
        other_directory: "choose another directory",
    };
    match remedy {
        Some(remedy) => format!("{error}: {}", remedy.advice(&words)),
        None => error.to_string(),
    }
}

fn of_table(error: &TableError) -> SakmakStatus {
    match error.kind() {
        TableErrorKind::Io { .. } => SakmakStatus::UnreadableTable,
        TableErrorKind::NotATable => SakmakStatus::NotATable,
        TableErrorKind::Version { .. } | TableErrorKind::RulesRevision { .. } => {
            SakmakStatus::OtherVersion
        }
        TableErrorKind::Truncated { .. } | TableErrorKind::TooLong { .. } => {
            SakmakStatus::WrongLength
        }
        TableErrorKind::HeaderCorrupt { .. } => SakmakStatus::DamagedHeader,
        TableErrorKind::ModelCorrupt { .. } => SakmakStatus::DamagedModel,
        TableErrorKind::BlockCorrupt { .. } => SakmakStatus::DamagedBlock,
        TableErrorKind::WrongMaterial { .. } => SakmakStatus::WrongTable,
        TableErrorKind::NoMemory { .. } => SakmakStatus::NoMemory,
        TableErrorKind::LaterCheckpoint
        | TableErrorKind::OutOfRange { .. }
        | TableErrorKind::BadInput(_) => SakmakStatus::OtherDamage,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn advice_for_a_damaged_table_makes_the_table_of_its_kind_again() {
        for (name, advice) in [
            (
                "KRvK.skm",
                "make it again with `sakmak generate --force KRvK`",
            ),
            (
                "KRvK.skv",
                "delete it and make it again with `sakmak generate --verdicts KRvK`",
            ),
        ] {
            let kind = TableErrorKind::HeaderCorrupt {
                what: "its checksum is wrong",
            };
            let error = TableError::new(Some(Path::new(name)), None, kind);
            let failure = Failure::from(ProbeError::from(error));
            assert!(failure.message.ends_with(advice), "{}", failure.message);
        }
    }
}
