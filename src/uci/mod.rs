//! A UCI engine that plays from the tables, alone or before another engine.
//!
//! Alone it plays perfectly wherever its tables reach; elsewhere it makes a legal move and says that
//! no table knows the position. With an engine behind it, it is a filter: what the tables have
//! decided it answers itself, where the game is drawn it lets the engine choose among the moves that
//! keep the draw, and everything else it passes on.

mod analysis;
mod command;
mod display;
mod engine;
mod fallback;
mod options;
mod outbox;
mod session;
mod tables;

use std::io::{BufRead, Write};
use std::path::PathBuf;

use thiserror::Error;

/// How a session begins.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where the tables are, until the option `SakmakPath` says otherwise.
    pub directories: Vec<PathBuf>,
    /// The engine to stand before: its command, as a shell would split it.
    pub engine: Option<String>,
}

/// Why a session ends before its time.
#[derive(Debug, Error)]
pub enum UciError {
    /// The command of the engine cannot be split into words.
    #[error("the engine's command, {0:?}, has a quote without its end: close it")]
    Command(String),
    /// The engine does not start.
    #[error(
        "the engine {program:?} cannot be started ({error}): give a program that is there with --engine \"PROGRAM ARGUMENTS\""
    )]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// The engine ended while it was needed.
    #[error("the engine {program:?} ended by itself ({status}): start it alone to see why")]
    Ended {
        /// The program.
        program: String,
        /// How it ended.
        status: String,
    },
    /// Nobody can be told anything any more.
    #[error("standard output cannot be written ({0}): check what reads it")]
    Output(#[from] std::io::Error),
}

/// Talks UCI until `quit` or the end of the input.
///
/// # Errors
///
/// If the engine cannot be started or ends by itself, or the output cannot be written.
pub fn run(
    settings: &Settings,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), UciError> {
    session::Session::new(settings, output)?.run(input)
}
