//! Answers from what has been fetched.

use sakmak::board::Position;
use sakmak::explorer::{Annotate, Ask, GamesFormat, Question, Refusal, Wanted, parameters};
use sakmak::probe::{Options, Tablebase};
use sakmak::rules::RuleSet;

use crate::fetched::Fetched;

/// Bytes for decoded blocks.
const CACHE: usize = 8 << 20;
/// How many captures deep the positions are looked for that stand for one that is not stored.
const DEEPEST: u32 = 4;

/// Tables of which some bytes are here.
pub struct Reader {
    tablebase: Tablebase,
    tables: Vec<Fetched>,
}

/// What comes of a question.
pub enum Reply {
    /// The answer, or why there is none, with the status that HTTP has for it.
    Said(u16, String),
    /// These bytes have to be fetched first: tables by number, with the first byte and the end.
    Wanted(Vec<(usize, u64, u64)>),
}

impl Reader {
    /// A reader of no tables.
    pub fn new() -> Reader {
        let options = Options {
            cache_bytes: CACHE,
            ..Options::default()
        };
        Reader {
            tablebase: Tablebase::with_options(&options).unwrap_or_default(),
            tables: Vec::new(),
        }
    }

    /// Adds the table of an ending, by the length of its file. Returns its number; none if there is
    /// no such ending.
    pub fn add(&mut self, material: &str, length: u64) -> Option<usize> {
        let material = material.parse().ok()?;
        let fetched = Fetched::new(length);
        self.tablebase.add_source(material, fetched.clone());
        self.tables.push(fetched);
        Some(self.tables.len() - 1)
    }

    /// Takes bytes of a table from a place on.
    pub fn give(&self, table: usize, start: u64, bytes: &[u8]) {
        if let Some(fetched) = self.tables.get(table) {
            fetched.give(start, bytes);
        }
    }

    /// Answers a path with its query and body, as `sakmak serve` does. `round` is how often this
    /// has been asked before.
    pub fn ask(&self, path: &str, query: &str, body: &[u8], round: u32) -> Reply {
        let answer = self.answer(path, query, body);
        let wanted = self.wanted(round);
        match answer {
            _ if !wanted.is_empty() => Reply::Wanted(wanted),
            Ok(text) => Reply::Said(200, text),
            Err(refusal) => Reply::Said(refusal.kind.status(), refusal.document(None)),
        }
    }

    fn answer(&self, path: &str, query: &str, body: &[u8]) -> Result<String, Refusal> {
        match path {
            "/v1/annotate" => {
                Annotate::parse(parameters(query), GamesFormat::Pgn)?.answer(&self.tablebase, body)
            }
            "/v1/random" => Wanted::parse(parameters(query))?.find(&self.tablebase),
            _ => {
                let ask = Ask::of_path(path)
                    .ok_or_else(|| Refusal::not_found("nothing is at this address"))?;
                let question = Question::parse(ask, query)?;
                self.look_ahead(&question.fen.position);
                // What a move resists is seen two moves on.
                if ask == Ask::Reply {
                    let position = &question.fen.position;
                    for m in position.legal_moves() {
                        self.look_ahead(&position.play(m));
                    }
                }
                ask.answer(&self.tablebase, &question)
            }
        }
    }

    /// Looks up what the answer about a position needs. An answer stops at the first byte that is
    /// not here; this does not, so that all of them are fetched at once.
    fn look_ahead(&self, position: &Position) {
        self.look(position, DEEPEST);
        for m in position.legal_moves() {
            self.look(&position.play(m), DEEPEST);
        }
    }

    fn look(&self, position: &Position, deeper: u32) {
        match self.tablebase.is_stored(position) {
            Ok(true) => {
                let _ = self.tablebase.dtm(position);
                for rules in RuleSet::ALL {
                    let _ = self.tablebase.dth(position, rules);
                }
            }
            Ok(false) if deeper > 0 => {
                for m in position.legal_moves() {
                    self.look(&position.play(m), deeper - 1);
                }
            }
            _ => {}
        }
    }

    /// The ranges that were needed and are not here.
    fn wanted(&self, round: u32) -> Vec<(usize, u64, u64)> {
        let tables = self.tables.iter().enumerate();
        let ranges = tables.flat_map(|(number, table)| {
            let ranges = table.take_wanted(round).into_iter();
            ranges.map(move |range| (number, range.start, range.end))
        });
        ranges.collect()
    }
}
