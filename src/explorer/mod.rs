//! What the explorer asks, and the documents that answer it: a question comes as a path with
//! parameters, as in a URL, and its answer is text. The HTTP server and the reader in the browser
//! both pass questions on to [`Ask::answer`], so they say the same.
//!
//! ```
//! use sakmak::explorer::{Ask, Question};
//! use sakmak::probe::Tablebase;
//!
//! let ask = Ask::of_path("/v1/probe").ok_or("no such question")?;
//! let question = Question::parse(ask, "fen=8/8/8/3k4/8/3K4/8/8_w&rules=asean").unwrap();
//! let answer = ask.answer(&Tablebase::new(), &question).unwrap();
//! assert!(answer.contains("\"insufficient_material\":true"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod explore;
mod lila;
mod pgn;
mod question;
mod random;
mod refusal;
mod verdicts;

use serde::Serialize;

pub use pgn::{line_end, line_pgn};
pub use question::{Question, parameters};
pub use random::Wanted;
pub use refusal::{Refusal, RefusalKind};

use crate::probe::Tablebase;
use crate::rules::{Count, RuleSet};

/// What can be asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// The document of `sakmak probe --json`.
    Probe,
    /// The same with what the explorer shows beside it: all three rule sets, every number the
    /// count may have come to, and the positions after the moves.
    Explore,
    /// The document of `sakmak line --json`.
    Line,
    /// The text of `sakmak line --pgn`.
    LinePgn,
    /// The document of lila's tablebase server, under these rules.
    Lila(RuleSet),
    /// Its document of the main line.
    Mainline(RuleSet),
}

impl Ask {
    /// What a path of a URL asks, if it asks about a position.
    pub fn of_path(path: &str) -> Option<Ask> {
        match path {
            "/v1/probe" => return Some(Ask::Probe),
            "/v1/explore" => return Some(Ask::Explore),
            "/v1/line" => return Some(Ask::Line),
            "/v1/line.pgn" => return Some(Ask::LinePgn),
            _ => {}
        }
        let path = path.strip_prefix('/')?;
        let (rules, rest) = path.split_once('/').unwrap_or((path, ""));
        let rules = rules_of_path(rules)?;
        match rest {
            "" if !path.ends_with('/') => Some(Ask::Lila(rules)),
            "mainline" => Some(Ask::Mainline(rules)),
            _ => None,
        }
    }

    /// The name of the route, as a log or a metric has it.
    pub fn route(self) -> &'static str {
        match self {
            Ask::Probe => "/v1/probe",
            Ask::Explore => "/v1/explore",
            Ask::Line => "/v1/line",
            Ask::LinePgn => "/v1/line.pgn",
            Ask::Lila(RuleSet::Makruk) => "/makruk",
            Ask::Lila(RuleSet::Asean) => "/asean",
            Ask::Lila(RuleSet::Ouk) => "/ouk",
            Ask::Mainline(RuleSet::Makruk) => "/makruk/mainline",
            Ask::Mainline(RuleSet::Asean) => "/asean/mainline",
            Ask::Mainline(RuleSet::Ouk) => "/ouk/mainline",
        }
    }

    /// True if one answer takes many probes, and so up to some milliseconds.
    pub fn is_long(self) -> bool {
        !matches!(self, Ask::Probe | Ask::Lila(_))
    }

    /// The media type of the answer.
    pub fn content_type(self) -> &'static str {
        match self {
            Ask::LinePgn => "application/x-chess-pgn; charset=utf-8",
            _ => "application/json",
        }
    }

    /// The answer's text.
    ///
    /// # Errors
    ///
    /// If the question cannot be asked, or a table that is needed is missing or cannot be used.
    pub fn answer(self, tablebase: &Tablebase, question: &Question) -> Result<String, Refusal> {
        let rules = question.rules;
        let fen = question.with_count(tablebase)?;
        match self {
            Ask::Probe => json(&tablebase.answer(&fen, rules)?.document()),
            Ask::Explore => json(&explore::document(tablebase, question, &fen)?),
            Ask::Lila(_) => json(&lila::document(tablebase, &tablebase.answer(&fen, rules)?)?),
            Ask::Line | Ask::LinePgn | Ask::Mainline(_) => {
                let line = tablebase.line(&fen.position, rules, &Count::from_fen(&fen))?;
                match self {
                    Ask::LinePgn => Ok(line_pgn("Best play by both sides", &fen, rules, &line)),
                    Ask::Mainline(_) => json(&lila::mainline(&fen, rules, &line)),
                    _ => json(&line.document(&fen, rules)),
                }
            }
        }
    }
}

/// The rule set that the first part of a path names. Only lower case: a path has one spelling.
fn rules_of_path(name: &str) -> Option<RuleSet> {
    match name {
        "makruk" => Some(RuleSet::Makruk),
        "asean" => Some(RuleSet::Asean),
        "ouk" | "cambodian" => Some(RuleSet::Ouk),
        _ => None,
    }
}

/// A document as one line.
fn json(document: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(document)
        .map(|text| text + "\n")
        .map_err(|error| Refusal::internal(format!("an answer cannot be written as JSON: {error}")))
}
