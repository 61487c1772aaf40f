//! The command line: see `sakmak --help`.

// These macros panic on a closed output: see `cli::output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cli;

/// If the program runs out of memory, it ends with exit code 3: see `cli::OrExit`.
#[global_allocator]
static ALLOCATOR: cli::OrExit = cli::OrExit;

fn main() -> std::process::ExitCode {
    cli::main()
}
