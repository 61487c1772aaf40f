//! A game parsed from PGN, whose moves have not been checked yet.

use super::result::result;
use super::sign::split_sign;
use crate::board::{LetterP, Notation};

/// A game of a PGN file. Its moves are text, and have not been checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnGame {
    /// The tags in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The comments before the first move.
    pub comments: Vec<String>,
    /// The moves as written.
    pub moves: Vec<PgnMove>,
    /// The result after the moves, if any.
    pub result: Option<String>,
    /// The number of the game's first line in the file, counted from 1.
    pub line: usize,
}

/// A move with its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnMove {
    /// The move as written.
    pub san: String,
    /// The numeric annotation glyphs after the move: 4 for `$4`.
    pub nags: Vec<u32>,
    /// The comments after the move, without braces.
    pub comments: Vec<String>,
    /// The variations after the move, as unparsed text without the outer brackets.
    pub variations: Vec<String>,
    /// The number of the move's line in the file, counted from 1.
    pub line: usize,
}

impl PgnGame {
    /// The value of a tag. The case of its name does not matter.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let mut tags = self.tags.iter();
        let (_, value) = tags.find(|(tag, _)| tag.eq_ignore_ascii_case(name))?;
        Some(value)
    }

    /// The result written after the moves or, without one, that of the tag `Result`. `1-0`, `0-1`,
    /// `1/2-1/2` or `*`, unless the tag has a text that is no result.
    pub fn result(&self) -> &str {
        let tag = || self.tag("Result").map(|text| result(text).unwrap_or(text));
        self.result.as_deref().or_else(tag).unwrap_or("*")
    }

    /// Infers the game's notation for the moves of bia and of promoted bia. If any move has `=P`,
    /// or is a move of a bia without a letter, `P` means a promoted bia. Otherwise, if the game
    /// begins at the start position, `P` means a bia: the moves of bia that precede any promotion
    /// must be written with `P`.
    pub fn notation(&self) -> Notation {
        let mut moves = self.moves.iter().map(|m| split_sign(&m.san).0);
        let promoted_apart = moves.clone().any(|san| san.ends_with("=P"));
        let from_start = matches!(self.tag("FEN"), None | Some("" | "?"));
        let p = match promoted_apart || moves.any(is_bia_without_letter) {
            true => LetterP::Promoted,
            false if from_start => LetterP::Bia,
            false => LetterP::Either,
        };
        Notation { p, promoted_apart }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tags.is_empty() && self.moves.is_empty() && self.result.is_none()
    }
}

/// True for `e4` and `exd5`; false for `e3e4`, which may be a move of any man.
fn is_bia_without_letter(san: &str) -> bool {
    match *san.as_bytes() {
        [b'a'..=b'h', b'1'..=b'8', next, ..] => !matches!(next, b'a'..=b'h' | b'-' | b'x' | b':'),
        [b'a'..=b'h', ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Games;
    use super::*;

    #[test]
    fn a_game_tells_what_its_p_means() {
        let fen = "[FEN \"8/8/8/3k2P1/8/3K4/2S5/8 w - - 0 1\"]\n\n";
        for (text, p, promoted_apart) in [
            ("1. e4 Ne7 *", LetterP::Promoted, false),
            ("1. exd5 *", LetterP::Promoted, false),
            ("1. Pe4 Pe5 *", LetterP::Bia, false),
            ("1. e3e4 e6-e5 *", LetterP::Bia, false),
            (&format!("{fen}1. g5g6m *"), LetterP::Either, false),
            (&format!("{fen}1. g6=P+!? *"), LetterP::Promoted, true),
        ] {
            let game = Games::new(text.as_bytes()).next().unwrap().unwrap();
            assert_eq!(game.notation(), Notation { p, promoted_apart }, "{text}");
        }
    }
}
