//! Data, on standard output.

use std::io::{self, Write};

use serde::Serialize;

use super::Failure;

/// Prints data. A reader that has seen enough, as `head` has, is no failure.
pub fn print(data: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(data.as_bytes()).and_then(|()| out.flush()) {
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
