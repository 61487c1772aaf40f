//! `sakmak uci`: plays from the tables.

use std::io::{self, BufReader};

use sakmak::uci::{self, Settings, UciError};

use super::{Common, Failure};

/// Play from the tables over UCI, alone or in front of another engine
///
/// Alone, it plays perfectly in positions of the tables, and any legal move elsewhere. With
/// --engine it passes everything on to that engine, except that it plays positions that the tables
/// decide, and limits the engine to moves that keep a draw.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak uci\n  \
sakmak uci --engine fairy-stockfish\n  \
sakmak uci --engine \"/opt/engine --threads 2\" --tables /data/tables")]
pub struct Args {
    /// Command line of the engine that plays where the tables do not decide
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
        // The GUI has closed the pipe, which is no failure.
        Err(UciError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error @ (UciError::Command(_) | UciError::Start { .. })) => {
            Err(Failure::input(error.to_string()))
        }
        Err(error) => Err(Failure::machine(error.to_string())),
    }
}
