//! The engine behind the filter: a process, its lines in and out.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use super::error::UciError;
use super::event::Event;

/// How long an engine may take to end after `quit`.
const PATIENCE: Duration = Duration::from_secs(3);
/// How long it may take to answer `stop`.
pub(super) const PATIENCE_AT_STOP: Duration = Duration::from_secs(5);

/// A running engine.
pub(super) struct Engine {
    program: String,
    child: Child,
    input: ChildStdin,
    /// Searches begun whose `bestmove` has not come.
    searching: u32,
    /// How many of them nobody waits for any more. Lines belong to the oldest search, so that all
    /// are dropped until so many `bestmove`s have come.
    abandoned: u32,
    /// True if it has not answered `stop` in time, until it does.
    silent: bool,
    /// What it has not been told meanwhile: nobody may be there to read it.
    untold: Vec<String>,
}

impl Engine {
    /// Starts an engine, whose lines then come as events.
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
            // Nobody listens any more if this fails.
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

    /// Passes a line on, to an engine that is silent once it speaks again. That it cannot be read any more is
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

    /// Begins a search.
    pub fn search(&mut self, line: &str) {
        self.searching += 1;
        self.send(line);
    }

    /// Stops a search whose answer nobody waits for any more.
    pub fn abandon(&mut self) {
        if self.searching > self.abandoned {
            self.abandoned = self.searching;
            self.send("stop");
        }
    }

    /// Waits no longer for the answer to `stop`.
    pub fn give_up(&mut self) {
        self.abandoned = self.searching;
        self.silent = true;
    }

    /// True if it has not answered `stop` in time, and not since.
    pub fn is_silent(&self) -> bool {
        self.silent
    }

    /// True if a line of the engine is for the search that is waited for, or for none.
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

    /// How the engine ended, once its output has.
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

/// Waits for the end of a process, then ends it.
fn wait(child: &mut Child) -> Option<String> {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.to_string()),
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(_) => break,
        }
    }
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
    None
}

/// Calls `each` with every line, without its end, until it says no. What is not UTF-8 stays
/// recognisable.
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
