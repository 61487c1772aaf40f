//! Remembers verified wins, so that equal wins under another metric need no verification.

use super::stored_slabs::StoredSlabs;
use super::win_counts::Counted;
use crate::board::Color;
use crate::table::{Metric, TableError};

/// One side's wins under one metric, which have been verified.
pub struct Known {
    /// The metric under which the wins were verified.
    pub metric: Metric,
    /// The side that wins.
    pub winner: Color,
    /// A hash of the distances after captures.
    pub captures: blake3::Hash,
    /// The counts of wins with White to move and with Black to move.
    pub counted: [Counted; 2],
}

impl Known {
    /// Looks for a metric that was verified earlier and has the same wins: all distances must be
    /// equal and follow from the same captures. Returns the counts of these wins; `None` if no such
    /// metric is known.
    ///
    /// # Errors
    ///
    /// If the table is corrupt.
    pub fn counted(
        known: &[Known],
        slabs: &StoredSlabs<'_>,
        winner: Color,
        captures: blake3::Hash,
    ) -> Result<Option<[Counted; 2]>, TableError> {
        let like = |known: &&Known| (known.winner, known.captures) == (winner, captures);
        for known in known.iter().filter(like) {
            if let Some(other) = StoredSlabs::of(slabs.table, known.metric)
                && slabs.has_distances_of(&other, winner)?
            {
                return Ok(Some(known.counted.clone()));
            }
        }
        Ok(None)
    }
}
