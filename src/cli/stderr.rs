//! Prints lines on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line on standard error. Ignores errors, since the pipe, the terminal or the disk may be
/// gone or full; `eprintln!` would panic.
pub fn say(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
