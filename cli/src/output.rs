//! Writes data to standard output.

use std::io::{self, Write};

use serde::Serialize;

use super::Failure;

/// Prints data to standard output. A closed pipe, as after `head`, is not a failure.
pub fn print(data: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    printed(out.write_all(data.as_bytes()).and_then(|()| out.flush()))
}

/// Prints the text of `--help` or `--version`, in colours on a terminal.
pub fn print_help(request: &clap::Error) -> Result<(), Failure> {
    printed(request.print().and_then(|()| io::stdout().flush()))
}

fn printed(done: io::Result<()>) -> Result<(), Failure> {
    match done {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::machine(
            format_args!("cannot write to standard output ({error})"),
        )
        .help("check that the disk has free space")),
        _ => Ok(()),
    }
}

/// Prints one JSON document.
pub fn print_json(document: &impl Serialize) -> Result<(), Failure> {
    let json = serde_json::to_string_pretty(document).map_err(not_json)?;
    print(&format!("{json}\n"))
}

/// Formats a JSON document as one line.
pub fn json_line(document: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string(document).map_err(not_json)?;
    Ok(json + "\n")
}

fn not_json(error: serde_json::Error) -> Failure {
    Failure::bug(format_args!(
        "the answer cannot be written as JSON ({error})"
    ))
}
