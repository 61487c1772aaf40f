//! Verifies a sample of positions: probes each position and its moves, and compares the results.

use rustc_hash::FxHashSet;

use super::{Difference, Verification, VerifyError};
use crate::board::Position;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::probe::{Distance, ProbeError, Tablebase};
use crate::random::Numbers;
use crate::statistics::Example;
use crate::table::{Metric, TableFile};

/// Verifies up to `positions` legal positions of a table. The value of a position must follow from
/// the values of the positions after its moves. The positions are chosen at random, but are the
/// same in every run.
///
/// # Errors
///
/// If a table is missing or corrupt.
pub fn verify_sample(
    material: CanonicalMaterial,
    tablebase: &Tablebase,
    positions: u64,
) -> Result<Verification, VerifyError> {
    let table = tablebase.inventory().table(material)?;
    let section = table
        .section(Metric::Dtm)
        .ok_or_else(|| table.damaged("it has no distances to mate"))?;
    let info = &section.header().info;
    let layout = Layout::from_bytes(material, info.symmetry, &info.order)
        .map_err(|_| table.damaged("its order of men does not fit its material"))?;
    let cells = layout.cells();
    // Draws indices of cells until enough legal positions have been verified. Draws at most four
    // indices for each requested position, and at most four for each cell.
    let mut tried = FxHashSet::default();
    let mut random = Numbers::new(0x5361_6b4d_616b);
    let mut verdict = Verification {
        statistics_agree: true,
        ..Verification::default()
    };
    for _ in 0..positions.saturating_mul(4).min(cells.saturating_mul(4)) {
        if verdict.positions >= positions {
            break;
        }
        let number = random.below(cells.max(1));
        if !tried.insert(number) {
            continue;
        }
        let example = layout.example(number);
        let Some(position) = example.position(material, info.side) else {
            continue;
        };
        verdict.positions += 1;
        let place = (&position, &example);
        compare(tablebase, &table, place, &mut verdict)?;
    }
    Ok(verdict)
}

/// Compares the value of one position with the value that follows from its moves, under every
/// metric.
fn compare(
    tablebase: &Tablebase,
    table: &TableFile,
    (position, example): (&Position, &Example),
    verdict: &mut Verification,
) -> Result<(), VerifyError> {
    let place = (position, example);
    let material = table.material();
    let found = tablebase.dtm_in(material.game(), position)?;
    let expected = tablebase.dtm_by_moves(material.game(), position)?;
    record_difference(verdict, Metric::Dtm, place, (found, expected));
    for metric in Metric::all_of(material, table.rule_sets()) {
        let Metric::Dth(rules) = metric else {
            continue;
        };
        if metric.counts_plies(material) {
            let found = tablebase.asean_plies(position)?;
            let expected = tablebase.asean_plies_by_moves(position)?;
            record_difference(verdict, metric, place, (found, expected));
        } else {
            let found = tablebase.dth(position, rules)?.unwrap_or(Distance::Draw);
            let expected = tablebase.dth_by_moves(position, rules)?;
            record_difference(verdict, metric, place, (found, expected));
        }
    }
    Ok(())
}

/// Records a difference if the distance of a position (`found`) is not the one that follows from
/// its moves (`expected`).
fn record_difference<L: Copy + Eq + Into<u16>>(
    verdict: &mut Verification,
    metric: Metric,
    (position, example): (&Position, &Example),
    (found, expected): (Distance<L>, Distance<L>),
) {
    if found == expected {
        return;
    }
    verdict.differences += 1;
    let turn = position.turn();
    let winner = found.winner(turn).or(expected.winner(turn)).unwrap_or(turn);
    let length = |distance: Distance<L>| match distance {
        Distance::Win(length) if winner == turn => Some(length.into()),
        Distance::Loss(length) if winner != turn => Some(length.into()),
        _ => None,
    };
    verdict.first.get_or_insert_with(|| Difference {
        metric,
        position: example.clone(),
        turn,
        winner,
        found: length(found),
        expected: length(expected),
    });
}

impl From<ProbeError> for VerifyError {
    fn from(error: ProbeError) -> VerifyError {
        VerifyError::Probe(error)
    }
}
