//! Verifying a sample: some positions, each by its own moves, through the probe as users have it.

use bitvec::prelude::{BitVec, bitvec};

use super::{Difference, Verdict, VerifyError};
use crate::board::Position;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::probe::{Distance, ProbeError, Tablebase};
use crate::rules::{RuleSet, late_captures_matter};
use crate::stats::Example;
use crate::table::Metric;

/// Compares up to `positions` legal positions of a table, chosen at random but always the same
/// ones, with the best of what their moves lead to.
///
/// # Errors
///
/// If a table is missing or damaged.
pub fn verify_sample(
    material: CanonicalMaterial,
    tablebase: &Tablebase,
    positions: u64,
) -> Result<Verdict, VerifyError> {
    let table = tablebase.table(material)?;
    let section = table
        .section(Metric::Dtm)
        .ok_or_else(|| table.damaged("has no distances to mate"))?;
    let info = &section.header().info;
    let layout = Layout::from_bytes(material, info.symmetry, &info.order)
        .map_err(|_| table.damaged("has an order of men that is not its material's"))?;
    let cells = layout.cells();
    // Each number is tried once. Few are of illegal positions, so twice as many tries as
    // positions, and some more for small tables, are plenty.
    let mut tried: BitVec = bitvec![0; cells as usize];
    let mut random = Random(0x5361_6b4d_616b);
    let mut verdict = Verdict {
        statistics_agree: true,
        ..Verdict::default()
    };
    for _ in 0..positions.saturating_mul(4).min(cells.saturating_mul(4)) {
        if verdict.positions >= positions {
            break;
        }
        let number = random.below(cells);
        if tried.replace(number as usize, true) {
            continue;
        }
        let example = layout.example(number);
        let Some(position) = example.position(material, info.side) else {
            continue;
        };
        verdict.positions += 1;
        compare(tablebase, material, &position, &example, &mut verdict)?;
    }
    Ok(verdict)
}

fn compare(
    tablebase: &Tablebase,
    material: CanonicalMaterial,
    position: &Position,
    example: &Example,
    verdict: &mut Verdict,
) -> Result<(), VerifyError> {
    let mut check = |metric: Metric, found: Distance, expected: Distance| {
        if found == expected {
            return;
        }
        verdict.differences += 1;
        let turn = position.turn();
        let winner = found.winner(turn).or(expected.winner(turn)).unwrap_or(turn);
        let moves = |distance: Distance| {
            let wins = distance.winner(turn) == Some(winner);
            distance.moves().filter(|_| wins).map(|moves| moves.0)
        };
        verdict.first.get_or_insert_with(|| Difference {
            metric,
            position: example.clone(),
            turn,
            winner,
            found: moves(found),
            expected: moves(expected),
        });
    };
    let found = tablebase.dtm(position)?;
    check(Metric::Dtm, found, tablebase.dtm_by_moves(position)?);
    if !material.is_bare() {
        for rules in RuleSet::ALL {
            let metric = Metric::Dth(rules);
            let found = tablebase.dth(position, rules)?.unwrap_or(Distance::Draw);
            check(metric, found, tablebase.dth_by_moves(position, rules)?);
        }
    } else if late_captures_matter(material) {
        let found = tablebase.plies_of_late_captures(position)?;
        let expected = tablebase.plies_of_late_captures_by_moves(position)?;
        check(Metric::Dth(RuleSet::Asean), found, expected);
    }
    Ok(())
}

/// Numbers that look random: the same ones in every run (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit.max(1)
    }
}

impl From<ProbeError> for VerifyError {
    fn from(error: ProbeError) -> VerifyError {
        VerifyError::Probe(error)
    }
}
