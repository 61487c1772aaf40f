//! Distances of every position of an ending, a byte each where they are short enough.

use rayon::prelude::*;

use super::grid::{Distance, NEVER};
use crate::huge_pages::HugeArray;

/// In bytes, the distance of what is not won.
const NEVER_BYTE: u8 = u8::MAX;

/// The largest distance of a table whose lists are bytes. What follows from it by a ply or two
/// fits as well; what a wrong table leads to beyond that becomes the largest byte, which no such
/// table has, and so a difference.
const LARGEST_NARROW: Distance = 250;

/// Distances by number, 64 for each configuration.
#[derive(PartialEq, Eq, Debug)]
pub enum DistanceList {
    /// Each a byte.
    Bytes(HugeArray<u8>),
    /// Each as it is.
    Words(HugeArray<Distance>),
}

impl Default for DistanceList {
    fn default() -> DistanceList {
        DistanceList::Bytes(HugeArray::default())
    }
}

/// Where the distances of configurations are found by their numbers.
pub trait Lanes: Sync {
    /// The 64 distances of a configuration.
    fn lane(&self, number: usize) -> [Distance; 64];

    /// The same as bytes, if that is what they are: see [`widen`].
    fn bytes(&self, number: usize) -> Option<&[u8; 64]>;
}

impl DistanceList {
    /// Whether the lists of a table with this largest distance are bytes.
    pub fn is_narrow(largest: Distance) -> bool {
        largest <= LARGEST_NARROW
    }

    /// Room for so many configurations.
    pub fn room(configs: usize, narrow: bool) -> DistanceList {
        match narrow {
            true => DistanceList::Bytes(HugeArray::zeroed(configs * 64)),
            false => DistanceList::Words(HugeArray::zeroed(configs * 64)),
        }
    }

    /// Works out the distances of every configuration: see [`DistanceList::fill`].
    pub fn collect<R>(
        configs: usize,
        narrow: bool,
        room: impl Fn() -> R + Sync + Send,
        fill: impl Fn(&mut R, usize, &mut [Distance; 64]) + Sync + Send,
    ) -> DistanceList {
        let mut list = DistanceList::room(configs, narrow);
        list.fill(room, fill);
        list
    }

    /// Works out the distances of every configuration anew. Each is [`NEVER`] at first.
    pub fn fill<R>(
        &mut self,
        room: impl Fn() -> R + Sync + Send,
        fill: impl Fn(&mut R, usize, &mut [Distance; 64]) + Sync + Send,
    ) {
        match self {
            DistanceList::Bytes(bytes) => {
                let lanes = bytes.par_chunks_exact_mut(64).enumerate();
                lanes.for_each_init(room, |room, (number, bytes)| {
                    let mut lane = [NEVER; 64];
                    fill(room, number, &mut lane);
                    narrow_into(&lane, bytes);
                });
            }
            DistanceList::Words(words) => {
                let lanes = words.par_chunks_exact_mut(64).enumerate();
                lanes.for_each_init(room, |room, (number, words)| {
                    words.fill(NEVER);
                    fill(room, number, words.try_into().expect("64 distances"));
                });
            }
        }
    }

    /// The number of configurations.
    pub fn configs(&self) -> usize {
        match self {
            DistanceList::Bytes(bytes) => bytes.len() / 64,
            DistanceList::Words(words) => words.len() / 64,
        }
    }

    /// The distance of one position.
    #[inline(always)]
    pub fn get(&self, position: usize) -> Distance {
        match self {
            DistanceList::Bytes(bytes) => widen(bytes[position]),
            DistanceList::Words(words) => words[position],
        }
    }

    /// A digest of the distances.
    pub fn digest(&self) -> blake3::Hash {
        match self {
            DistanceList::Bytes(bytes) => blake3::hash(bytes),
            DistanceList::Words(words) => blake3::hash(bytemuck::cast_slice(words)),
        }
    }

    /// Changes every distance.
    pub fn change(&mut self, change: impl Fn(Distance) -> Distance + Sync + Send) {
        match self {
            DistanceList::Bytes(bytes) => bytes.par_iter_mut().for_each(|byte| {
                *byte = narrow(change(widen(*byte)));
            }),
            DistanceList::Words(words) => {
                words.par_iter_mut().for_each(|word| *word = change(*word))
            }
        }
    }
}

impl Lanes for DistanceList {
    #[inline(always)]
    fn lane(&self, number: usize) -> [Distance; 64] {
        let mut lane = [0; 64];
        match self {
            DistanceList::Bytes(bytes) => {
                for (wide, &byte) in lane.iter_mut().zip(&bytes[number * 64..][..64]) {
                    *wide = widen(byte);
                }
            }
            DistanceList::Words(words) => lane.copy_from_slice(&words[number * 64..][..64]),
        }
        lane
    }

    #[inline(always)]
    fn bytes(&self, number: usize) -> Option<&[u8; 64]> {
        match self {
            DistanceList::Bytes(bytes) => bytes[number * 64..].first_chunk(),
            DistanceList::Words(_) => None,
        }
    }
}

/// The distance that a byte stands for.
#[inline(always)]
pub fn widen(byte: u8) -> Distance {
    match byte {
        NEVER_BYTE => NEVER,
        byte => byte.into(),
    }
}

#[inline(always)]
fn narrow(distance: Distance) -> u8 {
    match distance {
        NEVER => NEVER_BYTE,
        distance => distance.min(Distance::from(NEVER_BYTE) - 1) as u8,
    }
}

#[inline(always)]
fn narrow_into(lane: &[Distance; 64], bytes: &mut [u8]) {
    for (byte, &distance) in bytes.iter_mut().zip(lane) {
        *byte = narrow(distance);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_lists_say_the_same() {
        let value = |number: usize, i: usize| match (number + i) % 7 {
            0 => NEVER,
            n => (n * 36) as Distance,
        };
        let fill = |_: &mut (), number: usize, lane: &mut [Distance; 64]| {
            for (i, distance) in lane.iter_mut().enumerate() {
                *distance = value(number, i);
            }
        };
        let lists = [true, false].map(|narrow| DistanceList::collect(9, narrow, || (), fill));
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
}
