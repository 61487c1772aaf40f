//! Moves as players write them: `Mf4`, `Rxe5+`, `Nc1#`.
//!
//! As Fairy-Stockfish writes them: the man's letter, then where it comes from if another man of its
//! kind could go there too (the file if that tells them apart, else the rank, else both), `x` for a
//! capture, the square, and `+` for check or `#` for mate.

use thiserror::Error;

use super::{Lettering, Move, Position, Role, Square};

/// Why a text is not a legal move of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// Not in the form of a move.
    #[error(
        "{text:?} is not a move in {lettering} letters: write the man ({letters}), x if it takes, and the square, for instance Kd4 or Rxe5+",
        letters = .lettering.letters()
    )]
    Form {
        /// The text.
        text: String,
        /// The letters in which it is read.
        lettering: Lettering,
    },
    /// No legal move is written so.
    #[error("{0:?} is not a legal move in this position: choose one of its legal moves")]
    NotLegal(String),
    /// More than one legal move may be meant.
    #[error("{text:?} may be {one} or {other}: add the file or the rank of the man that moves")]
    Ambiguous {
        /// The text.
        text: String,
        /// A legal move that it may mean.
        one: Move,
        /// Another.
        other: Move,
    },
}

impl Position {
    /// A legal move as players write it, in the given letters.
    ///
    /// The move must be one of [`Position::legal_moves`]; any other gives a text without meaning.
    pub fn san(&self, m: Move, lettering: Lettering) -> String {
        let role = self.man_at(m.from).map_or(Role::King, |(_, role)| role);
        let mut san = String::from(lettering.letter(role));
        san += &self.origin(m, role);
        if self.is_capture(m) {
            san.push('x');
        }
        san += &m.to.to_string();
        let next = self.play(m);
        if next.is_checkmate() {
            san.push('#');
        } else if next.is_check() {
            san.push('+');
        }
        san
    }

    /// As much of the square a man leaves as tells it from its like.
    fn origin(&self, m: Move, role: Role) -> String {
        let mut others = self
            .men(self.turn(), role)
            .without(m.from)
            .filter(|&from| self.is_legal(Move { from, to: m.to }));
        let Some(first) = others.next() else {
            return String::new();
        };
        let (mut same_file, mut same_rank) = (false, false);
        for other in std::iter::once(first).chain(others) {
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

    /// The legal move that a text in the given letters means.
    ///
    /// Marks of check, mate and praise at the end may be there or not. More of the square left than
    /// is needed may be written, less may not; `x` is written for captures and for nothing else.
    ///
    /// # Errors
    ///
    /// If no legal move, or more than one, is written so.
    pub fn parse_san(&self, text: &str, lettering: Lettering) -> Result<Move, SanError> {
        let san = San::parse(text, lettering).ok_or_else(|| SanError::Form {
            text: text.to_string(),
            lettering,
        })?;
        let mut meant = self.legal_moves().into_iter().filter(|&m| {
            self.men(self.turn(), san.role).contains(m.from)
                && m.to == san.to
                && self.is_capture(m) == san.takes
                && san.file.is_none_or(|file| file == m.from.file())
                && san.rank.is_none_or(|rank| rank == m.from.rank())
        });
        match (meant.next(), meant.next()) {
            (None, _) => Err(SanError::NotLegal(text.to_string())),
            (Some(m), None) => Ok(m),
            (Some(one), Some(other)) => Err(SanError::Ambiguous {
                text: text.to_string(),
                one,
                other,
            }),
        }
    }
}

/// The parts of a written move.
struct San {
    role: Role,
    file: Option<u8>,
    rank: Option<u8>,
    takes: bool,
    to: Square,
}

impl San {
    fn parse(text: &str, lettering: Lettering) -> Option<San> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let mut rest = text.chars();
        let role = lettering.role(rest.next()?)?;
        let rest = rest.as_str();
        let (origin, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
        let (origin, takes) = match origin.strip_suffix('x') {
            Some(origin) => (origin, true),
            None => (origin, false),
        };
        let (file, rank) = parse_origin(origin)?;
        Some(San {
            role,
            file,
            rank,
            takes,
            to: to.parse().ok()?,
        })
    }
}

/// The file and the rank, from 0, that a SAN may name before its target square. None if the text
/// is anything else.
pub(crate) fn parse_origin(text: &str) -> Option<(Option<u8>, Option<u8>)> {
    Some(match *text.as_bytes() {
        [] => (None, None),
        [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
        [rank @ b'1'..=b'8'] => (None, Some(rank - b'1')),
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file - b'a'), Some(rank - b'1')),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Fen, arbitrary};
    use super::*;
    use proptest::prelude::*;

    fn position(fen: &str) -> Position {
        Fen::parse(fen, Lettering::Makruk).unwrap().position
    }

    fn san(fen: &str, m: &str) -> String {
        position(fen).san(m.parse().unwrap(), Lettering::Makruk)
    }

    #[test]
    fn a_move_names_its_man_capture_check_and_mate() {
        assert_eq!(san("7k/8/8/8/8/4M3/8/K7 w", "e3f4"), "Mf4");
        assert_eq!(san("4k3/8/8/4r3/8/4R3/8/K7 w", "e3e5"), "Rxe5+");
        assert_eq!(san("1k6/8/1K6/8/8/8/8/7R w", "h1h8"), "Rh8#");
    }

    #[test]
    fn a_move_names_no_more_of_its_square_than_it_needs() {
        assert_eq!(san("7k/8/8/8/8/8/8/KN3N2 w", "b1d2"), "Nbd2");
        assert_eq!(san("7k/8/8/8/8/1N6/8/KN6 w", "b1d2"), "N1d2");
        assert_eq!(san("7k/8/8/8/8/1N3N2/8/KN6 w", "b3d2"), "Nb3d2");
        // The other knight is pinned, so nothing needs telling apart.
        assert_eq!(san("7k/8/8/8/8/8/8/1N2rN1K w", "b1d2"), "Nd2");
    }

    #[test]
    fn the_letters_are_those_of_the_rule_set() {
        let board = position("7k/8/8/8/3S4/4M3/8/K7 w");
        let khon: Move = "d4d5".parse().unwrap();
        assert_eq!(board.san(khon, Lettering::Asean), "Bd5");
        assert_eq!(board.parse_san("Bd5", Lettering::Asean), Ok(khon));
        assert!(board.parse_san("Sd5", Lettering::Asean).is_err());
        assert!(board.parse_san("Bd5", Lettering::Makruk).is_err());
    }

    #[test]
    fn a_text_that_is_no_move_is_refused_with_its_reason() {
        let board = position("7k/8/8/8/8/8/8/KN3N2 w");
        let error = |text: &str| board.parse_san(text, Lettering::Makruk).unwrap_err();
        for text in [
            "", "N", "d2", "Nd9", "Nzd2", "Nb1xxd2", "nbd2", "é", "Né2", "N+", "Nd2x",
        ] {
            assert!(matches!(error(text), SanError::Form { .. }), "{text:?}");
        }
        assert_eq!(error("Nbxd2"), SanError::NotLegal("Nbxd2".to_string()));
        assert_eq!(error("Ka8"), SanError::NotLegal("Ka8".to_string()));
        assert!(matches!(error("Nd2"), SanError::Ambiguous { .. }));
        assert!(board.parse_san("Nb1d2!?", Lettering::Makruk).is_ok());
    }

    proptest! {
        #[test]
        fn every_legal_move_is_read_back_from_what_is_written(position in arbitrary::position()) {
            for lettering in [Lettering::Makruk, Lettering::Asean] {
                for m in position.legal_moves() {
                    let text = position.san(m, lettering);
                    prop_assert_eq!(position.parse_san(&text, lettering), Ok(m), "{}", text);
                }
            }
        }
    }
}
