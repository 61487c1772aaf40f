//! Lines on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line on standard error. That nobody can read it, since the pipe, the terminal or the
/// disk behind it is gone or full, changes nothing: `eprintln!` would panic.
pub fn say(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
