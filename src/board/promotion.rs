//! Where a bia stands and is promoted, and to what.

use super::{Color, Role, Square, SquareSet};

/// The rule by which a bia is promoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// To a met, from the sixth rank on: makruk and ouk.
    Met,
    /// To any man but the king, on the eighth rank: ASEAN chess.
    Any,
}

impl Promotion {
    /// The men that a bia may become.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Promotion::Met => &[Role::Met],
            Promotion::Any => &Role::PAWNLESS,
        }
    }

    /// True if a bia that reaches this square is promoted.
    pub const fn is_due(self, color: Color, to: Square) -> bool {
        let rank = match color {
            Color::White => to.rank(),
            Color::Black => 7 - to.rank(),
        };
        rank >= match self {
            Promotion::Met => 5,
            Promotion::Any => 7,
        }
    }
}

/// The squares of a side's bia in makruk: from where it begins the game to the last before it promotes.
pub const fn bia_home(color: Color) -> SquareSet {
    match color {
        Color::White => SquareSet(0xff_ffff << 16),
        Color::Black => SquareSet(0xff_ffff << 24),
    }
}
