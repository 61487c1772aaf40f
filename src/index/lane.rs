//! Operations on a lane: on all 64 squares of Black's king at once, with the other men fixed and
//! White to move.
//!
//! The table reader, the generator and the study call these functions. The solver and the verifier
//! have implementations of their own, so that each can reveal errors in the other.

use crate::board::SquareSet;
#[cfg(feature = "make")]
use crate::board::{Color, Role, Square, attacks};

/// The squares that White's men of a role attack, if other men cannot block their attacks. Empty
/// for rooks.
#[cfg(feature = "make")]
pub fn leaps(role: Role, men: SquareSet) -> SquareSet {
    if role == Role::Rook {
        return SquareSet::EMPTY;
    }
    let attacked = |from| attacks::attacks(role, Color::White, from, SquareSet::EMPTY);
    men.fold(SquareSet::EMPTY, |all, from| all | attacked(from))
}

/// The legal squares of Black's king with White to move and White's king on `king`.
///
/// `men` contains the squares of all other men, `leaps` the squares that White's leapers attack
/// ([`leaps`]), and `rooks` the squares of White's rooks. No two men may share a square.
#[cfg(feature = "make")]
#[inline(always)]
pub fn legal(king: Square, men: SquareSet, leaps: SquareSet, rooks: SquareSet) -> SquareSet {
    let occupied = men.with(king);
    let mut closed = occupied | leaps | attacks::king(king);
    for rook in rooks {
        closed |= attacks::rook(rook, occupied);
    }
    !closed
}

/// The squares of a set, and all squares one king's step away from them.
#[inline(always)]
pub fn king_steps(set: SquareSet) -> SquareSet {
    const NOT_FILE_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_FILE_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let sides = (set.0 << 1 & NOT_FILE_A) | (set.0 >> 1 & NOT_FILE_H);
    let row = sides | set.0;
    SquareSet(sides | row << 8 | row >> 8)
}

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;
    use crate::board::Position;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn king_steps_are_those_of_each_square(bits: u64) {
            let set = SquareSet(bits);
            let expected = set.fold(SquareSet::EMPTY, |all, s| all | attacks::king(s));
            prop_assert_eq!(king_steps(set), expected);
        }

        #[test]
        fn legal_squares_make_legal_positions(
            king in 0..64usize,
            men in proptest::collection::vec((0..4usize, 0..64usize), 0..5),
        ) {
            let king = Square::wrapping(king);
            let mut placed = vec![(king, Color::White, Role::King)];
            let (mut all, mut attacked, mut rooks) = Default::default();
            for (role, square) in men {
                let (role, square) = (Role::MEN[role], Square::wrapping(square));
                if placed.iter().any(|&(taken, ..)| taken == square) {
                    continue;
                }
                placed.push((square, Color::White, role));
                all = square.set() | all;
                attacked = leaps(role, square.set()) | attacked;
                if role == Role::Rook {
                    rooks = square.set() | rooks;
                }
            }
            let legal = legal(king, all, attacked, rooks);
            for square in Square::all() {
                let black = (square, Color::Black, Role::King);
                let men = placed.iter().copied().chain([black]);
                let position = Position::from_men(men, Color::White);
                prop_assert_eq!(legal.contains(square), position.is_ok(), "{}", square);
            }
        }
    }
}
