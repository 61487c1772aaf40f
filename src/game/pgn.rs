//! PGN: games in text, read as generously as programs and people write it.

use crate::rules::RuleSet;

/// One game of a file, not yet played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags in their order.
    pub tags: Vec<(String, String)>,
    /// What is said before the first move.
    pub comments: Vec<String>,
    /// The moves as they are written.
    pub moves: Vec<PgnMove>,
    /// The result at the end of the moves, if there is one.
    pub result: Option<String>,
    /// The line of the file in which the game begins, from 1.
    pub line: usize,
}

/// A move of a game, and what is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnMove {
    /// The move as it is written.
    pub san: String,
    /// Numeric glyphs: 4 for `$4`.
    pub nags: Vec<u32>,
    /// The comments after it, without their braces.
    pub comments: Vec<String>,
    /// The variations after it, unread, without their outer brackets.
    pub variations: Vec<String>,
    /// The line of the file.
    pub line: usize,
}

impl PgnGame {
    /// The value of a tag, whose name may be written in any case.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let (_, value) = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// The result: that at the end of the moves, else that of the tags.
    pub fn result(&self) -> &str {
        let result = self.result.as_deref();
        result.or(self.tag("Result")).unwrap_or("*")
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none()
    }
}

/// The game that a Variant tag names, in any case; none for a game that is not known here.
pub fn rules_of_variant(name: &str) -> Option<RuleSet> {
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphabetic())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    match name.as_str() {
        "makruk" | "thai" | "thaichess" | "makrukthai" => Some(RuleSet::Makruk),
        "asean" | "aseanchess" => Some(RuleSet::Asean),
        "cambodian" | "ouk" | "oukchaktrang" | "oukchatrang" | "cambodianchess" => {
            Some(RuleSet::Ouk)
        }
        _ => None,
    }
}

/// The text of a file: UTF-8, with or without a mark of byte order, else Latin-1.
pub fn text_of_bytes(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// The games of a text. Nothing is an error here: what is no tag and no comment is taken for moves,
/// and whether they are legal is found when they are played.
pub fn parse_games(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut reader = Reader {
        rest: text,
        line: 1,
    };
    let mut game = PgnGame::default();
    let mut finish = |game: &mut PgnGame| {
        if !game.is_empty() {
            games.push(std::mem::take(game));
        }
    };
    while let Some(token) = reader.next() {
        if game.is_empty() {
            game.line = reader.line;
        }
        match token {
            Token::Tag(name, value) => {
                if !game.moves.is_empty() || game.result.is_some() {
                    finish(&mut game);
                    game.line = reader.line;
                }
                game.tags.push((name, value));
            }
            Token::Result(result) => {
                game.result = Some(result);
                finish(&mut game);
            }
            Token::Comment(comment) => match game.moves.last_mut() {
                Some(last) => last.comments.push(comment),
                None => game.comments.push(comment),
            },
            Token::Nag(nag) => {
                if let Some(last) = game.moves.last_mut() {
                    last.nags.push(nag);
                }
            }
            Token::Variation(variation) => {
                if let Some(last) = game.moves.last_mut() {
                    last.variations.push(variation);
                }
            }
            Token::Move(san) => game.moves.push(PgnMove {
                san,
                line: reader.line,
                ..PgnMove::default()
            }),
        }
    }
    finish(&mut game);
    games
}

enum Token {
    Tag(String, String),
    Comment(String),
    Nag(u32),
    Variation(String),
    Move(String),
    Result(String),
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

/// Where a word of the moves ends.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || "{}();$[]".contains(c)
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_blanks();
            let first = self.rest.chars().next()?;
            match first {
                ';' => return Some(Token::Comment(self.line_rest()[1..].trim().to_string())),
                '{' => return Some(Token::Comment(self.comment())),
                '(' => return Some(Token::Variation(self.variation())),
                '[' => match parse_tag(self.line_rest_ahead()) {
                    Some((name, value, len)) => {
                        self.take(len);
                        return Some(Token::Tag(name, value));
                    }
                    // A tag cut off, or no tag: its line means nothing.
                    None => {
                        self.line_rest();
                    }
                },
                '$' => {
                    self.take(1);
                    let digits = self.take_while(|c| c.is_ascii_digit());
                    if let Ok(nag) = digits.parse() {
                        return Some(Token::Nag(nag));
                    }
                }
                '}' | ')' | ']' => {
                    self.take(1);
                }
                _ => {
                    let word = self.take_while(|c| !ends_word(c));
                    if let Some(token) = word_token(word) {
                        // An offer of a draw in brackets is no variation.
                        if self.rest.starts_with("(=)") {
                            self.take(3);
                        }
                        return Some(token);
                    }
                }
            }
        }
    }

    /// Goes on by `n` bytes.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !keep(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Skips blanks, and lines that begin with a percent sign.
    fn skip_blanks(&mut self) {
        loop {
            let blanks = self.take_while(char::is_whitespace);
            let at_line = self.line == 1 && blanks.is_empty() || blanks.contains(['\n', '\r']);
            if !(at_line && self.rest.starts_with('%')) {
                return;
            }
            self.line_rest();
        }
    }

    fn line_rest_ahead(&self) -> &'a str {
        let end = self.rest.find(['\n', '\r']).unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    fn line_rest(&mut self) -> &'a str {
        self.take(self.line_rest_ahead().len())
    }

    fn comment(&mut self) -> String {
        let end = self.rest.find('}');
        let text = self.take(end.map_or(self.rest.len(), |end| end + 1));
        let words: Vec<&str> = text.trim_matches(['{', '}']).split_whitespace().collect();
        words.join(" ")
    }

    /// What stands in brackets, which may hold others and comments.
    fn variation(&mut self) -> String {
        let mut depth = 0;
        let mut in_comment = false;
        let mut end = self.rest.len();
        for (at, c) in self.rest.char_indices() {
            match c {
                '{' => in_comment = true,
                '}' => in_comment = false,
                '(' if !in_comment => depth += 1,
                ')' if !in_comment => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = at + 1;
                break;
            }
        }
        let text = self.take(end);
        let text = text.strip_prefix('(').unwrap_or(text);
        let words: Vec<&str> = text
            .strip_suffix(')')
            .unwrap_or(text)
            .split_whitespace()
            .collect();
        words.join(" ")
    }
}

/// A word of the moves: a move, a result, or none if it is the number of a move.
fn word_token(word: &str) -> Option<Token> {
    match word {
        "1-0" | "0-1" | "1/2-1/2" | "*" => return Some(Token::Result(word.to_string())),
        "½-½" | "1/2" => return Some(Token::Result("1/2-1/2".to_string())),
        _ => {}
    }
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let san = match number.starts_with(['.', '…']) || number.is_empty() {
        true => number.trim_start_matches(['.', '…']),
        false => word,
    };
    let praise = san.trim_end_matches(['!', '?']);
    match praise.is_empty() || praise == "=" || praise == "e.p." {
        true => None,
        false => Some(Token::Move(san.to_string())),
    }
}

/// A tag at the beginning of a line, and its length.
fn parse_tag(line: &str) -> Option<(String, String, usize)> {
    let inner = line.strip_prefix('[')?;
    let name_end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
    let name = &inner[..name_end];
    let after = inner[name_end..].trim_start();
    let mut value = String::new();
    let mut chars = after.strip_prefix('"')?.char_indices();
    loop {
        match chars.next()?.1 {
            '\\' => value.push(chars.next()?.1),
            '"' => break,
            c => value.push(c),
        }
    }
    let rest = chars.as_str().trim_start().strip_prefix(']')?;
    (!name.is_empty()).then(|| (name.to_string(), value, line.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sans(game: &PgnGame) -> Vec<&str> {
        game.moves.iter().map(|m| m.san.as_str()).collect()
    }

    #[test]
    fn games_are_told_apart_with_all_that_is_said_of_them() {
        let text = "\
% written by hand
[Event \"A \\\"quoted\\\" name\"]
[VARIANT \"makruk\"]

{Before} 1. e4 $1 {good} (1. d4 d5 (1... c5 {x)} ) 2. c4) 1... e5!? 2.Nd2;to the end of the line
Nd7 1-0

[Event \"two\"]
1... d5 2. e4 *
3. e5";
        let games = parse_games(text);
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].tag("event"), Some("A \"quoted\" name"));
        assert_eq!(games[0].tag("Variant"), Some("makruk"));
        assert_eq!(games[0].comments, ["Before"]);
        assert_eq!(sans(&games[0]), ["e4", "e5!?", "Nd2", "Nd7"]);
        let first = &games[0].moves[0];
        assert_eq!(
            (&first.nags[..], &first.comments[..]),
            (&[1][..], &["good".to_string()][..])
        );
        assert_eq!(first.variations, ["1. d4 d5 (1... c5 {x)} ) 2. c4"]);
        assert_eq!(games[0].moves[2].comments, ["to the end of the line"]);
        assert_eq!(games[0].result(), "1-0");
        assert_eq!((games[0].line, games[1].line), (2, 8));
        assert_eq!(sans(&games[1]), ["d5", "e4"]);
        assert_eq!(sans(&games[2]), ["e5"]);
    }

    #[test]
    fn offers_of_draws_and_windows_line_ends_are_read() {
        let games =
            parse_games("[Variant \"Makruk\"]\r\n\r\n53. Kc5 Nd8= 54. Qb5 (=) Ne6+\r\n1/2-1/2\r\n");
        assert_eq!(sans(&games[0])[..3], ["Kc5", "Nd8=", "Qb5"]);
        assert_eq!(games[0].result(), "1/2-1/2");
    }

    #[test]
    fn broken_text_ends_no_game_before_its_time() {
        for text in [
            "[Event \"cut",
            "[Event]",
            "1. e4 {never closed",
            "1. e4 (never closed",
            "1. e4 ) } ] $ $x e5",
            "...",
            "%",
            "[",
            "\u{feff}",
            "1-0 1-0",
        ] {
            let games = parse_games(text);
            assert!(games.len() <= 2, "{text}");
        }
        assert_eq!(
            sans(&parse_games("1. e4 ) } ] $ $x e5")[0]),
            ["e4", "x", "e5"]
        );
        assert_eq!(parse_games("").len(), 0);
    }

    #[test]
    fn bytes_are_utf_8_or_latin_1() {
        assert_eq!(
            text_of_bytes(b"\xef\xbb\xbf[White \"\xe0\xb8\x81\"]"),
            "[White \"ก\"]"
        );
        assert_eq!(text_of_bytes(b"[White \"Andr\xe9\"]"), "[White \"André\"]");
    }

    #[test]
    fn variants_are_known_in_any_case() {
        for (name, rules) in [
            ("Makruk", Some(RuleSet::Makruk)),
            ("ASEAN", Some(RuleSet::Asean)),
            ("cambodian", Some(RuleSet::Ouk)),
            ("Ouk Chaktrang", Some(RuleSet::Ouk)),
            ("Sittuyin", None),
        ] {
            assert_eq!(rules_of_variant(name), rules, "{name}");
        }
    }
}
