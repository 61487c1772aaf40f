//! Samples: a few examples chosen from many positions, the same in every run.

use std::collections::BTreeSet;

use super::placing::Placing;
use sakmak::board::SquareSet;

/// The number of examples in a sample.
const KEPT: usize = 4;

/// A sample of positions: those with the smallest hashes of the men's squares. The choice looks
/// random, but depends neither on the order of the file nor on the threads.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    kept: BTreeSet<(u64, Kept)>,
}

/// The squares of a position's men: White's king, the groups, and Black's king.
type Kept = (u8, [u64; 8], u8);

impl Sample {
    /// Offers positions to the sample: `placed` with Black's king on each of `squares`.
    pub fn offer(&mut self, placed: &Placing, squares: SquareSet) {
        if squares.is_empty() {
            return;
        }
        let men = placed.men.map(|men| men.0);
        let start = men.iter().fold(placed.king.index() as u64, |hash, &men| {
            mix(hash.rotate_left(7) ^ men)
        });
        for square in squares {
            let hash = mix(start ^ square.index() as u64);
            let full = self.kept.len() >= KEPT;
            if full && self.kept.last().is_some_and(|last| last.0 < hash) {
                continue;
            }
            let king = placed.king.index() as u8;
            self.kept.insert((hash, (king, men, square.index() as u8)));
            if full {
                self.kept.pop_last();
            }
        }
    }

    /// Adds the positions of another sample.
    pub fn merge(&mut self, other: Sample) {
        self.kept.extend(other.kept);
        while self.kept.len() > KEPT {
            self.kept.pop_last();
        }
    }

    /// The examples, each as the squares of its men.
    pub fn placings(&self) -> impl Iterator<Item = &Kept> {
        self.kept.iter().map(|(_, placing)| placing)
    }
}

/// Mixes the bits of a number (the last step of splitmix64).
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
