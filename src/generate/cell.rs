//! A cell in memory, of one byte or of two.

use bytemuck::Pod;

use crate::solve::BitPlanes;
use crate::table::ILLEGAL;

/// A cell in memory. It holds the index of its code or, without a legal position, the type's
/// largest number.
pub trait Cell: Pod + Eq + Send + Sync {
    /// A cell without a legal position.
    const ILLEGAL: Self;

    /// The cell for the index of a code, or for [`ILLEGAL`].
    fn of(code: u16) -> Self;

    /// The code's index, or [`ILLEGAL`].
    fn code(self) -> u16;

    /// Writes the numbers of a lane into cells where `legal` has a bit, and [`ILLEGAL`] into the
    /// others.
    fn lane(planes: &BitPlanes, lane: usize, legal: u64, out: &mut [Self; 64]);
}

impl Cell for u8 {
    const ILLEGAL: u8 = u8::MAX;

    #[inline(always)]
    fn of(code: u16) -> u8 {
        // ILLEGAL has the largest low byte, too.
        code as u8
    }

    #[inline(always)]
    fn code(self) -> u16 {
        match self {
            u8::MAX => ILLEGAL,
            code => code.into(),
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
