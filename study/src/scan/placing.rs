//! Placings (all men but Black's king), and the results for the 64 squares of that king.
//!
//! As in the solver, a *lane* has one bit for each square of a king, here of Black's king. The scan
//! shares no code with the solver's lanes.

use sakmak::board::{Color, Role, Square, SquareSet, attacks};
use sakmak::index::Group;

/// The maximum number of groups (like men of one side) in an ending: each side's rooks, knights,
/// khon and mets.
pub const MAX_GROUPS: usize = 8;

/// The results of a lane's 64 positions, as three sets of squares of Black's king. With the king on
/// a square that is in none of the sets, the position is illegal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneResults {
    /// Positions won by White.
    pub white: SquareSet,
    /// Drawn positions.
    pub drawn: SquareSet,
    /// Positions won by Black.
    pub black: SquareSet,
}

impl LaneResults {
    /// The legal positions.
    pub fn legal(self) -> SquareSet {
        self.white | self.drawn | self.black
    }

    /// The results restricted to these squares of Black's king.
    #[must_use]
    pub fn only(self, squares: SquareSet) -> LaneResults {
        self.map(|set| set & squares)
    }

    /// Applies a function to each of the three sets.
    #[must_use]
    pub fn map(self, change: impl Fn(SquareSet) -> SquareSet) -> LaneResults {
        LaneResults {
            white: change(self.white),
            drawn: change(self.drawn),
            black: change(self.black),
        }
    }

    /// Adds the results of another lane.
    pub fn add(&mut self, other: LaneResults) {
        self.white |= other.white;
        self.drawn |= other.drawn;
        self.black |= other.black;
    }
}

/// A placing: the squares of White's king and of both sides' other men.
#[derive(Clone, Copy, Debug)]
pub struct Placing {
    /// The square of White's king.
    pub king: Square,
    /// The squares of each group, followed by empty sets for the unused groups.
    pub men: [SquareSet; MAX_GROUPS],
}

impl Placing {
    /// A placing with only White's king, on this square.
    pub fn new(king: Square) -> Placing {
        Placing {
            king,
            men: [SquareSet::EMPTY; MAX_GROUPS],
        }
    }

    /// A copy of the placing with other squares for one group.
    #[must_use]
    pub fn with(mut self, group: usize, squares: SquareSet) -> Placing {
        self.men[group] = squares;
        self
    }

    /// The squares of all men. `None` if two men share a square.
    pub fn apart(&self) -> Option<SquareSet> {
        self.king.set().disjoint_union(self.men.iter().copied())
    }

    /// The squares of all men, which must be different.
    pub fn occupied(&self) -> SquareSet {
        self.men.iter().fold(self.king.set(), |all, &men| all | men)
    }

    /// The squares of one side's men, without its king.
    pub fn men_of(&self, groups: &[Group], color: Color) -> SquareSet {
        let own = |(group, _): &(&Group, _)| group.color == color;
        let men = groups.iter().zip(&self.men).filter(own);
        men.fold(SquareSet::EMPTY, |all, (_, &men)| all | men)
    }

    /// The squares attacked by White's men and king. Black's king does not block the attacks.
    pub fn attacked(&self, groups: &[Group]) -> SquareSet {
        let occupied = self.occupied();
        let mut attacked = attacks::king(self.king);
        for (group, &men) in groups.iter().zip(&self.men) {
            if group.color == Color::White {
                for square in men {
                    attacked |= attacks::attacks(group.role, Color::White, square, occupied);
                }
            }
        }
        attacked
    }

    /// The squares of Black's king for which White's king is in check. The set excludes squares on
    /// which Black's king blocks a rook's check.
    fn checked(&self, groups: &[Group]) -> SquareSet {
        let occupied = self.occupied();
        let mut checked = SquareSet::EMPTY;
        for (group, &men) in groups.iter().zip(&self.men) {
            if group.color == Color::White {
                continue;
            }
            for from in men {
                let reached = attacks::attacks(group.role, Color::Black, from, occupied);
                if reached.contains(self.king) {
                    checked |= open_lanes(group.role, from, self.king);
                }
            }
        }
        checked
    }

    /// The squares of Black's king that make a legal position with this side to move.
    pub fn legal(&self, groups: &[Group], turn: Color) -> SquareSet {
        let free = !self.occupied();
        match turn {
            Color::White => free & !self.attacked(groups),
            Color::Black => free & !attacks::king(self.king) & !self.checked(groups),
        }
    }
}

/// The squares of Black's king that do not block a man's move from one square to another.
pub fn open_lanes(role: Role, from: Square, to: Square) -> SquareSet {
    match role {
        Role::Rook => !attacks::between(from, to),
        _ => SquareSet::ALL,
    }
}
