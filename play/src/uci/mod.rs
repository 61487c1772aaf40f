//! A UCI engine that plays from tables, alone or as a filter in front of another engine.
//!
//! Alone, it plays perfectly in the positions of the tables. Elsewhere it makes a legal move and
//! reports that no table contains the position. As a filter, it chooses the move itself in won and
//! lost positions. In drawn positions it lets the engine choose among the moves that keep the draw.
//! Positions outside the tables go to the engine.

mod analysis;
mod command;
mod display;
mod engine;
mod error;
mod fallback;
mod options;
mod outbox;
mod progress;
mod score;
mod session;
mod tables;

use std::io::{BufRead, Write};

pub use error::UciError;
pub use session::Settings;

/// Runs a UCI session until `quit` or the end of the input.
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
