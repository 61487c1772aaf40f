//! Why a session ends before its time.

use thiserror::Error;

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
    /// Nothing can be written to the GUI any more.
    #[error("standard output cannot be written ({0}): check what reads it")]
    Output(#[from] std::io::Error),
}
