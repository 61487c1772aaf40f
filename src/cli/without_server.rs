//! `sakmak serve` and `sakmak site` in a program that was built without the server.

use std::ffi::OsString;

use super::Failure;

/// Needs a program with the server
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _anything: Vec<OsString>,
}

/// Explains how to build the command.
pub fn run(command: &str) -> Result<(), Failure> {
    let fact = format_args!("this program was built without `sakmak {command}`");
    Err(Failure::input(fact).help(
        "in sakmak's repository `cargo install --path . --features serve` installs one with it",
    ))
}
