//! Counts the bits of many words by square, for all squares at once.

/// The number of sets of squares that are counted side by side, each with its own words.
pub const SETS: usize = 5;

/// The number of bits in a bit-sliced count. The counts are added to `totals` before they overflow.
const BITS: usize = 16;

/// One word for each set, padded to whole vectors.
type Words = [u64; 8];

/// For each set and each square, counts the added words in which the square's bit is set.
///
/// The counts are bit-sliced: a word contains the same bit of all 64 counts. A full adder adds a
/// sum and two carries of the same weight, so each carry waits for a second one. Counting a word
/// then costs about two adders, instead of an addition for each square.
#[derive(Clone, Debug)]
pub struct SquareCounts {
    /// The words of the counts, the lowest bit first.
    sums: [Words; BITS],
    /// A carry for each bit of the counts, kept until there is a second one.
    waiting: [Words; BITS],
    /// The number of words added for each set since the counts were last added to `totals`.
    added: u32,
    totals: Box<[[u64; 64]; SETS]>,
}

impl Default for SquareCounts {
    fn default() -> SquareCounts {
        SquareCounts {
            sums: [[0; 8]; BITS],
            waiting: [[0; 8]; BITS],
            added: 0,
            totals: Box::new([[0; 64]; SETS]),
        }
    }
}

impl SquareCounts {
    /// Adds one word for each set.
    pub fn add(&mut self, words: [u64; SETS]) {
        let mut carry: Words = [0; 8];
        carry[..SETS].copy_from_slice(&words);
        let mut bit = 0;
        // A carry is waiting at each weight whose bit in `added` is 1.
        while self.added >> bit & 1 == 1 {
            let (sums, waiting) = (&mut self.sums[bit], &self.waiting[bit]);
            for ((sum, waiting), carry) in sums.iter_mut().zip(waiting).zip(&mut carry) {
                let half = *sum ^ waiting;
                let both = *sum & waiting;
                *sum = half ^ *carry;
                *carry = both | half & *carry;
            }
            bit += 1;
        }
        self.waiting[bit] = carry;
        self.added += 1;
        if self.added == (1 << BITS) - 1 {
            self.settle();
        }
    }

    /// Adds the bit-sliced counts to `totals`, and resets them to zero.
    fn settle(&mut self) {
        let waiting = self.waiting.iter().enumerate();
        let waiting = waiting.filter(|(bit, _)| self.added >> bit & 1 == 1);
        for (bit, words) in self.sums.iter().enumerate().chain(waiting) {
            for (totals, &word) in self.totals.iter_mut().zip(words) {
                for (square, number) in totals.iter_mut().enumerate() {
                    *number += (word >> square & 1) << bit;
                }
            }
        }
        self.sums = [[0; 8]; BITS];
        self.added = 0;
    }

    /// Adds other counts.
    pub fn merge(&mut self, mut other: SquareCounts) {
        other.settle();
        let own = self.totals.as_flattened_mut();
        for (own, other) in own.iter_mut().zip(other.totals.as_flattened()) {
            *own += other;
        }
    }

    /// The counts for each set and each square.
    pub fn totals(mut self) -> Box<[[u64; 64]; SETS]> {
        self.settle();
        self.totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_counting_square_by_square() {
        let mut seed = 5_u64;
        let mut word = || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            seed ^ seed >> 29
        };
        for n in [0, 1, 2, 3, 64, 65_534, 65_535, 65_536, 70_001] {
            let (mut counts, mut other) = (SquareCounts::default(), SquareCounts::default());
            let mut expected = Box::new([[0; 64]; SETS]);
            for i in 0..n {
                let words: [u64; SETS] = std::array::from_fn(|_| word() & word());
                match i % 7 {
                    0 => other.add(words),
                    _ => counts.add(words),
                }
                for (expected, word) in expected.iter_mut().zip(words) {
                    for (square, expected) in expected.iter_mut().enumerate() {
                        *expected += word >> square & 1;
                    }
                }
            }
            counts.merge(other);
            assert_eq!(counts.totals(), expected, "{n}");
        }
    }
}
