//! Parses the text of one game.

use super::game::{PgnGame, PgnMove};
use super::token::{Reader, Token};

/// Decodes the text of a game: as UTF-8, with or without a byte order mark, or else as Latin-1.
pub(super) fn text_of_bytes(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// Parses a game that begins in line `line` of the file.
pub(super) fn parse_game(text: &str, line: usize) -> PgnGame {
    let mut reader = Reader::new(text, line);
    let mut game = PgnGame::default();
    while let Some(token) = reader.next() {
        if game.is_empty() {
            game.line = reader.line;
        }
        match token {
            Token::Tag(name, value) => game.tags.push((name, value)),
            Token::Result(result) => game.result = Some(result),
            Token::Comment(comment) => match game.moves.last_mut() {
                Some(last) => last.comments.push(comment),
                None => game.comments.push(comment),
            },
            Token::Nag(nag) => {
                if let Some(last) = game.moves.last_mut() {
                    last.nags.push(nag);
                }
            }
            // A draw offer in brackets is not a variation.
            Token::Variation(variation) if variation == "=" => {}
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
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_utf_8_or_latin_1() {
        assert_eq!(
            text_of_bytes(b"\xef\xbb\xbf[White \"\xe0\xb8\x81\"]"),
            "[White \"ก\"]"
        );
        assert_eq!(text_of_bytes(b"[White \"Andr\xe9\"]"), "[White \"André\"]");
    }
}
