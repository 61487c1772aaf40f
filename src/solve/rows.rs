//! Rows of lanes, with a flag for each nonzero row.

use super::lane::LaneWords;

/// Lanes in rows of equal length. A row counts as all zeros if its flag is not set, whatever its
/// words are.
#[derive(Debug, Default)]
pub struct Rows {
    /// The words of all lanes.
    pub words: LaneWords,
    /// The flag of each row: 1 if a bit may be set in the row, 0 if the row counts as all zeros.
    pub full: Vec<u8>,
    /// The number of lanes in a row.
    pub row_lanes: usize,
}

impl Rows {
    /// Rows that are all zero.
    pub fn new(rows: usize, row_lanes: usize) -> Rows {
        Rows::of(LaneWords::zeroed(rows * row_lanes), row_lanes)
    }

    /// Divides these lanes, which must be zero, into rows.
    pub fn of(words: LaneWords, row_lanes: usize) -> Rows {
        Rows {
            full: vec![0; words.len() / row_lanes],
            words,
            row_lanes,
        }
    }

    /// The words of a row. `None` if the row's flag is not set.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Option<&[u64]> {
        if self.full[row] != 0 {
            Some(&self.words[row * self.row_lanes..][..self.row_lanes])
        } else {
            None
        }
    }
}

/// ORs the words of `row` into `sum`.
#[inline(always)]
pub fn or_into(sum: &mut [u64], row: &[u64]) {
    for (sum, word) in sum.iter_mut().zip(row) {
        *sum |= word;
    }
}
