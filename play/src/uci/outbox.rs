//! The output of a session to the GUI.

use std::collections::HashSet;
use std::io::{self, Write};

/// Writes lines, and flushes the output after each.
pub(super) struct Outbox<W> {
    output: W,
    sent_once: HashSet<String>,
}

impl<W: Write> Outbox<W> {
    pub fn new(output: W) -> Outbox<W> {
        Outbox {
            output,
            sent_once: HashSet::new(),
        }
    }

    /// Sends a line.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(line.as_bytes())?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }

    /// Writes an `info string`.
    pub fn say(&mut self, words: &str) -> io::Result<()> {
        self.line(&format!("info string {words}"))
    }

    /// Like [`Outbox::say`], but sends the same message only once per game.
    pub fn say_once(&mut self, words: &str) -> io::Result<()> {
        match self.sent_once.insert(words.to_string()) {
            true => self.say(words),
            false => Ok(()),
        }
    }

    /// Starts a new game, in which all messages may be sent again.
    pub fn forget(&mut self) {
        self.sent_once.clear();
    }
}
