//! The verifier: checks every position of a table against the rules, by looking one ply ahead.
//!
//! The verifier reads the finished file, decodes every cell, and checks that the value of each
//! position follows from the values of the positions after its moves. Apart from utilities, it
//! shares only the board, the index and the limits of the counts with the solver. The verifier
//! works with distances in bytes and words; the solver works with bits, one distance after the
//! other. The verifier takes its moves from [`crate::board::attacks`], the solver from graphs.
//!
//! A table stores distances with one side to move only. From these the verifier computes the
//! distances with the other side to move. From those, in turn, it computes the distances with the
//! stored side to move, and compares them with the stored ones. It also counts the wins and the
//! legal positions, and compares the numbers with the header's statistics.

mod arrange;
mod by_metric;
mod by_placement;
mod by_slab;
mod choose;
mod distances;
mod grid;
mod load;
mod ply;
mod sample;
mod source;
mod stored;
mod subendings;
mod verdict_table;
mod verification;

use crate::material::CanonicalMaterial;
use crate::table::{Metric, TableError};
use crate::verdict::VerdictFile;
use by_metric::verify_metric;
use by_placement::PlacementSweep;
use by_slab::Sweep;
pub use sample::verify_sample;
pub use source::{TableSource, VerifyError};
use verdict_table::VerdictComparison;
pub use verdict_table::{VerdictCheck, WrongVerdict, verify_verdicts};
pub use verification::{Difference, Verification};

/// Verifies every position of a table.
///
/// # Errors
///
/// If the table, or a table of a subending, is missing, corrupt or without a rule set that is
/// needed.
pub fn verify_table(
    material: CanonicalMaterial,
    source: &dyn TableSource,
) -> Result<Verification, VerifyError> {
    let (verification, _) = verify(material, None, source)?;
    Ok(verification)
}

/// Verifies every position of a table and of the verdict table of the same ending. Faster than
/// [`verify_table`] followed by [`verify_verdicts`]. Returns both results, so that a fault of the
/// verdict table does not hide one of the table.
///
/// # Errors
///
/// As for [`verify_table`] and, in the second result, for [`verify_verdicts`].
pub fn verify_table_and_verdicts(
    verdicts: &VerdictFile,
    source: &dyn TableSource,
) -> Result<(Verification, Result<VerdictCheck, VerifyError>), VerifyError> {
    let (verification, check) = verify(verdicts.material(), Some(verdicts), source)?;
    let check = match check {
        Some(check) => check.map_err(VerifyError::from),
        None => verify_verdicts(verdicts, source),
    };
    Ok((verification, check))
}

/// The result of verifying a verdict table.
type Checked = Result<VerdictCheck, TableError>;

/// Verifies a table, and its verdict table from the same distances. The second result is `None` if
/// this is not possible: if a metric is verified slab by slab or placement by placement, or if the
/// table lacks a rule set of the verdict table.
fn verify(
    material: CanonicalMaterial,
    verdicts: Option<&VerdictFile>,
    source: &dyn TableSource,
) -> Result<(Verification, Option<Checked>), VerifyError> {
    let table = source.open(material)?;
    let mut verdict = Verification {
        statistics_agree: true,
        ..Verification::default()
    };
    let has_rule_sets = |verdicts: &&VerdictFile| table.rule_sets().includes(verdicts.rule_sets());
    let mut comparison = verdicts.filter(has_rule_sets).map(VerdictComparison::new);
    let mut known = Vec::new();
    for metric in Metric::all_of(material, table.rule_sets()) {
        let is_large = material.men() >= LARGE_MEN;
        let by_placement = PlacementSweep::of(&table, metric).filter(|_| is_large);
        match (Sweep::of(&table, metric), by_placement) {
            (Some(sweep), _) => {
                comparison = None;
                sweep.verify(source, &mut known, &mut verdict)?;
            }
            (None, Some(sweep)) => {
                comparison = None;
                sweep.verify(source, &mut verdict)?;
            }
            (None, None) => {
                verify_metric(&table, metric, source, &mut verdict, comparison.as_mut())?;
            }
        }
    }
    let check = comparison.map(|comparison| comparison.finish(&table));
    Ok((verdict, check))
}

/// The smallest number of men in an ending with bia whose promotions lead to endings too large to
/// be decoded whole.
const LARGE_MEN: usize = 6;

/// Verifies the table of an ending with bia against a bare king, one placement of the bia after the
/// other, even if the ending is small. `None` if the order of the table's components does not allow
/// this.
///
/// # Errors
///
/// As for [`verify_table`].
#[doc(hidden)]
pub fn verify_by_placement(
    material: CanonicalMaterial,
    source: &dyn TableSource,
) -> Result<Option<Verification>, VerifyError> {
    let table = source.open(material)?;
    let mut verdict = Verification {
        statistics_agree: true,
        ..Verification::default()
    };
    for metric in Metric::all_of(material, table.rule_sets()) {
        match PlacementSweep::of(&table, metric) {
            Some(sweep) => sweep.verify(source, &mut verdict)?,
            None => return Ok(None),
        }
    }
    Ok(Some(verdict))
}
