//! The squares that the men occupy in each lane.

use crate::board::SquareSet;
use crate::index::Odometer;
use crate::solve::LaneLayout;

/// For the winner's king and for each group of a lane layout: the squares occupied by the men,
/// indexed by digit.
pub struct OccupiedSquares {
    /// The squares of the bia, which are fixed in a slice.
    bia: u64,
    squares: Vec<Vec<SquareSet>>,
    lanes: Odometer,
}

impl OccupiedSquares {
    /// Tabulates the squares of a lane layout's men.
    pub fn new(layout: &LaneLayout) -> OccupiedSquares {
        let mut squares = vec![layout.domain().iter().map(|s| s.set()).collect()];
        squares.extend((0..layout.groups().len()).map(|g| layout.placements(g).table()));
        OccupiedSquares {
            bia: layout.fixed().0,
            lanes: Odometer::new(squares.iter().map(Vec::len)),
            squares,
        }
    }

    /// Returns the digits of a lane, the king's first.
    pub fn digits(&self, lane: usize) -> Odometer {
        self.lanes.at(lane)
    }

    /// The squares of the men in the lane with these digits.
    #[inline(always)]
    pub fn of(&self, digits: &[usize]) -> u64 {
        let men = self.squares.iter().zip(digits);
        men.fold(self.bia, |men, (squares, &digit)| men | squares[digit].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::material::CanonicalMaterial;

    #[test]
    fn squares_are_those_of_the_layout() {
        let material: CanonicalMaterial = "KRMvKN".parse().unwrap();
        let layout = LaneLayout::new(material.material(), Color::White);
        let occupied = OccupiedSquares::new(&layout);
        for lane in (0..layout.lanes()).step_by(997) {
            let (slab, men) = layout.men(lane);
            let king = layout.domain()[slab].set();
            let all = men.iter().fold(king, |all, &men| all | men);
            assert_eq!(occupied.of(occupied.digits(lane).digits()), all.0);
        }
    }
}
