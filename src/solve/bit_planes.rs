//! Bit planes, which store a small number for each bit of many lanes (64-bit words).
//!
//! Plane j contains bit j of each number. A step assigns the same number to all positions that it
//! finds. So it writes whole words, and only to the planes of the number's 1 bits: for 5 = 101₂, to
//! planes 0 and 2. There are as many planes as the largest number needs.

use std::ops::Range;

use rayon::prelude::*;

use super::lane::LaneWords;
use super::unpack_bits::LaneBytes;
use crate::parallel::ForkedByOneFunction;

/// The number of lanes that a task processes.
const LANES: usize = 1 << 14;

/// A number for each position of an ending; 0 by default.
#[derive(Clone, Debug, Default)]
pub struct BitPlanes {
    lanes: usize,
    planes: Vec<LaneWords>,
}

impl BitPlanes {
    /// Planes in which all numbers are zero.
    pub fn new(lanes: usize) -> BitPlanes {
        BitPlanes {
            lanes,
            planes: Vec::new(),
        }
    }

    /// The number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The memory of the planes in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.planes.len() * self.lanes * 8
    }

    /// Adds planes as needed to store numbers up to `value`.
    pub fn make_room(&mut self, value: u16) {
        let needed = (u16::BITS - value.leading_zeros()) as usize;
        while self.planes.len() < needed {
            self.planes.push(LaneWords::zeroed(self.lanes));
        }
    }

    /// The planes of the 1 bits of `value`. Call [`BitPlanes::make_room`] first.
    pub fn of_value_mut(&mut self, value: u16) -> impl Iterator<Item = &mut LaneWords> {
        self.planes
            .iter_mut()
            .enumerate()
            .filter(move |(j, _)| value >> j & 1 != 0)
            .map(|(_, plane)| plane)
    }

    /// Splits the planes into parts of `lanes` lanes. For each part, returns its words in each
    /// plane.
    pub fn parts_mut(&mut self, lanes: usize) -> Vec<Vec<&mut [u64]>> {
        let mut parts = Vec::new();
        parts.resize_with(self.lanes.div_ceil(lanes), Vec::new);
        for plane in &mut self.planes {
            for (part, words) in parts.iter_mut().zip(plane.chunks_mut(lanes)) {
                part.push(words);
            }
        }
        parts
    }

    /// The word of a lane in one plane.
    #[inline(always)]
    pub fn word(&self, plane: usize, lane: usize) -> u64 {
        self.planes[plane][lane]
    }

    /// Sets the numbers of all positions in a lane.
    pub fn set_lane(&mut self, lane: usize, values: &[u16; 64]) {
        let all = values.iter().fold(0, |all, value| all | value);
        self.make_room(all);
        for (j, plane) in self.planes.iter_mut().enumerate() {
            plane[lane] = values.iter().enumerate().fold(0, |word, (bit, value)| {
                word | u64::from(value >> j & 1) << bit
            });
        }
    }

    /// Joins the lanes of several parts of an ending, in order.
    pub fn join(parts: Vec<BitPlanes>) -> BitPlanes {
        let mut joined = BitPlanes::new(parts.iter().map(BitPlanes::lanes).sum());
        joined.make_room(parts.iter().map(BitPlanes::limit).max().unwrap_or(0));
        for (j, plane) in joined.planes.iter_mut().enumerate() {
            let mut first = 0;
            for part in &parts {
                if let Some(words) = part.planes.get(j) {
                    plane[first..first + part.lanes].copy_from_slice(words);
                }
                first += part.lanes;
            }
        }
        joined
    }

    /// Copies the nonzero numbers of `other`, which must have the same number of lanes. No position
    /// may have a nonzero number in both sets of planes.
    pub fn add(&mut self, other: BitPlanes) {
        self.make_room(other.limit());
        for (plane, other) in self.planes.iter_mut().zip(other.planes) {
            let pairs = plane
                .par_chunks_mut(LANES)
                .zip(other.par_chunks(LANES))
                .erased();
            pairs.for_each(|(plane, other)| {
                for (word, other) in plane.iter_mut().zip(other) {
                    *word |= other;
                }
            });
        }
    }

    /// The number of one position, given by its lane and its bit in the lane.
    pub fn get(&self, lane: usize, bit: usize) -> u16 {
        self.planes.iter().enumerate().fold(0, |value, (j, plane)| {
            value | ((plane[lane] >> bit & 1) as u16) << j
        })
    }

    /// The largest number that the planes can store.
    pub fn limit(&self) -> u16 {
        (1u32 << self.planes.len()).wrapping_sub(1) as u16
    }

    /// The positions of a lane with a nonzero number, as bits.
    #[inline(always)]
    pub fn any(&self, lane: usize) -> u64 {
        self.planes.iter().fold(0, |any, plane| any | plane[lane])
    }

    /// For each of `N` lanes from `first` on, the positions whose number is from 1 to `largest`, as
    /// bits.
    pub fn up_to<const N: usize>(&self, largest: u16, first: usize) -> [u64; N] {
        // Goes from the highest plane down. Tracks the numbers that equal `largest` so far, and
        // those already below it.
        let [mut any, mut below] = [[0; N]; 2];
        let mut equal = [!0; N];
        for (j, plane) in self.planes.iter().enumerate().rev() {
            let is_set = if largest >> j & 1 != 0 { !0 } else { 0 };
            for (i, &word) in plane[first..].iter().take(N).enumerate() {
                any[i] |= word;
                below[i] |= equal[i] & is_set & !word;
                equal[i] &= !(is_set ^ word);
            }
        }
        if largest >= self.limit() {
            return any;
        }
        std::array::from_fn(|i| any[i] & (below[i] | equal[i]))
    }

    /// For each lane from `first` on, the positions whose number is exactly `value`, as bits.
    pub fn level(&self, value: u16, first: usize, out: &mut [u64]) {
        if value > self.limit() {
            out.fill(0);
            return;
        }
        out.fill(!0);
        for (j, plane) in self.planes.iter().enumerate() {
            let flip = if value >> j & 1 != 0 { 0 } else { !0 };
            for (out, &word) in out.iter_mut().zip(&plane[first..]) {
                *out &= word ^ flip;
            }
        }
    }

    /// For each lane from `first` on, the positions whose number is above `value`, as bits.
    #[inline(always)]
    pub fn above(&self, value: u16, first: usize, out: &mut [u64]) {
        out.fill(0);
        if value >= self.limit() {
            return;
        }
        // Goes from the lowest plane up: a higher plane overrides the lower ones, unless the bits
        // of both numbers are equal there.
        for (j, plane) in self.planes.iter().enumerate() {
            let is_set = value >> j & 1 != 0;
            for (out, &word) in out.iter_mut().zip(&plane[first..]) {
                *out = if is_set { *out & word } else { *out | word };
            }
        }
    }

    /// The numbers of all positions of one lane.
    #[inline(always)]
    pub fn numbers(&self, lane: usize, out: &mut [u16; 64]) {
        out.fill(0);
        for (j, plane) in self.planes.iter().enumerate() {
            let word = plane[lane];
            for (bit, out) in out.iter_mut().enumerate() {
                *out |= ((word >> bit & 1) as u16) << j;
            }
        }
    }

    /// The numbers of all positions of one lane as bytes. All numbers must be below 256.
    #[inline(always)]
    pub fn bytes(&self, lane: usize) -> LaneBytes {
        let mut bytes = LaneBytes::default();
        for (j, plane) in self.planes.iter().take(8).enumerate() {
            bytes.add(plane[lane], j);
        }
        bytes
    }

    /// The words of each plane, from the lowest plane on.
    pub fn words(&self) -> impl Iterator<Item = &[u64]> {
        self.planes.iter().map(|plane| &plane[..])
    }

    /// Like [`BitPlanes::words`], to be written.
    pub fn words_mut(&mut self) -> impl Iterator<Item = &mut [u64]> {
        self.planes.iter_mut().map(|plane| &mut plane[..])
    }

    /// The words of each plane, without the highest planes that are all zero.
    pub fn used(&self) -> impl Iterator<Item = &[u64]> {
        let used = (u16::BITS - self.largest().leading_zeros()) as usize;
        self.planes[..used].iter().map(|plane| &plane[..])
    }

    /// The largest number of any position.
    pub fn largest(&self) -> u16 {
        let parts = (0..self.lanes).into_par_iter().step_by(LANES).erased();
        let largest = parts.map(|first| self.largest_of(first..self.lanes.min(first + LANES)));
        largest.max().unwrap_or(0)
    }

    /// The largest number in some lanes.
    fn largest_of(&self, lanes: Range<usize>) -> u16 {
        let mut candidates = vec![!0u64; lanes.len()];
        let mut largest = 0;
        for (j, plane) in self.planes.iter().enumerate().rev() {
            let plane = &plane[lanes.clone()];
            let both = candidates.iter().zip(plane).map(|(c, p)| c & p);
            if both.clone().any(|word| word != 0) {
                candidates = both.collect();
                largest |= 1 << j;
            }
        }
        largest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_number_is_read_as_it_was_set() {
        let mut planes = BitPlanes::new(3);
        let numbers = [(0, 0, 1), (0, 5, 57), (2, 63, 200), (1, 9, 128)];
        for (lane, bit, value) in numbers {
            let mut values = [0; 64];
            planes.numbers(lane, &mut values);
            values[bit] = value;
            planes.set_lane(lane, &values);
        }
        let mut level = [0; 3];
        for (lane, bit, value) in numbers {
            assert_eq!(planes.get(lane, bit), value);
            assert_eq!(planes.any(lane) >> bit & 1, 1);
            planes.level(value, 0, &mut level);
            assert_eq!(level.map(u64::count_ones).iter().sum::<u32>(), 1);
            assert_eq!(level[lane], 1 << bit);
            let mut numbers = [0; 64];
            planes.numbers(lane, &mut numbers);
            assert_eq!(numbers[bit], value);
        }
        assert_eq!(planes.get(1, 0), 0);
        assert_eq!(planes.largest(), 200);
        planes.level(300, 0, &mut level);
        assert_eq!(level, [0; 3]);
    }

    /// Generates lanes of numbers, most of them small and many 0.
    fn lanes() -> impl Strategy<Value = Vec<[u16; 64]>> {
        let number = prop_oneof![Just(0), 0..4u16, 0..60u16, 0..1000u16];
        let lane = proptest::collection::vec(number, 64);
        let lane = lane.prop_map(|lane| lane.try_into().expect("64 numbers"));
        proptest::collection::vec(lane, 1..6)
    }

    fn planes(lanes: &[[u16; 64]]) -> BitPlanes {
        let mut planes = BitPlanes::new(lanes.len());
        for (i, lane) in lanes.iter().enumerate() {
            planes.set_lane(i, lane);
        }
        planes
    }

    fn numbers(planes: &BitPlanes) -> Vec<[u16; 64]> {
        let mut lanes = vec![[0; 64]; planes.lanes()];
        for (i, lane) in lanes.iter_mut().enumerate() {
            planes.numbers(i, lane);
        }
        lanes
    }

    proptest! {
        #[test]
        fn planes_answer_as_lists_of_numbers_do(lanes in lanes(), value in 0..70u16) {
            let planes = planes(&lanes);
            prop_assert_eq!(&numbers(&planes), &lanes);
            prop_assert_eq!(planes.largest(), *lanes.iter().flatten().max().unwrap());
            let mut level = vec![0; lanes.len()];
            planes.level(value, 0, &mut level);
            let mut above = vec![0; lanes.len()];
            planes.above(value, 0, &mut above);
            for (i, lane) in lanes.iter().enumerate() {
                for (bit, &number) in lane.iter().enumerate() {
                    prop_assert_eq!(planes.get(i, bit), number);
                    prop_assert_eq!(planes.any(i) >> bit & 1 == 1, number > 0);
                    prop_assert_eq!(level[i] >> bit & 1 == 1, number == value);
                    prop_assert_eq!(above[i] >> bit & 1 == 1, number > value);
                    let [up_to] = planes.up_to(value, i);
                    prop_assert_eq!(up_to >> bit & 1 == 1, (1..=value).contains(&number));
                }
            }
        }

        #[test]
        fn joined_planes_are_the_parts_one_behind_the_other(a in lanes(), b in lanes()) {
            let joined = BitPlanes::join(vec![planes(&a), planes(&b)]);
            prop_assert_eq!(numbers(&joined), [a, b].concat());
        }
    }
}
