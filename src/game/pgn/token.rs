//! The tokens of a PGN: tags, comments, glyphs, variations, moves and results.

use super::result::result;
use super::sign::{glyph_of_sign, is_sign};
use crate::board::thai;

/// A token of a game.
pub(super) enum Token {
    Tag(String, String),
    Comment(String),
    Nag(u32),
    Variation(String),
    Move(String),
    Result(String),
}

/// Splits the text of one game into tokens.
pub(super) struct Reader<'a> {
    rest: &'a str,
    /// The current line of the file.
    pub line: usize,
    /// False once an unclosed brace has been found.
    braces_close: bool,
}

/// UCI's null move, which looks like a move number.
const NULL_OF_UCI: &str = "0000";

/// True for a character that ends a word.
pub(super) fn ends_word(c: char) -> bool {
    c.is_whitespace() || "{}();$[]".contains(c)
}

impl<'a> Reader<'a> {
    /// Makes a reader of `text`, which begins in line `line` of the file.
    pub fn new(text: &'a str, line: usize) -> Reader<'a> {
        Reader {
            rest: text,
            line,
            braces_close: true,
        }
    }

    /// The next token.
    pub fn next(&mut self) -> Option<Token> {
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
                    // The tag is incomplete, so the line is skipped.
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
                    let word = self.word();
                    if let Some(token) = word_token(&word) {
                        return Some(token);
                    }
                }
            }
        }
    }

    /// Consumes `len` bytes.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.line += taken.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        taken
    }

    /// Consumes a word. A Thai letter of a man belongs to the squares that follow it after a blank.
    fn word(&mut self) -> String {
        let mut word = self.take_while(|c| !ends_word(c)).to_string();
        let next = self.rest.trim_start();
        let is_apart = thai::is_man(&word) && next.len() < self.rest.len();
        if is_apart && next.starts_with(|c: char| !ends_word(c)) {
            self.skip_blanks();
            word += self.take_while(|c| !ends_word(c));
        }
        word
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
        // After one failed search no other is made, so that a game with many open braces takes
        // linear time.
        let end = self.braces_close.then(|| comment_end(self.rest)).flatten();
        self.braces_close &= end.is_some();
        let end = end.or_else(|| self.rest.find('}'));
        let text = self.take(end.map_or(self.rest.len(), |end| end + 1));
        let text = text.strip_prefix('{').unwrap_or(text);
        let text = text.strip_suffix('}').unwrap_or(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        words.join(" ")
    }

    /// Reads the text of a variation, including nested variations and comments.
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

/// The offset of the brace that closes the comment at the start of `text`. Inner braces must be
/// closed too. `None` if the comment is never closed.
fn comment_end(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.bytes().position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Converts a word to a token: a move, a result or a glyph. `None` if the word is to be ignored: a
/// move number, `e.p.`, or a sign without a glyph.
fn word_token(word: &str) -> Option<Token> {
    if let Some(result) = result(word) {
        return Some(Token::Result(result.to_string()));
    }
    if word == NULL_OF_UCI {
        return Some(Token::Move(word.to_string()));
    }
    let number = word.trim_start_matches(|c| thai::arabic(c).is_ascii_digit());
    let san = match number.starts_with(['.', '…']) || number.is_empty() {
        true => number.trim_start_matches(['.', '…']),
        false => word,
    };
    match san {
        "e.p." => None,
        _ if is_sign(san) => glyph_of_sign(san).map(Token::Nag),
        _ => Some(Token::Move(san.to_string())),
    }
}

/// Parses a tag at the start of a line. Returns the tag's name, its value and its length in the
/// text.
pub(super) fn parse_tag(line: &str) -> Option<(String, String, usize)> {
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
