//! Checking some positions of a table, where checking all would take too long.

use crate::board::{Color, Position, Role, Square};
use crate::material::CanonicalMaterial;
use crate::probe::{Dtm, Moves, ProbeError, Tablebase};

/// What checking a sample found.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// The positions checked.
    pub positions: u64,
    /// How many have another value than their moves lead to.
    pub differences: u64,
    /// The first of them, with the value in the table and the one that its moves lead to.
    pub first: Option<(Position, Dtm, Dtm)>,
}

/// Checks so many legal positions of an ending, drawn evenly from all; the same ones every time.
///
/// The value of each is compared with the best of those that its moves lead to, which are probed
/// in the same way as any position is.
///
/// # Errors
///
/// If the table, or one of a smaller ending, is missing or damaged.
pub fn verify_sample(
    material: CanonicalMaterial,
    tablebase: &Tablebase,
    positions: u64,
    progress: &dyn Fn(u64),
) -> Result<Sampled, ProbeError> {
    let mut draw = Draw(0x5eed);
    let mut sampled = Sampled::default();
    while sampled.positions < positions {
        let Some(position) = draw.position(material) else {
            continue;
        };
        let found = tablebase.dtm(&position)?;
        let expected = expected(tablebase, &position)?;
        sampled.positions += 1;
        if found != expected {
            sampled.differences += 1;
            sampled.first = sampled.first.or(Some((position, found, expected)));
        }
        progress(sampled.positions);
    }
    Ok(sampled)
}

/// The best that the moves lead to.
fn expected(tablebase: &Tablebase, position: &Position) -> Result<Dtm, ProbeError> {
    let mut best = None;
    for m in position.legal_moves() {
        let dtm = tablebase.dtm(&position.play(m))?.before_move();
        best = best.max(Some(dtm));
    }
    Ok(best.unwrap_or(match position.is_check() {
        true => Dtm::Loss(Moves(0)),
        false => Dtm::Draw,
    }))
}

/// Random numbers, by SplitMix64 (Steele, Lea and Flood 2014).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Men on random squares, if that makes a legal position.
    fn position(&mut self, material: CanonicalMaterial) -> Option<Position> {
        let mut men = Vec::with_capacity(material.men());
        for color in Color::ALL {
            let roles = std::iter::once(Role::King).chain(material.army(color).men());
            for role in roles {
                // The upper bits, which are the best mixed.
                let square = Square::wrapping((self.next() >> 58) as usize);
                men.push((square, color, role));
            }
        }
        let turn = match self.next() >> 63 {
            0 => Color::White,
            _ => Color::Black,
        };
        Position::from_men(men, turn).ok()
    }
}
