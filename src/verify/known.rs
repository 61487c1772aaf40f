//! Remembers verified wins, so that the same wins under another metric need no verification.

use super::stored_slabs::StoredSlabs;
use super::win_counts::Counted;
use crate::board::Color;
use crate::table::{Metric, TableError};

/// One side's verified wins under one metric.
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
    /// Looks in `known` for a metric with the same wins: all distances in the table, and all
    /// distances after captures, must be equal. Returns the counts of the wins; `None` if there is
    /// no metric with the same wins.
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
