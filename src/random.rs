//! Reproducible random numbers: the same seed gives the same numbers on every machine.

/// The random number generator SplitMix64, by Steele, Lea and Flood.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Starts the sequence of random numbers for a seed.
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    /// Returns the next number of the sequence.
    #[allow(
        clippy::should_implement_trait,
        reason = "the sequence of random numbers does not end"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a random number below `end`. `end` must not be 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(end)) >> 64) as u64
    }
}
