//! The program `sakmak`: see `sakmak --help`.

// These macros panic if the output is closed: see `cli::output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cli;

/// With this allocator, a program that runs out of memory ends with exit code 3: see `cli::OrExit`.
#[global_allocator]
static ALLOCATOR: cli::OrExit = cli::OrExit;

fn main() -> std::process::ExitCode {
    cli::main()
}
