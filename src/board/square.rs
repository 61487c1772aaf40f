//! Squares and sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not};
use std::str::FromStr;

use thiserror::Error;

/// One of the 64 squares: a1 is 0, h1 is 7, a8 is 56.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square with this index; `None` if the index is 64 or more.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 {
            Some(Square(index))
        } else {
            None
        }
    }

    /// The square whose index is the low six bits of this number.
    pub const fn wrapping(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// The square on this file and rank. Files and ranks are numbered from 0, which is file a and
    /// rank 1. `None` if either number is 8 or more.
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 {
            Some(Square(rank * 8 + file))
        } else {
            None
        }
    }

    /// The index of the square, below 64.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file, 0 for a to 7 for h.
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, 0 for the first to 7 for the eighth.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The set that contains only this square.
    pub const fn set(self) -> SquareSet {
        SquareSet(1 << self.0)
    }

    /// The square reflected between the two sides, with ranks reversed: a1 becomes a8.
    pub const fn flip_vertical(self) -> Square {
        Square(self.0 ^ 56)
    }

    /// The square reflected left to right, with files reversed: a1 becomes h1.
    pub const fn flip_horizontal(self) -> Square {
        Square(self.0 ^ 7)
    }

    /// The square reflected in the a1–h8 diagonal, with file and rank exchanged: b1 becomes a2.
    pub const fn transpose(self) -> Square {
        Square((self.0 >> 3) | ((self.0 & 7) << 3))
    }

    /// True for a light square; a1 is dark.
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }

    /// The square that is this many files and ranks away from this one; `None` if it is off the
    /// board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = self.file() as i8 + files;
        let rank = self.rank() as i8 + ranks;
        if file < 0 || rank < 0 {
            None
        } else {
            Square::at(file as u8, rank as u8)
        }
    }

    /// All 64 squares, a1 first.
    pub const ALL: [Square; 64] = {
        let mut all = [Square(0); 64];
        let mut index = 0;
        while index < 64 {
            all[index] = Square(index as u8);
            index += 1;
        }
        all
    };

    /// Iterates over [`Square::ALL`].
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        Square::ALL.into_iter()
    }
}

/// Defines the constants `A1` to `H8`.
macro_rules! squares {
    ($($name:ident)*) => {
        /// The squares by name.
        #[allow(missing_docs, reason = "each constant is named after its square")]
        impl Square {
            squares!(@ 0u8; $($name)*);
        }
    };
    (@ $index:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Square = Square($index);
        squares!(@ $index + 1; $($rest)*);
    };
    (@ $index:expr;) => {};
}

squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error for a text that is not the name of a square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a square: write a file from a to h and a rank from 1 to 8, for instance e4")]
pub struct SquareError(pub String);

impl FromStr for Square {
    type Err = SquareError;

    /// Parses the name of a square in lower case, such as `e4`.
    fn from_str(text: &str) -> Result<Square, SquareError> {
        let square = match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Square::at(file - b'a', rank - b'1'),
            _ => None,
        };
        square.ok_or_else(|| SquareError(text.to_string()))
    }
}

/// A set of squares, one bit for each: bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SquareSet(pub u64);

impl SquareSet {
    /// The set without any square.
    pub const EMPTY: SquareSet = SquareSet(0);
    /// The set of all squares.
    pub const ALL: SquareSet = SquareSet(!0);

    /// True if no square is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if the square is in the set.
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The set with this square added.
    #[must_use]
    pub const fn with(self, square: Square) -> SquareSet {
        SquareSet(self.0 | square.set().0)
    }

    /// The union with sets of which no two share a square, nor any one with this set. `None` if two
    /// sets share a square.
    #[inline(always)]
    pub fn disjoint_union(self, sets: impl IntoIterator<Item = SquareSet>) -> Option<SquareSet> {
        let mut union = self;
        for set in sets {
            if !(union & set).is_empty() {
                return None;
            }
            union |= set;
        }
        Some(union)
    }

    /// The set with this square removed.
    #[must_use]
    pub const fn without(self, square: Square) -> SquareSet {
        SquareSet(self.0 & !square.set().0)
    }

    /// The square of the set with the lowest index; `None` if the set is empty.
    pub const fn first(self) -> Option<Square> {
        Square::new(self.0.trailing_zeros() as u8)
    }
}

impl Iterator for SquareSet {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let squares = self.0.count_ones() as usize;
        (squares, Some(squares))
    }
}

impl ExactSizeIterator for SquareSet {}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, SquareSet::with)
    }
}

impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

macro_rules! bit_operator {
    ($trait:ident, $method:ident, $operator:tt) => {
        impl $trait for SquareSet {
            type Output = SquareSet;
            fn $method(self, other: SquareSet) -> SquareSet {
                SquareSet(self.0 $operator other.0)
            }
        }
    };
}
bit_operator!(BitAnd, bitand, &);
bit_operator!(BitOr, bitor, |);
bit_operator!(BitXor, bitxor, ^);

impl Not for SquareSet {
    type Output = SquareSet;
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

impl BitOrAssign for SquareSet {
    fn bitor_assign(&mut self, other: SquareSet) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for SquareSet {
    fn bitand_assign(&mut self, other: SquareSet) {
        self.0 &= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_that_share_a_square_have_no_disjoint_union() {
        let [a, b, c] = [SquareSet(0b0011), SquareSet(0b0100), SquareSet(0b1010)];
        assert_eq!(a.disjoint_union([b]), Some(SquareSet(0b0111)));
        assert_eq!(a.disjoint_union([]), Some(a));
        assert_eq!(a.disjoint_union([b, c]), None);
        assert_eq!(b.disjoint_union([c, b]), None);
    }

    #[test]
    fn a_square_is_written_and_read_by_its_name() {
        assert_eq!(Square::ALL[0], Square::A1);
        assert_eq!(Square::ALL[63], Square::H8);
        assert_eq!(Square::at(4, 3), Some(Square::E4));
        for (index, square) in Square::ALL.into_iter().enumerate() {
            assert_eq!(square.index(), index);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for text in ["", "e", "e9", "i1", "E4", "e44", "é4"] {
            let error = text.parse::<Square>().unwrap_err();
            assert!(error.to_string().contains("for instance e4"), "{error}");
        }
    }
}
