//! Decodes blocks to cells, and parses their index entries.

use crc32c::{crc32c, crc32c_append};

use super::code::CellWidth;
use super::symbol_rank::decode::DecodeScratch;
use super::symbol_rank::over_base::OverBase;
use crate::container::decompress::{Decompressor, FRAME_MAGIC};

/// The entry of a block in the index of its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct IndexEntry {
    /// The offset of the block's bytes in the file.
    pub offset: u64,
    /// The length of the block in bytes, which is below 2^24.
    pub length: u32,
    /// The checksum, as [`IndexEntry::checksum`] computes it. `None` if the checksum is inside the
    /// block.
    pub crc: Option<u32>,
}

impl IndexEntry {
    /// The checksum over the entry's offset and length, the indices of the section and the block,
    /// and the block's bytes. Because it covers the entry, the index need not be checked when a
    /// table is opened. Because it covers the indices, no block can be mistaken for another.
    pub fn checksum(&self, section: usize, block: u64, bytes: &[u8]) -> u32 {
        let mut head = [0; 21];
        head[..8].copy_from_slice(&self.offset.to_le_bytes());
        head[8..12].copy_from_slice(&self.length.to_le_bytes());
        head[12..20].copy_from_slice(&block.to_le_bytes());
        head[20] = section as u8;
        crc32c_append(crc32c(&head), bytes)
    }
}

/// The checksum inside a block packed by symbol ranking. It covers the indices of the section and
/// the block, and the decoded cells, so it also detects a wrong index entry. If all cells are
/// equal, `cells` contains only one of them.
pub(super) fn checksum_of_cells(section: usize, block: u64, cells: &[u8]) -> u32 {
    let mut head = [0; 9];
    head[..8].copy_from_slice(&block.to_le_bytes());
    head[8] = section as u8;
    crc32c_append(crc32c(&head), cells)
}

/// The length, in bytes, of a block packed by symbol ranking in which all cells are equal: two
/// bytes for the code and four for the checksum. All other blocks packed by symbol ranking are
/// longer.
pub(super) const SAME_BYTES: usize = 6;

/// Buffers for decoding blocks. Make one decoder for each thread, and reuse it.
pub struct Decoder {
    decompressor: Decompressor,
    /// The bytes of a block as the file stores them.
    stored: Vec<u8>,
    /// The bytes of a block, completed to a zstd frame.
    frame: Vec<u8>,
    /// The buffers of symbol ranking.
    pub(super) scratch: DecodeScratch,
    /// The decoded block of the base section, for blocks that are predicted from it.
    pub(super) base: Option<Box<DecodedBase>>,
}

/// A decoded block of a base section.
#[derive(Default)]
pub(super) struct DecodedBase {
    pub decoder: Decoder,
    pub block: Block,
    /// The cells of the base block, converted to the codes of the section predicted from it.
    pub cells: Vec<u8>,
}

impl Decoder {
    /// A decoder with empty buffers.
    pub fn new() -> Decoder {
        Decoder {
            decompressor: Decompressor::new(),
            stored: Vec::new(),
            frame: Vec::new(),
            scratch: DecodeScratch::default(),
            base: None,
        }
    }

    /// Decodes a block that is not packed by symbol ranking into `plain`. A block as long as
    /// `plain` is stored uncompressed. The caller must have checked the block's checksum. Returns
    /// false if the result does not have the length of `plain`.
    pub(super) fn decode(&mut self, bytes: &[u8], plain: &mut [u8]) -> bool {
        if bytes.len() == plain.len() {
            plain.copy_from_slice(bytes);
            return true;
        }
        self.frame.clear();
        self.frame.extend_from_slice(&FRAME_MAGIC);
        self.frame.extend_from_slice(bytes);
        self.decompressor.decompress(&self.frame, plain) == Some(plain.len())
    }

    /// Takes the read buffer out of the decoder.
    pub(super) fn take_buffer(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.stored)
    }

    /// Returns the read buffer to the decoder, for the next block.
    pub(super) fn give_back(&mut self, buffer: Vec<u8>) {
        self.stored = buffer;
    }
}

impl Default for Decoder {
    fn default() -> Decoder {
        Decoder::new()
    }
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").finish_non_exhaustive()
    }
}

/// The decoded cells of one block. Reuse the value for the next block, which then needs no new
/// memory.
#[derive(Clone, Debug)]
pub struct Block {
    pub(super) cells: usize,
    pub(super) storage: CellStorage,
    pub(super) plain: Vec<u8>,
}

/// How the cells of a decoded block are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellStorage {
    /// All cells have this code, which is stored once.
    Same(u16),
    /// The codes of all cells. If a cell takes two bytes, the low bytes of all cells come first,
    /// then the high bytes.
    Plain(CellWidth),
}

impl Block {
    /// A block without cells.
    pub const fn new() -> Block {
        Block {
            cells: 0,
            storage: CellStorage::Same(0),
            plain: Vec::new(),
        }
    }

    /// The number of cells in the block.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// True if the block has no cells.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// The code of cell `i` of the block, as an index into the section's list of codes.
    pub fn get(&self, i: usize) -> Option<u16> {
        if i >= self.cells {
            return None;
        }
        match self.storage {
            CellStorage::Same(code) => Some(code),
            CellStorage::Plain(CellWidth::One) => self.plain.get(i).copied().map(u16::from),
            CellStorage::Plain(CellWidth::Two) => {
                let low = *self.plain.get(i)?;
                let high = *self.plain.get(self.cells + i)?;
                Some(u16::from_le_bytes([low, high]))
            }
        }
    }

    /// Fills the block with `cells` cells of one byte each, which `fill` writes. Returns the result
    /// of `fill`. If it is false, the block becomes empty.
    pub(crate) fn fill(&mut self, cells: usize, fill: impl FnOnce(&mut [u8]) -> bool) -> bool {
        self.storage = CellStorage::Plain(CellWidth::One);
        self.plain.resize(cells, 0);
        let filled = fill(&mut self.plain);
        self.cells = if filled { cells } else { 0 };
        filled
    }

    /// The codes, if they are stored as one byte each; otherwise `None`.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self.storage {
            CellStorage::Plain(CellWidth::One) => self.plain.get(..self.cells),
            _ => None,
        }
    }

    /// Converts the cells of a base block to the codes of the section that is predicted from the
    /// base.
    pub(super) fn convert(&self, over_base: &OverBase, out: &mut Vec<u8>) {
        out.clear();
        match self.bytes() {
            Some(codes) => {
                out.extend_from_slice(codes);
                over_base.convert(out);
            }
            None => out.resize(self.cells, over_base.number(self.get(0).unwrap_or(0) as u8)),
        }
    }

    /// Copies the first cells of the block, as many as fit, into `out`.
    pub fn copy_to(&self, out: &mut [u16]) {
        let n = self.cells.min(out.len());
        let out = &mut out[..n];
        match self.storage {
            CellStorage::Same(code) => out.fill(code),
            CellStorage::Plain(CellWidth::One) => {
                for (out, &low) in out.iter_mut().zip(&self.plain) {
                    *out = low.into();
                }
            }
            CellStorage::Plain(CellWidth::Two) => {
                let (low, high) = self.plain.split_at(self.cells.min(self.plain.len()));
                for ((out, &low), &high) in out.iter_mut().zip(low).zip(high) {
                    *out = u16::from_le_bytes([low, high]);
                }
            }
        }
    }

    /// The memory that the block uses, in bytes.
    pub fn memory(&self) -> usize {
        size_of::<Block>() + self.plain.capacity()
    }
}

impl Default for Block {
    fn default() -> Block {
        Block::new()
    }
}
