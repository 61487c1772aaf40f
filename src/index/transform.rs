//! The eight reflections and rotations of the board.

use crate::board::{Square, SquareSet};

/// A reflection or rotation of the board in three optional steps: exchange files and ranks, then
/// reverse the files, then reverse the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transform {
    pub(super) transpose: bool,
    pub(super) flip_files: bool,
    pub(super) flip_ranks: bool,
}

impl Transform {
    /// The transform that changes nothing.
    pub const IDENTITY: Transform = Transform {
        transpose: false,
        flip_files: false,
        flip_ranks: false,
    };

    /// The left–right mirror, which reverses the files.
    pub const MIRROR: Transform = Transform {
        transpose: false,
        flip_files: true,
        flip_ranks: false,
    };

    /// All eight transforms.
    pub fn all() -> impl Iterator<Item = Transform> {
        (0..8).map(|bits| Transform {
            transpose: bits & 4 != 0,
            flip_files: bits & 1 != 0,
            flip_ranks: bits & 2 != 0,
        })
    }

    /// The image of a square.
    pub const fn square(self, mut square: Square) -> Square {
        if self.transpose {
            square = square.transpose();
        }
        if self.flip_files {
            square = square.flip_horizontal();
        }
        if self.flip_ranks {
            square = square.flip_vertical();
        }
        square
    }

    /// Returns an array that contains, for each square, the entry of `values` for the square's
    /// image.
    #[inline(always)]
    pub fn pull_back<T: Copy>(self, values: &[T; 64]) -> [T; 64] {
        // The exchange of files and ranks is the first step of a transform, so here it comes last.
        let mut values = *values;
        if self.flip_ranks {
            values = std::array::from_fn(|square| values[square ^ 0b111_000]);
        }
        if self.flip_files {
            values = std::array::from_fn(|square| values[square ^ 0b000_111]);
        }
        if self.transpose {
            values = std::array::from_fn(|square| values[square % 8 * 8 + square / 8]);
        }
        values
    }

    /// The image of a set of squares.
    #[inline(always)]
    pub const fn set(self, set: SquareSet) -> SquareSet {
        let mut bits = set.0;
        if self.transpose {
            bits = transpose(bits);
        }
        if self.flip_files {
            bits = flip_files(bits);
        }
        if self.flip_ranks {
            bits = bits.swap_bytes();
        }
        SquareSet(bits)
    }

    /// True if light squares stay light, as they do under the identity, the half turn, and the
    /// reflections in the long diagonals.
    pub const fn keeps_colors(self) -> bool {
        self.flip_files == self.flip_ranks
    }

    /// The transform that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Transform {
        if self.transpose {
            // The steps in reverse order: first the flips, then the exchange. A flip of files
            // before the exchange equals a flip of ranks after it.
            Transform {
                transpose: true,
                flip_files: self.flip_ranks,
                flip_ranks: self.flip_files,
            }
        } else {
            self
        }
    }
}

/// Reverses the files of a set, by reversing the bits of each byte.
#[inline(always)]
const fn flip_files(x: u64) -> u64 {
    let x = (x >> 1 & 0x5555_5555_5555_5555) | (x & 0x5555_5555_5555_5555) << 1;
    let x = (x >> 2 & 0x3333_3333_3333_3333) | (x & 0x3333_3333_3333_3333) << 2;
    (x >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (x & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

/// Exchanges the files and ranks of a set: transposes the 8×8 bit matrix by swapping ever larger
/// blocks.
#[inline(always)]
const fn transpose(x: u64) -> u64 {
    const fn swap(x: u64, mask: u64, shift: u32) -> u64 {
        let t = (x ^ (x >> shift)) & mask;
        x ^ t ^ (t << shift)
    }
    let x = swap(x, 0x00aa_00aa_00aa_00aa, 7);
    let x = swap(x, 0x0000_cccc_0000_cccc, 14);
    swap(x, 0x0000_0000_f0f0_f0f0, 28)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_goes_where_its_squares_go_and_the_inverse_brings_it_back() {
        for t in Transform::all() {
            for s in Square::all() {
                let kept = t.square(s).is_light() == s.is_light();
                assert_eq!(kept, t.keeps_colors());
                assert_eq!(t.set(s.set()), t.square(s).set());
                assert_eq!(t.inverse().square(t.square(s)), s);
            }
            let set = SquareSet(0x0123_4567_89ab_cdef);
            assert_eq!(t.set(set), set.map(|s| t.square(s)).collect());
        }
    }
}
