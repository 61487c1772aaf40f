//! Finds the codes that occur in the cells of a section, and removes unused codes from the list.

use bitvec::vec::BitVec;
use rayon::prelude::*;

use super::cell::Cell;
use crate::parallel::ForkedByOneFunction;
use crate::table::Code;

/// A set of a section's codes: one bit for each index in the section's list of codes.
pub type CodeSet = BitVec;

/// The number of cells that one parallel task processes.
const CELLS: usize = 1 << 16;

/// Finds which of `codes` possible codes occur in the given cells.
pub fn codes_in<T: Cell>(cells: &[T], codes: usize) -> CodeSet {
    let found = cells.par_chunks(CELLS).erased().map(|cells| {
        // One byte per code: with one bit per code, recording a cell would have to wait for the
        // update of the same word by the cell before.
        let mut found = vec![false; codes];
        T::mark(cells, &mut found);
        found.into_iter().collect()
    });
    found.reduce(
        || CodeSet::repeat(false, codes),
        |all, some: CodeSet| all | some,
    )
}

/// Removes from the list the codes that are not in the set. Returns the new index of each old code;
/// the entry of a removed code is meaningless.
pub fn keep_used(codes: &mut Vec<Code>, used: &CodeSet) -> Vec<u16> {
    let places = (0..codes.len()).map(|place| used[..place].count_ones() as u16);
    let places = places.collect();
    let mut used = used.iter();
    codes.retain(|_| used.next().is_some_and(|used| *used));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_no_cell_has_are_left_out() {
        let mut codes = vec![
            Code::Base,
            Code::Draw,
            Code::WhiteWins(1),
            Code::WhiteWins(2),
        ];
        let cells: Vec<u8> = [1, 3, 255].into_iter().cycle().take(CELLS + 9).collect();
        let used = codes_in(&cells, codes.len());
        let wide: Vec<u16> = cells.iter().map(|cell| cell.code()).collect();
        assert_eq!(used, codes_in(&wide, codes.len()));
        assert_eq!(used.iter_ones().collect::<Vec<_>>(), [1, 3]);
        let places = keep_used(&mut codes, &used);
        assert_eq!(codes, [Code::Draw, Code::WhiteWins(2)]);
        assert_eq!((places[1], places[3]), (0, 1));
    }
}
