//! Verifying a table: every position against the rules by one ply of look-up.
//!
//! The verifier reads the file as written, decodes every cell, and asks of each position whether
//! its value follows from those after its moves. It shares with the solver nothing but the board
//! and the numbering: it works with distances in bytes and words where the solver works with bits
//! and levels, and with the rules of [`crate::board::attacks`] where the solver has graphs.
//!
//! Only one side to move is stored. The distances of the other side are worked out from the file
//! by one ply, and those of the stored side must come out again from them by another. What comes
//! out is also counted and compared with the statistics in the header.

mod arrange;
mod by_metric;
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
use by_slab::Sweep;
pub use sample::verify_sample;
pub use source::{Source, VerifyError};
pub use verdict::{Difference, Verdict};
pub use verdict_table::{VerdictCheck, WrongVerdict, verify_verdicts};

/// Verifies every position of a table.
///
/// # Errors
///
/// If the table, or one of a smaller ending, is missing or damaged.
pub fn verify_table(
    material: CanonicalMaterial,
    source: &dyn Source,
) -> Result<Verdict, VerifyError> {
    let table = source.open(material)?;
    let mut verdict = Verdict {
        statistics_agree: true,
        ..Verdict::default()
    };
    let mut known = Vec::new();
    for metric in Metric::all_of(material, table.rule_sets()) {
        match Sweep::of(&table, metric) {
            Some(sweep) => sweep.verify(source, &mut known, &mut verdict)?,
            None => verify_metric(&table, metric, source, &mut verdict)?,
        }
    }
    Ok(verdict)
}
