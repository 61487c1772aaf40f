//! Draws a random sample of positions that is the same in every run.

use super::men::Men;
use sakmak::board::{Square, SquareSet};

/// A position of the sample: the squares of its men and kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Drawn {
    hash: u64,
    /// All men except the kings.
    pub men: Men,
    /// Both kings' squares, the winner's first.
    pub kings: [Square; 2],
}

/// A sample of positions: those with the smallest hashes of the men's squares. The choice looks
/// random, but depends neither on the order of the file nor on the threads.
#[derive(Clone, Debug)]
pub struct Sampler {
    size: usize,
    /// Only positions with a hash below this limit are kept.
    limit: u64,
    /// The positions offered and not yet rejected: at most twice the size of the sample.
    kept: Vec<Drawn>,
}

impl Sampler {
    /// Starts a sample of at most `size` positions.
    pub fn of(size: usize) -> Sampler {
        Sampler {
            size,
            limit: u64::MAX,
            kept: Vec::new(),
        }
    }

    /// Offers the positions of a lane to the sample: those with the winner's king on `king` and the
    /// weaker king on one of `squares`. `men_hash` is the hash of the other men ([`hash_men`]).
    #[inline]
    pub fn offer(&mut self, men: &Men, men_hash: u64, king: Square, squares: u64) {
        for square in SquareSet(squares) {
            let hash = mix(men_hash ^ (king.index() << 6 | square.index()) as u64);
            if hash < self.limit {
                let kings = [king, square];
                let men = *men;
                self.kept.push(Drawn { hash, men, kings });
                if self.kept.len() > 2 * self.size {
                    self.thin();
                }
            }
        }
    }

    /// Reduces the sample to its size, keeping the positions with the smallest hashes.
    fn thin(&mut self) {
        if self.kept.len() > self.size {
            self.kept.select_nth_unstable(self.size);
            self.kept.truncate(self.size);
            self.limit = self.kept.iter().map(|drawn| drawn.hash).max().unwrap_or(0);
        }
    }

    /// Adds the positions of another sample, keeping those with the smallest hashes.
    pub fn merge(&mut self, other: Sampler) {
        self.kept.extend(other.kept);
        self.limit = self.limit.min(other.limit);
        self.thin();
    }

    /// Returns the positions, ordered by their hashes.
    pub fn finish(mut self) -> Vec<Drawn> {
        self.thin();
        self.kept.sort_unstable();
        self.kept
    }
}

/// Computes the part of the hash that all positions with these men share.
pub fn hash_men(men: &Men) -> u64 {
    let groups = men.groups().into_iter();
    groups.fold(0x9e37_79b9_7f4a_7c15, |hash, (color, role, men)| {
        mix(hash.rotate_left(9) ^ men.0 ^ (color.index() << 3 | role.index()) as u64)
    })
}

/// Mixes the bits of a number (the last step of splitmix64).
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
