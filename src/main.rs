//! The command line: see `sakmak --help`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
