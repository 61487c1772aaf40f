//! The engine that a session filters: its process, the lines exchanged with it, and the events that
//! the session waits for.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::error::UciError;

/// An event that a session waits for.
#[derive(Debug)]
pub(super) enum Event {
    /// A line from the GUI.
    User(String),
    /// The end of the GUI's input.
    UserEnd,
    /// A line from the engine.
    Engine(String),
    /// The end of the engine's output.
    EngineEnd,
}

/// The time within which an engine must end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_secs(3);
/// The time within which an engine must answer `stop`.
pub(super) const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The process of a running engine.
pub(super) struct Engine {
    program: String,
    child: Child,
    input: ChildStdin,
    /// The number of searches that have not yet been answered by `bestmove`.
    searching: u32,
    /// The number of unanswered searches that were abandoned. The engine's output belongs to its
    /// oldest search, so all lines are dropped until the engine has sent this many `bestmove`s.
    abandoned: u32,
    /// True if the engine has not answered `stop` in time. Becomes false once the answer comes.
    silent: bool,
    /// The lines that wait while the engine is silent, since the engine may not be reading its
    /// input.
    unsent: Vec<String>,
}

impl Engine {
    /// Starts an engine. Its output is sent to `events`.
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
        let reading = move || {
            read_lines(BufReader::new(output), |line| {
                events.send(Event::Engine(line)).is_ok()
            });
            // If the channel is closed, the session is over.
            let _ = events.send(Event::EngineEnd);
        };
        if let Err(error) = thread::Builder::new().spawn(reading) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(UciError::Threads(error));
        }
        Ok(Engine {
            program,
            child,
            input,
            searching: 0,
            abandoned: 0,
            silent: false,
            unsent: Vec::new(),
        })
    }

    /// Sends a line to the engine. If the engine is silent, the line waits. Write errors are
    /// ignored: an engine that has ended is noticed by the end of its output.
    pub fn send(&mut self, line: &str) {
        if self.silent {
            self.unsent.push(line.to_string());
            return;
        }
        let text = format!("{line}\n");
        let _ = self.input.write_all(text.as_bytes());
        let _ = self.input.flush();
    }

    /// Sends a line that starts a search.
    pub fn search(&mut self, line: &str) {
        self.searching += 1;
        self.send(line);
    }

    /// Stops a search without waiting for its answer, which will be dropped.
    pub fn abandon(&mut self) {
        if self.searching > self.abandoned {
            self.abandoned = self.searching;
            self.send("stop");
        }
    }

    /// Gives up waiting for the answer to `stop`.
    pub fn give_up(&mut self) {
        self.abandoned = self.searching;
        self.silent = true;
    }

    /// True while the engine fails to answer `stop`.
    pub fn is_silent(&self) -> bool {
        self.silent
    }

    /// True if a line of output belongs to the current search, or to no search. A `bestmove` ends
    /// the engine's oldest search.
    pub fn is_wanted(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => {
                let wanted = self.searching > self.abandoned && self.abandoned == 0;
                self.searching = self.searching.saturating_sub(1);
                self.abandoned = self.abandoned.saturating_sub(1);
                if self.abandoned == 0 && std::mem::take(&mut self.silent) {
                    for line in std::mem::take(&mut self.unsent) {
                        self.send(&line);
                    }
                }
                wanted
            }
            Some("info") => self.abandoned == 0,
            _ => true,
        }
    }

    /// Makes the error that states how the engine ended. Called when its output has ended.
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

    /// Ends the engine's process.
    pub fn quit(mut self) {
        if self.silent {
            let _ = self.child.kill();
        }
        self.send("quit");
        drop(self.input);
        wait(&mut self.child);
    }
}

/// Waits for a process to end, and kills it after a time limit.
fn wait(child: &mut Child) -> Option<String> {
    let until = Instant::now() + QUIT_TIMEOUT;
    while Instant::now() < until {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.to_string()),
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
    }
    // The process may have ended just now, so errors are ignored.
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Calls `each` with every line of input, without its line end, until `each` returns false. Bytes
/// that are not UTF-8 are replaced.
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
