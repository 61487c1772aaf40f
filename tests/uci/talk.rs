//! A conversation with the program, and a few tables to have it about.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use sakmak::generate::{Library, generate_table};
use sakmak::material::parse_set;
use sakmak::table::WriteOptions;
use tempfile::TempDir;

/// The tables that the tests play with.
const ENDINGS: &str = "KRvKN KSvK";

/// How long an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A directory with the tables, made once.
pub fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    let directory = TABLES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let mut library = Library::new();
        for material in ENDINGS.split(' ').flat_map(|name| parse_set(name).unwrap()) {
            let options = WriteOptions::of(material);
            generate_table(material, directory.path(), &mut library, &options, &|_| {}).unwrap();
        }
        directory
    });
    directory.path()
}

/// The program, running.
pub struct Talk {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    /// Starts `sakmak uci` with these arguments.
    pub fn start(arguments: &[&str]) -> Talk {
        Talk::start_with(tables(), arguments)
    }

    pub fn start_with(tables: &Path, arguments: &[&str]) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sakmak"))
            .arg("uci")
            .arg("--tables")
            .arg(tables)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                sender.send(line.unwrap()).unwrap();
            }
        });
        Talk {
            input: child.stdin.take().unwrap(),
            child,
            lines,
        }
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The lines that come, up to and with the first that begins so.
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

    /// Says a line, and waits for the first line that begins so.
    pub fn ask(&mut self, line: &str, start: &str) -> Vec<String> {
        self.say(line);
        self.until(start)
    }

    /// Asserts that nothing more has been said when `isready` is answered.
    pub fn is_silent(&mut self) {
        let lines = self.ask("isready", "readyok");
        assert_eq!(lines, ["readyok"]);
    }

    /// The first line that comes within a moment, if any does.
    pub fn soon(&mut self, moment: Duration) -> Option<String> {
        self.lines.recv_timeout(moment).ok()
    }

    /// Ends the conversation. Returns how the program ended and what it said on standard error.
    pub fn end(mut self) -> (ExitStatus, String) {
        // It may have ended already.
        let _ = writeln!(self.input, "quit");
        drop(self.input);
        let output = self.child.wait_with_output().unwrap();
        (output.status, String::from_utf8(output.stderr).unwrap())
    }
}

/// The words after a word in a line.
pub fn after<'a>(line: &'a str, word: &str) -> Vec<&'a str> {
    line.split(' ').skip_while(|&w| w != word).skip(1).collect()
}
