//! The code that the feeders share: random numbers that are the same on every machine, random
//! positions, and questions to tables.

mod arguments;
mod best_play;
mod place;

pub use arguments::Arguments;
pub use best_play::BestPlay;
pub use place::{place, place_ending};

use sakmak::board::Color;

/// SplitMix64: the same numbers on every machine.
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Either colour.
    pub fn color(&mut self) -> Color {
        Color::ALL[self.below(2)]
    }
}
