//! One block: its bytes to cells, and the entry that says where they are.

use crc32c::{crc32c, crc32c_append};

use super::code::CellWidth;
use super::decompress::{Context, Dictionary, FRAME_MAGIC};
use super::ranks::Scratch;

/// A block's entry in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where the block's bytes start.
    pub place: u64,
    /// How many bytes there are, below 2^24.
    pub length: u32,
    /// The seal over all that this block is: see [`Entry::seal`].
    pub crc: u32,
}

impl Entry {
    /// The checksum of the entry, the block's number and its bytes. It covers the entry so that
    /// the index needs no reading on opening, and the number so that no block passes for another.
    pub fn seal(&self, section: usize, block: u64, bytes: &[u8]) -> u32 {
        let mut head = [0; 21];
        head[..8].copy_from_slice(&self.place.to_le_bytes());
        head[8..12].copy_from_slice(&self.length.to_le_bytes());
        head[12..20].copy_from_slice(&block.to_le_bytes());
        head[20] = section as u8;
        crc32c_append(crc32c(&head), bytes)
    }
}

/// The memory needed to decompress. Make one for each thread and use it again and again.
pub struct Decoder {
    context: Context,
    /// A block's bytes as a whole frame.
    frame: Vec<u8>,
    /// What blocks packed as ranks have before they are unpacked. It only grows.
    packed: Vec<u8>,
    scratch: Scratch,
}

impl Decoder {
    /// A new one.
    pub fn new() -> Decoder {
        Decoder {
            context: Context::new(),
            frame: Vec::new(),
            packed: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Turns a block's bytes, which have been checked, into plain ones. False if they are none of
    /// a block of this length.
    pub(super) fn decode(
        &mut self,
        bytes: &[u8],
        dictionary: Option<&Dictionary>,
        plain: &mut [u8],
    ) -> bool {
        if bytes.len() == plain.len() {
            plain.copy_from_slice(bytes);
            return true;
        }
        self.whole_frame(bytes);
        let decompressed = self.context.decompress(&self.frame, dictionary, plain);
        decompressed == Some(plain.len())
    }

    /// Decompresses the bytes of a block packed as ranks, which become `most` at most. None if
    /// they are none.
    pub(super) fn decompress(
        &mut self,
        bytes: &[u8],
        dictionary: Option<&Dictionary>,
        most: usize,
    ) -> Option<(&[u8], &mut Scratch)> {
        self.whole_frame(bytes);
        if self.packed.len() < most {
            self.packed.resize(most, 0);
        }
        let packed = &mut self.packed[..most];
        let n = self.context.decompress(&self.frame, dictionary, packed)?;
        Some((&self.packed[..n], &mut self.scratch))
    }

    fn whole_frame(&mut self, bytes: &[u8]) {
        self.frame.clear();
        self.frame.extend_from_slice(&FRAME_MAGIC);
        self.frame.extend_from_slice(bytes);
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

/// The decoded cells of one block. Its memory is used again for the next.
#[derive(Clone, Debug)]
pub struct Block {
    pub(super) cells: usize,
    pub(super) contents: Contents,
    pub(super) plain: Vec<u8>,
}

/// How a [`Block`] keeps its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    /// All are this code.
    Same(u16),
    /// One byte a cell; for two, the low bytes of all cells, then the high ones.
    Plain(CellWidth),
}

impl Block {
    /// A block of no cells.
    pub const fn new() -> Block {
        Block {
            cells: 0,
            contents: Contents::Same(0),
            plain: Vec::new(),
        }
    }

    /// The number of cells.
    pub fn len(&self) -> usize {
        self.cells
    }

    /// True if there is no cell.
    pub fn is_empty(&self) -> bool {
        self.cells == 0
    }

    /// The code of the cell at this place of the block: a place in the section's list of codes.
    pub fn get(&self, i: usize) -> Option<u16> {
        if i >= self.cells {
            return None;
        }
        match self.contents {
            Contents::Same(code) => Some(code),
            Contents::Plain(CellWidth::One) => self.plain.get(i).copied().map(u16::from),
            Contents::Plain(CellWidth::Two) => {
                let low = *self.plain.get(i)?;
                let high = *self.plain.get(self.cells + i)?;
                Some(u16::from_le_bytes([low, high]))
            }
        }
    }

    /// The codes of the cells one behind the other, if it keeps them as a byte each.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self.contents {
            Contents::Plain(CellWidth::One) => self.plain.get(..self.cells),
            _ => None,
        }
    }

    /// Copies the cells out, as many as both have.
    pub fn copy_to(&self, out: &mut [u16]) {
        let n = self.cells.min(out.len());
        let out = &mut out[..n];
        match self.contents {
            Contents::Same(code) => out.fill(code),
            Contents::Plain(CellWidth::One) => {
                for (out, &low) in out.iter_mut().zip(&self.plain) {
                    *out = low.into();
                }
            }
            Contents::Plain(CellWidth::Two) => {
                let (low, high) = self.plain.split_at(self.cells.min(self.plain.len()));
                for ((out, &low), &high) in out.iter_mut().zip(low).zip(high) {
                    *out = u16::from_le_bytes([low, high]);
                }
            }
        }
    }

    /// The memory it holds on to, in bytes: what a cache of blocks should count.
    pub fn memory(&self) -> usize {
        size_of::<Block>() + self.plain.capacity()
    }
}

impl Default for Block {
    fn default() -> Block {
        Block::new()
    }
}
