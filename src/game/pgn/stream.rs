//! Splits a PGN file into games.
//!
//! A game ends with its result or, if it has none, before the tags of the next game. Only the text
//! of one game is in memory at a time, and at most [`MOST_BYTES`] of it, so a file may have any
//! size.

use std::io::{self, BufRead};

use thiserror::Error;

use super::game::PgnGame;
use super::read::{parse_game, text_of_bytes};
use super::result::result;
use super::token::{ends_word, parse_tag};

/// The largest number of bytes in the text of a game.
pub const MOST_BYTES: usize = 1 << 20;

/// Long lines are scanned in pieces of at most this many bytes.
const MOST_OF_LINE: usize = 1 << 16;

/// UTF-8's byte order mark.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The reason why a game, or the rest of a file, cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PgnError {
    /// The game is too long. The iterator continues with the next game.
    #[error(
        "the game that begins in line {line} has more than {MOST_BYTES} bytes: remove its comments, or check that it is one game"
    )]
    TooLong {
        /// The first line of the game in the file.
        line: usize,
    },
    /// The file is in UTF-16, which has zero bytes between letters.
    #[error("the file is in UTF-16: save it as UTF-8")]
    Utf16,
    /// The file has zero bytes, which no text has.
    #[error("the file is not a game: it is no text; give a PGN")]
    NotText,
    /// A read failed.
    #[error("cannot read the games ({0}): check their source")]
    Read(#[from] io::Error),
}

/// Iterates over the games of a PGN file or another input.
#[derive(Debug)]
pub struct Games<R> {
    lines: Lines<R>,
    /// The first piece of the next game, which has been read already.
    rest: Option<Piece>,
    over: bool,
}

impl<R: BufRead> Games<R> {
    /// Makes an iterator over the games of an input.
    pub fn new(input: R) -> Games<R> {
        Games {
            lines: Lines {
                input,
                line: 0,
                begins_line: true,
                returns: 0,
            },
            rest: None,
            over: false,
        }
    }

    /// Reads the text of the next game and the number of its first line; `None` at the end of the
    /// file.
    fn next_text(&mut self) -> Result<Option<(Vec<u8>, usize)>, PgnError> {
        let mut text = Vec::new();
        let mut first_line = 0;
        let mut too_long = false;
        let mut scan = Scan::default();
        loop {
            let piece = match self.rest.take() {
                Some(piece) => piece,
                None => match self.lines.next()? {
                    Some(piece) => piece,
                    None => {
                        self.over = true;
                        break;
                    }
                },
            };
            if piece.line == 1
                && [&b"\xff\xfe"[..], b"\xfe\xff"]
                    .contains(&&piece.bytes[..2.min(piece.bytes.len())])
            {
                return Err(PgnError::Utf16);
            }
            if piece.bytes.contains(&0) {
                return Err(PgnError::NotText);
            }
            if piece.begins_line && scan.next_game_begins(&piece.bytes) {
                self.rest = Some(piece);
                break;
            }
            if first_line == 0 {
                first_line = piece.line;
            }
            let end = scan.scan(&piece);
            let (this, rest) = piece.bytes.split_at(end.unwrap_or(piece.bytes.len()));
            too_long |= text.len() + this.len() > MOST_BYTES;
            if !too_long {
                text.extend_from_slice(this);
            }
            if end.is_some() {
                if !rest.is_empty() {
                    self.rest = Some(Piece {
                        bytes: rest.to_vec(),
                        begins_line: false,
                        ..piece
                    });
                }
                break;
            }
        }
        match too_long {
            true => Err(PgnError::TooLong { line: first_line }),
            false => Ok((!text.is_empty()).then_some((text, first_line))),
        }
    }
}

impl<R: BufRead> Iterator for Games<R> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Result<PgnGame, PgnError>> {
        while !self.over {
            match self.next_text() {
                Ok(Some((text, line))) => {
                    let game = parse_game(&text_of_bytes(&text), line);
                    if !game.is_empty() {
                        return Some(Ok(game));
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    self.over |= !matches!(error, PgnError::TooLong { .. });
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

/// A line of the input, or a piece of a very long line.
#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    line: usize,
    begins_line: bool,
}

/// The lines of an input. A line ends with `\n`, with one or more `\r` before `\n`, or with a lone
/// `\r`.
#[derive(Debug)]
struct Lines<R> {
    input: R,
    line: usize,
    begins_line: bool,
    /// The number of `\r` read since the end of the last line. Each of them ends a blank line,
    /// unless `\n` follows.
    returns: usize,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> io::Result<Option<Piece>> {
        let piece = self.next_piece()?;
        Ok(piece.map(|mut piece| {
            // Concatenated files have byte order marks in the middle too.
            if piece.begins_line && piece.bytes.starts_with(MARK) {
                piece.bytes.drain(..MARK.len());
            }
            piece
        }))
    }

    /// The buffered input; empty at the end of the input.
    fn buffer(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok([]) => return Ok(&[]),
                Ok(_) => break,
            }
        }
        // This call repeats the one in the loop, since a loop cannot return its borrow.
        self.input.fill_buf()
    }

    /// Reads the rest of a line ending, after its first `\r`. Returns true if a blank line follows.
    fn ends_blank_line(&mut self) -> io::Result<bool> {
        while self.returns > 0 {
            match self.buffer()?.first() {
                Some(b'\r') => {
                    self.input.consume(1);
                    self.returns += 1;
                }
                Some(b'\n') => {
                    self.input.consume(1);
                    self.returns = 0;
                }
                _ => {
                    self.returns -= 1;
                    return Ok(self.returns > 0);
                }
            }
        }
        Ok(false)
    }

    fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        let begins_line = self.begins_line;
        if self.ends_blank_line()? {
            self.line += 1;
            return Ok(Some(Piece {
                bytes: vec![b'\n'],
                line: self.line,
                begins_line,
            }));
        }
        self.line += usize::from(begins_line);
        let line = self.line;
        let mut bytes = Vec::new();
        loop {
            let buffer = self.buffer()?;
            if buffer.is_empty() {
                self.begins_line = true;
                return Ok((!bytes.is_empty()).then_some(Piece {
                    bytes,
                    line,
                    begins_line,
                }));
            }
            let most = buffer.len().min(MOST_OF_LINE - bytes.len());
            let end = buffer[..most]
                .iter()
                .position(|byte| b"\r\n".contains(byte));
            bytes.extend_from_slice(&buffer[..end.unwrap_or(most)]);
            let mut returns = 0;
            if let Some(end) = end {
                returns = usize::from(buffer[end] == b'\r');
                bytes.push(b'\n');
            }
            self.input.consume(end.map_or(most, |end| end + 1));
            if end.is_some() || bytes.len() == MOST_OF_LINE {
                self.returns = returns;
                self.begins_line = end.is_some();
                return Ok(Some(Piece {
                    bytes,
                    line,
                    begins_line,
                }));
            }
        }
    }
}

/// The state of the scan for the end of a game.
#[derive(Debug, Default)]
struct Scan {
    /// The depth of open comment braces.
    braces: usize,
    /// The depth of open variation brackets.
    depth: usize,
    /// True if anything but tags was read.
    has_moves: bool,
    /// True if the result was read.
    has_result: bool,
    after_blank_line: bool,
}

impl Scan {
    /// True if a line begins the next game. A tag line inside a comment or a variation begins a
    /// game if it follows a blank line, because the comment was then never closed.
    fn next_game_begins(&mut self, line: &[u8]) -> bool {
        let after_blank_line = self.after_blank_line;
        self.after_blank_line = line.trim_ascii().is_empty();
        let text = line.trim_ascii();
        if !self.has_moves || !text.starts_with(b"[") {
            return false;
        }
        let is_tag = std::str::from_utf8(text).map_or(true, |text| parse_tag(text).is_some());
        let inside = self.braces > 0 || self.depth > 0;
        is_tag && (!inside || after_blank_line)
    }

    /// Scans a line. Returns the offset of the end of the game, if the game ends in this line.
    fn scan(&mut self, piece: &Piece) -> Option<usize> {
        let bytes = &piece.bytes;
        let inside = self.braces > 0 || self.depth > 0;
        let skipped = piece.begins_line
            && !inside
            && (bytes.starts_with(b"%") || bytes.trim_ascii_start().starts_with(b"["));
        let mut at = match skipped {
            true => bytes.len(),
            false => 0,
        };
        while at < bytes.len() {
            let byte = bytes[at];
            match byte {
                b'{' => (self.braces, self.has_moves) = (self.braces + 1, true),
                b'}' => self.braces = self.braces.saturating_sub(1),
                _ if self.braces > 0 => {}
                b';' => {
                    self.has_moves = true;
                    break;
                }
                b'(' if !self.has_result => (self.depth, self.has_moves) = (self.depth + 1, true),
                b')' => self.depth = self.depth.saturating_sub(1),
                _ if byte.is_ascii() && ends_word(byte.into()) => {}
                // Another game begins in the same line.
                _ if self.has_result => return Some(at),
                _ => {
                    let ends = |byte: &u8| byte.is_ascii() && ends_word((*byte).into());
                    let rest = &bytes[at..];
                    let word = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
                    self.has_moves = true;
                    self.has_result = self.depth == 0
                        && std::str::from_utf8(word).is_ok_and(|word| result(word).is_some());
                    at += word.len();
                    continue;
                }
            }
            at += 1;
        }
        let ends_line = bytes.last() == Some(&b'\n');
        (self.has_result && self.braces == 0 && ends_line).then_some(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses the games of a text through a buffer of `piece` bytes.
    fn games_by(text: &[u8], piece: usize) -> Vec<PgnGame> {
        let input = io::BufReader::with_capacity(piece, text);
        Games::new(input).map(|game| game.unwrap()).collect()
    }

    fn games(text: &str) -> Vec<PgnGame> {
        let whole = games_by(text.as_bytes(), 1 << 16);
        assert_eq!(games_by(text.as_bytes(), 1), whole, "{text}");
        whole
    }

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
Nd7 1-0 {White [Event \"x\"] resigns}

[Event \"two\"]
1... d5 2. e4 *
3. e5";
        let games = games(text);
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
        assert_eq!(games[0].moves[3].comments, ["White [Event \"x\"] resigns"]);
        assert_eq!(games[0].result(), "1-0");
        assert_eq!((games[0].line, games[1].line), (2, 8));
        assert_eq!(sans(&games[1]), ["d5", "e4"]);
        assert_eq!(sans(&games[2]), ["e5"]);
    }

    #[test]
    fn games_in_one_line_are_told_apart() {
        let games = games("1. e4 1-0 1. d4 d5 {1-0} (2. c4 0-1) 0-1 1. c4");
        let moves: Vec<_> = games.iter().map(sans).collect();
        assert_eq!(moves, [vec!["e4"], vec!["d4", "d5"], vec!["c4"]]);
        assert_eq!(games[1].result(), "0-1");
    }

    #[test]
    fn offers_of_draws_and_windows_line_ends_are_read() {
        let text = "[Variant \"Makruk\"]\r\n\r\n53. Kc5 Nd8= 54. Qb5 (=) Ne6+\r\n1/2-1/2\r\n";
        for text in [
            text.to_string(),
            text.replace('\n', ""),
            text.replace('\r', ""),
        ] {
            let games = games(&text);
            assert_eq!(games.len(), 1);
            assert_eq!(sans(&games[0]), ["Kc5", "Nd8=", "Qb5", "Ne6+"]);
            assert_eq!(games[0].moves[3].line, 3);
            assert_eq!(games[0].result(), "1/2-1/2");
        }
    }

    #[test]
    fn lines_end_as_each_system_ends_them() {
        let text = "[Event \"1\"]\n\n1. e4\ne5 *\n\n\n[Event \"2\"]\n\nd4 *\n";
        for end in ["\n", "\r\n", "\r\r\n", "\r\r\r\n", "\r"] {
            let games = games(&text.replace('\n', end));
            let lines: Vec<usize> = games.iter().map(|game| game.line).collect();
            assert_eq!(lines, [1, 7], "{end:?}");
            let moves = games.iter().flat_map(|game| &game.moves);
            let lines: Vec<usize> = moves.map(|m| m.line).collect();
            assert_eq!(lines, [3, 4, 9], "{end:?}");
        }
    }

    #[test]
    fn signs_of_evaluation_are_glyphs_and_no_moves() {
        let games = games("1. e4 ± e5 +/= 2. d4 = d5 → N ⊥ 3. c4 $14 +- $139 *");
        assert_eq!(sans(&games[0]), ["e4", "e5", "d4", "d5", "c4"]);
        let nags: Vec<&[u32]> = games[0].moves.iter().map(|m| &m.nags[..]).collect();
        assert_eq!(nags, [&[16][..], &[14], &[], &[40, 146], &[14, 18, 139]]);
    }

    #[test]
    fn a_null_move_is_no_sign() {
        for null in ["--", "Z0", "@@@@", "0000", "——"] {
            let games = games(&format!("1. e4 {null} 2. d4 *"));
            assert_eq!(sans(&games[0]).len(), 3, "{null}");
        }
    }

    #[test]
    fn comments_may_hold_braces_that_are_closed() {
        let games =
            games("1. e4 {a {b 1-0} c} e5 {d} 2. d4 *\n\n1. c4 {:-{} c5 {x}\n\n[Event \"3\"]\n");
        assert_eq!(sans(&games[0]), ["e4", "e5", "d4"]);
        assert_eq!(games[0].moves[0].comments, ["a {b 1-0} c"]);
        assert_eq!(sans(&games[1]), ["c4", "c5"]);
        assert_eq!(games[1].moves[0].comments, [":-{"]);
        assert_eq!(games[2].tag("Event"), Some("3"));
    }

    #[test]
    fn results_are_read_with_any_dash() {
        for (text, result) in [
            ("1–0", "1-0"),
            ("0:1", "0-1"),
            ("½-½", "1/2-1/2"),
            ("1/2", "1/2-1/2"),
        ] {
            let games = games(&format!("1. e4 {text}\n1. d4 *"));
            assert_eq!((games.len(), games[0].result()), (2, result));
        }
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
            assert!(games(text).len() <= 2, "{text}");
        }
        assert_eq!(sans(&games("1. e4 ) } ] $ $x e5")[0]), ["e4", "x", "e5"]);
        assert_eq!(games("").len(), 0);
    }

    #[test]
    fn what_is_never_closed_ends_where_the_next_game_begins() {
        for open in ["{", "("] {
            let text =
                format!("[Event \"1\"]\n\n1. e4 {open}\n[%clk 1]\n\n[Event \"2\"]\n\n1. d4 *\n");
            let games = games(&text);
            assert_eq!(games.len(), 2, "{open}");
            assert_eq!(games[1].tag("Event"), Some("2"));
        }
    }

    #[test]
    fn a_game_that_is_too_long_is_passed_over() {
        let mut text = b"[Event \"long\"]\n\n1. e4 ".to_vec();
        text.resize(3 * MOST_BYTES, b'x');
        text.extend_from_slice(b" *\n\n[Event \"2\"]\n\n1. d4 *\n");
        let mut games = Games::new(&text[..]);
        assert!(matches!(
            games.next(),
            Some(Err(PgnError::TooLong { line: 1 }))
        ));
        assert_eq!(sans(&games.next().unwrap().unwrap()), ["d4"]);
        assert!(games.next().is_none());
    }

    #[test]
    fn a_file_that_is_no_text_is_no_game() {
        let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR 1. e4 e5";
        let after_a_game = b"1. e4 e5 *\n\nPK\x03\x04\x14\0\0";
        for (text, before) in [(&picture[..], 0), (after_a_game, 1)] {
            let mut games = Games::new(text);
            assert_eq!(
                games.by_ref().take(before).filter(Result::is_ok).count(),
                before
            );
            assert!(matches!(games.next(), Some(Err(PgnError::NotText))));
            assert!(games.next().is_none());
        }
    }

    #[test]
    fn a_file_in_utf_16_is_refused() {
        let text: Vec<u8> = "\u{feff}1. e4 *"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let mut games = Games::new(&text[..]);
        assert!(matches!(games.next(), Some(Err(PgnError::Utf16))));
        assert!(games.next().is_none());
    }
}
