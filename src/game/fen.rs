//! FEN of whole games.
//!
//! As [`Fen`](crate::board::Fen), with bia (`P`), with the letters of the files of ouk's kings and
//! mets that still have their first leap in the third field (`DEde`), and read as generously as
//! programs write it: a limit of 0 is no count, and more may be counted than the limit.

use std::fmt;

use thiserror::Error;

use super::board::{FullBoard, FullBoardError, Piece};
use super::counters::Counters;
use super::state::GameState;
use crate::board::{Color, Lettering, Role, Square};
use crate::rules::RuleSet;

/// Counters of a million or more are taken for mistakes.
const COUNTER_END: u32 = 1_000_000;

/// Why a text is not a FEN of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameFenError {
    /// The board does not have eight ranks of eight squares.
    #[error(
        "the board of the FEN, {0:?}, is not eight ranks of eight squares: write them with slashes between, the eighth rank first"
    )]
    Shape(String),
    /// A character that is no man in these letters.
    #[error("the FEN has {letter:?} on its board, which is no man in {lettering} letters: use P {letters}, small letters for Black", letters = .lettering.letters())]
    Letter {
        /// The character.
        letter: char,
        /// The letters in which it is read.
        lettering: Lettering,
    },
    /// The men are not a legal position.
    #[error(transparent)]
    Board(#[from] FullBoardError),
    /// No side to move.
    #[error("the FEN has {0:?} as the side to move: write w for White or b for Black")]
    Turn(String),
    /// The third field names no first leap.
    #[error(
        "the FEN has {0:?} in its third field: write - there, or in ouk the files of kings and mets that have not moved, as in DEde"
    )]
    Leaps(String),
    /// A field that should be a number.
    #[error("the FEN has {0:?} where a number of plies or moves should be: write a number")]
    Number(String),
    /// A limit that is not a whole number of moves.
    #[error(
        "the limit of the count is {0} plies, but it must be even: give it in plies, two for each move"
    )]
    LimitOdd(u32),
    /// Something after the last field.
    #[error("the FEN has {0:?} after its sixth field: take it away")]
    Trailing(String),
}

impl GameState {
    /// Reads a FEN of 2 to 6 fields, in the letters of the game.
    ///
    /// # Errors
    ///
    /// If it is no FEN of a legal position.
    pub fn from_fen(text: &str, rules: RuleSet) -> Result<GameState, GameFenError> {
        let mut fields = text.split_whitespace();
        let men = fields.next().unwrap_or_default();
        let turn = match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            other => return Err(GameFenError::Turn(other.unwrap_or_default().to_string())),
        };
        let mut board = parse_men(men, rules, turn)?;
        board.check()?;
        match fields.next() {
            None | Some("-") => {}
            Some(leaps) => parse_leaps(&mut board, leaps)?,
        }
        let limit = match fields.next() {
            None | Some("-") => 0,
            Some(word) => number(word)?,
        };
        if limit % 2 == 1 {
            return Err(GameFenError::LimitOdd(limit));
        }
        let plies = fields.next().map_or(Ok(0), number)?;
        let fullmove = fields.next().map_or(Ok(1), number)?.max(1);
        if let Some(word) = fields.next() {
            return Err(GameFenError::Trailing(word.to_string()));
        }
        let (counted, clock) = match limit {
            0 => (0, plies),
            // Against a bare king the count and the clock began with the same capture.
            _ if rules == RuleSet::Asean => (plies, plies),
            _ => (plies, 0),
        };
        Ok(GameState {
            board,
            counters: Counters {
                limit,
                counted,
                clock,
                fullmove,
            },
        })
    }

    /// The FEN with `~` after each man that has been a bia.
    pub fn fen_with_promoted(&self) -> String {
        self.fen(true)
    }

    fn fen(&self, promoted: bool) -> String {
        let mut text = String::new();
        for rank in (0..8).rev() {
            let mut empty = 0;
            for file in 0..8 {
                let square = Square::wrapping(rank * 8 + file);
                let Some((color, piece)) = self.board.piece_at(square) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                let letter = piece.letter(self.lettering());
                text.push(match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
                if promoted && self.board.promoted().contains(square) {
                    text.push('~');
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let turn = match self.board.turn() {
            Color::White => 'w',
            Color::Black => 'b',
        };
        let count = match self.counters {
            Counters {
                limit: 0, clock, ..
            } => format!("- {clock}"),
            Counters { limit, counted, .. } => format!("{limit} {counted}"),
        };
        text + &format!(
            " {turn} {} {count} {}",
            self.leaps(),
            self.counters.fullmove
        )
    }

    /// The third field.
    fn leaps(&self) -> String {
        let files = |color: Color, a: u8| {
            let squares = self.board.leapers() & self.board.by_color(color);
            squares.map(move |square| char::from(a + square.file()))
        };
        let leaps: String = files(Color::White, b'A')
            .chain(files(Color::Black, b'a'))
            .collect();
        match leaps.is_empty() {
            true => "-".to_string(),
            false => leaps,
        }
    }
}

impl fmt::Display for GameState {
    /// Writes the FEN, all six fields.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.fen(false))
    }
}

fn number(word: &str) -> Result<u32, GameFenError> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| word.parse().ok()).flatten();
    number
        .filter(|&number| number < COUNTER_END)
        .ok_or_else(|| GameFenError::Number(word.to_string()))
}

fn parse_men(text: &str, rules: RuleSet, turn: Color) -> Result<FullBoard, GameFenError> {
    let shape = || GameFenError::Shape(text.to_string());
    let lettering = rules.lettering();
    let mut board = FullBoard::empty(rules, turn);
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(shape());
    }
    for (i, rank) in ranks.into_iter().enumerate() {
        let mut file = 0;
        let mut letters = rank.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as u8;
                continue;
            }
            let upper = letter.to_ascii_uppercase();
            let piece = match upper {
                'P' => Some(Piece::Bia),
                _ => lettering.role(upper).map(Piece::Man),
            };
            let piece = piece.ok_or(GameFenError::Letter { letter, lettering })?;
            let can_be_promoted = matches!(piece, Piece::Man(role) if lettering.promotes_to(role));
            let promoted = can_be_promoted && letters.next_if_eq(&'~').is_some();
            let color = match letter.is_ascii_uppercase() {
                true => Color::White,
                false => Color::Black,
            };
            let square = Square::at(file, 7 - i as u8).ok_or_else(shape)?;
            board.put(square, color, piece, promoted);
            file += 1;
        }
        if file != 8 {
            return Err(shape());
        }
    }
    Ok(board)
}

/// The first leaps that a third field names: those of kings and mets at home.
fn parse_leaps(board: &mut FullBoard, text: &str) -> Result<(), GameFenError> {
    let wrong = || GameFenError::Leaps(text.to_string());
    for letter in text.chars() {
        let (color, rank) = match letter {
            'D' | 'E' => (Color::White, 0),
            'd' | 'e' => (Color::Black, 7),
            _ => return Err(wrong()),
        };
        let file = letter.to_ascii_lowercase() as u8 - b'a';
        let square = Square::at(file, rank).ok_or_else(wrong)?;
        let at_home = match board.piece_at(square) {
            Some((owner, Piece::Man(Role::King | Role::Met))) => owner == color,
            _ => false,
        };
        if board.rules() != RuleSet::Ouk || !at_home {
            return Err(wrong());
        }
        board.add_leaper(square);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Count;

    fn read(text: &str, rules: RuleSet) -> Result<GameState, GameFenError> {
        GameState::from_fen(text, rules)
    }

    #[test]
    fn the_start_positions_are_those_of_fairy_stockfish() {
        for (rules, fen) in [
            (
                RuleSet::Makruk,
                "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            ),
            (
                RuleSet::Asean,
                "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1",
            ),
            (
                RuleSet::Ouk,
                "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
            ),
        ] {
            assert_eq!(GameState::start(rules).to_string(), fen);
            assert_eq!(read(fen, rules), Ok(GameState::start(rules)));
        }
    }

    #[test]
    fn what_programs_write_is_read() {
        // The start position of cutechess, a count past its limit, and fields left out.
        let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1";
        assert_eq!(
            read(start, RuleSet::Makruk),
            Ok(GameState::start(RuleSet::Makruk))
        );
        let over = read("8/8/8/3k4/8/3K4/3R4/8 b - 32 33 90", RuleSet::Makruk).unwrap();
        let count = Count::Explicit {
            limit_plies: 32,
            counted_plies: 33,
        };
        assert_eq!(over.counters.count(RuleSet::Makruk), count);
        let short = read("8/8/8/3k4/8/3K4/3R4/8 b", RuleSet::Makruk).unwrap();
        assert_eq!(short.to_string(), "8/8/8/3k4/8/3K4/3R4/8 b - - 0 1");
    }

    #[test]
    fn promoted_men_are_marked_if_asked_for() {
        let fen = "8/8/3M~4/3k4/8/3K4/3M4/8 w - - 0 1";
        let state = read(fen, RuleSet::Makruk).unwrap();
        assert_eq!(state.fen_with_promoted(), fen);
        assert_eq!(state.to_string(), fen.replace('~', ""));
        // The mark stays with the man.
        let next = state.play(state.parse_uci("d6e7").unwrap());
        assert_eq!(next.board.promoted().len(), 1);
        assert!(read("8/8/3R~4/3k4/8/3K4/8/8 w", RuleSet::Makruk).is_err());
    }

    #[test]
    fn first_leaps_are_those_of_men_at_home_in_ouk() {
        let fen = "4k3/8/8/8/8/8/8/3K4 w De - 0 1";
        let state = read(fen, RuleSet::Ouk).unwrap();
        assert_eq!(state.to_string(), fen);
        assert_eq!(state.tabled(), None);
        assert!(read(fen, RuleSet::Makruk).is_err());
        assert!(read("4k3/8/8/8/8/8/8/4K3 w D - 0 1", RuleSet::Ouk).is_err());
        assert!(read("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", RuleSet::Ouk).is_err());
    }

    #[test]
    fn what_is_no_fen_is_refused() {
        for text in [
            "",
            "8/8/8/8/8/8/8/8 w",
            "8/8/8/3k4/8/3K4/3R4 w",
            "8/8/8/3k4/8/3K4/3R5/8 w",
            "8/8/8/3k4/8/3K4/3R4/9 w",
            "8/8/8/3k4/8/3K4/3B4/8 w",
            "8/8/8/3k4/8/3K4/3R4/8",
            "8/8/8/3k4/8/3K4/3R4/8 x",
            "8/8/8/3k4/8/3K4/3R4/8 w - 31 8 1",
            "8/8/8/3k4/8/3K4/3R4/8 w - -1 8 1",
            "8/8/8/3k4/8/3K4/3R4/8 w - 99999999999 8 1",
            "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1 more",
            "P7/8/8/3k4/8/3K4/3R4/8 w",
            "8/8/8/3k4/3K4/8/8/8 w",
            "8/8/8/3k4/8/3K4/3r4/8 b",
        ] {
            assert!(read(text, RuleSet::Makruk).is_err(), "{text}");
        }
    }
}
