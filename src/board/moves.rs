//! A move, written as two squares, and a list of moves.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::str::FromStr;

use thiserror::Error;

use super::{Lettering, MAX_MEN_A_SIDE, Role, Square};

/// A move of a man from one square to another, perhaps with a capture.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square that the man leaves.
    pub from: Square,
    /// The square that the man reaches.
    pub to: Square,
    /// The man that a bia becomes, if the move is a promotion.
    pub promotion: Option<Role>,
}

impl Move {
    /// A move without promotion.
    pub const fn new(from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            promotion: None,
        }
    }

    /// Parses a move in UCI notation with these letters: `e3f4`, or `e5e6m` for a promotion to a man
    /// that the game with these letters allows. Does not check that the move is legal.
    ///
    /// # Errors
    ///
    /// If the text is not a move.
    pub fn from_uci(text: &str, lettering: Lettering) -> Result<Move, MoveError> {
        let read = || {
            let (from, rest) = text.split_at_checked(2)?;
            let (to, letter) = rest.split_at_checked(2)?;
            let (from, to) = (from.parse().ok()?, to.parse().ok()?);
            let mut letters = letter.chars();
            let promotion = match (letters.next(), letters.next()) {
                (None, _) => None,
                (Some(letter @ 'a'..='z'), None) => {
                    let role = lettering.role(letter.to_ascii_uppercase())?;
                    Some(Some(role).filter(|role| lettering.game().promotions().contains(role))?)
                }
                _ => return None,
            };
            (from != to).then_some(Move {
                from,
                to,
                promotion,
            })
        };
        read().ok_or_else(|| MoveError(text.to_string()))
    }

    /// The move in UCI notation with these letters: `e3f4`, or `e5e6m` for a promotion.
    pub fn uci(self, lettering: Lettering) -> impl fmt::Display {
        let letter = self.promotion.map(|role| lettering.letter(role));
        let letter = letter.map(|letter| letter.to_ascii_lowercase().to_string());
        format!("{}{}{}", self.from, self.to, letter.unwrap_or_default())
    }
}

impl fmt::Display for Move {
    /// Writes the move in UCI notation with makruk's letters: `e3f4`, `e5e6m`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("\"{0}\" is not a move: write the origin square and the target square, for instance e3f4")]
pub struct MoveError(pub String);

impl FromStr for Move {
    type Err = MoveError;

    /// Parses a move in UCI notation with makruk's letters, as [`Move::from_uci`] does.
    fn from_str(text: &str) -> Result<Move, MoveError> {
        Move::from_uci(text, Lettering::Makruk)
    }
}

/// An upper bound on the number of legal moves: the king has at most 8, any other man at most the
/// 14 of a rook, and ouk's first leaps add 3.
const CAPACITY: usize = 8 + 14 * (MAX_MEN_A_SIDE - 1) + 3;

/// A list of legal moves that allocates no memory. It dereferences to a slice.
#[derive(Clone, Copy)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

impl MoveList {
    pub(super) fn new() -> MoveList {
        // All bytes of this move are 0, which is the fastest fill for an array.
        let nothing = Move {
            from: Square::wrapping(0),
            to: Square::wrapping(0),
            promotion: Some(Role::King),
        };
        MoveList {
            moves: [nothing; CAPACITY],
            len: 0,
        }
    }

    /// Appends a move to the list.
    pub(crate) fn push(&mut self, m: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = m;
            self.len += 1;
        }
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = std::iter::Take<std::array::IntoIter<Move, CAPACITY>>;

    fn into_iter(self) -> Self::IntoIter {
        self.moves.into_iter().take(self.len)
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Role::{Khon, Knight, Met, Rook};

    #[test]
    fn a_move_is_written_and_read_as_two_squares() {
        let m: Move = "e3f4".parse().unwrap();
        assert_eq!(m.to_string(), "e3f4");
        let m: Move = "e5e6m".parse().unwrap();
        assert_eq!(m.promotion, Some(Met));
        assert_eq!(m.to_string(), "e5e6m");
        assert_eq!(m.uci(Lettering::Asean).to_string(), "e5e6q");
        for (text, role) in [
            ("e7e8q", Met),
            ("e7e8b", Khon),
            ("e7f8n", Knight),
            ("e7d8r", Rook),
        ] {
            let m = Move::from_uci(text, Lettering::Asean).unwrap();
            assert_eq!(m.promotion, Some(role));
            assert_eq!(m.uci(Lettering::Asean).to_string(), text);
        }
        for wrong in ["e7e8m", "e7e8s", "e7e8k", "e7e8p"] {
            let error = Err(MoveError(wrong.to_string()));
            assert_eq!(Move::from_uci(wrong, Lettering::Asean), error);
        }
        for wrong in [
            "", "e3", "e3e3", "e3f9", "e3f4q", "e3f4M", "e5e6mm", "e5e6r", "e5e6p", "é3f4", "aé1",
        ] {
            assert_eq!(wrong.parse::<Move>(), Err(MoveError(wrong.to_string())));
        }
    }
}
