//! The board of a game: a position, and the rights that depend on earlier moves.

use crate::board::{Color, LeapRights, Position, Role, Square, SquareSet};
use crate::rules::RuleSet;

/// A legal position of a game, with the squares of promoted bia and of the men that may still leap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameBoard {
    pub(super) position: Position,
    pub(super) rules: RuleSet,
    pub(super) promoted: SquareSet,
    pub(super) leapers: SquareSet,
}

impl GameBoard {
    /// The start position.
    pub fn start(rules: RuleSet) -> GameBoard {
        use Role::{Khon, King, Knight, Met, Rook};
        let white = match rules {
            RuleSet::Makruk | RuleSet::Ouk => [Rook, Knight, Khon, King, Met, Khon, Knight, Rook],
            RuleSet::Asean => [Rook, Knight, Khon, Met, King, Khon, Knight, Rook],
        };
        let black = match rules {
            // Each king faces the met of the other side, not the other king.
            RuleSet::Makruk | RuleSet::Ouk => [Rook, Knight, Khon, Met, King, Khon, Knight, Rook],
            RuleSet::Asean => white,
        };
        let men = (0..8).flat_map(|file| {
            let on = |rank: usize| Square::wrapping(rank * 8 + file);
            [
                (on(0), Color::White, white[file]),
                (on(2), Color::White, Role::Bia),
                (on(5), Color::Black, Role::Bia),
                (on(7), Color::Black, black[file]),
            ]
        });
        let position = Position::from_men(men, Color::White).expect("the start position is legal");
        let leapers = match rules {
            RuleSet::Ouk => position.by_role(King) | position.by_role(Met),
            RuleSet::Makruk | RuleSet::Asean => SquareSet::EMPTY,
        };
        GameBoard {
            position,
            rules,
            promoted: SquareSet::EMPTY,
            leapers,
        }
    }

    /// A position of a game. `unmoved` are the kings and mets that have not moved; only those of ouk
    /// at home matter.
    pub fn new(position: Position, rules: RuleSet, unmoved: SquareSet) -> GameBoard {
        let leapers = match rules {
            RuleSet::Ouk => LeapRights::of(unmoved).leapers(&position),
            RuleSet::Makruk | RuleSet::Asean => SquareSet::EMPTY,
        };
        GameBoard {
            position,
            rules,
            promoted: SquareSet::EMPTY,
            leapers,
        }
    }

    /// The rule set of the game.
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// The men and the side to move.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The squares of promoted bia.
    pub const fn promoted(&self) -> SquareSet {
        self.promoted
    }

    /// The squares of ouk's kings and mets with the right to leap.
    pub const fn leapers(&self) -> SquareSet {
        self.leapers
    }

    /// True if the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.position.is_check()
    }

    /// The position to look up in the tables; `None` if no table can contain it.
    pub fn in_tables(&self) -> Option<Position> {
        let checked = self.rules.check_in_tables(&self.position, self.leapers);
        checked.is_ok().then_some(self.position)
    }
}
