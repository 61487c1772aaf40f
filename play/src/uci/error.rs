//! The errors that end a session.

use thiserror::Error;

/// An error that ends a session.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UciError {
    /// The engine's command has unbalanced quotes.
    #[error("the engine's command, {0:?}, has an unclosed quote: close it")]
    Command(String),
    /// The engine cannot be started.
    #[error("the engine {program:?} cannot be started ({error}): name an existing program")]
    Start {
        /// The name of the program.
        program: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// The thread that reads the commands or the engine's output cannot be started.
    #[error(
        "the threads cannot be started ({0}): end other programs, or raise the limit on processes (ulimit -u)"
    )]
    Threads(std::io::Error),
    /// The engine ended while in use.
    #[error("the engine {program:?} ended by itself ({status}): start it alone to see why")]
    Ended {
        /// The name of the program.
        program: String,
        /// The exit status of the program.
        status: String,
    },
    /// The output to the GUI failed.
    #[error("cannot write to standard output ({0}): check the program that reads it")]
    Output(#[from] std::io::Error),
}
