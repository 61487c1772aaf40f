//! The kinds of questions about a position, and their paths in a URL.

use sakmak::rules::RuleSet;

/// A kind of question about a position. Each kind has its own form of answer, JSON or text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// Asks for the JSON that `sakmak probe --json` prints.
    Probe,
    /// Asks for the JSON that the explorer's page needs: that of `probe --json`, with the results
    /// under all three rule sets and for every possible number of the count, and the positions
    /// after the moves.
    Explore,
    /// Asks for the legal moves, as JSON, of any position of a game, with the values of those that
    /// lead into the tables.
    Moves,
    /// Asks for the consequences of a move, as JSON: the line with which the opponent shows what the
    /// move is worth.
    Why,
    /// Asks for the move, as JSON, that leaves the opponent the fewest good replies.
    Reply,
    /// Asks for the JSON that `sakmak line --json` prints.
    Line,
    /// Asks for the PGN that `sakmak line --pgn` prints.
    LinePgn,
    /// Asks for the JSON that lila's tablebase server would return, under this rule set.
    Lila(RuleSet),
    /// Asks for the JSON that lila's tablebase server would return for the main line, under this
    /// rule set.
    Mainline(RuleSet),
}

impl QuestionKind {
    /// The kind of question that a URL path stands for. None if the path is not that of a question
    /// about a position.
    pub fn of_path(path: &str) -> Option<QuestionKind> {
        match path {
            "/v1/probe" => return Some(QuestionKind::Probe),
            "/v1/explore" => return Some(QuestionKind::Explore),
            "/v1/moves" => return Some(QuestionKind::Moves),
            "/v1/why" => return Some(QuestionKind::Why),
            "/v1/reply" => return Some(QuestionKind::Reply),
            "/v1/line" => return Some(QuestionKind::Line),
            "/v1/line.pgn" => return Some(QuestionKind::LinePgn),
            _ => {}
        }
        let path = path.strip_prefix('/')?;
        let (rules, rest) = path.split_once('/').unwrap_or((path, ""));
        let rules = rules_of_path(rules)?;
        match rest {
            "" if !path.ends_with('/') => Some(QuestionKind::Lila(rules)),
            "mainline" => Some(QuestionKind::Mainline(rules)),
            _ => None,
        }
    }

    /// The name of the question's route, for logs and metrics.
    pub fn route(self) -> &'static str {
        match self {
            QuestionKind::Probe => "/v1/probe",
            QuestionKind::Explore => "/v1/explore",
            QuestionKind::Moves => "/v1/moves",
            QuestionKind::Why => "/v1/why",
            QuestionKind::Reply => "/v1/reply",
            QuestionKind::Line => "/v1/line",
            QuestionKind::LinePgn => "/v1/line.pgn",
            QuestionKind::Lila(RuleSet::Makruk) => "/makruk",
            QuestionKind::Lila(RuleSet::Asean) => "/asean",
            QuestionKind::Lila(RuleSet::Ouk) => "/ouk",
            QuestionKind::Mainline(RuleSet::Makruk) => "/makruk/mainline",
            QuestionKind::Mainline(RuleSet::Asean) => "/asean/mainline",
            QuestionKind::Mainline(RuleSet::Ouk) => "/ouk/mainline",
        }
    }

    /// True if the answer needs many probes, which may take some milliseconds.
    pub fn is_long(self) -> bool {
        !matches!(self, QuestionKind::Probe | QuestionKind::Lila(_))
    }

    /// The media type of the answer, for HTTP.
    pub fn content_type(self) -> &'static str {
        match self {
            QuestionKind::LinePgn => "application/x-chess-pgn; charset=utf-8",
            _ => "application/json",
        }
    }
}

/// Parses the rule set in the first part of a path. Accepts lower case only, so that each path has
/// one spelling.
fn rules_of_path(name: &str) -> Option<RuleSet> {
    let mut all = RuleSet::ALL.into_iter();
    all.find(|rules| rules.names().contains(&name))
}
