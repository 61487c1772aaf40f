//! Checking some positions of a table, where checking all would take too long.

use crate::board::{Color, Position, Role, Square};
use crate::material::CanonicalMaterial;
use crate::probe::{Distance, Moves, ProbeError, Tablebase};
use crate::rules::{Count, RuleSet};
use crate::table::Metric;

/// A position whose value in the table is not the one that its moves lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleDifference {
    /// The position.
    pub position: Position,
    /// The metric.
    pub metric: Metric,
    /// The distance in the table, for the side to move.
    pub found: Distance,
    /// The best of those that the moves lead to.
    pub expected: Distance,
}

/// What checking a sample found.
#[derive(Clone, Debug, Default)]
pub struct Sampled {
    /// The positions checked.
    pub positions: u64,
    /// How many of their distances are not those that their moves lead to.
    pub differences: u64,
    /// The first of them.
    pub first: Option<SampleDifference>,
}

/// Checks so many legal positions of an ending, drawn evenly from all; the same ones every time.
///
/// The distances of each are compared with the best of those that its moves lead to, which are
/// probed in the same way as any position is.
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
        if let Some(position) = draw.position(material) {
            check(tablebase, &position, &mut sampled)?;
            sampled.positions += 1;
            progress(sampled.positions);
        }
    }
    Ok(sampled)
}

/// Compares the distances of one position.
fn check(
    tablebase: &Tablebase,
    position: &Position,
    sampled: &mut Sampled,
) -> Result<(), ProbeError> {
    for rules in RuleSet::ALL {
        let moves = tablebase.best_moves(position, rules, &Count::Fresh)?;
        let mut compare = |metric, found, best: Option<Distance>| {
            let expected = best.unwrap_or(match position.is_check() {
                true => Distance::Loss(Moves(0)),
                false => Distance::Draw,
            });
            if found != expected {
                sampled.differences += 1;
                sampled.first.get_or_insert(SampleDifference {
                    position: *position,
                    metric,
                    found,
                    expected,
                });
            }
        };
        // It is the same under every rule set.
        if rules == RuleSet::Makruk {
            let best = moves.iter().map(|m| m.dtm).max();
            compare(Metric::Dtm, tablebase.dtm(position)?, best);
        }
        if let Some(found) = tablebase.dth(position, rules)? {
            let best = moves.iter().filter_map(|m| m.dth).max();
            compare(Metric::Dth { rules: rules.id() }, found, best);
        }
    }
    Ok(())
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
