//! Random positions of given men.

use sakmak::board::{Color, Position, Role, Square};

use crate::Random;

/// One attempt at a legal position of these men: each is put where `square` says, which is given
/// a random number below 64.
pub fn place(
    random: &mut Random,
    men: &[(Color, Role)],
    turn: Color,
    square: impl Fn(usize) -> usize,
) -> Option<Position> {
    let mut put = |&(color, role)| (Square::wrapping(square(random.below(64))), color, role);
    let men: Vec<_> = men.iter().map(&mut put).collect();
    Position::from_men(men, turn).ok()
}
