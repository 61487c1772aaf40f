//! What a cell of a table stands for.

use std::ops::Range;

use crate::board::Color;
use crate::container::TableError;

/// What [`CellSource::read`] puts where no legal position is. No code is as large.
pub const ILLEGAL: u16 = u16::MAX;

/// The most codes a section can have.
pub const MAX_CODES: usize = 65_534;

/// What a cell says of its position.
///
/// A section lists the codes it uses; a cell holds the place of its own in that list. So a
/// section with 57 distances uses the numbers 0 to 57, whatever the distances are, and an ending
/// with few results has narrow cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Neither side can win.
    Draw,
    /// White wins in this number of its moves.
    WhiteWins(u16),
    /// Black wins in this number of its moves.
    BlackWins(u16),
    /// The same as in the section that this one is based on: see [`Metric::base`].
    ///
    /// [`Metric::base`]: super::Metric::base
    Base,
}

impl Code {
    /// The side that wins and in how many of its moves; none if that is said elsewhere.
    pub fn win(self) -> Option<(Color, u16)> {
        match self {
            Code::Draw | Code::Base => None,
            Code::WhiteWins(moves) => Some((Color::White, moves)),
            Code::BlackWins(moves) => Some((Color::Black, moves)),
        }
    }

    /// A code in moves as one in plies, White to move. A win of more than `most` plies is a draw.
    pub(crate) fn in_plies(self, most: u16) -> Code {
        let plies = match self {
            Code::WhiteWins(moves) => Code::WhiteWins(moves.saturating_mul(2).saturating_sub(1)),
            Code::BlackWins(moves) => Code::BlackWins(moves.saturating_mul(2)),
            code => code,
        };
        match plies.win() {
            Some((_, plies)) if plies > most => Code::Draw,
            _ => plies,
        }
    }
}

/// How many bytes a decoded cell takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellWidth {
    /// One byte: up to 256 codes.
    One,
    /// Two bytes: up to [`MAX_CODES`] codes.
    Two,
}

impl CellWidth {
    /// The narrowest width for this many codes.
    pub fn for_codes(codes: usize) -> CellWidth {
        if codes <= 256 {
            CellWidth::One
        } else {
            CellWidth::Two
        }
    }

    /// The bytes of one cell.
    pub fn bytes(self) -> usize {
        match self {
            CellWidth::One => 1,
            CellWidth::Two => 2,
        }
    }
}

/// The cells of a section, for `TableWriter::add_section`.
///
/// It is read from several threads and at any place, some places more than once.
pub trait CellSource: Sync {
    /// The number of cells.
    fn cells(&self) -> u64;

    /// Called before the cells of a range are read, and by one thread: time to bring them up, and
    /// to let go of others. Cells outside of the range last prepared are not read.
    ///
    /// # Errors
    ///
    /// If the cells cannot be had.
    fn prepare(&self, cells: Range<u64>) -> Result<(), TableError> {
        let _ = cells;
        Ok(())
    }

    /// Fills `out` with the codes of the cells from `start` on: places in the section's list of
    /// codes, or [`ILLEGAL`] for cells that no legal position has.
    fn read(&self, start: u64, out: &mut [u16]);

    /// All cells, if they lie in memory as a byte each: the low byte of what [`CellSource::read`] gives.
    fn bytes(&self) -> Option<&[u8]> {
        None
    }
}

impl CellSource for Vec<u16> {
    fn cells(&self) -> u64 {
        self.len() as u64
    }

    fn read(&self, start: u64, out: &mut [u16]) {
        let start = start as usize;
        out.copy_from_slice(&self[start..start + out.len()]);
    }
}
