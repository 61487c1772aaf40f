//! Stands in for commands whose feature is missing from this build: `sakmak serve`, `site` and
//! `download`.
#![cfg(not(all(feature = "serve", feature = "download")))]

use std::ffi::OsString;

use super::Failure;

/// Not in this build of the program
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Args {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    _anything: Vec<OsString>,
}

/// Fails with advice on how to build the program with the command.
pub fn run(command: &str, feature: &str) -> Result<(), Failure> {
    let fact = format_args!("this program was built without `sakmak {command}`");
    Err(Failure::input(fact).help(format_args!(
        "build sakmak with `--features {feature}`: `cargo install --path cli --features {feature}` in its repository \
         installs sakmak with this feature"
    )))
}
