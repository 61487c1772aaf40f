//! Remembers wins that have been verified, since equal wins under another metric need no
//! verification.

use super::stored_slabs::StoredSlabs;
use super::win_counts::Counted;
use crate::board::Color;
use crate::table::{Metric, TableError};

/// One side's verified wins under a metric.
pub struct Known {
    /// The metric.
    pub metric: Metric,
    /// The side whose wins they are.
    pub winner: Color,
    /// A digest of the distances after the captures.
    pub captures: blake3::Hash,
    /// The counts with White to move, and those with Black to move.
    pub counted: [Counted; 2],
}

impl Known {
    /// The counts of wins verified under another metric, if all distances are the same and follow
    /// from the same captures; otherwise none.
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
