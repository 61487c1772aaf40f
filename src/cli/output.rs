//! Data on standard output, and everything else on standard error.

use std::fmt::Display;
use std::io::{self, Write};

use serde::Serialize;

use super::Failure;

/// Prints data. A reader that has seen enough, as `head` has, is no failure.
pub fn print(data: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    printed(out.write_all(data.as_bytes()).and_then(|()| out.flush()))
}

/// Prints what `--help` and `--version` ask for, in colours if it goes to a terminal.
pub fn print_help(asked: &clap::Error) -> Result<(), Failure> {
    printed(asked.print().and_then(|()| io::stdout().flush()))
}

fn printed(done: io::Result<()>) -> Result<(), Failure> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::machine(format!(
            "standard output cannot be written ({error}): check that the disk has room"
        ))),
        _ => Ok(()),
    }
}

/// Prints one JSON document.
pub fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(document)
        .map_err(|error| Failure::machine(format!("the answer cannot be written as JSON ({error}): please report this as a fault of sakmak")))?;
    print(&format!("{json}\n"))
}

/// Prints a line on standard error. That nobody can read it, since the pipe, the terminal or the
/// disk behind it is gone or full, changes nothing: `eprintln!` would panic.
pub fn say(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
