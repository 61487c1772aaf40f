//! A legal position: the men on the board and the side to move.

use thiserror::Error;

use super::{Color, Role, Square, SquareSet, attacks};

/// The largest number of men of one side, its king included: the number at the start of a game.
pub const MAX_MEN_A_SIDE: usize = 16;

/// A legal position.
///
/// There is one king of each colour, and the kings do not touch. The side not to move is not in
/// check. No bia is on its last rank. Each side has at most 16 men. The position need not be
/// reachable in a game. Counters are not part of it: see [`Fen`](super::Fen).
///
/// Positions in tables have fewer men: see
/// [`Material::check_men`](crate::material::Material::check_men).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    by_color: [SquareSet; 2],
    by_role: [SquareSet; Role::ALL.len()],
    turn: Color,
}

/// The reason why a set of men is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A square has two men, a colour without a role, or a role without a colour.
    #[error(
        "{0} has two men, or a man without a colour or a role: give each square at most one man"
    )]
    Square(Square),
    /// A side has no king, or more than one.
    #[error("there are {count} {color} kings on the board: each side needs exactly one")]
    Kings {
        /// The side.
        color: Color,
        /// The number of its kings.
        count: usize,
    },
    /// The kings are adjacent.
    #[error("the kings on {white} and {black} touch each other: move one of them away")]
    KingsTouch {
        /// The white king's square.
        white: Square,
        /// The black king's square.
        black: Square,
    },
    /// The side to move could capture the enemy king.
    #[error(
        "{0} is in check on {1} but it is not {0}'s move: change the side to move, or the men that give check"
    )]
    OpponentInCheck(Color, Square),
    /// A bia is on its last rank.
    #[error("there is a {0} bia on {1}, its last rank: write the man that it has become")]
    LastRank(Color, Square),
    /// A side has more men than at the start of a game.
    #[error(
        "there are {men} {color} men on the board, but a side has at most {MAX_MEN_A_SIDE}: remove some"
    )]
    TooMany {
        /// The side.
        color: Color,
        /// The number of its men.
        men: usize,
    },
}

impl Position {
    /// Makes a position from two lists of square sets: the men by colour, White first, and the men
    /// by role, in the order of [`Role::ALL`].
    ///
    /// # Errors
    ///
    /// If the two lists disagree, or the position is illegal.
    pub fn new(
        by_color: [SquareSet; 2],
        by_role: [SquareSet; Role::ALL.len()],
        turn: Color,
    ) -> Result<Position, PositionError> {
        let once = |sets: &[SquareSet]| {
            sets.iter().fold(
                (SquareSet::EMPTY, SquareSet::EMPTY),
                |(any, twice), &set| (any | set, twice | (any & set)),
            )
        };
        let (colored, two_colors) = once(&by_color);
        let (with_role, two_roles) = once(&by_role);
        let doubtful = two_colors | two_roles | (colored ^ with_role);
        if let Some(square) = doubtful.first() {
            return Err(PositionError::Square(square));
        }
        let position = Position {
            by_color,
            by_role,
            turn,
        };
        position.check()?;
        Ok(position)
    }

    /// Makes a position from its men and the side to move.
    ///
    /// # Errors
    ///
    /// If two men share a square, or the position is illegal.
    pub fn from_men(
        men: impl IntoIterator<Item = (Square, Color, Role)>,
        turn: Color,
    ) -> Result<Position, PositionError> {
        let mut by_color = [SquareSet::EMPTY; 2];
        let mut by_role = [SquareSet::EMPTY; Role::ALL.len()];
        for (square, color, role) in men {
            if (by_color[0] | by_color[1]).contains(square) {
                return Err(PositionError::Square(square));
            }
            by_color[color.index()] |= square.set();
            by_role[role.index()] |= square.set();
        }
        Position::new(by_color, by_role, turn)
    }

    /// Checks that the position is legal. The sets by colour and by role must already agree.
    fn check(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let count = self.men(color, Role::King).len();
            if count != 1 {
                return Err(PositionError::Kings { color, count });
            }
            let men = self.by_color(color).len();
            if men > MAX_MEN_A_SIDE {
                return Err(PositionError::TooMany { color, men });
            }
            let last_rank = match color {
                Color::White => SquareSet(0xff << 56),
                Color::Black => SquareSet(0xff),
            };
            if let Some(square) = (self.men(color, Role::Bia) & last_rank).first() {
                return Err(PositionError::LastRank(color, square));
            }
        }
        let [white, black] = Color::ALL.map(|color| self.king(color));
        if attacks::king(white).contains(black) {
            return Err(PositionError::KingsTouch { white, black });
        }
        let waiting = !self.turn;
        let king = self.king(waiting);
        if !self.attackers(king, self.turn).is_empty() {
            return Err(PositionError::OpponentInCheck(waiting, king));
        }
        Ok(())
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Every square with a man.
    pub const fn occupied(&self) -> SquareSet {
        SquareSet(self.by_color[0].0 | self.by_color[1].0)
    }

    /// The squares of one side's men, its king among them.
    pub const fn by_color(&self, color: Color) -> SquareSet {
        self.by_color[color.index()]
    }

    /// The squares of both sides' men of this role.
    pub const fn by_role(&self, role: Role) -> SquareSet {
        self.by_role[role.index()]
    }

    /// The squares of one side's men of this role.
    pub const fn men(&self, color: Color, role: Role) -> SquareSet {
        SquareSet(self.by_color[color.index()].0 & self.by_role[role.index()].0)
    }

    /// True if there is no bia.
    pub const fn is_pawnless(&self) -> bool {
        self.by_role(Role::Bia).is_empty()
    }

    /// The square of this side's king.
    pub const fn king(&self, color: Color) -> Square {
        // A legal position has exactly one king of each colour.
        Square::wrapping(self.men(color, Role::King).0.trailing_zeros() as usize)
    }

    /// The man on a square, if there is one.
    pub fn man_at(&self, square: Square) -> Option<(Color, Role)> {
        let color = Color::ALL
            .into_iter()
            .find(|&color| self.by_color(color).contains(square))?;
        let role = Role::ALL
            .into_iter()
            .find(|&role| self.by_role(role).contains(square))?;
        Some((color, role))
    }

    /// True if the side to move is in check.
    pub fn is_check(&self) -> bool {
        !self.attackers(self.king(self.turn), !self.turn).is_empty()
    }

    /// The squares of the attacker's men that attack a square.
    pub fn attackers(&self, square: Square, attacker: Color) -> SquareSet {
        self.attackers_through(square, attacker, self.occupied())
    }

    /// Like [`Position::attackers`], but with `occupied` in place of the position's occupied
    /// squares, to test a move without playing it.
    pub(super) fn attackers_through(
        &self,
        square: Square,
        attacker: Color,
        occupied: SquareSet,
    ) -> SquareSet {
        Role::ALL.into_iter().fold(SquareSet::EMPTY, |found, role| {
            // A man attacks a square if a man of the same role and the other colour on that square
            // would attack it. The colour matters for the khon and the bia only.
            found | (attacks::attacks(role, !attacker, square, occupied) & self.men(attacker, role))
        })
    }

    /// The position with colours exchanged and ranks reversed. The game is the same, but the
    /// players have changed sides.
    #[must_use]
    pub fn flipped(&self) -> Position {
        let flip = |set: SquareSet| SquareSet(set.0.swap_bytes());
        let [white, black] = self.by_color.map(flip);
        Position {
            by_color: [black, white],
            by_role: self.by_role.map(flip),
            turn: !self.turn,
        }
    }

    /// The position with files reversed.
    #[must_use]
    pub fn mirrored(&self) -> Position {
        let mirror = |set: SquareSet| SquareSet(set.0.reverse_bits().swap_bytes());
        Position {
            by_color: self.by_color.map(mirror),
            by_role: self.by_role.map(mirror),
            turn: self.turn,
        }
    }

    /// The position after the man on `from` has moved to `to`, with the other side to move. If
    /// `promotion` is given, the man becomes a man of that role.
    pub(super) fn after(&self, from: Square, to: Square, promotion: Option<Role>) -> Position {
        let mut next = *self;
        let others = !(from.set() | to.set()).0;
        // There are no branches, so that the compiler can update several sets at once.
        let moved = |set: &mut SquareSet| {
            let comes = set.0 >> from.index() & 1;
            set.0 = (set.0 & others) | comes << to.index();
        };
        next.by_color.iter_mut().for_each(moved);
        next.by_role.iter_mut().for_each(moved);
        if let Some(role) = promotion {
            for set in &mut next.by_role {
                *set &= !to.set();
            }
            next.by_role[role.index()] |= to.set();
        }
        next.turn = !self.turn;
        next
    }
}

#[cfg(test)]
mod tests {
    use super::super::arbitrary;
    use super::*;
    use proptest::prelude::*;

    fn sq(name: &str) -> Square {
        name.parse().unwrap()
    }

    fn position(men: &[(&str, Color, Role)], turn: Color) -> Result<Position, PositionError> {
        Position::from_men(
            men.iter()
                .map(|&(name, color, role)| (sq(name), color, role)),
            turn,
        )
    }

    use Color::{Black, White};
    use Role::{Bia, Khon, King, Met, Rook};

    #[test]
    fn what_is_no_legal_position_is_refused_with_its_reason() {
        use PositionError as E;
        let kings = [("a1", White, King), ("h8", Black, King)];
        let with = |more: &[(&str, Color, Role)], turn| position(&[&kings, more].concat(), turn);
        assert!(with(&[], White).is_ok());
        assert_eq!(with(&[("a1", White, Met)], White), Err(E::Square(sq("a1"))));
        assert_eq!(
            with(&[("c4", Black, King)], White),
            Err(E::Kings {
                color: Black,
                count: 2
            })
        );
        assert_eq!(
            position(&kings[..1], White),
            Err(E::Kings {
                color: Black,
                count: 0
            })
        );
        assert_eq!(
            position(&[("a1", White, King), ("b2", Black, King)], White),
            Err(E::KingsTouch {
                white: sq("a1"),
                black: sq("b2")
            })
        );
        assert_eq!(
            with(&[("h1", White, Rook)], White),
            Err(E::OpponentInCheck(Black, sq("h8")))
        );
        assert!(with(&[("h1", White, Rook)], Black).is_ok());
        let names: Vec<String> = Square::all().map(|square| square.to_string()).collect();
        let many: Vec<_> = names[1..17]
            .iter()
            .map(|name| (name.as_str(), White, Met))
            .collect();
        let error = E::TooMany {
            color: White,
            men: 17,
        };
        assert_eq!(with(&many, White), Err(error));
        assert!(with(&many[1..], White).is_ok());
        for (color, square) in [(White, "c8"), (Black, "c1")] {
            let error = E::LastRank(color, sq(square));
            assert_eq!(with(&[(square, color, Bia)], White), Err(error));
        }
        assert!(with(&[("c1", White, Bia), ("c8", Black, Bia)], White).is_ok());
    }

    #[test]
    fn sets_that_do_not_fit_together_are_refused() {
        let (a1, h8, c3) = (sq("a1").set(), sq("h8").set(), sq("c3").set());
        let kings = [
            a1 | h8,
            c3,
            SquareSet::EMPTY,
            SquareSet::EMPTY,
            SquareSet::EMPTY,
            SquareSet::EMPTY,
        ];
        let error = |by_color| Position::new(by_color, kings, White).unwrap_err();
        assert_eq!(error([a1, h8]), PositionError::Square(sq("c3")));
        assert_eq!(error([a1 | c3, h8 | c3]), PositionError::Square(sq("c3")));
        assert!(Position::new([a1 | c3, h8], kings, White).is_ok());
    }

    #[test]
    fn a_khon_checks_straight_ahead_and_not_behind() {
        let men = |khon| {
            position(
                &[
                    ("a1", White, King),
                    ("e5", Black, King),
                    (khon, White, Khon),
                ],
                Black,
            )
            .unwrap()
        };
        assert!(men("e4").is_check());
        assert!(!men("e6").is_check());
        assert!(men("d6").is_check());
    }

    proptest! {
        #[test]
        fn flipping_twice_or_mirroring_twice_changes_nothing(position in arbitrary::position()) {
            prop_assert_eq!(position.flipped().flipped(), position);
            prop_assert_eq!(position.mirrored().mirrored(), position);
            prop_assert_eq!(position.mirrored().flipped(), position.flipped().mirrored());
        }

        #[test]
        fn a_symmetry_of_a_legal_position_is_legal(position in arbitrary::position()) {
            for twin in [position.flipped(), position.mirrored()] {
                prop_assert_eq!(twin.check(), Ok(()));
                prop_assert_eq!(twin.is_check(), position.is_check());
            }
        }

        #[test]
        fn a_man_stands_where_its_sets_say(position in arbitrary::position()) {
            let men = Square::all()
                .filter_map(|square| position.man_at(square).map(|(color, role)| (square, color, role)));
            prop_assert_eq!(Position::from_men(men, position.turn()), Ok(position));
        }
    }
}
