//! Codes: the values of positions, as the cells of a table store them.

use std::ops::Range;

use crate::board::Color;
use crate::container::TableError;

/// The value that [`CellSource::read`] returns for cells without a legal position. It is greater
/// than all codes.
pub const ILLEGAL: u16 = u16::MAX;

/// The largest number of codes in a section.
pub const MAX_CODES: usize = 65_534;

/// The value of a position.
///
/// A section lists its codes, and a cell is an index into that list. So the cells of a section with
/// draws and 57 distances are numbers from 0 to 57, however large the distances are. An ending with
/// few different results therefore needs few bits for each cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// Neither side can win.
    Draw,
    /// White wins in this number of White's moves.
    WhiteWins(u16),
    /// Black wins in this number of Black's moves.
    BlackWins(u16),
    /// The value of the same cell in the base section: see [`Metric::base`].
    ///
    /// [`Metric::base`]: super::Metric::base
    Base,
}

impl Code {
    /// The winner and the number of its moves; `None` for a draw and for [`Code::Base`].
    pub fn win(self) -> Option<(Color, u16)> {
        match self {
            Code::Draw | Code::Base => None,
            Code::WhiteWins(moves) => Some((Color::White, moves)),
            Code::BlackWins(moves) => Some((Color::Black, moves)),
        }
    }

    /// Converts a code from moves to plies, with White to move. A win that takes more than
    /// `max_plies` plies becomes a draw.
    pub(crate) fn in_plies(self, max_plies: u16) -> Code {
        let plies = match self {
            Code::WhiteWins(moves) => Code::WhiteWins(moves.saturating_mul(2).saturating_sub(1)),
            Code::BlackWins(moves) => Code::BlackWins(moves.saturating_mul(2)),
            code => code,
        };
        match plies.win() {
            Some((_, plies)) if plies > max_plies => Code::Draw,
            _ => plies,
        }
    }
}

/// The number of bytes of a decoded cell.
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

    /// The number of bytes of one cell.
    pub fn bytes(self) -> usize {
        match self {
            CellWidth::One => 1,
            CellWidth::Two => 2,
        }
    }
}

/// Provides the cells of a section to `TableWriter::add_section`.
///
/// Several threads read the cells in any order, some cells more than once.
pub trait CellSource: Sync {
    /// The number of cells in the section.
    fn cells(&self) -> u64;

    /// Prepares a range of cells for reading: the source may load these cells and free others. Only
    /// one thread calls this function. Until its next call, only cells in this range are read.
    ///
    /// # Errors
    ///
    /// If the cells cannot be loaded.
    fn prepare(&self, cells: Range<u64>) -> Result<(), TableError> {
        let _ = cells;
        Ok(())
    }

    /// Fills `out` with the cells from cell `start` on. Each value is an index into the section's
    /// list of codes, or [`ILLEGAL`] for a cell without a legal position.
    fn read(&self, start: u64, out: &mut [u16]);

    /// Fills `out` with the low bytes of the values that [`CellSource::read`] returns.
    fn read_low_bytes(&self, start: u64, out: &mut [u8]) {
        let mut values = vec![0; out.len()];
        self.read(start, &mut values);
        for (out, value) in out.iter_mut().zip(values) {
            *out = value as u8;
        }
    }

    /// All cells, if they are in memory as one byte each. Each byte is the low byte of the value
    /// that [`CellSource::read`] returns.
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
