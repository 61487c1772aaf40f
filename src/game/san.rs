//! Moves of games as players write them: `e4`, `dxe5`, `e6=M`, `Nbd2+`.
//!
//! They are written as Fairy-Stockfish does, but for a first leap of ouk to a square that another
//! met could go to: here the two are told apart. They are read in either lettering (`Q` and `B` mean
//! the met and the khon in makruk too, as SchemingMind writes them; no letter means two men), with
//! or without `x`, marks of check and praise, and the offer of a draw, `=`. What a bia becomes may be
//! left out where it has no choice.

use thiserror::Error;

use super::board::{FullBoard, Piece};
use super::moves::GameMove;
use crate::board::{Lettering, Role, Square, parse_origin};

/// Why a text is not a legal move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameSanError {
    /// Not in the form of a move.
    #[error(
        "{0:?} is not a move: write the man, the square, and =M for a promotion, for instance Nd4, exd5 or e6=M"
    )]
    Form(String),
    /// No legal move is written so.
    #[error("{0:?} is not a legal move here: choose one of the legal moves")]
    NotLegal(String),
    /// More than one legal move may be meant.
    #[error(
        "{text:?} may be {one} or {other}: say more of the square it comes from, or what the pawn becomes"
    )]
    Ambiguous {
        /// The text.
        text: String,
        /// A legal move that it may mean.
        one: String,
        /// Another.
        other: String,
    },
}

/// What a text says of a move.
struct Written {
    piece: Piece,
    file: Option<u8>,
    rank: Option<u8>,
    takes: bool,
    to: Square,
    promotion: Option<Role>,
}

/// The man of a letter in either lettering.
fn piece(letter: char) -> Option<Piece> {
    match letter {
        'P' => Some(Piece::Bia),
        _ => Lettering::Makruk
            .role(letter)
            .or(Lettering::Asean.role(letter))
            .map(Piece::Man),
    }
}

impl Written {
    fn parse(text: &str) -> Option<Written> {
        let text = text.strip_suffix("(=)").unwrap_or(text);
        let text = text.trim_end_matches(['+', '#', '!', '?', '=']);
        let (text, promotion) = split_promotion(text)?;
        let first = text.chars().next()?;
        let (piece, rest) = match piece(first) {
            Some(piece) => (piece, &text[first.len_utf8()..]),
            None => (Piece::Bia, text),
        };
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let takes = origin.ends_with(['x', ':']);
        let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
        let (file, rank) = parse_origin(origin)?;
        Some(Written {
            piece,
            file,
            rank,
            takes,
            to: to.parse().ok()?,
            promotion,
        })
    }

    fn means(&self, board: &FullBoard, m: GameMove) -> bool {
        board.piece_at(m.from).map(|(_, piece)| piece) == Some(self.piece)
            && m.to == self.to
            && self.file.is_none_or(|file| file == m.from.file())
            && self.rank.is_none_or(|rank| rank == m.from.rank())
            && (!self.takes || board.is_capture(m))
            && (self.promotion.is_none() || self.promotion == m.promotion)
    }
}

/// A text and what it says of a promotion: `e6=M`, `e6M`, `e6=M~`, and `e5e6m` as UCI writes it.
fn split_promotion(text: &str) -> Option<(&str, Option<Role>)> {
    let text = text.trim_end_matches('~');
    let last = text.chars().next_back()?;
    if !last.is_ascii_alphabetic() {
        return Some((text, None));
    }
    let Some(Piece::Man(role)) = piece(last.to_ascii_uppercase()) else {
        return None;
    };
    let text = &text[..text.len() - 1];
    Some((text.strip_suffix('=').unwrap_or(text), Some(role)))
}

impl FullBoard {
    /// A legal move as players write it, in the letters of the game. A move that is not legal gives
    /// a text without meaning.
    pub fn san(&self, m: GameMove) -> String {
        let lettering = self.rules().lettering();
        let piece = self.piece_at(m.from).map_or(Piece::Bia, |(_, piece)| piece);
        let capture = self.is_capture(m);
        let mut san = match piece {
            Piece::Man(role) => lettering.letter(role).to_string() + &self.origin(m, piece),
            Piece::Bia if capture => m.from.to_string()[..1].to_string(),
            Piece::Bia => String::new(),
        };
        if capture {
            san.push('x');
        }
        san += &m.to.to_string();
        if let Some(role) = m.promotion {
            san.push('=');
            san.push(lettering.letter(role));
        }
        let next = self.play(m);
        if next.is_check() {
            san.push(match next.legal_moves().is_empty() {
                true => '#',
                false => '+',
            });
        }
        san
    }

    /// As much of the square a man leaves as tells it from its like.
    fn origin(&self, m: GameMove, piece: Piece) -> String {
        let moves = self.legal_moves();
        let mut others = moves
            .iter()
            .map(|other| (other.to, other.from))
            .filter(|&(to, from)| {
                let same = self.piece_at(from).map(|(_, piece)| piece) == Some(piece);
                same && to == m.to && from != m.from
            });
        let Some((_, first)) = others.next() else {
            return String::new();
        };
        let (mut same_file, mut same_rank) = (false, false);
        for other in std::iter::once(first).chain(others.map(|(_, from)| from)) {
            same_file |= other.file() == m.from.file();
            same_rank |= other.rank() == m.from.rank();
        }
        let square = m.from.to_string();
        match (same_file, same_rank) {
            (false, _) => square[..1].to_string(),
            (true, false) => square[1..].to_string(),
            (true, true) => square,
        }
    }

    /// The legal move that a text means.
    ///
    /// # Errors
    ///
    /// If no legal move, or more than one, is written so.
    pub fn parse_san(&self, text: &str) -> Result<GameMove, GameSanError> {
        let written = Written::parse(text).ok_or_else(|| GameSanError::Form(text.to_string()))?;
        let moves = self.legal_moves();
        let mut meant = moves.iter().filter(|&&m| written.means(self, m));
        match (meant.next(), meant.next()) {
            (None, _) => Err(GameSanError::NotLegal(text.to_string())),
            (Some(&m), None) => Ok(m),
            (Some(&one), Some(&other)) => {
                let name = |m: GameMove| m.uci(self.rules().lettering()).to_string();
                Err(GameSanError::Ambiguous {
                    text: text.to_string(),
                    one: name(one),
                    other: name(other),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::GameState;
    use super::*;
    use crate::rules::RuleSet;

    fn board(fen: &str, rules: RuleSet) -> FullBoard {
        GameState::from_fen(fen, rules).unwrap().board
    }

    #[test]
    fn moves_are_written_with_captures_promotions_and_checks() {
        let board = board("k7/8/5p2/2P1P3/8/3K4/8/8 w - - 0 1", RuleSet::Makruk);
        let written: Vec<String> = board.legal_moves().iter().map(|&m| board.san(m)).collect();
        for san in ["c6=M", "exf6=M", "e6=M", "Kd4"] {
            assert!(written.contains(&san.to_string()), "{san} in {written:?}");
        }
    }

    #[test]
    fn every_legal_move_is_read_back_from_what_is_written() {
        for rules in RuleSet::ALL {
            let mut state = GameState::start(rules);
            for ply in 0..300 {
                let moves = state.board.legal_moves();
                for &m in &moves {
                    let san = state.board.san(m);
                    assert_eq!(state.board.parse_san(&san), Ok(m), "{san} in {state}");
                }
                let Some(&m) = moves.get((ply * 7919) % moves.len().max(1)) else {
                    break;
                };
                state = state.play(m);
            }
        }
    }

    #[test]
    fn either_lettering_and_other_ways_of_writing_are_read() {
        let makruk = board("k7/8/8/2P1P3/8/3KM3/5S2/8 w - - 0 1", RuleSet::Makruk);
        for (text, uci) in [
            ("Qf4", "e3f4"),
            ("Mf4=", "e3f4"),
            ("Me3-f4", "e3f4"),
            ("Bg3!?", "f2g3"),
            ("Sf3(=)", "f2f3"),
            ("e6", "e5e6m"),
            ("e6=M~", "e5e6m"),
            ("e6Q", "e5e6m"),
            ("e5e6m", "e5e6m"),
            ("Pe6", "e5e6m"),
        ] {
            let m = makruk.parse_san(text).unwrap();
            assert_eq!(m.uci(Lettering::Makruk).to_string(), uci, "{text}");
        }
    }

    #[test]
    fn what_is_no_legal_move_is_refused_with_its_reason() {
        let asean = board("8/2P5/8/3k4/8/3K1N2/8/1N6 w - - 0 1", RuleSet::Asean);
        for text in ["", "+", "O-O", "Zd4", "Nd9", "é4", "--"] {
            let error = asean.parse_san(text).unwrap_err();
            assert_eq!(error, GameSanError::Form(text.to_string()));
        }
        for text in ["Rd4", "Nxd2", "e4", "c8=K"] {
            let error = asean.parse_san(text).unwrap_err();
            assert!(matches!(error, GameSanError::NotLegal(_)), "{text}");
        }
        for text in ["Nd2", "c8"] {
            let error = asean.parse_san(text).unwrap_err();
            assert!(matches!(error, GameSanError::Ambiguous { .. }), "{text}");
        }
    }
}
