//! Numbers for the positions of a row of lanes, stored as bit planes.

/// A number for each position in a row of lanes. 0 stands for a missing number.
#[derive(Clone, Debug)]
pub struct RowNumbers {
    lanes: usize,
    /// The words of the first plane, one for each lane, then those of the next plane.
    words: Vec<u64>,
    /// The number of planes in use. The words of the other planes are undefined.
    used: usize,
}

impl RowNumbers {
    /// Makes a row of zeros with the capacity for numbers of `planes` bits.
    pub fn new(lanes: usize, planes: usize) -> RowNumbers {
        RowNumbers {
            lanes,
            words: vec![0; lanes * planes],
            used: 0,
        }
    }

    /// Sets every number to 0.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.used = 0;
    }

    /// Iterates over the bit planes in use.
    pub fn planes(&self) -> impl Iterator<Item = &[u64]> {
        self.words.chunks(self.lanes).take(self.used)
    }

    /// Sets how many planes are in use, and returns these planes for the caller to fill.
    #[inline(always)]
    pub fn fill_planes(&mut self, used: usize) -> impl Iterator<Item = &mut [u64]> {
        self.used = used;
        self.words.chunks_mut(self.lanes).take(used)
    }

    /// Adds planes of zeros until at least `used` planes are in use.
    #[inline(always)]
    fn widen(&mut self, used: usize) {
        if used > self.used {
            self.words[self.used * self.lanes..used * self.lanes].fill(0);
            self.used = used;
        }
    }

    /// Returns a word with a bit set for each nonzero number of a lane.
    #[inline(always)]
    pub fn any(&self, lane: usize) -> u64 {
        (0..self.used).fold(0, |any, j| any | self.words[j * self.lanes + lane])
    }

    /// Sets each number to 0 whose bit is not set in the mask of its lane.
    #[inline(always)]
    pub fn mask(&mut self, masks: &[u64]) {
        for plane in self.words.chunks_mut(self.lanes).take(self.used) {
            for (word, mask) in plane.iter_mut().zip(masks) {
                *word &= mask;
            }
        }
    }

    /// Replaces each number between 1 and `most` with 1, and every other number with 0.
    #[inline(always)]
    pub fn judge(&mut self, most: u32) {
        let planes = self.used;
        for lane in 0..self.lanes {
            let (mut any, mut above) = (0, 0);
            for j in 0..planes {
                let word = self.words[j * self.lanes + lane];
                any |= word;
                above = if most >> j & 1 != 0 {
                    above & word
                } else {
                    above | word
                };
            }
            if planes < 32 && most >> planes != 0 {
                above = 0;
            }
            if planes > 0 {
                self.words[lane] = any & !above;
            }
        }
        self.used = planes.min(1);
    }

    /// Replaces each number with the smaller of the two rows' numbers, ignoring zeros.
    #[inline(always)]
    pub fn least(&mut self, other: &RowNumbers) {
        self.combine(other, |own_any, other_any, _, other_less| {
            other_any & (other_less | !own_any)
        });
    }

    /// Replaces each number with the larger of the two rows' numbers.
    #[inline(always)]
    pub fn most(&mut self, other: &RowNumbers) {
        self.combine(other, |_, _, other_more, _| other_more);
    }

    /// Copies the number of `other` at each position that `choose` selects. The arguments of
    /// `choose` are sets of positions in one lane: those where this row's number is nonzero, where
    /// the number of `other` is nonzero, where it is larger than this row's, and where it is
    /// smaller.
    #[inline(always)]
    fn combine(&mut self, other: &RowNumbers, choose: impl Fn(u64, u64, u64, u64) -> u64) {
        self.widen(other.used);
        let lanes = self.lanes;
        for lane in 0..lanes {
            let (mut own_any, mut other_any, mut more, mut less) = (0, 0, 0, 0);
            for j in 0..self.used {
                let own = self.words[j * lanes + lane];
                let other = match j < other.used {
                    true => other.words[j * lanes + lane],
                    false => 0,
                };
                own_any |= own;
                other_any |= other;
                let differ = own ^ other;
                more = more & !differ | other & differ;
                less = less & !differ | own & differ;
            }
            let take = choose(own_any, other_any, more, less);
            for j in 0..self.used {
                let own = &mut self.words[j * lanes + lane];
                let other = match j < other.used {
                    true => other.words[j * lanes + lane],
                    false => 0,
                };
                *own = *own & !take | other & take;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(lanes: &[[u16; 64]]) -> RowNumbers {
        let all = lanes.iter().flatten().fold(0, |all, number| all | number);
        let mut row = RowNumbers::new(lanes.len(), 10);
        let used = (u16::BITS - all.leading_zeros()) as usize;
        for (j, plane) in row.fill_planes(used).enumerate() {
            for (word, lane) in plane.iter_mut().zip(lanes) {
                let bits = lane.iter().enumerate();
                *word = bits.fold(0, |word, (i, n)| word | u64::from(n >> j & 1) << i);
            }
        }
        row
    }

    fn numbers(row: &RowNumbers) -> Vec<[u16; 64]> {
        let mut lanes = vec![[0; 64]; row.lanes];
        for (j, plane) in row.planes().enumerate() {
            for (lane, word) in lanes.iter_mut().zip(plane) {
                for (i, number) in lane.iter_mut().enumerate() {
                    *number |= ((word >> i & 1) as u16) << j;
                }
            }
        }
        lanes
    }

    fn lanes() -> impl Strategy<Value = Vec<[u16; 64]>> {
        let number = prop_oneof![Just(0), 0..4u16, 0..60u16, 0..1000u16];
        let lane = proptest::collection::vec(number, 64);
        let lane = lane.prop_map(|lane| lane.try_into().expect("64 numbers"));
        proptest::collection::vec(lane, 3)
    }

    proptest! {
        #[test]
        fn rows_are_combined_number_by_number(a in lanes(), b in lanes(), most in 0..100u32) {
            let pairs = |combine: fn(u16, u16) -> u16| -> Vec<[u16; 64]> {
                let lanes = a.iter().zip(&b);
                lanes.map(|(a, b)| std::array::from_fn(|i| combine(a[i], b[i]))).collect()
            };
            let mut least = row(&a);
            least.least(&row(&b));
            let expected = pairs(|a, b| match (a, b) {
                (0, b) => b,
                (a, 0) => a,
                (a, b) => a.min(b),
            });
            prop_assert_eq!(numbers(&least), expected);
            let mut larger = row(&a);
            larger.most(&row(&b));
            prop_assert_eq!(numbers(&larger), pairs(u16::max));
            let mut judged = row(&a);
            judged.judge(most);
            for (judged, lane) in numbers(&judged).iter().zip(&a) {
                for (&judged, &number) in judged.iter().zip(lane) {
                    prop_assert_eq!(judged, u16::from(number > 0 && u32::from(number) <= most));
                }
            }
        }
    }
}
