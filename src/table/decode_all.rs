//! Decoding whole tables, by all threads.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::block::{Block, Decoder};
use super::code::CellWidth;
use super::error::{TableError, TableErrorKind};
use super::header::{GROUP, Packing};
use super::pool::Pool;
use super::read::{Section, Table};
use super::source::Source;

/// The bytes of a file that are hashed at once.
const HASHED_AT_ONCE: u64 = 1 << 20;

/// All cells of a section, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecodedCells {
    /// Of a section with up to 256 codes.
    Bytes(Vec<u8>),
    /// Of a section with more.
    Words(Vec<u16>),
}

impl DecodedCells {
    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            DecodedCells::Bytes(cells) => cells.len(),
            DecodedCells::Words(cells) => cells.len(),
        }
    }

    /// True if there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a cell: a place in the section's list of codes.
    pub fn get(&self, cell: usize) -> Option<u16> {
        match self {
            DecodedCells::Bytes(cells) => cells.get(cell).copied().map(u16::from),
            DecodedCells::Words(cells) => cells.get(cell).copied(),
        }
    }
}

impl<B: Source> Table<B> {
    /// The BLAKE3 hash of the whole file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn hash(&self) -> Result<blake3::Hash, TableError> {
        let mut hasher = blake3::Hasher::new();
        let (mut buffer, mut start) = (Vec::new(), 0);
        while start < self.file_bytes {
            let length = HASHED_AT_ONCE.min(self.file_bytes - start);
            hasher.update(self.bytes(start, length, &mut buffer)?.unwrap_or(&[]));
            start += length;
        }
        Ok(hasher.finalize())
    }

    /// Checks every byte of the file by its checksum.
    ///
    /// `progress` is called with the number of cells done over all sections, from any thread.
    ///
    /// # Errors
    ///
    /// The first corrupt part in the order of the file.
    pub fn check(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError>
    where
        B: Sync,
    {
        let done = AtomicU64::new(0);
        self.sections().try_for_each(|section| {
            section.check(&|cells| {
                progress(done.fetch_add(cells, Ordering::Relaxed) + cells);
            })
        })
    }
}

impl<'a, B: Source> Section<'a, B> {
    /// Decodes all cells, by all threads of the current pool.
    ///
    /// `progress` is called with the number of cells done, from any thread, and not always in rising
    /// order.
    ///
    /// # Errors
    ///
    /// If there is not enough memory, or a block is corrupt.
    pub fn decode_all(self, progress: &(dyn Fn(u64) + Sync)) -> Result<DecodedCells, TableError>
    where
        B: Sync,
    {
        let width = self.header.info.width();
        match width {
            CellWidth::One => {
                let mut cells = self.allocate::<u8>()?;
                self.decode_into(&mut cells, progress, |block, decoder, _, out| {
                    let mut buffer = decoder.take_buffer();
                    let decoded = self.stored(block, &mut buffer).and_then(|bytes| {
                        match self.same(block, bytes)? {
                            Some(code) => out.fill(code as u8),
                            None => self.decode(block, bytes, decoder, out)?,
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
                    self.read_block(block, decoder, scratch)?;
                    scratch.copy_to(out);
                    Ok(())
                })?;
                Ok(DecodedCells::Words(cells))
            }
        }
    }

    /// Memory for all cells.
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

    /// Calls `decode` to decode every block into its part of `out`.
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
            .try_for_each(|(block, out)| {
                let cells = out.len() as u64;
                pool.with(|(decoder, scratch)| decode(block as u64, decoder, scratch, out))?;
                progress(done.fetch_add(cells, Ordering::Relaxed) + cells);
                Ok(())
            })
    }

    /// Checks the section. `progress` is called with the number of cells of each block.
    fn check(self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError>
    where
        B: Sync,
    {
        self.ranking()?;
        // Blocks follow one another without a gap, so that a checksum covers every byte.
        let mut free = self.header.data();
        let mut buffer = Vec::new();
        let blocks = self.header.blocks();
        for first in (0..blocks).step_by(GROUP as usize) {
            let group = self.group(first / GROUP, GROUP.min(blocks - first), &mut buffer)?;
            let group = group.filter(|group| group.first == free);
            for (length, _) in group.ok_or_else(|| self.corrupt(first))?.entries() {
                free += u64::from(length);
            }
        }
        if free != self.header.index {
            return Err(self.corrupt(blocks.saturating_sub(1)));
        }
        let ranked = self.header.packing == Packing::SymbolRanking;
        let pool = Pool::new(|| (Decoder::new(), Block::new(), Vec::new()));
        let damage = (0..blocks).into_par_iter().find_map_first(|block| {
            let stored = pool.with(|(decoder, out, buffer)| {
                // A checksum inside a block is of what it decodes to.
                if ranked {
                    return self.read_block(block, decoder, out);
                }
                let bytes = self.stored(block, buffer)?;
                self.same(block, bytes).map(|_| ())
            });
            progress(self.header.cells_of(block) as u64);
            stored.err()
        });
        damage.map_or(Ok(()), Err)
    }
}
