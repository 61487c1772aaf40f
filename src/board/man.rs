//! The men: colours and roles.

use std::fmt;
use std::ops::Not;

/// White or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Color {
    /// The side whose khon and bia step up the board, towards rank 8.
    White,
    /// The side whose khon and bia step down the board, towards rank 1.
    Black,
}

impl Color {
    /// Both sides, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// The index of the colour in an array with one element for each colour: 0 for White, 1 for
    /// Black.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::White => "white",
            Color::Black => "black",
        })
    }
}

impl Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// The kind of a man.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Khun: one step in any of eight directions.
    King,
    /// Ruea: any distance along ranks and files.
    Rook,
    /// Ma: the knight's leap.
    Knight,
    /// Khon: one step diagonally, or one straight forward.
    Khon,
    /// Met, and a promoted bia: one step diagonally. It never changes the colour of its square.
    Met,
    /// Bia, the pawn: one step forward, captures diagonally forward.
    Bia,
}

impl Role {
    /// All six roles, in the order of their letters in a material's name.
    pub const ALL: [Role; 6] = [
        Role::King,
        Role::Rook,
        Role::Knight,
        Role::Khon,
        Role::Met,
        Role::Bia,
    ];

    /// All roles but the king, in the order of their letters in a material's name.
    pub const MEN: [Role; 5] = [Role::Rook, Role::Knight, Role::Khon, Role::Met, Role::Bia];

    /// The roles in endings without bia: all but king and bia.
    pub const PAWNLESS: [Role; 4] = [Role::Rook, Role::Knight, Role::Khon, Role::Met];

    /// The index of the role in an array with one element for each role: from 0 for the king to 5
    /// for the bia.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter that stands for the role in a material's name and in makruk's FENs.
    pub const fn letter(self) -> char {
        match self {
            Role::King => 'K',
            Role::Rook => 'R',
            Role::Knight => 'N',
            Role::Khon => 'S',
            Role::Met => 'M',
            Role::Bia => 'P',
        }
    }

    /// The role that this upper-case letter stands for in makruk; `None` if it stands for no role.
    pub const fn from_letter(letter: char) -> Option<Role> {
        match letter {
            'K' => Some(Role::King),
            'R' => Some(Role::Rook),
            'N' => Some(Role::Knight),
            'S' => Some(Role::Khon),
            'M' => Some(Role::Met),
            'P' => Some(Role::Bia),
            _ => None,
        }
    }
}
