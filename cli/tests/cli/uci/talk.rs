//! A conversation with the program, and a few tables for it.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::command::program_with;
use crate::common::copies;
use crate::running::{PATIENCE, Running};

/// The tables that the tests play with.
const ENDINGS: [&str; 4] = ["KRvK", "KNvK", "KRvKN", "KSvK"];

/// A directory with these tables alone.
pub fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    TABLES.get_or_init(|| copies(&ENDINGS)).path()
}

/// The program, running.
pub struct Talk {
    run: Running,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    /// Starts `sakmak uci` with these arguments.
    pub fn start(arguments: &[&str]) -> Talk {
        Talk::start_with(tables(), arguments)
    }

    pub fn start_with(tables: &Path, arguments: &[&str]) -> Talk {
        let mut command = program_with(tables);
        command.arg("uci").args(arguments).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut run = Running::start(&mut command);
        let output = BufReader::new(run.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                sender.send(line.unwrap()).unwrap();
            }
        });
        Talk {
            input: run.stdin.take().unwrap(),
            run,
            lines,
        }
    }

    /// Sends a line.
    pub fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The lines received, up to the first that begins with a text.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no {start:?} after {lines:#?}: {error}"),
            }
            if lines.last().unwrap().starts_with(start) {
                return lines;
            }
        }
    }

    /// Sends a line, and waits for the first line that begins with a text.
    pub fn ask(&mut self, line: &str, start: &str) -> Vec<String> {
        self.say(line);
        self.until(start)
    }

    /// Asserts that nothing more has arrived when `isready` is answered.
    pub fn is_silent(&mut self) {
        let lines = self.ask("isready", "readyok");
        assert_eq!(lines, ["readyok"]);
    }

    /// The first line that arrives within a time, if any.
    pub fn soon(&mut self, moment: Duration) -> Option<String> {
        self.lines.recv_timeout(moment).ok()
    }

    /// Ends the conversation. Returns the exit status and the text on standard error.
    pub fn end(mut self) -> (ExitStatus, String) {
        // It may have ended already.
        let _ = writeln!(self.input, "quit");
        drop(self.input);
        self.run.end_with_errors()
    }
}

/// The words that follow a word in a line.
pub fn after<'a>(line: &'a str, word: &str) -> Vec<&'a str> {
    line.split(' ').skip_while(|&w| w != word).skip(1).collect()
}
