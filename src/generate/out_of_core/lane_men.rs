//! Computes the legal squares of Black's king in each lane of an ending, with White to move.

use crate::board::{Color, Role, Square, SquareSet};
use crate::index::{Odometer, lane};
use crate::solve::LaneLayout;

/// One placement of a group's men.
#[derive(Clone, Copy, Debug)]
struct Men {
    squares: SquareSet,
    /// The squares attacked by the men if they are White's leapers, otherwise empty.
    leaps: SquareSet,
    /// The squares of the men if they are White's rooks, otherwise empty.
    rooks: SquareSet,
}

/// The men of the groups in each lane of a slab.
#[derive(Debug)]
pub struct LaneMen {
    /// For each group, its placements.
    men: Vec<Vec<Men>>,
    /// Enumerates the digits of a slab's lanes.
    lanes: Odometer,
}

impl LaneMen {
    /// Tabulates the placements of a layout's groups.
    pub fn new(layout: &LaneLayout) -> LaneMen {
        let men: Vec<Vec<Men>> = layout
            .groups()
            .iter()
            .map(|group| {
                let white = |men| match group.color {
                    Color::White => men,
                    Color::Black => SquareSet::EMPTY,
                };
                let rooks = |men| match group.role {
                    Role::Rook => white(men),
                    _ => SquareSet::EMPTY,
                };
                let placements = group.placements().table().into_iter();
                let men = placements.map(|squares| Men {
                    squares,
                    leaps: lane::leaps(group.role, white(squares)),
                    rooks: rooks(squares),
                });
                men.collect()
            })
            .collect();
        LaneMen {
            lanes: Odometer::new(men.iter().map(Vec::len)),
            men,
        }
    }

    /// Returns an odometer at the digits of one lane of a slab.
    pub fn digits(&self, lane: usize) -> Odometer {
        self.lanes.at(lane)
    }

    /// The legal squares of Black's king, with White to move and White's king on `king`. None if
    /// two of the other men share a square.
    #[inline(always)]
    pub fn legal(&self, king: Square, digits: &[usize]) -> Option<SquareSet> {
        let mut all = Men {
            squares: king.set(),
            leaps: SquareSet::EMPTY,
            rooks: SquareSet::EMPTY,
        };
        for (group, &digit) in self.men.iter().zip(digits) {
            let men = group[digit];
            if !(all.squares & men.squares).is_empty() {
                return None;
            }
            all.squares |= men.squares;
            all.leaps |= men.leaps;
            all.rooks |= men.rooks;
        }
        Some(lane::legal(king, all.squares, all.leaps, all.rooks))
    }
}
