//! Provides the cells of a base section, from the caller or from the file written so far.

use std::io;

use crate::container::Pool;
use crate::table::block::{Block, Decoder};
use crate::table::code::{CellSource, Code};
use crate::table::read::TableFile;
use crate::table::symbol_rank::over_base::{BaseCells, OverBase};

/// The cells of a base section, passed by a caller that still has them in memory. Without them, the
/// base is read back from the file.
#[derive(Clone, Copy)]
pub struct GivenBase<'a> {
    /// The codes of the base section.
    pub codes: &'a [Code],
    /// The cells of the base, in the order of the section that is about to be written.
    pub cells: &'a dyn CellSource,
}

/// The cells of [`GivenBase`], with a conversion of their codes.
pub(super) struct GivenCells<'a> {
    cells: &'a dyn CellSource,
    over_base: OverBase,
    block_cells: usize,
}

impl<'a> GivenCells<'a> {
    /// Converts the codes of these cells with `over_base`.
    pub fn new(
        cells: &'a dyn CellSource,
        over_base: OverBase,
        block_cells: usize,
    ) -> GivenCells<'a> {
        GivenCells {
            cells,
            over_base,
            block_cells,
        }
    }
}

impl BaseCells for GivenCells<'_> {
    fn read(&self, block: u64, out: &mut Vec<u8>) -> io::Result<()> {
        // A base has up to 250 codes, so a low byte identifies a code; that of `ILLEGAL` is 255.
        out.resize(self.block_cells, 0);
        self.cells
            .read_low_bytes(block * self.block_cells as u64, out);
        self.over_base.convert(out);
        Ok(())
    }
}

/// A base section that is read from the file being written.
pub(super) struct WrittenBase {
    /// The sections written so far.
    table: TableFile,
    /// The index of the base section.
    number: usize,
    over_base: OverBase,
    decoders: Pool<DecoderWithBlock, fn() -> DecoderWithBlock>,
}

type DecoderWithBlock = (Decoder, Block);

impl WrittenBase {
    /// Uses the section of `table` with index `number` as the base. `over_base` converts its codes.
    pub fn new(table: TableFile, number: usize, over_base: OverBase) -> WrittenBase {
        WrittenBase {
            table,
            number,
            over_base,
            decoders: Pool::new(|| (Decoder::new(), Block::new())),
        }
    }
}

impl BaseCells for WrittenBase {
    fn read(&self, block: u64, out: &mut Vec<u8>) -> io::Result<()> {
        self.decoders.with(|(decoder, decoded)| {
            let section = self.table.sections().nth(self.number);
            let section = section.ok_or(io::ErrorKind::NotFound)?;
            let read = section.read_block(block, decoder, decoded);
            read.map_err(io::Error::other)?;
            decoded.convert(&self.over_base, out);
            Ok(())
        })
    }
}
