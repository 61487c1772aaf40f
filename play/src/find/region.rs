//! Regions: a man and the squares where it may be, such as `K@a-d1-4`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use sakmak::board::{Color, Lettering, Position, Role, Square, SquareSet};

/// A man and the squares on which it may stand. If the side has several men of the role, one of
/// them on these squares is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The colour of the man.
    pub color: Color,
    /// The role of the man.
    pub role: Role,
    /// The squares on which the man may stand.
    pub squares: SquareSet,
}

/// The error for a text that is not a man with its squares.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} does not say where a man stands: write its letter, lower case for Black, then @ and a square, or files and ranks, for instance K@d4, k@a-d1-4 or S@e5-8"
)]
pub struct RegionError(String);

impl Region {
    /// True if the position has a man of the region's colour and role on one of the region's
    /// squares.
    pub fn holds(&self, position: &Position) -> bool {
        !(position.men(self.color, self.role) & self.squares).is_empty()
    }
}

impl FromStr for Region {
    type Err = RegionError;

    /// Parses a man and its squares, for example `K@d4`, `k@a-d1-4`, `S@e5-8` or `M@a-h3`. Accepts
    /// the letters of both letterings.
    fn from_str(text: &str) -> Result<Region, RegionError> {
        let read = || {
            let (man, squares) = text.split_once('@')?;
            let mut letters = man.chars();
            let (letter, None) = (letters.next()?, letters.next()) else {
                return None;
            };
            let upper = letter.to_ascii_uppercase();
            let role = Lettering::Makruk
                .role(upper)
                .or(Lettering::Asean.role(upper))?;
            let color = match letter.is_ascii_uppercase() {
                true => Color::White,
                false => Color::Black,
            };
            let (files, rest) = range(squares, b'a')?;
            let (ranks, rest) = range(rest, b'1')?;
            let inside =
                |square: Square| files.contains(&square.file()) && ranks.contains(&square.rank());
            rest.is_empty().then(|| Region {
                color,
                role,
                squares: Square::all().filter(|&square| inside(square)).collect(),
            })
        };
        read()
            .filter(|region| !region.squares.is_empty())
            .ok_or_else(|| RegionError(text.to_string()))
    }
}

/// Parses the name of a file or a rank, or a range of names such as `a-d`. `first` is the name of
/// the first file or rank, `a` or `1`, which is numbered 0. Returns the range of numbers with the
/// rest of the text.
fn range(text: &str, first: u8) -> Option<(std::ops::RangeInclusive<u8>, &str)> {
    let one = |text: &str| {
        let byte = *text.as_bytes().first()?;
        (first..first + 8).contains(&byte).then(|| byte - first)
    };
    let from = one(text)?;
    match text[1..].strip_prefix('-') {
        Some(rest) => {
            let to = one(rest)?;
            Some((from..=to, &rest[1..]))
        }
        None => Some((from..=from, &text[1..])),
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        };
        let squares: Vec<String> = self.squares.map(|square| square.to_string()).collect();
        write!(f, "{letter} on {}", squares.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_and_its_squares_are_read() {
        let region: Region = "K@a-d1-4".parse().unwrap();
        assert_eq!((region.color, region.role), (Color::White, Role::King));
        assert_eq!(region.squares.len(), 16);
        for (text, squares) in [("k@d4", 1), ("s@e5-8", 4), ("B@a-h3", 8), ("m@a-h1-8", 64)] {
            assert_eq!(
                text.parse::<Region>().unwrap().squares.len(),
                squares,
                "{text}"
            );
        }
        for text in [
            "", "K", "K@", "K@i1", "K@a9", "KK@a1", "X@a1", "K@d-a1", "K@a1b", "K@1a", "é@a1",
        ] {
            assert!(text.parse::<Region>().is_err(), "{text}");
        }
    }
}
