//! Lists with a distance for every position of an ending. Distances are bytes if they are short
//! enough.

use bytemuck::Pod;
use rayon::prelude::*;

use super::grid::{Distance, NEVER};
use crate::huge_pages::HugeArray;
use crate::parallel::ForkedByOneFunction;

/// The largest distance in a table for which byte lists are used. Distances computed one or two
/// plies ahead of the table's still fit into bytes, unless the table is wrong. A distance that does
/// not fit becomes 253, which no such table contains, and is reported as a difference.
const LARGEST_NARROW: Distance = 250;

/// A distance in a list: a byte or a word.
pub trait Element: Pod + Ord + Send + Sync {
    /// The mark of a position without a win: the largest value.
    const NEVER: Self;
    /// The value of an illegal position with the winner to move, and of a position in which the
    /// loser is mated.
    const ZERO: Self;
    /// The mark of a cell that refers to the base section. No distance has this value.
    const FROM_BASE: Self;

    /// Converts a distance. A distance that is too large becomes the largest one that fits.
    fn of(distance: Distance) -> Self;

    /// Converts the element to a distance.
    fn distance(self) -> Distance;

    /// The distance plus one. *Never* stays *never*. The largest other distance also stays as it
    /// is, so that it does not become a mark.
    fn next(self) -> Self;

    /// The elements of a list. `None` if the list has elements of the other type.
    fn elements_of(list: &DistanceList) -> Option<&[Self]>;
}

impl Element for u8 {
    const NEVER: u8 = u8::MAX;
    const ZERO: u8 = 0;
    const FROM_BASE: u8 = u8::MAX - 1;

    #[inline(always)]
    fn of(distance: Distance) -> u8 {
        match distance {
            NEVER => u8::MAX,
            distance => distance.min(253) as u8,
        }
    }

    #[inline(always)]
    fn distance(self) -> Distance {
        match self {
            u8::MAX => NEVER,
            byte => byte.into(),
        }
    }

    #[inline(always)]
    fn next(self) -> u8 {
        self + u8::from(self < 253)
    }

    #[inline(always)]
    fn elements_of(list: &DistanceList) -> Option<&[u8]> {
        match list {
            DistanceList::Bytes(bytes) => Some(bytes),
            DistanceList::Words(_) => None,
        }
    }
}

impl Element for Distance {
    const NEVER: Distance = NEVER;
    const ZERO: Distance = 0;
    const FROM_BASE: Distance = NEVER - 1;

    #[inline(always)]
    fn of(distance: Distance) -> Distance {
        match distance {
            NEVER => NEVER,
            distance => distance.min(NEVER - 2),
        }
    }

    #[inline(always)]
    fn distance(self) -> Distance {
        self
    }

    #[inline(always)]
    fn next(self) -> Distance {
        self + Distance::from(self < NEVER - 2)
    }

    #[inline(always)]
    fn elements_of(list: &DistanceList) -> Option<&[Distance]> {
        match list {
            DistanceList::Bytes(_) => None,
            DistanceList::Words(words) => Some(words),
        }
    }
}

/// A list of distances with 64 elements for each configuration, one for each square of Black's
/// king.
#[derive(PartialEq, Eq, Debug)]
pub enum DistanceList {
    /// Distances of one byte each.
    Bytes(HugeArray<u8>),
    /// Distances of one 16-bit word each.
    Words(HugeArray<Distance>),
}

impl Default for DistanceList {
    fn default() -> DistanceList {
        DistanceList::Bytes(HugeArray::default())
    }
}

/// Looks up the distances of a configuration (all men but Black's king) by its number.
pub trait Lanes: Sync {
    /// The list that contains a configuration, and the configuration's index in the list.
    fn find(&self, number: usize) -> (&DistanceList, usize);

    /// The 64 distances of a configuration. The list must have elements of this type.
    #[inline(always)]
    fn elements<E: Element>(&self, number: usize) -> &[E; 64] {
        let (list, number) = self.find(number);
        let elements =
            E::elements_of(list).expect("all lists of a table have elements of one type");
        elements[number * 64..].first_chunk().expect("64 distances")
    }

    /// The 64 distances of a configuration, as words.
    #[inline(always)]
    fn lane(&self, number: usize) -> [Distance; 64] {
        let (list, number) = self.find(number);
        let mut lane = [0; 64];
        match list {
            DistanceList::Bytes(bytes) => convert(&bytes[number * 64..][..64], &mut lane),
            DistanceList::Words(words) => convert(&words[number * 64..][..64], &mut lane),
        }
        lane
    }
}

impl DistanceList {
    /// True if distances up to `largest` are stored in byte lists.
    pub fn is_narrow(largest: Distance) -> bool {
        largest <= LARGEST_NARROW
    }

    /// Allocates a list of zeros for this many configurations: of bytes if `narrow`, else of words.
    pub fn zeroed(configs: usize, narrow: bool) -> DistanceList {
        match narrow {
            true => DistanceList::Bytes(HugeArray::zeroed(configs * 64)),
            false => DistanceList::Words(HugeArray::zeroed(configs * 64)),
        }
    }

    /// The number of configurations in the list.
    pub fn configs(&self) -> usize {
        match self {
            DistanceList::Bytes(bytes) => bytes.len() / 64,
            DistanceList::Words(words) => words.len() / 64,
        }
    }

    /// The distance of the position with this index in the list.
    #[inline(always)]
    pub fn get(&self, position: usize) -> Distance {
        match self {
            DistanceList::Bytes(bytes) => bytes[position].distance(),
            DistanceList::Words(words) => words[position],
        }
    }

    /// A hash of all distances, for comparison with other lists.
    pub fn digest(&self) -> blake3::Hash {
        match self {
            DistanceList::Bytes(bytes) => blake3::hash(bytes),
            DistanceList::Words(words) => blake3::hash(bytemuck::cast_slice(words)),
        }
    }

    /// Applies a function to every distance.
    pub fn change(&mut self, change: impl Fn(Distance) -> Distance + Sync + Send) {
        match self {
            DistanceList::Bytes(bytes) => bytes.par_iter_mut().erased().for_each(|byte| {
                *byte = u8::of(change(byte.distance()));
            }),
            DistanceList::Words(words) => words
                .par_iter_mut()
                .erased()
                .for_each(|word| *word = change(*word)),
        }
    }
}

impl Lanes for DistanceList {
    #[inline(always)]
    fn find(&self, number: usize) -> (&DistanceList, usize) {
        (self, number)
    }
}

/// Converts distances to another type.
#[inline(always)]
pub fn convert<E: Element, F: Element>(from: &[E], to: &mut [F]) {
    for (to, &from) in to.iter_mut().zip(from) {
        *to = F::of(from.distance());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_and_word_lists_contain_the_same_distances() {
        let value = |number: usize, i: usize| match (number + i) % 7 {
            0 => NEVER,
            n => (n * 36) as Distance,
        };
        let values = || (0..9 * 64).map(|at| value(at / 64, at % 64));
        let mut lists = [true, false].map(|narrow| DistanceList::zeroed(9, narrow));
        for list in &mut lists {
            match list {
                DistanceList::Bytes(bytes) => bytes
                    .iter_mut()
                    .zip(values())
                    .for_each(|(byte, value)| *byte = u8::of(value)),
                DistanceList::Words(words) => words
                    .iter_mut()
                    .zip(values())
                    .for_each(|(word, value)| *word = value),
            }
        }
        for mut list in lists {
            assert_eq!(list.configs(), 9);
            for number in 0..9 {
                for (i, distance) in list.lane(number).into_iter().enumerate() {
                    assert_eq!(distance, value(number, i));
                    assert_eq!(list.get(number * 64 + i), distance);
                }
            }
            list.change(|distance| if distance == NEVER { 0 } else { distance });
            assert_eq!(list.get(7), 0);
        }
    }

    #[test]
    fn next_never_becomes_a_mark() {
        assert_eq!(
            [0, 99, 252, 253, 255].map(u8::next),
            [1, 100, 253, 253, 255]
        );
        let most = NEVER - 2;
        let next = [0, 300, most, NEVER].map(Distance::next);
        assert_eq!(next, [1, 301, most, NEVER]);
    }

    #[test]
    fn no_distance_is_the_mark_of_the_base() {
        for distance in 0..=NEVER {
            assert_ne!(u8::of(distance), u8::FROM_BASE);
            assert_ne!(Distance::of(distance), Distance::FROM_BASE);
            assert_eq!(u8::of(distance) == u8::NEVER, distance == NEVER);
        }
    }
}
