//! A cell (the stored value of one position) in memory: one byte or two.

use bytemuck::Pod;

use crate::solve::BitPlanes;
use crate::table::ILLEGAL;

/// A cell in memory: the index of its code in the list of codes, or the type's largest value if the
/// position is illegal.
pub trait Cell: Pod + Eq + Send + Sync {
    /// The cell of an illegal position.
    const ILLEGAL: Self;

    /// Makes the cell for the index of a code, or for [`ILLEGAL`].
    fn of(code: u16) -> Self;

    /// Returns the index of the cell's code, or [`ILLEGAL`].
    fn code(self) -> u16;

    /// Sets the entry of each code that occurs in `cells`.
    fn mark(cells: &[Self], found: &mut [bool]) {
        for cell in cells {
            if let Some(found) = found.get_mut(usize::from(cell.code())) {
                *found = true;
            }
        }
    }

    /// Unpacks the distances of a lane from the bit planes into 64 cells. Positions without a bit
    /// in `legal` get [`ILLEGAL`].
    fn lane(planes: &BitPlanes, lane: usize, legal: u64, out: &mut [Self; 64]);
}

impl Cell for u8 {
    const ILLEGAL: u8 = u8::MAX;

    #[inline(always)]
    fn of(code: u16) -> u8 {
        // The low byte of ILLEGAL is the largest byte too.
        code as u8
    }

    #[inline(always)]
    fn code(self) -> u16 {
        match self {
            u8::MAX => ILLEGAL,
            code => code.into(),
        }
    }

    fn mark(cells: &[u8], found: &mut [bool]) {
        // An entry for each byte needs no comparison.
        let mut all = [false; 256];
        for &cell in cells {
            all[usize::from(cell)] = true;
        }
        all[usize::from(u8::ILLEGAL)] = false;
        for (found, is_there) in found.iter_mut().zip(all) {
            *found |= is_there;
        }
    }

    #[inline(always)]
    fn lane(planes: &BitPlanes, lane: usize, legal: u64, out: &mut [u8; 64]) {
        planes.bytes(lane).kept(legal, out);
    }
}

impl Cell for u16 {
    const ILLEGAL: u16 = ILLEGAL;

    fn of(code: u16) -> u16 {
        code
    }

    fn code(self) -> u16 {
        self
    }

    fn lane(planes: &BitPlanes, lane: usize, legal: u64, out: &mut [u16; 64]) {
        planes.numbers(lane, out);
        for (bit, out) in out.iter_mut().enumerate() {
            if legal >> bit & 1 == 0 {
                *out = ILLEGAL;
            }
        }
    }
}
