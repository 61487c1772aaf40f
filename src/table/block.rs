//! One block: cells to bytes and back, and the entry that says where they are.

use std::io;

use crc32c::{crc32c, crc32c_append};
use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, DCtx, DDict, compress_bound};

use super::code::{CellSource, CellWidth, ILLEGAL};
use super::header::ENTRY_BYTES;

/// A block's entry in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where the block's bytes start; for a block of equal cells, which has none, their code.
    pub place: u64,
    /// How many bytes there are.
    pub length: u32,
    /// The seal over all that this block is: see [`Entry::seal`].
    pub crc: u32,
}

impl Entry {
    /// The entry of a block, sealed.
    pub fn new(section: usize, block: u64, place: u64, bytes: &[u8]) -> Entry {
        let mut entry = Entry {
            place,
            length: bytes.len() as u32,
            crc: 0,
        };
        entry.crc = entry.seal(section, block, bytes);
        entry
    }

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

    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let [length, crc] = [self.length, self.crc].map(u128::from);
        (u128::from(self.place) | length << 64 | crc << 96).to_le_bytes()
    }

    pub fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Entry {
        let entry = u128::from_le_bytes(bytes);
        Entry {
            place: entry as u64,
            length: (entry >> 64) as u32,
            crc: (entry >> 96) as u32,
        }
    }
}

/// What became of the cells of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoded {
    /// All may be this code.
    Same(u16),
    /// They are the bytes put out.
    Bytes,
    /// The cell with this number has a code that the section has not.
    BadCode(u64, u16),
}

/// Turns cells into the bytes of blocks. One for each thread at work.
pub(super) struct Encoder {
    width: CellWidth,
    codes: usize,
    context: Compressor<'static>,
    cells: Vec<u16>,
    plain: Vec<u8>,
}

impl Encoder {
    /// An encoder for a section with this many codes.
    pub fn new(codes: usize, level: i32, dictionary: &[u8]) -> io::Result<Encoder> {
        let mut context = Compressor::with_dictionary(level, dictionary)?;
        // The entry says which dictionary and has a checksum already.
        context.set_parameter(CParameter::DictIdFlag(false))?;
        context.set_parameter(CParameter::ChecksumFlag(false))?;
        Ok(Encoder {
            width: CellWidth::for_codes(codes),
            codes,
            context,
            cells: Vec::new(),
            plain: Vec::new(),
        })
    }

    /// Reads `n` cells and lays them out as bytes, not yet compressed, in [`Encoder::plain`].
    pub fn lay_out(&mut self, source: &dyn CellSource, start: u64, n: usize) -> Encoded {
        self.cells.resize(n, ILLEGAL);
        source.read(start, &mut self.cells);
        let bad = self
            .cells
            .iter()
            .position(|&code| code != ILLEGAL && usize::from(code) >= self.codes);
        if let Some(i) = bad {
            return Encoded::BadCode(start + i as u64, self.cells[i]);
        }
        fill(&mut self.cells);
        self.plain.clear();
        match self.cells.first() {
            Some(&first) if self.cells.iter().all(|&code| code == first) => {
                return Encoded::Same(first);
            }
            _ => {}
        }
        self.plain.extend(self.cells.iter().map(|&code| code as u8));
        if self.width == CellWidth::Two {
            self.plain
                .extend(self.cells.iter().map(|&code| (code >> 8) as u8));
        }
        Encoded::Bytes
    }

    /// The cells laid out last.
    pub fn plain(&self) -> &[u8] {
        &self.plain
    }

    /// Reads `n` cells and puts the bytes of their block into `out`.
    pub fn encode(
        &mut self,
        source: &dyn CellSource,
        start: u64,
        n: usize,
        out: &mut Vec<u8>,
    ) -> io::Result<Encoded> {
        out.clear();
        let encoded = self.lay_out(source, start, n);
        if encoded == Encoded::Bytes {
            out.reserve(compress_bound(self.plain.len()));
            self.context.compress_to_buffer(&self.plain, out)?;
            // As many bytes as the plain cells are read as plain cells.
            if out.len() >= self.plain.len() {
                out.clear();
                out.extend_from_slice(&self.plain);
            }
        }
        Ok(encoded)
    }
}

/// Fills cells that no legal position has with what compresses: the legal cell before, or for the
/// first ones the legal cell behind.
///
/// In the best order of components tried, filling with draws or with the cell of the row above
/// made tables 3 to 10 % larger. In a worse order draws were better by half a percent.
fn fill(cells: &mut [u16]) {
    let mut last = cells
        .iter()
        .copied()
        .find(|&code| code != ILLEGAL)
        .unwrap_or(0);
    for cell in cells {
        if *cell == ILLEGAL {
            *cell = last;
        }
        last = *cell;
    }
}

/// The memory zstd needs to decompress. Make one for each thread and use it again and again.
pub struct Decoder {
    context: DCtx<'static>,
}

impl Decoder {
    /// A new one.
    pub fn new() -> Decoder {
        Decoder {
            context: DCtx::create(),
        }
    }

    /// Turns a block's bytes, which have been checked, into plain ones. False if they are none of
    /// a block of this length.
    pub(super) fn decode(
        &mut self,
        bytes: &[u8],
        dictionary: Option<&DDict>,
        plain: &mut [u8],
    ) -> bool {
        if bytes.len() == plain.len() {
            plain.copy_from_slice(bytes);
            return true;
        }
        let expected = plain.len();
        let decoded = match dictionary {
            Some(dictionary) => self
                .context
                .decompress_using_ddict(plain, bytes, dictionary),
            None => self.context.decompress(plain, bytes),
        };
        decoded == Ok(expected)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_no_legal_position_has_repeat_the_one_before() {
        let x = ILLEGAL;
        let mut cells = [x, x, 5, x, 6, x];
        fill(&mut cells);
        assert_eq!(cells, [5, 5, 5, 5, 6, 6]);
        let mut none = [x, x];
        fill(&mut none);
        assert_eq!(none, [0, 0]);
    }

    #[test]
    fn a_block_whose_legal_cells_are_all_equal_takes_no_bytes() {
        let mut encoder = Encoder::new(9, 3, &[]).unwrap();
        let mut out = vec![1, 2, 3];
        let cells = vec![ILLEGAL, 7, 7, ILLEGAL, 7];
        let encoded = encoder.encode(&cells, 0, 5, &mut out).unwrap();
        assert_eq!(encoded, Encoded::Same(7));
        assert!(out.is_empty());
    }

    #[test]
    fn a_code_the_section_has_not_is_noticed() {
        let mut encoder = Encoder::new(3, 3, &[]).unwrap();
        let cells = vec![0, 1, 2, 3];
        let encoded = encoder.encode(&cells, 1, 3, &mut Vec::new()).unwrap();
        assert_eq!(encoded, Encoded::BadCode(3, 3));
    }

    #[test]
    fn damaged_bytes_of_a_block_are_refused_or_decoded_but_never_a_panic() {
        let cells: Vec<u16> = (0..2000).map(|i| i % 7 * (i % 11)).collect();
        let mut encoder = Encoder::new(100, 19, &[]).unwrap();
        let mut good = Vec::new();
        let encoded = encoder.encode(&cells, 0, cells.len(), &mut good).unwrap();
        assert_eq!(encoded, Encoded::Bytes);
        let (mut decoder, mut plain) = (Decoder::new(), vec![0; cells.len()]);
        for i in 0..good.len() {
            for value in 0..=u8::MAX {
                let mut bytes = good.clone();
                bytes[i] = value;
                decoder.decode(&bytes, None, &mut plain);
            }
            assert!(!decoder.decode(&good[..i], None, &mut plain));
        }
        assert!(decoder.decode(&good, None, &mut plain));
        assert!(plain.iter().zip(&cells).all(|(&a, &b)| u16::from(a) == b));
    }

    #[test]
    fn an_entry_comes_back_as_it_was_written() {
        let entry = Entry::new(1, 2, 0x0102_0304_0506_0708, &[9; 300]);
        assert_eq!(entry.length, 300);
        assert_eq!(Entry::from_bytes(entry.to_bytes()), entry);
    }
}
