//! A game: how its men move and promote.

use super::{Color, Role, Square, SquareSet};

/// A game: the moves of its men, and where its bia promote to which men. Distances on the board
/// depend on the game alone. A [`RuleSet`](crate::rules::RuleSet) adds the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Game {
    /// Makruk, and ouk: a bia promotes to a met on the sixth rank.
    Makruk,
    /// ASEAN chess: a bia promotes to any man but the king on the eighth rank.
    Asean,
}

impl Game {
    /// Both games, makruk first.
    pub const ALL: [Game; 2] = [Game::Makruk, Game::Asean];

    /// The end of the names of endings with bia, as in `KRPvK-asean`. Empty for makruk.
    pub const fn suffix(self) -> &'static str {
        match self {
            Game::Makruk => "",
            Game::Asean => "-asean",
        }
    }

    /// True if endings with bia name this game.
    pub const fn is_named(self) -> bool {
        !self.suffix().is_empty()
    }

    /// The roles that a bia can promote to. It has to promote.
    pub const fn promotions(self) -> &'static [Role] {
        match self {
            Game::Makruk => &[Role::Met],
            Game::Asean => &Role::PAWNLESS,
        }
    }

    /// True if a bia promotes on this square.
    pub const fn promotes(self, color: Color, to: Square) -> bool {
        let rank = match color {
            Color::White => to.rank(),
            Color::Black => 7 - to.rank(),
        };
        rank >= self.promotion_rank()
    }

    /// The squares on which a side's bia promote.
    pub fn promotion_squares(self, color: Color) -> SquareSet {
        let rank = match color {
            Color::White => self.promotion_rank(),
            Color::Black => 7 - self.promotion_rank(),
        };
        let squares = Square::all().filter(|square| square.rank() == rank);
        squares.collect()
    }

    /// The ranks on which a side's bia can stand, the rank on which they start first: 3 and 5 for
    /// White in makruk.
    pub const fn bia_ranks(self, color: Color) -> [u8; 2] {
        let last = self.promotion_rank();
        match color {
            Color::White => [3, last],
            Color::Black => [6, 9 - last],
        }
    }

    /// The squares on which a side's bia can stand, from the rank on which they start to the last
    /// one before promotion.
    pub const fn bia_home(self, color: Color) -> SquareSet {
        let white = SquareSet(((1 << (8 * (self.promotion_rank() - 2))) - 1) << 16);
        match color {
            Color::White => white,
            Color::Black => SquareSet(white.0.swap_bytes()),
        }
    }

    /// The number of steps that a bia on this square needs to promote; 0 on the promotion rank and
    /// past it.
    pub const fn steps_to_go(self, color: Color, square: Square) -> u32 {
        let rank = match color {
            Color::White => square.rank(),
            Color::Black => 7 - square.rank(),
        };
        self.promotion_rank().saturating_sub(rank) as u32
    }

    /// The rank on which White's bia promote, counted from 0.
    const fn promotion_rank(self) -> u8 {
        match self {
            Game::Makruk => 5,
            Game::Asean => 7,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bia_stand_on_the_ranks_from_their_start_to_their_promotion() {
        for (game, ranks) in [
            (Game::Makruk, [[3, 5], [6, 4]]),
            (Game::Asean, [[3, 7], [6, 2]]),
        ] {
            assert_eq!(Color::ALL.map(|color| game.bia_ranks(color)), ranks);
            for color in Color::ALL {
                let [first, last] = game.bia_ranks(color);
                let between = first.min(last)..=first.max(last);
                let home: SquareSet = Square::all()
                    .filter(|square| between.contains(&(square.rank() + 1)))
                    .collect();
                assert_eq!(game.bia_home(color), home, "{game:?} {color}");
                let due = home.filter(|&square| game.promotes(color, square));
                assert_eq!(due.count(), 0, "{game:?} {color}");
            }
        }
    }
}
