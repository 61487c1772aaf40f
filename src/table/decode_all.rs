//! Decodes whole sections in parallel.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::block::{Block, Decoder};
use super::code::CellWidth;
use super::header::{GROUP, Packing};
use super::read::{Section, Table, decode_entry};
use crate::container::{Pool, Source, TableError, TableErrorKind};
use crate::parallel::ForkedByOneFunction;

/// All decoded cells of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodedCells {
    /// The cells of a section with up to 256 codes, one byte each.
    Bytes(Vec<u8>),
    /// The cells of a section with more codes, two bytes each.
    Words(Vec<u16>),
}

impl DecodedCells {
    /// The number of cells in the section.
    pub fn len(&self) -> usize {
        match self {
            DecodedCells::Bytes(cells) => cells.len(),
            DecodedCells::Words(cells) => cells.len(),
        }
    }

    /// True if the section has no cells.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a cell, as an index into the section's list of codes.
    pub fn get(&self, cell: usize) -> Option<u16> {
        match self {
            DecodedCells::Bytes(cells) => cells.get(cell).copied().map(u16::from),
            DecodedCells::Words(cells) => cells.get(cell).copied(),
        }
    }
}

impl<B: Source> Table<B> {
    /// Reads every block and checks every checksum.
    ///
    /// `progress` is called, from any thread, with the number of cells checked so far in all
    /// sections.
    ///
    /// # Errors
    ///
    /// The error of the first corrupt part, in the order of the file.
    pub fn check(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError>
    where
        B: Sync,
    {
        let done = AtomicU64::new(0);
        let progress = |cells| progress(done.fetch_add(cells, Ordering::Relaxed) + cells);
        for section in self.sections() {
            section.ranking()?;
            section.check_index()?;
        }
        // Each section is checked together with the sections predicted from it, so that no block is
        // decoded twice.
        for root in self.sections().filter(|section| section.base().is_none()) {
            let family = self.family(root);
            if !family.is_intact(&progress) {
                family.0.iter().try_for_each(|section| section.check())?;
            }
        }
        Ok(())
    }

    /// The section `root` with all sections that are predicted from it, directly or through another
    /// section.
    fn family<'a>(&'a self, root: Section<'a, B>) -> Family<'a, B> {
        let mut family = vec![root];
        for section in self.sections() {
            let of_it = |base: Section<'_, B>| family.iter().any(|s| s.number() == base.number());
            if section.base().is_some_and(of_it) {
                family.push(section);
            }
        }
        Family(family)
    }
}

/// A section and the sections predicted from it or from one another. Each base precedes the
/// sections that are predicted from it.
struct Family<'a, B>(Vec<Section<'a, B>>);

impl<B: Source + Sync> Family<'_, B> {
    /// True if every block of every section matches its checksum. `progress` is called with the
    /// number of cells of each block.
    fn is_intact(&self, progress: &(dyn Fn(u64) + Sync)) -> bool {
        let scratch = || -> (Decoder, Vec<Block>, Vec<u8>) {
            let blocks = self.0.iter().map(|_| Block::new());
            (Decoder::new(), blocks.collect(), Vec::new())
        };
        let pool = Pool::new(scratch);
        let is_intact = |block: u64| {
            pool.with(|(decoder, blocks, buffer)| {
                self.0.iter().enumerate().all(|(at, section)| {
                    let (before, rest) = blocks.split_at_mut(at);
                    let base = section.base().and_then(|base| {
                        let mut family = self.0.iter();
                        let place = family.position(|s| s.number() == base.number())?;
                        before.get(place)
                    });
                    progress(section.header.cells_of(block) as u64);
                    section
                        .check_block(block, base, decoder, &mut rest[0], buffer)
                        .is_ok()
                })
            })
        };
        let [root, ..] = &self.0[..] else { return true };
        (0..root.header.blocks()).into_par_iter().all(is_intact)
    }
}

impl<'a, B: Source> Section<'a, B> {
    /// Decodes all cells on the current thread pool.
    ///
    /// `progress` is called, from any thread, with the number of cells decoded so far. The numbers
    /// may arrive out of order.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or a block is corrupt.
    pub fn decode_all(self, progress: &(dyn Fn(u64) + Sync)) -> Result<DecodedCells, TableError>
    where
        B: Sync,
    {
        self.decode_some(&|_| true, progress)
    }

    /// Like [`Section::decode_all`], but decodes only the blocks for whose cells `is_wanted`
    /// returns true. The other cells have the code 0.
    ///
    /// # Errors
    ///
    /// As for [`Section::decode_all`].
    pub fn decode_some(
        self,
        is_wanted: &(dyn Fn(Range<u64>) -> bool + Sync),
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<DecodedCells, TableError>
    where
        B: Sync,
    {
        let is_wanted = |block: u64| {
            let first = block * u64::from(self.header.block_cells);
            is_wanted(first..first + self.header.cells_of(block) as u64)
        };
        let width = self.header.info.width();
        match width {
            CellWidth::One => {
                let mut cells = self.allocate::<u8>()?;
                self.decode_into(&mut cells, progress, |block, decoder, _, out| {
                    if !is_wanted(block) {
                        return Ok(());
                    }
                    let mut buffer = decoder.take_buffer();
                    let decoded = self.stored(block, &mut buffer).and_then(|bytes| {
                        match self.only_code(block, bytes)? {
                            Some(code) => out.fill(code as u8),
                            None => self.decode(block, bytes, None, decoder, out)?,
                        }
                        Ok(())
                    });
                    decoder.give_back(buffer);
                    decoded
                })?;
                Ok(DecodedCells::Bytes(cells))
            }
            CellWidth::Two => {
                let mut cells = self.allocate::<u16>()?;
                self.decode_into(&mut cells, progress, |block, decoder, scratch, out| {
                    if !is_wanted(block) {
                        return Ok(());
                    }
                    self.read_block(block, decoder, scratch)?;
                    scratch.copy_to(out);
                    Ok(())
                })?;
                Ok(DecodedCells::Words(cells))
            }
        }
    }

    /// Fills `out` with the cells from cell `first` on, decoded on all threads of the current pool.
    /// The section must have fewer than 256 codes.
    ///
    /// # Errors
    ///
    /// If a block is corrupt.
    pub fn decode_range(self, first: u64, out: &mut [u8]) -> Result<(), TableError>
    where
        B: Sync,
    {
        let size = u64::from(self.header.block_cells);
        // The first piece ends at the end of a block, so that the other pieces are whole blocks.
        let head = ((size - first % size) % size).min(out.len() as u64) as usize;
        let (head, rest) = out.split_at_mut(head);
        let rest_at = first + head.len() as u64;
        let rest = rest.chunks_mut(size as usize).zip(0..);
        let mut pieces = vec![(first, head)];
        pieces.extend(rest.map(|(piece, number)| (rest_at + number * size, piece)));
        let scratch = || (Decoder::new(), Block::new(), vec![0; size as usize]);
        let pieces = pieces
            .into_par_iter()
            .erased()
            .filter(|(_, piece)| !piece.is_empty());
        pieces.try_for_each_init(scratch, |(decoder, block, codes), (cell, piece)| {
            let (number, at) = self.block_of(cell);
            self.read_block(number, decoder, block)?;
            if let Some(bytes) = block.bytes() {
                piece.copy_from_slice(&bytes[at..][..piece.len()]);
                return Ok(());
            }
            let codes = &mut codes[..block.len()];
            block.copy_to(codes);
            for (byte, &code) in piece.iter_mut().zip(&codes[at..]) {
                *byte = u8::try_from(code).unwrap_or(u8::MAX);
            }
            Ok(())
        })
    }

    /// Allocates memory for all cells of the section.
    fn allocate<T: Clone + Default>(self) -> Result<Vec<T>, TableError> {
        let bytes = self.header.cells.saturating_mul(size_of::<T>() as u64);
        let n = usize::try_from(self.header.cells).unwrap_or(usize::MAX);
        let mut cells = Vec::new();
        cells
            .try_reserve_exact(n)
            .map_err(|_| self.table.error(TableErrorKind::NoMemory { bytes }))?;
        cells.resize(n, T::default());
        Ok(cells)
    }

    /// Calls `decode` for every block, with the part of `out` that receives the block's cells.
    fn decode_into<T: Send>(
        self,
        out: &mut [T],
        progress: &(dyn Fn(u64) + Sync),
        decode: impl Fn(u64, &mut Decoder, &mut Block, &mut [T]) -> Result<(), TableError> + Sync,
    ) -> Result<(), TableError>
    where
        B: Sync,
    {
        let pool = Pool::new(|| (Decoder::new(), Block::new()));
        let done = AtomicU64::new(0);
        out.par_chunks_mut(self.header.block_cells as usize)
            .enumerate()
            .erased()
            .try_for_each(|(block, out)| {
                let cells = out.len() as u64;
                pool.with(|(decoder, scratch)| decode(block as u64, decoder, scratch, out))?;
                progress(done.fetch_add(cells, Ordering::Relaxed) + cells);
                Ok(())
            })
    }

    /// Checks that the blocks follow one another without gaps, so that the checksums cover every
    /// byte of the section.
    fn check_index(self) -> Result<(), TableError> {
        let mut free = self.header.data();
        let mut buffer = Vec::new();
        let blocks = self.header.blocks();
        for first in (0..blocks).step_by(GROUP as usize) {
            let group = self.group(first / GROUP, GROUP.min(blocks - first), &mut buffer)?;
            let group = group.filter(|group| group.first == free);
            for entry in group.ok_or_else(|| self.corrupt(first))?.iter() {
                free += u64::from(decode_entry(entry).0);
            }
        }
        if free != self.header.index {
            return Err(self.corrupt(blocks.saturating_sub(1)));
        }
        Ok(())
    }

    /// Checks every block of the section. If several are corrupt, returns the error of the first.
    fn check(self) -> Result<(), TableError>
    where
        B: Sync,
    {
        let pool = Pool::new(|| (Decoder::new(), Block::new(), Vec::new()));
        let damage = (0..self.header.blocks())
            .into_par_iter()
            .find_map_first(|block| {
                pool.with(|(decoder, out, buffer)| {
                    self.check_block(block, None, decoder, out, buffer).err()
                })
            });
        damage.map_or(Ok(()), Err)
    }

    /// Checks a block. `base` is the block with the same index in the base section, if it is
    /// already decoded. Unless the section is plain, `out` receives the decoded block, in case
    /// other sections are predicted from it.
    fn check_block(
        self,
        block: u64,
        base: Option<&Block>,
        decoder: &mut Decoder,
        out: &mut Block,
        buffer: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        // With symbol ranking, the checksum covers the decoded cells, so the block must be decoded.
        if self.header.packing != Packing::Plain {
            return self.read_block_over(block, base, decoder, out);
        }
        let bytes = self.stored(block, buffer)?;
        self.only_code(block, bytes).map(|_| ())
    }
}
