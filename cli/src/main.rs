//! The program `sakmak`: see `sakmak --help`. Each command is a module.
//!
//! Data goes to standard output, everything else to standard error.

// These macros panic if the output is closed: see `output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod annotate;
mod answer_text;
mod batch;
mod bench;
mod category_answer_text;
mod common;
mod count;
mod disk;
#[cfg_attr(not(feature = "download"), path = "without_feature/download.rs")]
mod download;
mod failure;
mod find;
mod format;
mod generate;
mod line;
mod list;
mod lock;
mod manifest;
mod memory;
mod out_of_memory;
mod output;
mod position_args;
mod probe;
mod progress;
mod remedy;
mod rules_help;
#[cfg_attr(not(feature = "serve"), path = "without_feature/serve.rs")]
mod serve;
mod set_args;
mod shell;
mod signals;
#[cfg_attr(not(feature = "serve"), path = "without_feature/site.rs")]
mod site;
mod stats;
mod stderr;
mod study;
mod table_kind;
mod tables_args;
mod terminal_board;
mod threads_args;
mod uci;
mod verify;
mod without_feature;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use common::Common;
use failure::Failure;
use out_of_memory::OrExit;
use tables_args::TablesArgs;

/// With this allocator, a program that runs out of memory ends with exit code 3: see [`OrExit`].
#[global_allocator]
static ALLOCATOR: OrExit = OrExit;

/// Endgame tables of makruk (Thai chess), ouk (Cambodian chess) and ASEAN chess.
///
/// Generates tables of endings and probes them: who wins, in how many moves, and whether the count
/// allows that many moves.
#[derive(Parser)]
#[command(
    name = "sakmak",
    version,
    after_help = "Start with:\n  sakmak generate bare-4\n  sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 w\"\n\n\
Exit codes: 0 success; 1 the answer is no, or a table is missing; 2 wrong usage or input; \
3 the machine failed (disk, memory, a corrupt file); 75 with generate --only: try again, here or \
on another machine."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Args),
    Probe(probe::Args),
    Line(line::Args),
    Annotate(annotate::Args),
    Find(find::Args),
    Stats(stats::Args),
    Study(study::Args),
    Verify(verify::Args),
    List(list::Args),
    Manifest(manifest::Args),
    #[command(hide = download::HIDDEN)]
    Download(download::Args),
    #[command(hide = serve::HIDDEN)]
    Serve(serve::Args),
    #[command(hide = site::HIDDEN)]
    Site(site::Args),
    Bench(bench::Args),
    Uci(uci::Args),
    Completions(shell::CompletionsArgs),
    Man(shell::ManArgs),
}

fn main() -> ExitCode {
    signals::ignore_file_limit();
    let (done, tables) = match Cli::try_parse() {
        Ok(cli) => (run(cli.command, &cli.common), cli.common.tables),
        Err(asked) if asked.use_stderr() => {
            let _ = asked.print();
            return ExitCode::from(2);
        }
        Err(asked) => (output::print_help(&asked), TablesArgs::default()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(&tables),
    }
}

fn run(command: Command, common: &Common) -> Result<(), Failure> {
    match command {
        Command::Generate(args) => generate::run(&args, common),
        Command::Probe(args) => probe::run(&args, common),
        Command::Line(args) => line::run(&args, common),
        Command::Annotate(args) => annotate::run(&args, common),
        Command::Find(args) => find::run(&args, common),
        Command::Stats(args) => stats::run(&args, common),
        Command::Study(args) => study::run(&args, common),
        Command::Verify(args) => verify::run(&args, common),
        Command::List(args) => list::run(&args, common),
        Command::Manifest(args) => manifest::run(&args, common),
        Command::Download(args) => download::run(&args, common),
        Command::Bench(args) => bench::run(&args, common),
        Command::Serve(args) => serve::run(&args, common),
        Command::Site(args) => site::run(&args, common),
        Command::Uci(args) => uci::run(&args, common),
        Command::Completions(args) => shell::completions(&args, Cli::command()),
        Command::Man(args) => shell::man(&args, Cli::command()),
    }
}
