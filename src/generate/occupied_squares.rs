//! The squares of the men of each lane.

use crate::board::SquareSet;
use crate::solve::LaneLayout;

/// For the winner's king and each group of a lane layout, its squares by digit.
pub struct OccupiedSquares(Vec<Vec<SquareSet>>);

impl OccupiedSquares {
    /// Those of a lane layout.
    pub fn new(lane_layout: &LaneLayout) -> OccupiedSquares {
        let mut squares = vec![lane_layout.domain().iter().map(|s| s.set()).collect()];
        squares.extend((0..lane_layout.groups().len()).map(|g| lane_layout.placements(g).table()));
        OccupiedSquares(squares)
    }

    /// The digits of a lane, the king's first.
    pub fn digits(&self, lane: usize) -> [usize; 8] {
        digits(&self.0, lane)
    }

    /// Goes on to the digits of the next lane.
    #[inline(always)]
    pub fn next(&self, digits: &mut [usize; 8]) {
        next(&self.0, digits);
    }

    /// The squares of the men of a lane with these digits.
    #[inline(always)]
    pub fn of(&self, digits: &[usize; 8]) -> u64 {
        let men = self.0.iter().zip(digits);
        men.fold(0, |men, (squares, &digit)| men | squares[digit].0)
    }
}

/// The digits of a lane, each the number of an entry of its table, the outermost first.
pub fn digits<T>(tables: &[Vec<T>], mut lane: usize) -> [usize; 8] {
    let mut digits = [0; 8];
    for (table, digit) in tables.iter().zip(&mut digits).rev() {
        *digit = lane % table.len();
        lane /= table.len();
    }
    digits
}

/// Counts digits up by one lane.
#[inline(always)]
pub fn next<T>(tables: &[Vec<T>], digits: &mut [usize; 8]) {
    for (table, digit) in tables.iter().zip(digits).rev() {
        *digit += 1;
        if *digit < table.len() {
            return;
        }
        *digit = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::material::CanonicalMaterial;

    #[test]
    fn digits_go_on_from_lane_to_lane() {
        let material: CanonicalMaterial = "KRMvKN".parse().unwrap();
        let lane_layout = LaneLayout::new(material.material(), Color::White);
        let occupied = OccupiedSquares::new(&lane_layout);
        let mut digits = occupied.digits(0);
        for lane in 0..lane_layout.lanes() {
            assert_eq!(digits, occupied.digits(lane));
            if lane % 997 == 0 {
                let (slab, men) = lane_layout.men(lane);
                let king = lane_layout.domain()[slab].set();
                let all = men.iter().fold(king, |all, &men| all | men);
                assert_eq!(occupied.of(&digits), all.0);
            }
            occupied.next(&mut digits);
        }
    }
}
