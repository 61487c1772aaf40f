//! Generates legal positions for property tests.

use proptest::prelude::*;

use super::{Color, Position, Role, Square};

/// Generates legal positions of 2 to 8 men, bia included.
pub fn position() -> impl Strategy<Value = Position> {
    let men = proptest::sample::subsequence(Square::all().collect::<Vec<_>>(), 2..=8)
        .prop_shuffle()
        .prop_flat_map(|squares| {
            let others = squares.len() - 2;
            (
                Just(squares),
                proptest::collection::vec((any::<bool>(), 0..Role::MEN.len()), others),
                any::<bool>(),
            )
        });
    men.prop_filter_map("no legal position", |(squares, others, white)| {
        let color = |white| if white { Color::White } else { Color::Black };
        let kings = Color::ALL.map(|color| (color, Role::King));
        let others = others
            .iter()
            .map(|&(white, role)| (color(white), Role::MEN[role]));
        let men = squares
            .iter()
            .zip(kings.into_iter().chain(others))
            .map(|(&square, (color, role))| (square, color, role));
        Position::from_men(men, color(white)).ok()
    })
}
