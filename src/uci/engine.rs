//! The engine behind the filter: its process, and the lines sent to it and received from it.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::error::UciError;
use super::event::Event;

/// How long an engine may take to end after `quit`.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long an engine may take to answer `stop`.
pub(super) const PATIENCE_AT_STOP: Duration = Duration::from_secs(5);

/// A running engine.
pub(super) struct Engine {
    program: String,
    child: Child,
    input: ChildStdin,
    /// The number of searches for which no `bestmove` has come yet.
    searching: u32,
    /// How many of the searches were abandoned. Output belongs to the oldest search, so all lines
    /// are dropped until this number of `bestmove`s has come.
    abandoned: u32,
    /// True if the engine has not answered `stop` in time. It becomes false when the answer comes.
    silent: bool,
    /// Lines that are held back while the engine is silent, since it is perhaps not reading its
    /// input.
    untold: Vec<String>,
}

impl Engine {
    /// Starts an engine. Its output arrives as events.
    pub fn start(command: &str, events: Sender<Event>) -> Result<Engine, UciError> {
        let words = shlex::split(command).ok_or_else(|| UciError::Command(command.to_string()))?;
        let program = words.first().cloned().unwrap_or_default();
        let failed = |error| UciError::Start {
            program: program.clone(),
            error,
        };
        let mut child = Command::new(&program)
            .args(words.iter().skip(1))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(io::Error::other("it has no input or output")));
        };
        thread::spawn(move || {
            read_lines(BufReader::new(output), |line| {
                events.send(Event::Engine(line)).is_ok()
            });
            // A closed channel means that the session is over.
            let _ = events.send(Event::EngineEnd);
        });
        Ok(Engine {
            program,
            child,
            input,
            searching: 0,
            abandoned: 0,
            silent: false,
            untold: Vec::new(),
        })
    }

    /// Sends a line to the engine, or holds it back while the engine is silent. A dead engine is
    /// noticed by the end of its output.
    pub fn send(&mut self, line: &str) {
        if self.silent {
            self.untold.push(line.to_string());
            return;
        }
        let text = format!("{line}\n");
        let _ = self.input.write_all(text.as_bytes());
        let _ = self.input.flush();
    }

    /// Starts a search.
    pub fn search(&mut self, line: &str) {
        self.searching += 1;
        self.send(line);
    }

    /// Stops a search without waiting for its answer.
    pub fn abandon(&mut self) {
        if self.searching > self.abandoned {
            self.abandoned = self.searching;
            self.send("stop");
        }
    }

    /// Stops waiting for the answer to `stop`.
    pub fn give_up(&mut self) {
        self.abandoned = self.searching;
        self.silent = true;
    }

    /// True if the engine has not answered `stop` in time, and has still not answered.
    pub fn is_silent(&self) -> bool {
        self.silent
    }

    /// True if a line belongs to the current search, or to no search.
    pub fn is_wanted(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => {
                let wanted = self.searching > self.abandoned && self.abandoned == 0;
                self.searching = self.searching.saturating_sub(1);
                self.abandoned = self.abandoned.saturating_sub(1);
                if self.abandoned == 0 && std::mem::take(&mut self.silent) {
                    for line in std::mem::take(&mut self.untold) {
                        self.send(&line);
                    }
                }
                wanted
            }
            Some("info") => self.abandoned == 0,
            _ => true,
        }
    }

    /// Makes the error that says how the engine ended, when its output has come to its end.
    pub fn ended(mut self) -> UciError {
        let status = match wait(&mut self.child) {
            Some(status) => status,
            None => "its output is closed".to_string(),
        };
        UciError::Ended {
            program: self.program,
            status,
        }
    }

    /// Ends the engine.
    pub fn quit(mut self) {
        if self.silent {
            let _ = self.child.kill();
        }
        self.send("quit");
        drop(self.input);
        wait(&mut self.child);
    }
}

/// Waits a while for a process to end, then kills it.
fn wait(child: &mut Child) -> Option<String> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.to_string()),
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
    }
    // It may have ended just now.
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Calls `each` with every line read, without its line end, until `each` returns false. Bytes that
/// are not UTF-8 are replaced.
pub(super) fn read_lines(mut input: impl BufRead, mut each: impl FnMut(String) -> bool) {
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line);
        if !each(text.trim_end_matches(['\n', '\r']).to_string()) {
            return;
        }
    }
}
