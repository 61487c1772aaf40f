//! Lanes: 64 positions in one word.
//!
//! The bits of a lane are the 64 squares of the losing side's king, with all other men fixed. So
//! one operation on a word processes 64 positions, and the king's moves stay in the word.

use crate::huge_pages::HugeArray;

/// An array with one word for each lane.
pub type LaneWords = HugeArray<u64>;

const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The squares from which a king can move to a square of `targets`.
#[inline(always)]
pub const fn king_steps(targets: u64) -> u64 {
    let sides = (targets << 1 & NOT_FILE_A) | (targets >> 1 & NOT_FILE_H);
    let row = sides | targets;
    sides | row << 8 | row >> 8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Square, SquareSet, attacks};
    use proptest::prelude::*;

    #[test]
    fn king_steps_are_the_kings_attacks() {
        for square in Square::all() {
            assert_eq!(king_steps(square.set().0), attacks::king(square).0);
        }
        assert_eq!(king_steps(0), 0);
        assert_eq!(king_steps(!0), !0);
    }
    proptest! {
        #[test]
        fn king_steps_of_a_set_are_those_of_its_squares(bits: u64) {
            let steps: SquareSet = SquareSet(bits).flat_map(attacks::king).collect();
            prop_assert_eq!(SquareSet(king_steps(bits)), steps);
        }
    }
}
