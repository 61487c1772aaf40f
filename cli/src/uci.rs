//! `sakmak uci`: plays from the tables.

use std::io::{self, BufReader};

use sakmak_play::uci::{self, Settings, UciError};

use super::{Common, Failure};

/// Play from the tables over UCI, alone or in front of another engine
///
/// Without --engine, sakmak plays perfectly in positions of the tables, and makes any legal move in
/// other positions. With --engine, sakmak itself plays won and lost positions of the tables. In
/// drawn positions it lets the engine choose among the moves that keep the draw. All other
/// positions go to the engine.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak uci\n  \
sakmak uci --engine fairy-stockfish\n  \
sakmak uci --engine \"/opt/engine --threads 2\" --tables /data/tables")]
pub struct Args {
    /// Command line of the engine that plays drawn positions and positions outside the tables
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let settings = Settings {
        directories: common.directories()?,
        engine: args.engine.clone(),
    };
    match uci::run(&settings, BufReader::new(io::stdin()), io::stdout()) {
        Ok(()) => Ok(()),
        // The GUI has closed the pipe, which is not a failure.
        Err(UciError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        // The system has no process left, which is no fault of the command.
        Err(UciError::Start { error, .. }) if error.kind() == io::ErrorKind::WouldBlock => {
            Err(Failure::threads(error))
        }
        Err(error @ UciError::Start { .. }) => {
            Err(Failure::input(error).help("give it as --engine \"PROGRAM ARGUMENTS\""))
        }
        Err(error @ UciError::Command(_)) => Err(Failure::input(error)),
        Err(error) => Err(Failure::machine(error.to_string())),
    }
}
