//! Cells to the bytes of a block.

use std::io;

use zstd::bulk::Compressor;
use zstd::zstd_safe::{CParameter, compress_bound};

use super::pack::{self, Scratch};
use crate::table::block::Entry;
use crate::table::code::{CellSource, CellWidth, ILLEGAL};
use crate::table::decompress::FRAME_MAGIC;
use crate::table::lattice::UNKNOWN;
use crate::table::model::Model;
use crate::table::ranks::Frame;

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
}

/// What became of the cells of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoded {
    /// They are the bytes put out.
    Bytes,
    /// The cell with this number has a code that the section has not.
    BadCode(u64, u16),
}

/// How the cells of a section are packed before zstd compresses them.
#[derive(Clone, Copy, Debug)]
pub(super) enum Packer<'a> {
    /// As they are.
    Plain,
    /// As ranks. Codes change places as the last part says.
    Ranks(&'a Frame, &'a Model, &'a [u16]),
}

/// Turns cells into the bytes of blocks. One for each thread at work.
pub(super) struct Encoder<'a> {
    width: CellWidth,
    codes: usize,
    packer: Packer<'a>,
    context: Compressor<'static>,
    cells: Vec<u16>,
    narrow: Vec<u8>,
    scratch: Scratch,
    plain: Vec<u8>,
}

impl<'a> Encoder<'a> {
    /// An encoder for a section with this many codes.
    pub fn new(
        codes: usize,
        packer: Packer<'a>,
        level: i32,
        dictionary: &[u8],
    ) -> io::Result<Encoder<'a>> {
        let mut context = Compressor::with_dictionary(level, dictionary)?;
        // The entry says which dictionary and how many bytes, and has a checksum already.
        context.set_parameter(CParameter::DictIdFlag(false))?;
        context.set_parameter(CParameter::ChecksumFlag(false))?;
        context.set_parameter(CParameter::ContentSizeFlag(false))?;
        Ok(Encoder {
            width: CellWidth::for_codes(codes),
            codes,
            packer,
            context,
            cells: Vec::new(),
            narrow: Vec::new(),
            scratch: Scratch::default(),
            plain: Vec::new(),
        })
    }

    /// Reads `n` cells and lays them out as bytes, not yet compressed, in [`Encoder::plain`]. If
    /// all may be the same code, it gives that one and [`Encoder::plain`] is empty.
    pub fn lay_out(
        &mut self,
        source: &dyn CellSource,
        start: u64,
        n: usize,
    ) -> Result<Option<u16>, Encoded> {
        self.cells.resize(n, ILLEGAL);
        source.read(start, &mut self.cells);
        let bad = self
            .cells
            .iter()
            .position(|&code| code != ILLEGAL && usize::from(code) >= self.codes);
        if let Some(i) = bad {
            return Err(Encoded::BadCode(start + i as u64, self.cells[i]));
        }
        self.plain.clear();
        let mut legal = self.cells.iter().filter(|&&code| code != ILLEGAL);
        let first = legal.next().copied().unwrap_or(0);
        if legal.all(|&code| code == first) {
            return Ok(Some(match self.packer {
                Packer::Plain => first,
                Packer::Ranks(_, _, places) => places[usize::from(first)],
            }));
        }
        match self.packer {
            Packer::Plain => {
                fill(&mut self.cells);
                self.plain.extend(self.cells.iter().map(|&code| code as u8));
                if self.width == CellWidth::Two {
                    self.plain
                        .extend(self.cells.iter().map(|&code| (code >> 8) as u8));
                }
            }
            Packer::Ranks(frame, model, places) => {
                narrow(&self.cells, places, &mut self.narrow);
                let (cells, plain) = (&self.narrow, &mut self.plain);
                pack::pack(
                    frame,
                    self.codes,
                    model,
                    start,
                    cells,
                    &mut self.scratch,
                    plain,
                );
            }
        }
        Ok(None)
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
        match self.lay_out(source, start, n) {
            Err(bad) => return Ok(bad),
            Ok(Some(same)) => {
                out.extend(&same.to_le_bytes()[..self.width.bytes()]);
                return Ok(Encoded::Bytes);
            }
            Ok(None) => {}
        }
        out.reserve(compress_bound(self.plain.len()));
        self.context.compress_to_buffer(&self.plain, out)?;
        out.drain(..FRAME_MAGIC.len());
        // As many bytes as the plain cells are read as plain cells.
        if matches!(self.packer, Packer::Plain) && out.len() >= self.plain.len() {
            out.clear();
            out.extend_from_slice(&self.plain);
        }
        Ok(Encoded::Bytes)
    }
}

/// Codes as single bytes in their new places, unknown where no legal position is.
pub(super) fn narrow(cells: &[u16], places: &[u16], out: &mut Vec<u8>) {
    out.clear();
    out.extend(cells.iter().map(|&code| match code {
        ILLEGAL => UNKNOWN,
        code => places[usize::from(code)] as u8,
    }));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::block::Decoder;

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
    fn a_block_whose_legal_cells_are_all_equal_is_one_cell() {
        let mut encoder = Encoder::new(9, Packer::Plain, 3, &[]).unwrap();
        let mut out = vec![1, 2, 3];
        let cells = vec![ILLEGAL, 7, 7, ILLEGAL, 7];
        let encoded = encoder.encode(&cells, 0, 5, &mut out).unwrap();
        assert_eq!(encoded, Encoded::Bytes);
        assert_eq!(out, [7]);
    }

    #[test]
    fn a_code_the_section_has_not_is_noticed() {
        let mut encoder = Encoder::new(3, Packer::Plain, 3, &[]).unwrap();
        let cells = vec![0, 1, 2, 3];
        let encoded = encoder.encode(&cells, 1, 3, &mut Vec::new()).unwrap();
        assert_eq!(encoded, Encoded::BadCode(3, 3));
    }

    #[test]
    fn damaged_bytes_of_a_block_are_refused_or_decoded_but_never_a_panic() {
        let cells: Vec<u16> = (0..2000).map(|i| i % 7 * (i % 11)).collect();
        let mut encoder = Encoder::new(100, Packer::Plain, 19, &[]).unwrap();
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
}
