//! Wins that are found right under one metric need not be worked out again under another.

use super::stored_slabs::StoredSlabs;
use super::win_counts::Counted;
use crate::board::Color;
use crate::table::{Metric, TableError};

/// One side's wins that were gone through under a metric, and found right.
pub struct Known {
    /// The metric.
    pub metric: Metric,
    /// Whose wins they are.
    pub winner: Color,
    /// What its captures lead to.
    pub captures: blake3::Hash,
    /// With White to move and with Black.
    pub counted: [Counted; 2],
}

impl Known {
    /// What was counted when a metric's wins were gone through under another one: none if they were
    /// not, or follow from other captures, or if any distance is another.
    ///
    /// # Errors
    ///
    /// If the table is damaged.
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
