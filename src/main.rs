//! The command line: see `sakmak --help`.

// Their macros panic where nobody can read what they print: see `cli::output`.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cli;

/// See there: without memory the program ends with exit code 3.
#[global_allocator]
static ALLOCATOR: cli::OrExit = cli::OrExit;

fn main() -> std::process::ExitCode {
    cli::main()
}
