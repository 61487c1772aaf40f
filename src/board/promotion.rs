//! Promotion of the bia: on which rank, and to which men.

use super::{Color, Role, Square, SquareSet};

/// A rule for the promotion of the bia.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PromotionRule {
    /// A bia promotes to a met on the sixth rank, as in makruk and ouk.
    Met,
    /// A bia promotes to any man but the king on the eighth rank, as in ASEAN chess.
    Any,
}

impl PromotionRule {
    /// The roles that a bia can promote to.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            PromotionRule::Met => &[Role::Met],
            PromotionRule::Any => &Role::PAWNLESS,
        }
    }

    /// True if a bia promotes on this square.
    pub const fn is_due(self, color: Color, to: Square) -> bool {
        let rank = match color {
            Color::White => to.rank(),
            Color::Black => 7 - to.rank(),
        };
        rank >= match self {
            PromotionRule::Met => 5,
            PromotionRule::Any => 7,
        }
    }
}

/// The squares on which a side's bia can stand in makruk: from its starting rank to the last rank
/// before promotion.
pub const fn bia_home(color: Color) -> SquareSet {
    match color {
        Color::White => SquareSet(0xff_ffff << 16),
        Color::Black => SquareSet(0xff_ffff << 24),
    }
}
