//! Parses the commands that a GUI sends.

use std::time::Duration;

use sakmak::board::Color;

/// A command of the UCI protocol.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    Uci,
    IsReady,
    SetOption {
        name: String,
        value: String,
    },
    NewGame,
    Position(PositionText<'a>),
    Go(Go<'a>),
    Stop,
    PonderHit,
    Display,
    Quit,
    /// Any other command.
    Other,
}

/// The arguments of the command `position`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PositionText<'a> {
    /// The FEN. None for the start position.
    pub fen: Option<String>,
    pub moves: Vec<&'a str>,
}

/// The arguments of the command `go`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Go<'a> {
    /// The moves to choose from. Empty if every legal move may be chosen.
    pub searchmoves: Vec<&'a str>,
    /// The other arguments, in order.
    pub rest: Vec<&'a str>,
}

/// The words that end the list of `searchmoves` in a `go` command.
const GO_WORDS: [&str; 13] = [
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "perft",
    "searchmoves",
];

impl<'a> Command<'a> {
    pub fn parse(line: &'a str) -> Command<'a> {
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "uci" => Command::Uci,
            "isready" => Command::IsReady,
            "setoption" => parse_option(words.collect()),
            "ucinewgame" => Command::NewGame,
            "position" => parse_position(words.collect()),
            "go" => Command::Go(Go::parse(words)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "d" => Command::Display,
            "quit" => Command::Quit,
            _ => Command::Other,
        }
    }
}

/// Parses `name NAME value VALUE`. Name and value may both have several words.
fn parse_option<'a>(words: Vec<&str>) -> Command<'a> {
    let words = words.strip_prefix(&["name"]).unwrap_or(&words);
    let value = words.iter().position(|&word| word == "value");
    let name = &words[..value.unwrap_or(words.len())];
    let value = value.map_or(&[][..], |at| &words[at + 1..]);
    Command::SetOption {
        name: name.join(" "),
        value: value.join(" "),
    }
}

fn parse_position(words: Vec<&str>) -> Command<'_> {
    let at = words.iter().position(|&word| word == "moves");
    let (place, moves) = match at {
        Some(at) => (&words[..at], words[at + 1..].to_vec()),
        None => (&words[..], Vec::new()),
    };
    let fen = match place {
        ["startpos", ..] => None,
        ["fen", fen @ ..] => Some(fen.join(" ")),
        fen => Some(fen.join(" ")),
    };
    Command::Position(PositionText { fen, moves })
}

impl<'a> Go<'a> {
    fn parse(words: impl Iterator<Item = &'a str>) -> Go<'a> {
        let mut go = Go::default();
        let mut in_moves = false;
        for word in words {
            if GO_WORDS.contains(&word) {
                in_moves = word == "searchmoves";
                if in_moves {
                    continue;
                }
            }
            match in_moves {
                true => go.searchmoves.push(word),
                false => go.rest.push(word),
            }
        }
        go
    }

    fn has(&self, word: &str) -> bool {
        self.rest.contains(&word)
    }

    /// The number that follows a word, 0 if it is negative. None if no number follows.
    fn number(&self, word: &str) -> Option<u64> {
        let at = self.rest.iter().position(|&other| other == word)?;
        let number: i64 = self.rest.get(at + 1)?.parse().ok()?;
        Some(number.max(0) as u64)
    }

    /// True if the answer must not be sent before `stop` or `ponderhit`.
    pub fn holds(&self) -> bool {
        self.has("infinite") || self.has("ponder")
    }

    /// True for `go perft`, which is left to the engine behind the session.
    pub fn is_perft(&self) -> bool {
        self.has("perft")
    }

    /// The time that may be spent on computing lines of play. The best move itself takes no time.
    pub fn time(&self, turn: Color) -> Duration {
        let longest = Duration::from_secs(5);
        let (clock, increment) = match turn {
            Color::White => ("wtime", "winc"),
            Color::Black => ("btime", "binc"),
        };
        if let Some(movetime) = self.number("movetime") {
            return Duration::from_millis(movetime / 2).min(longest);
        }
        match self.number(clock) {
            Some(clock) => {
                let increment = self.number(increment).unwrap_or(0);
                Duration::from_millis(clock / 40 + increment / 4).min(longest)
            }
            None => longest,
        }
    }

    /// The largest number of positions that a search may visit, if the GUI limits it.
    pub fn nodes(&self) -> Option<u64> {
        self.number("nodes")
    }

    /// The command with other `searchmoves`.
    pub fn with_searchmoves(&self, moves: &[String]) -> String {
        let rest: String = self.rest.iter().map(|word| format!(" {word}")).collect();
        format!("go{rest} searchmoves {}", moves.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searchmoves_end_at_the_next_word() {
        let Command::Go(go) = Command::parse("go searchmoves e3e4 d3d4 wtime 900 btime 70") else {
            panic!("no go");
        };
        assert_eq!(go.searchmoves, ["e3e4", "d3d4"]);
        assert_eq!(go.number("btime"), Some(70));
        let again = go.with_searchmoves(&["e3e4".to_string()]);
        assert_eq!(again, "go wtime 900 btime 70 searchmoves e3e4");
    }

    #[test]
    fn names_and_values_may_have_blanks() {
        let option = |line| match Command::parse(line) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{other:?}"),
        };
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let line = "setoption name Clear Hash";
        assert_eq!(option(line), pair("Clear Hash", ""));
        let line = "setoption name SakmakPath value /my tables:/b";
        assert_eq!(option(line), pair("SakmakPath", "/my tables:/b"));
        assert_eq!(option("setoption"), pair("", ""));
    }

    #[test]
    fn a_position_has_a_place_and_moves() {
        let position = |line| match Command::parse(line) {
            Command::Position(text) => text,
            other => panic!("{other:?}"),
        };
        let text = position("position fen 8/8 w - - 0 1 moves e3e4");
        assert_eq!(text.fen.as_deref(), Some("8/8 w - - 0 1"));
        assert_eq!(text.moves, ["e3e4"]);
        assert_eq!(position("position startpos").fen, None);
        assert_eq!(position("position").fen.as_deref(), Some(""));
    }
}
