//! Reading a table over any bytes: a memory map, a vector, a slice in a test.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crc32c::crc32c;
use rayon::prelude::*;
use zstd::dict::DecoderDictionary;

use super::block::{Block, Contents, Decoder, Entry};
use super::code::{CellWidth, Code};
use super::error::{TableError, TableErrorKind};
use super::header::{ENTRY_BYTES, Header, Metric, SectionHeader};
use super::pool::Pool;
use crate::material::CanonicalMaterial;

/// The table of one ending, over the bytes of its file.
///
/// Making one is cheap: only the header is read and checked. A block is checked each time it is
/// read, its checksum being cheap beside its decompression; [`Table::check`] checks them all.
#[derive(Debug)]
pub struct Table<B> {
    bytes: B,
    path: Option<PathBuf>,
    header: Header,
    dictionaries: Vec<Dictionary>,
}

/// A section's dictionary: nothing before it is first needed, then ready, or found damaged.
type Dictionary = OnceLock<Option<ReadyDictionary>>;

struct ReadyDictionary(DecoderDictionary<'static>);

impl std::fmt::Debug for ReadyDictionary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReadyDictionary")
    }
}

/// All cells of a section, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Of a section with up to 256 codes.
    Bytes(Vec<u8>),
    /// Of a section with more.
    Words(Vec<u16>),
}

impl Cells {
    /// The number of cells.
    pub fn len(&self) -> usize {
        match self {
            Cells::Bytes(cells) => cells.len(),
            Cells::Words(cells) => cells.len(),
        }
    }

    /// True if there is no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a cell: a place in the section's list of codes.
    pub fn get(&self, cell: usize) -> Option<u16> {
        match self {
            Cells::Bytes(cells) => cells.get(cell).copied().map(u16::from),
            Cells::Words(cells) => cells.get(cell).copied(),
        }
    }
}

impl<B: AsRef<[u8]>> Table<B> {
    /// The table in these bytes, which are a whole file.
    ///
    /// # Errors
    ///
    /// If they are no table, one of another format version or rules revision, one cut short, or
    /// one whose header is damaged.
    pub fn new(bytes: B) -> Result<Table<B>, TableError> {
        Table::with_path(bytes, None)
    }

    /// The table in these bytes of this file, which errors will name.
    pub(super) fn with_path(bytes: B, path: Option<PathBuf>) -> Result<Table<B>, TableError> {
        let header = Header::decode(bytes.as_ref())
            .map_err(|kind| TableError::new(path.as_deref(), None, kind))?;
        let mut dictionaries = Vec::new();
        dictionaries.resize_with(header.sections.len(), OnceLock::new);
        Ok(Table {
            bytes,
            path,
            header,
            dictionaries,
        })
    }

    /// The material that the table is of.
    pub fn material(&self) -> CanonicalMaterial {
        self.header.material
    }

    /// The revision of the rules that the table was computed under.
    pub fn rules_revision(&self) -> u32 {
        self.header.rules_revision
    }

    /// The file the table came from, if it came from one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The number of bytes of the file.
    pub fn file_bytes(&self) -> u64 {
        self.bytes.as_ref().len() as u64
    }

    /// The BLAKE3 hash of the whole file.
    pub fn hash(&self) -> blake3::Hash {
        blake3::hash(self.bytes.as_ref())
    }

    /// The sections, in the order of the file.
    pub fn sections(&self) -> impl ExactSizeIterator<Item = Section<'_, B>> {
        (0..self.header.sections.len()).map(|number| Section {
            table: self,
            number,
            header: &self.header.sections[number],
        })
    }

    /// The first section of this metric.
    pub fn section(&self, metric: Metric) -> Option<Section<'_, B>> {
        self.sections()
            .find(|section| section.header.info.metric == metric)
    }

    /// The error for a header that can be read but is not what its material's should be, found
    /// by whoever knows what it should be.
    pub fn damaged(&self, what: &'static str) -> TableError {
        TableError::new(
            self.path(),
            Some(self.material()),
            TableErrorKind::HeaderCorrupt { what },
        )
    }

    /// Checks every byte of the file by its checksum.
    ///
    /// `progress` is told the number of cells done over all sections, from any thread.
    ///
    /// # Errors
    ///
    /// The first damage in the order of the file.
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

    fn error(&self, kind: TableErrorKind) -> TableError {
        TableError::new(self.path(), Some(self.material()), kind)
    }

    /// Some bytes of the file, if it has them.
    fn slice(&self, start: u64, length: u64) -> Option<&[u8]> {
        let start = usize::try_from(start).ok()?;
        let length = usize::try_from(length).ok()?;
        let end = start.checked_add(length)?;
        self.bytes.as_ref().get(start..end)
    }
}

/// One section of a table.
#[derive(Debug)]
pub struct Section<'a, B> {
    table: &'a Table<B>,
    number: usize,
    header: &'a SectionHeader,
}

impl<B> Clone for Section<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for Section<'_, B> {}

impl<'a, B: AsRef<[u8]>> Section<'a, B> {
    /// Its number in the file.
    pub fn number(self) -> usize {
        self.number
    }

    /// What the header says of it.
    pub fn header(self) -> &'a SectionHeader {
        self.header
    }

    /// The block that a cell is in, and its place there.
    pub fn block_of(self, cell: u64) -> (u64, usize) {
        let n = u64::from(self.header.block_cells);
        (cell / n, (cell % n) as usize)
    }

    /// Reads a block into `out`, whose memory is used again.
    ///
    /// Every cell of it is then a place in the section's list of codes.
    ///
    /// # Errors
    ///
    /// If there is no such block, or it is not what was written.
    pub fn read_block(
        self,
        block: u64,
        decoder: &mut Decoder,
        out: &mut Block,
    ) -> Result<(), TableError> {
        out.cells = 0;
        let (entry, bytes) = self.stored(block)?;
        let cells = self.header.cells_of(block);
        let width = self.header.info.width();
        if entry.length == 0 {
            out.contents = Contents::Same(self.same(block, entry)?);
        } else {
            out.contents = Contents::Plain(width);
            out.plain.resize(cells * width.bytes(), 0);
            self.decode(block, bytes, decoder, &mut out.plain)?;
        }
        out.cells = cells;
        Ok(())
    }

    /// What one cell stands for. It decodes the whole block: to look up more than one cell, keep
    /// the block.
    ///
    /// # Errors
    ///
    /// If there is no such cell, or its block is not what was written.
    pub fn code(self, cell: u64) -> Result<Code, TableError> {
        let (number, place) = self.block_of(cell);
        let mut block = Block::new();
        if cell >= self.header.cells {
            return Err(self.out_of_range(cell, self.header.cells));
        }
        self.read_block(number, &mut Decoder::new(), &mut block)?;
        block
            .get(place)
            .and_then(|code| self.header.info.codes.get(usize::from(code)))
            .copied()
            .ok_or_else(|| self.corrupt(number))
    }

    /// Decodes all cells, by all threads of the current pool.
    ///
    /// `progress` is told the number of cells done, from any thread, and not always in rising
    /// order.
    ///
    /// # Errors
    ///
    /// If the memory cannot be had, or a block is not what was written.
    pub fn decode_all(self, progress: &(dyn Fn(u64) + Sync)) -> Result<Cells, TableError>
    where
        B: Sync,
    {
        match self.header.info.width() {
            CellWidth::One => {
                let mut cells = self.allocate::<u8>()?;
                self.decode_into(&mut cells, progress, |block, decoder, _, out| {
                    let (entry, bytes) = self.stored(block)?;
                    if entry.length == 0 {
                        out.fill(self.same(block, entry)? as u8);
                        return Ok(());
                    }
                    self.decode(block, bytes, decoder, out)
                })?;
                Ok(Cells::Bytes(cells))
            }
            CellWidth::Two => {
                let mut cells = self.allocate::<u16>()?;
                self.decode_into(&mut cells, progress, |block, decoder, scratch, out| {
                    self.read_block(block, decoder, scratch)?;
                    scratch.copy_to(out);
                    Ok(())
                })?;
                Ok(Cells::Words(cells))
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

    /// Has every block decoded by `decode` into its place in `out`.
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

    /// The entry and the bytes of a block, checked.
    fn stored(self, block: u64) -> Result<(Entry, &'a [u8]), TableError> {
        let blocks = self.header.blocks();
        if block >= blocks {
            return Err(self.out_of_range(block, blocks));
        }
        let found = || {
            let entry = self.entry(block)?;
            let bytes = match entry.length {
                // The place of a block without bytes is no place but its code.
                0 => &[],
                n => self.table.slice(entry.place, n.into())?,
            };
            (entry.seal(self.number, block, bytes) == entry.crc).then_some((entry, bytes))
        };
        found().ok_or_else(|| self.corrupt(block))
    }

    /// The entry of a block, not yet checked.
    fn entry(self, block: u64) -> Option<Entry> {
        let place = self.header.index + block * ENTRY_BYTES as u64;
        let bytes = self.table.slice(place, ENTRY_BYTES as u64)?;
        Some(Entry::from_bytes(*bytes.first_chunk()?))
    }

    /// The code of a block in which all cells are equal.
    fn same(self, block: u64, entry: Entry) -> Result<u16, TableError> {
        u16::try_from(entry.place)
            .ok()
            .filter(|&code| usize::from(code) < self.header.info.codes.len())
            .ok_or_else(|| self.corrupt(block))
    }

    /// Decompresses the checked bytes of a block.
    fn decode(
        self,
        block: u64,
        bytes: &[u8],
        decoder: &mut Decoder,
        plain: &mut [u8],
    ) -> Result<(), TableError> {
        let dictionary = self.dictionary()?;
        let dictionary = dictionary.map(DecoderDictionary::as_ddict);
        let decoded = decoder.decode(bytes, dictionary, plain);
        if decoded && all_below(plain, self.header.info.codes.len()) {
            Ok(())
        } else {
            Err(self.corrupt(block))
        }
    }

    /// The section's dictionary, if it has one.
    fn dictionary(self) -> Result<Option<&'a DecoderDictionary<'static>>, TableError> {
        if self.header.dictionary_bytes == 0 {
            return Ok(None);
        }
        let ready = self.table.dictionaries[self.number].get_or_init(|| {
            let length = self.header.dictionary_bytes.into();
            let bytes = self.table.slice(self.header.start, length)?;
            (crc32c(bytes) == self.header.dictionary_crc)
                .then(|| DecoderDictionary::try_copy(bytes).ok())
                .flatten()
                .map(ReadyDictionary)
        });
        match ready {
            Some(dictionary) => Ok(Some(&dictionary.0)),
            None => {
                let section = self.number;
                Err(self
                    .table
                    .error(TableErrorKind::DictionaryCorrupt { section }))
            }
        }
    }

    /// Checks the section. `progress` is told the cells of each block.
    fn check(self, progress: &(dyn Fn(u64) + Sync)) -> Result<(), TableError>
    where
        B: Sync,
    {
        self.dictionary()?;
        // Blocks lie one behind the other, so that no byte is left that no checksum covers.
        let mut free = self.header.data();
        for block in 0..self.header.blocks() {
            let entry = self.entry(block).ok_or_else(|| self.corrupt(block))?;
            if entry.length > 0 {
                if entry.place != free {
                    return Err(self.corrupt(block));
                }
                free += u64::from(entry.length);
            }
        }
        if free != self.header.index {
            return Err(self.corrupt(self.header.blocks().saturating_sub(1)));
        }
        let damage = (0..self.header.blocks())
            .into_par_iter()
            .find_map_first(|block| {
                let stored = self
                    .stored(block)
                    .and_then(|(entry, _)| match entry.length {
                        0 => self.same(block, entry).map(drop),
                        _ => Ok(()),
                    });
                progress(self.header.cells_of(block) as u64);
                stored.err()
            });
        damage.map_or(Ok(()), Err)
    }

    fn corrupt(self, block: u64) -> TableError {
        self.table.error(TableErrorKind::BlockCorrupt {
            section: self.number,
            block,
        })
    }

    fn out_of_range(self, asked: u64, count: u64) -> TableError {
        self.table
            .error(TableErrorKind::OutOfRange { asked, count })
    }
}

/// True if all cells laid out in `plain` are below this number of codes.
fn all_below(plain: &[u8], codes: usize) -> bool {
    match CellWidth::for_codes(codes) {
        CellWidth::One => plain
            .iter()
            .max()
            .is_none_or(|&max| usize::from(max) < codes),
        CellWidth::Two => {
            let (low, high) = plain.split_at(plain.len() / 2);
            low.iter()
                .zip(high)
                .map(|(&low, &high)| u16::from_le_bytes([low, high]))
                .max()
                .is_none_or(|max| usize::from(max) < codes)
        }
    }
}
