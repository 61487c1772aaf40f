//! Handles the output of the engine behind a session, its silence and its end.

use std::io::{self, Write};

use super::super::engine::STOP_TIMEOUT;
use super::super::options::variant;
use super::super::score;
use super::{Search, Session, name, start};

impl<W: Write> Session<W> {
    /// Passes a line of the engine on to the GUI, unless the line belongs to an abandoned search.
    pub(super) fn engine_line(&mut self, line: &str) -> io::Result<()> {
        let wanted = match &mut self.engine {
            Some(engine) => engine.is_wanted(line),
            None => false,
        };
        if !wanted {
            return Ok(());
        }
        match line.split_whitespace().next() {
            Some("id") if line.starts_with("id name ") => {
                let engine = &line["id name ".len()..];
                return self.out.line(&format!("id name {} + {engine}", name()));
            }
            Some("option") => self.read_declaration(line),
            Some("uciok") if self.waiting.uciok => return self.uciok(),
            // This `readyok` was already sent in the engine's place while the engine was silent.
            Some("readyok") if self.waiting.readyok == 0 => return Ok(()),
            Some("readyok") => self.waiting.readyok -= 1,
            Some("bestmove") => {
                self.search = Search::None;
                self.stop_by = None;
            }
            Some("info") => {
                if let Some(score) = self.searched_category.and_then(score::of_draw) {
                    return self.out.line(&score::with_score(line, score));
                }
            }
            _ => {}
        }
        self.out.line(line)
    }

    /// Reads the engine's default variant from its declaration of `UCI_Variant`. This is the
    /// variant of the game until the GUI sets the option.
    fn read_declaration(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(["UCI_Variant", ..]) = words.get(2..) else {
            return;
        };
        let at = words.iter().position(|&word| word == "default");
        let default = at.and_then(|at| words.get(at + 1));
        self.options.rules = default.and_then(|name| variant(name));
        self.state = start(&self.options);
    }

    /// Called when the engine does not answer `stop` in time. The session continues without the
    /// engine until the engine answers.
    pub(super) fn engine_silent(&mut self) -> io::Result<()> {
        self.stop_by = None;
        if let Some(engine) = &mut self.engine {
            engine.give_up();
            let seconds = STOP_TIMEOUT.as_secs();
            self.out.say(&format!(
                "the engine has not answered stop within {seconds} s; until it answers, sakmak plays without it"
            ))?;
        }
        for _ in 0..std::mem::take(&mut self.waiting.readyok) {
            self.out.line("readyok")?;
        }
        self.answer_for_engine()
    }

    /// Called when the engine has ended. The session continues without it, and sends the answers
    /// that the GUI is waiting for.
    pub(super) fn engine_end(&mut self) -> io::Result<()> {
        let Some(engine) = self.engine.take() else {
            return Ok(());
        };
        let error = engine.ended();
        self.out.say(&format!(
            "{error}; from now on, sakmak plays any legal move in positions without a table"
        ))?;
        self.ended = Some(error);
        if self.waiting.uciok {
            self.uci()?;
        }
        for _ in 0..std::mem::take(&mut self.waiting.readyok) {
            self.out.line("readyok")?;
        }
        self.stop_by = None;
        self.answer_for_engine()
    }

    /// Sends a `bestmove` in the engine's place, if the GUI is waiting for one.
    fn answer_for_engine(&mut self) -> io::Result<()> {
        if let Search::Engine(moves) = std::mem::replace(&mut self.search, Search::None) {
            let bestmove = match &self.state {
                Ok(state) => self.blind_move(state, &moves),
                Err(_) => "bestmove (none)".to_string(),
            };
            self.out.line(&bestmove)?;
        }
        Ok(())
    }
}
