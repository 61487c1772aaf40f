//! Numbers the placements of a group of identical men.

use crate::board::SquareSet;

/// The largest number of men in a group. A side has at most six men besides its king.
pub const MAX_GROUP: usize = 6;

/// Binomial coefficients: `CHOOSE[k][n]` for n up to 64. A search for a placement walks along a row,
/// which takes few lines of the processor's cache.
static CHOOSE: [[u32; 65]; MAX_GROUP + 1] = {
    let mut table = [[0; 65]; MAX_GROUP + 1];
    let mut n = 0;
    while n <= 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= MAX_GROUP && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The placements of a number of identical men on a set of squares. They are numbered from 0 in the
/// combinatorial number system.
///
/// If the men are on the squares with the indices a < b < c … in the domain, the number of the
/// placement is C(a, 1) + C(b, 2) + C(c, 3) + …. For example, a1 and c1 have the indices 0 and 2,
/// so the placement of two men on a1 and c1 has the number 0 + 1 = 1. With a single man on the
/// whole board, the number of a placement is the index of the man's square.
#[derive(Clone, Debug)]
pub struct Placements {
    men: usize,
    domain: SquareSet,
}

impl Placements {
    /// The placements of `men` identical men (1 to 6) on the squares of `domain`.
    pub fn new(men: usize, domain: SquareSet) -> Placements {
        assert!((1..=MAX_GROUP).contains(&men));
        Placements { men, domain }
    }

    /// The number of placements.
    pub fn len(&self) -> usize {
        CHOOSE[self.men][self.domain.len()] as usize
    }

    /// True if the men do not fit into the domain.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of men in each placement.
    pub fn men(&self) -> usize {
        self.men
    }

    /// The number of the placement on these squares. There must be one square for each man, and all
    /// of them must be in the domain.
    pub fn number(&self, squares: SquareSet) -> usize {
        debug_assert_eq!(squares.len(), self.men);
        debug_assert!((squares & !self.domain).is_empty());
        let mut number = 0;
        for (i, square) in squares.enumerate() {
            let place = if self.domain == SquareSet::ALL {
                square.index()
            } else {
                (self.domain.0 & (square.set().0 - 1)).count_ones() as usize
            };
            number += CHOOSE[i + 1][place];
        }
        number as usize
    }

    /// The squares of the placement with this number, which must be below [`Placements::len`].
    pub fn squares(&self, number: usize) -> SquareSet {
        let mut rest = number as u32;
        let mut places = 0u64;
        let mut below = self.domain.len();
        for k in (2..=self.men).rev() {
            let row = &CHOOSE[k];
            let mut place = below - 1;
            while row[place] > rest {
                place -= 1;
            }
            rest -= row[place];
            places |= 1 << place;
            below = place;
        }
        // C(place, 1) is the place itself.
        places |= 1 << rest;
        if self.domain == SquareSet::ALL {
            return SquareSet(places);
        }
        self.domain
            .enumerate()
            .filter(|&(place, _)| places >> place & 1 != 0)
            .map(|(_, square)| square)
            .collect()
    }

    /// The squares of every placement, in the order of the numbers.
    pub fn table(&self) -> Vec<SquareSet> {
        (0..self.len()).map(|number| self.squares(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_squares_are_each_others_inverse() {
        let dark = SquareSet(0xaa55_aa55_aa55_aa55);
        for domain in [SquareSet::ALL, dark, !dark] {
            for men in 1..=3 {
                let placements = Placements::new(men, domain);
                for (number, squares) in placements.table().into_iter().enumerate() {
                    assert_eq!(squares.len(), men);
                    assert!((squares & !domain).is_empty());
                    assert_eq!(placements.number(squares), number);
                }
            }
        }
    }

    #[test]
    fn there_are_as_many_placements_as_combinations() {
        let count = |men| Placements::new(men, SquareSet::ALL).len();
        assert_eq!([count(1), count(2), count(3)], [64, 2016, 41_664]);
        assert_eq!(count(6), 74_974_368);
    }
}
