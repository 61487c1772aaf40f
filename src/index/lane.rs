//! Operations on a lane: on all 64 squares of Black's king at once, with the other men fixed and
//! White to move.
//!
//! The generator calls these functions. The solver and the verifier have implementations of their
//! own, so that each can reveal errors in the other.

use crate::board::{Color, Role, Square, SquareSet, attacks};

/// The squares that White's men of a role attack, if other men cannot block their attacks. Empty
/// for rooks.
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
#[inline(always)]
pub fn legal(king: Square, men: SquareSet, leaps: SquareSet, rooks: SquareSet) -> SquareSet {
    let occupied = men.with(king);
    let mut closed = occupied | leaps | attacks::king(king);
    for rook in rooks {
        closed |= attacks::rook(rook, occupied);
    }
    !closed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use proptest::prelude::*;

    proptest! {
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
