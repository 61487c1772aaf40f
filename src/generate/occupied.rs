//! The squares of the men of each lane.

use crate::board::SquareSet;
use crate::solve::Frame;

/// For the winner's king and each group of a frame, its squares by digit.
pub struct Occupied(Vec<Vec<SquareSet>>);

impl Occupied {
    /// Those of a frame.
    pub fn new(frame: &Frame) -> Occupied {
        let mut squares = vec![frame.domain().iter().map(|s| s.set()).collect()];
        squares.extend((0..frame.groups().len()).map(|g| frame.placements(g).table()));
        Occupied(squares)
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
        let frame = Frame::new(material.material(), Color::White);
        let occupied = Occupied::new(&frame);
        let mut digits = occupied.digits(0);
        for lane in 0..frame.lanes() {
            assert_eq!(digits, occupied.digits(lane));
            if lane % 997 == 0 {
                let (slab, men) = frame.men(lane);
                let king = frame.domain()[slab].set();
                let all = men.iter().fold(king, |all, &men| all | men);
                assert_eq!(occupied.of(&digits), all.0);
            }
            occupied.next(&mut digits);
        }
    }
}
