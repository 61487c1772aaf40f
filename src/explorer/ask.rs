//! The kinds of questions about a position, and their paths in a URL.

use crate::rules::RuleSet;

/// A kind of question about a position. The answer to each kind is a document or a text of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// The document of `sakmak probe --json`.
    Probe,
    /// The explorer's document: that of `probe --json` with all three rule sets, the result for
    /// every possible number of the count, and the positions after the moves.
    Explore,
    /// The document with the move that leaves the opponent the fewest good replies.
    Reply,
    /// The document of `sakmak line --json`.
    Line,
    /// The text of `sakmak line --pgn`.
    LinePgn,
    /// The document of lila's tablebase server, under these rules.
    Lila(RuleSet),
    /// lila's document of the main line.
    Mainline(RuleSet),
}

impl Ask {
    /// The question that a URL path asks. None if the path is not about a position.
    pub fn of_path(path: &str) -> Option<Ask> {
        match path {
            "/v1/probe" => return Some(Ask::Probe),
            "/v1/explore" => return Some(Ask::Explore),
            "/v1/reply" => return Some(Ask::Reply),
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

    /// The name of the question's route, for logs and metrics.
    pub fn route(self) -> &'static str {
        match self {
            Ask::Probe => "/v1/probe",
            Ask::Explore => "/v1/explore",
            Ask::Reply => "/v1/reply",
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

    /// True if the answer needs many probes, which may take some milliseconds.
    pub fn is_long(self) -> bool {
        !matches!(self, Ask::Probe | Ask::Lila(_))
    }

    /// The media type of the answer, for HTTP.
    pub fn content_type(self) -> &'static str {
        match self {
            Ask::LinePgn => "application/x-chess-pgn; charset=utf-8",
            _ => "application/json",
        }
    }
}

/// Parses the rule set in the first part of a path. Accepts lower case only, so that each path has
/// one spelling.
fn rules_of_path(name: &str) -> Option<RuleSet> {
    match name {
        "makruk" => Some(RuleSet::Makruk),
        "asean" => Some(RuleSet::Asean),
        "ouk" | "cambodian" => Some(RuleSet::Ouk),
        _ => None,
    }
}
