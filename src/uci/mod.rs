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
mod error;
mod event;
mod fallback;
mod options;
mod outbox;
mod score;
mod session;
mod tables;

use std::io::{BufRead, Write};

pub use error::UciError;
pub use session::Settings;

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
