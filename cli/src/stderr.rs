//! Prints lines on standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Prints a line on standard error. Ignores errors, for example of a closed pipe or a full disk, on
/// which `eprintln!` would panic.
pub fn say(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
