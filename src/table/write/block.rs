//! Encodes cells into the bytes of a block.

use std::io;

use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, compress_bound};

use crate::container::decompress::FRAME_MAGIC;
use crate::table::block::{IndexEntry, checksum_of_cells};
use crate::table::code::{CellSource, CellWidth, ILLEGAL};
use crate::table::header::Packing;
use crate::table::symbol_rank::UNKNOWN;
use crate::table::symbol_rank::encode::{DecodedBlock, EncodeScratch, Ranking};
use crate::table::symbol_rank::over_base::BaseCells;

impl IndexEntry {
    /// The index entry of a block. It contains a checksum, unless the checksum is inside the block.
    pub fn new(
        packing: Packing,
        section: usize,
        block: u64,
        offset: u64,
        bytes: &[u8],
    ) -> IndexEntry {
        let mut entry = IndexEntry {
            offset,
            length: bytes.len() as u32,
            crc: None,
        };
        if packing == Packing::Plain {
            entry.crc = Some(entry.checksum(section, block, bytes));
        }
        entry
    }
}

/// One in this many blocks packed by symbol ranking is decoded again and compared with its cells.
/// Checking every block would take a tenth of the time of making a table.
const CHECKED: u64 = if cfg!(debug_assertions) { 1 } else { 16 };

/// The outcome of encoding a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoded {
    /// The block was encoded; its bytes are in the output.
    Bytes,
    /// A cell has a code that the section does not list. The fields are the cell's index and the
    /// code.
    BadCode(u64, u16),
}

/// The packing of a section, with its parameters.
#[derive(Clone, Copy)]
pub(super) enum SectionPacker<'a> {
    /// Compress with zstd at this level.
    Plain(i32),
    /// Pack by symbol ranking, with the help of the base's cells if there is a base.
    SymbolRanking(&'a Ranking, Option<&'a dyn BaseCells>),
}

/// Encodes cells into blocks. Each thread uses its own encoder.
pub(super) struct Encoder<'a> {
    /// True if some blocks are decoded again as a check.
    checks: bool,
    /// The index of the section.
    section: usize,
    width: CellWidth,
    codes: usize,
    packer: SectionPacker<'a>,
    context: Compressor<'static>,
    cells: Vec<u16>,
    /// The cells as renumbered codes, for symbol ranking.
    new_codes: Vec<u8>,
    base: Vec<u8>,
    scratch: EncodeScratch,
    plain: Vec<u8>,
    decoded: DecodedBlock,
}

impl<'a> Encoder<'a> {
    /// Makes an encoder for the section with this index and this many codes.
    pub fn new(section: usize, codes: usize, packer: SectionPacker<'a>) -> io::Result<Encoder<'a>> {
        let (level, codes) = match packer {
            SectionPacker::Plain(level) => (level, codes),
            SectionPacker::SymbolRanking(ranking, _) => (0, ranking.recoded.old_count),
        };
        let mut context = Compressor::new(level)?;
        // zstd need not store the length of the content, which readers compute from the header, nor
        // a checksum, which the index entry contains.
        context.set_parameter(CParameter::ChecksumFlag(false))?;
        context.set_parameter(CParameter::ContentSizeFlag(false))?;
        Ok(Encoder {
            checks: true,
            section,
            width: CellWidth::for_codes(codes),
            codes,
            packer,
            context,
            cells: Vec::new(),
            new_codes: Vec::new(),
            base: Vec::new(),
            scratch: EncodeScratch::default(),
            plain: Vec::new(),
            decoded: DecodedBlock::default(),
        })
    }

    /// Disables the check that decodes blocks again. Samples need no check, since they are not
    /// written to a file.
    pub fn unchecked(mut self) -> Encoder<'a> {
        self.checks = false;
        self
    }

    /// Reads a block from the source and writes the encoded block to `out`. The block begins with
    /// cell `start` and has `n` cells.
    pub fn encode(
        &mut self,
        source: &dyn CellSource,
        start: u64,
        n: usize,
        out: &mut Vec<u8>,
    ) -> io::Result<Encoded> {
        out.clear();
        let bad = |(place, code)| Encoded::BadCode(start + place as u64, code);
        match self.packer {
            SectionPacker::Plain(_) => {
                if let Some(code) = self.read(source, start, n) {
                    return Ok(bad(code));
                }
                match only_value(&self.cells, ILLEGAL) {
                    Some(same) => out.extend(&same.to_le_bytes()[..self.width.bytes()]),
                    None => self.compress(out)?,
                }
            }
            SectionPacker::SymbolRanking(ranking, base) => {
                if let Some(base) = base {
                    base.read(start / n as u64, &mut self.base)?;
                }
                let recoded = &ranking.recoded;
                if let Some(cells) = source.bytes() {
                    let cells = &cells[start as usize..][..n];
                    if let Some(code) = bad_code(cells, self.codes, |code| code.wrapping_add(1)) {
                        return Ok(bad(code));
                    }
                    let codes = cells.iter().copied();
                    recoded.recode(codes, &self.base, &mut self.new_codes);
                } else {
                    if let Some(code) = self.read(source, start, n) {
                        return Ok(bad(code));
                    }
                    let codes = self.cells.iter().map(|&code| code as u8);
                    recoded.recode(codes, &self.base, &mut self.new_codes);
                }
                self.rank(ranking, start / n as u64, out);
            }
        }
        Ok(Encoded::Bytes)
    }

    /// Reads `n` cells from the source, from cell `start` on. Returns the first code that the
    /// section does not list, with the cell's index. `None` if all codes are valid.
    fn read(&mut self, source: &dyn CellSource, start: u64, n: usize) -> Option<(usize, u16)> {
        self.cells.resize(n, ILLEGAL);
        source.read(start, &mut self.cells);
        bad_code(&self.cells, self.codes, |code| code.wrapping_add(1))
    }

    /// Packs the renumbered codes of a block by symbol ranking, and writes the bytes to `out`.
    fn rank(&mut self, ranking: &Ranking, block: u64, out: &mut Vec<u8>) {
        let (cells, base) = (&self.new_codes, &self.base);
        let section = self.section;
        let checksum = |cells: &[u8]| checksum_of_cells(section, block, cells);
        if let Some(same) = only_value(cells, UNKNOWN) {
            let same = u16::from(same).to_le_bytes();
            out.extend(same);
            out.extend(checksum(&same).to_le_bytes());
            return;
        }
        let start = block * cells.len() as u64;
        ranking.encode(start, cells, base, checksum, &mut self.scratch, out);
        // Readers compare the checksum, and tests decode every block. This check stops a faulty
        // program before it spends hours on tables.
        let checked = block.is_multiple_of(CHECKED) && self.checks;
        assert!(
            !checked || ranking.round_trips(start, out, cells, base, checksum, &mut self.decoded),
            "an encoded block does not decode to its cells: please report it"
        );
    }

    /// Compresses the cells of a block with zstd, and writes the bytes to `out`.
    fn compress(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        fill(&mut self.cells);
        self.plain.clear();
        self.plain.extend(self.cells.iter().map(|&code| code as u8));
        if self.width == CellWidth::Two {
            self.plain
                .extend(self.cells.iter().map(|&code| (code >> 8) as u8));
        }
        out.reserve(compress_bound(self.plain.len()));
        self.context.compress_to_buffer(&self.plain, out)?;
        out.drain(..FRAME_MAGIC.len());
        // Readers take a block for uncompressed if it is as long as its cells. So a block that
        // would not become shorter is stored uncompressed.
        if out.len() >= self.plain.len() {
            out.clear();
            out.extend_from_slice(&self.plain);
        }
        Ok(())
    }
}

/// The first code that is not below `codes`, with the index of its cell. `add_one` adds 1 to a
/// code, and turns the value of illegal cells into 0, so that these cells are never reported.
fn bad_code<T: Copy + Ord + Into<u16>>(
    cells: &[T],
    codes: usize,
    add_one: impl Fn(T) -> T,
) -> Option<(usize, u16)> {
    let beyond = |code: T| usize::from(add_one(code).into()) > codes;
    let most = cells.iter().map(|&code| add_one(code)).max()?;
    if usize::from(most.into()) <= codes {
        return None;
    }
    let place = cells.iter().position(|&code| beyond(code))?;
    Some((place, cells[place].into()))
}

/// The value that all legal cells have in common. It is 0 if no cell is legal, and `None` if the
/// values differ.
fn only_value<T: Copy + Default + Eq>(cells: &[T], illegal: T) -> Option<T> {
    let mut legal = cells.iter().copied().filter(|&cell| cell != illegal);
    match legal.next() {
        None => Some(T::default()),
        Some(first) => legal.all(|cell| cell == first).then_some(first),
    }
}

/// Fills cells without a legal position with a value that compresses well: that of the previous
/// legal cell or, at the start, of the first legal cell.
///
/// With the components in the best order, filling these cells with draws, or with the values of the
/// row above, would make tables 3 to 10 % larger. With a worse order, draws would make tables half
/// a percent smaller.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::block::Decoder;

    #[test]
    fn illegal_cells_repeat_the_cell_before() {
        let x = ILLEGAL;
        let mut cells = [x, x, 5, x, 6, x];
        fill(&mut cells);
        assert_eq!(cells, [5, 5, 5, 5, 6, 6]);
        let mut none = [x, x];
        fill(&mut none);
        assert_eq!(none, [0, 0]);
    }

    #[test]
    fn block_of_equal_cells_is_one_cell() {
        let mut encoder = Encoder::new(0, 9, SectionPacker::Plain(3)).unwrap();
        let mut out = vec![1, 2, 3];
        let cells = vec![ILLEGAL, 7, 7, ILLEGAL, 7];
        let encoded = encoder.encode(&cells, 0, 5, &mut out).unwrap();
        assert_eq!(encoded, Encoded::Bytes);
        assert_eq!(out, [7]);
    }

    #[test]
    fn unknown_code_is_noticed() {
        let mut encoder = Encoder::new(0, 3, SectionPacker::Plain(3)).unwrap();
        let cells = vec![0, 1, 2, 3];
        let encoded = encoder.encode(&cells, 1, 3, &mut Vec::new()).unwrap();
        assert_eq!(encoded, Encoded::BadCode(3, 3));
    }

    #[test]
    fn corrupt_block_never_panics() {
        let cells: Vec<u16> = (0..2000).map(|i| i % 7 * (i % 11)).collect();
        let mut encoder = Encoder::new(0, 100, SectionPacker::Plain(19)).unwrap();
        let mut good = Vec::new();
        let encoded = encoder.encode(&cells, 0, cells.len(), &mut good).unwrap();
        assert_eq!(encoded, Encoded::Bytes);
        let (mut decoder, mut plain) = (Decoder::new(), vec![0; cells.len()]);
        for i in 0..good.len() {
            for value in 0..=u8::MAX {
                let mut bytes = good.clone();
                bytes[i] = value;
                decoder.decode(&bytes, &mut plain);
            }
            assert!(!decoder.decode(&good[..i], &mut plain));
        }
        assert!(decoder.decode(&good, &mut plain));
        assert!(plain.iter().zip(&cells).all(|(&a, &b)| u16::from(a) == b));
    }
}
