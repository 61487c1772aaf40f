//! First leaps: a king or met of ouk that has not moved may leap once.
//!
//! The third field of a FEN lists the men that may still leap, by the letters of their files:
//! `DEde`. White's king starts on d1 and its met on e1, Black's met on d8 and its king on e8.

use std::fmt;

use super::{Color, Position, Role, Square, SquareSet};

/// The letters of the third field, each with its man and the man's home square.
const HOMES: [(char, Color, Role, u8); 4] = [
    ('D', Color::White, Role::King, 3),
    ('E', Color::White, Role::Met, 4),
    ('d', Color::Black, Role::Met, 59),
    ('e', Color::Black, Role::King, 60),
];

/// The kings and mets that have not moved, as a FEN lists them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LeapRights(u8);

impl LeapRights {
    /// No man has the right to leap.
    pub const NONE: LeapRights = LeapRights(0);

    /// The rights of the kings and mets on these home squares.
    pub fn of(squares: SquareSet) -> LeapRights {
        let homes = HOMES.iter().enumerate();
        let named = homes.filter(|(_, home)| squares.contains(Square::wrapping(home.3.into())));
        LeapRights(named.fold(0, |rights, (place, _)| rights | 1 << place))
    }

    /// Parses the third field of a FEN. Letters for castling rights are ignored; `None` if the
    /// field contains a character that is neither a leap right nor a castling right.
    pub(super) fn read(letters: &str) -> Option<LeapRights> {
        letters.chars().try_fold(LeapRights(0), |rights, letter| {
            let place = HOMES.iter().position(|home| home.0 == letter);
            match (place, letter.to_ascii_lowercase()) {
                (Some(place), _) => Some(LeapRights(rights.0 | 1 << place)),
                (None, 'k' | 'q' | 'a'..='h') => Some(rights),
                _ => None,
            }
        })
    }

    /// True if no man has the right to leap.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The squares of the men that have a right to leap and are on their home squares.
    pub fn leapers(self, position: &Position) -> SquareSet {
        let homes = HOMES.iter().enumerate();
        let named = homes.filter(|&(place, _)| self.0 >> place & 1 == 1);
        let squares = named.filter_map(|(_, &(_, color, role, square))| {
            let square = Square::wrapping(square.into());
            (position.man_at(square) == Some((color, role))).then_some(square)
        });
        squares.collect()
    }
}

/// Writes the third field of a FEN.
impl fmt::Display for LeapRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (place, (letter, ..)) in HOMES.iter().enumerate() {
            if self.0 >> place & 1 == 1 {
                write!(f, "{letter}")?;
            }
        }
        Ok(())
    }
}
