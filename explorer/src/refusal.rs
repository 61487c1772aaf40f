//! Refusals: JSON objects that state why a question has no answer.

use std::io;

use serde::Serialize;

use sakmak::probe::{GivenCountError, ProbeError};
use sakmak::rules::{CountError, NotInTables, ReadError, RuleSetError};
use sakmak::table::{TableError, TableErrorKind};

/// The kinds of [`Refusal`]. In JSON, each kind is a name such as `missing-table`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum RefusalKind {
    /// The question contains a mistake: an invalid position, count or rule set.
    Input,
    /// A table that the answer needs is missing.
    MissingTable,
    /// The position cannot be in any table.
    NotInTables,
    /// No position matches the criteria.
    NotFound,
    /// The question is too large, or its answer would be.
    TooLarge,
    /// The time allowed is over.
    Busy,
    /// A table's file cannot be used.
    File,
    /// A bug in the program.
    Internal,
}

impl RefusalKind {
    /// The HTTP status for this kind of refusal.
    pub fn status(self) -> u16 {
        match self {
            RefusalKind::Input => 400,
            RefusalKind::MissingTable | RefusalKind::NotInTables | RefusalKind::NotFound => 404,
            RefusalKind::TooLarge => 413,
            RefusalKind::Busy => 503,
            RefusalKind::File | RefusalKind::Internal => 500,
        }
    }
}

/// The maximum number of characters of a message. Messages quote the question, which may be long.
const LONGEST_MESSAGE: usize = 600;

/// The maximum number of characters of a FEN in an error.
const LONGEST_FEN: usize = 300;

/// The first characters of a text.
fn beginning(text: &str, most: usize) -> &str {
    let end = text.char_indices().nth(most);
    end.map_or(text, |(end, _)| &text[..end])
}

/// The reason why a question has no answer. The public message never contains a path on the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The kind of reason.
    pub kind: RefusalKind,
    /// The reason in one sentence, for the client.
    pub message: String,
    /// The message for the server's log, which may contain paths on the server.
    pub private: Option<String>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<&'a str>,
    error: Reason<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

#[derive(Serialize)]
struct Reason<'a> {
    kind: RefusalKind,
    message: &'a str,
}

impl Refusal {
    fn new(kind: RefusalKind, message: impl Into<String>) -> Refusal {
        let mut message = message.into();
        let start = beginning(&message, LONGEST_MESSAGE / 2).len();
        let end = message.char_indices().rev().nth(LONGEST_MESSAGE / 2);
        if let Some((end, _)) = end
            && start < end
        {
            // The question's text is quoted in the middle, and the advice stands at the end.
            message.replace_range(start..end, "…");
        }
        Refusal {
            kind,
            message,
            private: None,
        }
    }

    /// Refuses a question that contains a mistake.
    pub fn input(message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::Input, message)
    }

    /// Refuses a question whose table is missing.
    pub fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::MissingTable, message)
    }

    /// Refuses a search that no position matches.
    pub fn not_found(message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::NotFound, message)
    }

    /// Refuses a question whose answer would exceed the limits.
    pub fn too_large(message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::TooLarge, message)
    }

    /// Refuses a question for which the time allowed is not enough.
    pub fn busy(message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::Busy, message)
    }

    /// Reports a bug in the program.
    pub fn internal(message: impl Into<String>) -> Refusal {
        Refusal::new(RefusalKind::Internal, message)
    }

    /// The JSON object `{"error": {"kind": …, "message": …}}` on one line, with the question's FEN
    /// if `fen` is not `None`. A text that is longer than any FEN is cut.
    pub fn document(&self, fen: Option<&str>) -> String {
        let fen = fen.map(|fen| beginning(fen, LONGEST_FEN));
        self.document_with(fen, None)
    }

    /// The JSON object for a refused game, with the line of the file at which the game begins.
    pub(super) fn document_of_line(&self, line: Option<usize>) -> String {
        self.document_with(None, line)
    }

    fn document_with(&self, fen: Option<&str>, line: Option<usize>) -> String {
        let document = Document {
            fen,
            line,
            error: Reason {
                kind: self.kind,
                message: &self.message,
            },
        };
        // Strings can always be serialised.
        serde_json::to_string(&document).unwrap_or_default() + "\n"
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Refusal {
        let gone = matches!(
            error.kind(),
            TableErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::NotFound
        );
        let of = match error.material() {
            Some(material) => format!(" of {material}"),
            None => String::new(),
        };
        let (kind, message) = match gone {
            true => (
                RefusalKind::MissingTable,
                format!("the table{of} was removed from this server: choose another ending"),
            ),
            false => (
                RefusalKind::File,
                format!("the table{of} cannot be used here: contact the server's operator"),
            ),
        };
        Refusal {
            kind,
            message,
            private: Some(error.to_string()),
        }
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Refusal {
        match error {
            ReadError::Fen(error) => Refusal::input(error.to_string()),
            ReadError::NotInTables(error) => error.into(),
        }
    }
}

impl From<NotInTables> for Refusal {
    fn from(error: NotInTables) -> Refusal {
        Refusal::new(RefusalKind::NotInTables, error.to_string())
    }
}

impl From<ProbeError> for Refusal {
    fn from(error: ProbeError) -> Refusal {
        match error {
            ProbeError::Count(error) => error.into(),
            ProbeError::Table(error) => error.into(),
            ProbeError::NotInTables(error) => error.into(),
            ProbeError::MissingRules {
                material,
                found,
                rules,
                ..
            } => Refusal {
                private: Some(error.to_string()),
                ..Refusal::missing(format!(
                    "this server's table of {material} has results for {found} only, not for {rules}"
                ))
            },
            ProbeError::Missing { material, .. } => Refusal {
                private: Some(error.to_string()),
                ..Refusal::missing(format!(
                    "there is no table of {material} here: ask for an ending that /v1/endings lists"
                ))
            },
            ProbeError::NotDecoded | ProbeError::NoMemory { .. } => Refusal {
                private: Some(error.to_string()),
                ..Refusal::internal(
                    "the server has too little memory for this answer: try again later",
                )
            },
        }
    }
}

impl From<GivenCountError> for Refusal {
    fn from(error: GivenCountError) -> Refusal {
        match error {
            GivenCountError::Probe(error) => error.into(),
            error => Refusal::input(error.to_string()),
        }
    }
}

/// Implements the conversion to a refusal for errors that are always mistakes in the question.
macro_rules! input {
    ($($error:ty),*) => {
        $(impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                Refusal::input(error.to_string())
            }
        })*
    };
}

input!(CountError, RuleSetError);
