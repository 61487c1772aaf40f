//! Arrays of lanes in rows, with a flag for each row that holds anything.

use super::lane::LaneWords;

/// Lanes in rows of one length; a row whose flag is down counts as all zero, whatever it holds.
#[derive(Debug, Default)]
pub struct Rows {
    /// The lanes.
    pub words: LaneWords,
    /// For each row 1 if it may hold a bit, 0 if it counts as zero.
    pub full: Vec<u8>,
    /// The lanes of a row.
    pub row_lanes: usize,
}

impl Rows {
    /// All zero.
    pub fn new(rows: usize, row_lanes: usize) -> Rows {
        Rows::of(LaneWords::zeroed(rows * row_lanes), row_lanes)
    }

    /// Rows of some lanes, all zero.
    pub fn of(words: LaneWords, row_lanes: usize) -> Rows {
        Rows {
            full: vec![0; words.len() / row_lanes],
            words,
            row_lanes,
        }
    }

    /// The row, if its flag is up.
    #[inline(always)]
    pub fn row(&self, row: usize) -> Option<&[u64]> {
        if self.full[row] != 0 {
            Some(&self.words[row * self.row_lanes..][..self.row_lanes])
        } else {
            None
        }
    }
}

/// Adds one row to another.
#[inline(always)]
pub fn or_into(sum: &mut [u64], row: &[u64]) {
    for (sum, word) in sum.iter_mut().zip(row) {
        *sum |= word;
    }
}
