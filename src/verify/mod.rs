//! The verifier: checks every position of a table against the rules, by looking one ply ahead.
//!
//! It reads the file as written, decodes every cell, and checks that the value of each position
//! follows from the values of the positions after its moves. It shares only the board and the
//! numbering with the solver. The verifier works with distances in bytes and words, the solver with
//! bits, distance by distance. The verifier takes its moves from [`crate::board::attacks`], the
//! solver from graphs.
//!
//! A table stores only one side to move. The verifier first computes the distances with the other
//! side to move. From these it computes the distances with the stored side to move, and compares
//! them with the stored ones. It also counts the results and compares the numbers with the header's
//! statistics.

mod arrange;
mod by_metric;
mod by_placement;
mod by_slab;
mod choose;
mod distances;
mod grid;
mod known;
mod load;
mod meaning;
mod ply;
mod sample;
mod smaller;
mod source;
mod stored;
mod stored_slabs;
mod verdict;
mod verdict_table;
mod win_counts;

use crate::material::CanonicalMaterial;
use crate::table::Metric;
use by_metric::verify_metric;
use by_placement::PlacementSweep;
use by_slab::Sweep;
pub use sample::verify_sample;
pub use source::{TableSource, VerifyError};
pub use verdict::{Difference, Verdict};
pub use verdict_table::{VerdictCheck, WrongVerdict, verify_verdicts};

/// Verifies every position of a table.
///
/// # Errors
///
/// If the table, or that of a subending, is missing or corrupt.
pub fn verify_table(
    material: CanonicalMaterial,
    source: &dyn TableSource,
) -> Result<Verdict, VerifyError> {
    let table = source.open(material)?;
    let mut verdict = Verdict {
        statistics_agree: true,
        ..Verdict::default()
    };
    let mut known = Vec::new();
    for metric in Metric::all_of(material, table.rule_sets()) {
        let is_large = material.men() >= LARGE_MEN;
        let by_placement = PlacementSweep::of(&table, metric).filter(|_| is_large);
        match (Sweep::of(&table, metric), by_placement) {
            (Some(sweep), _) => sweep.verify(source, &mut known, &mut verdict)?,
            (None, Some(sweep)) => sweep.verify(source, &mut verdict)?,
            (None, None) => verify_metric(&table, metric, source, &mut verdict)?,
        }
    }
    Ok(verdict)
}

/// In endings with bia and at least this many men, promotions lead to endings that are too large to
/// be decoded whole.
const LARGE_MEN: usize = 6;

/// Verifies a table with bia against a bare king, one placement of the bia after the other, even if
/// it is small. None if the placement is not the outermost component of the table's order.
///
/// # Errors
///
/// As for [`verify_table`].
#[doc(hidden)]
pub fn verify_by_placement(
    material: CanonicalMaterial,
    source: &dyn TableSource,
) -> Result<Option<Verdict>, VerifyError> {
    let table = source.open(material)?;
    let mut verdict = Verdict {
        statistics_agree: true,
        ..Verdict::default()
    };
    for metric in Metric::all_of(material, table.rule_sets()) {
        match PlacementSweep::of(&table, metric) {
            Some(sweep) => sweep.verify(source, &mut verdict)?,
            None => return Ok(None),
        }
    }
    Ok(Some(verdict))
}
