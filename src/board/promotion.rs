//! Promotion of the bia: where, and to which men.

use super::{Color, Role, Square, SquareSet};

/// A rule of promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PromotionRule {
    /// To a met, from the sixth rank on: makruk and ouk.
    Met,
    /// To any man but the king, on the eighth rank: ASEAN chess.
    Any,
}

impl PromotionRule {
    /// The roles after a promotion.
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

/// The squares of a side's bia in makruk, from the starting rank to the last one before promotion.
pub const fn bia_home(color: Color) -> SquareSet {
    match color {
        Color::White => SquareSet(0xff_ffff << 16),
        Color::Black => SquareSet(0xff_ffff << 24),
    }
}
