//! Reading a table over any bytes: a memory map, a vector, a slice in a test.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crc32c::crc32c;

use super::block::{Block, CellStorage, Decoder, IndexEntry};
use super::code::{CellWidth, Code};
use super::decompress::Dictionary;
use super::error::{TableError, TableErrorKind};
use super::header::{ENTRY_BYTES, GROUP, Header, Metric, PLACE_BYTES, Packing, SectionHeader};
use super::symbol_rank::decode::{self, Shape};
use super::symbol_rank::model::Model;
use crate::material::CanonicalMaterial;

/// The table of one ending, over the bytes of its file.
///
/// Making one is cheap: only the header is read and checked. A block is checked each time it is
/// read, since a checksum costs little compared to decompression; [`Table::check`] checks them all.
#[derive(Debug)]
pub struct Table<B> {
    pub(super) bytes: B,
    path: Option<PathBuf>,
    header: Header,
    aids: Vec<SectionAids>,
}

/// What is needed to decode the blocks of a section.
#[derive(Debug)]
struct SectionAids {
    /// For a section packed by symbol ranking.
    shape: Option<Shape>,
    /// Model and dictionary: empty until they are first needed, then loaded, or found corrupt.
    loaded: OnceLock<Option<Loaded>>,
}

/// The model and the dictionary of a section that has them.
pub(super) struct Loaded {
    model: Option<Model>,
    dictionary: Option<Dictionary>,
}

impl std::fmt::Debug for Loaded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Loaded")
    }
}

impl<B: AsRef<[u8]>> Table<B> {
    /// The table in these bytes, which are a whole file.
    ///
    /// # Errors
    ///
    /// If they are not a table, or one of another format version or rules revision, truncated, or
    /// with a corrupt header.
    pub fn new(bytes: B) -> Result<Table<B>, TableError> {
        Table::with_path(bytes, None)
    }

    /// The table in these bytes of this file, which errors name.
    pub(super) fn with_path(bytes: B, path: Option<PathBuf>) -> Result<Table<B>, TableError> {
        let header = Header::decode(bytes.as_ref())
            .map_err(|kind| TableError::new(path.as_deref(), None, kind))?;
        let aids = |section: &SectionHeader| {
            let shape = match section.packing {
                Packing::Plain => None,
                Packing::SymbolRanking => Some(shape_of(&header, section)?),
            };
            Some(SectionAids {
                shape,
                loaded: OnceLock::new(),
            })
        };
        let aids: Option<Vec<SectionAids>> = header.sections.iter().map(aids).collect();
        let aids = aids.ok_or_else(|| {
            let what = "a section cannot be packed as it says";
            let kind = TableErrorKind::HeaderCorrupt { what };
            TableError::new(path.as_deref(), Some(header.material), kind)
        })?;
        Ok(Table {
            bytes,
            path,
            header,
            aids,
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

    /// The error for a header that can be read but is not what its material's should be: for
    /// callers that know what it should be.
    pub fn damaged(&self, what: &'static str) -> TableError {
        TableError::new(
            self.path(),
            Some(self.material()),
            TableErrorKind::HeaderCorrupt { what },
        )
    }

    pub(super) fn error(&self, kind: TableErrorKind) -> TableError {
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
    pub(super) table: &'a Table<B>,
    number: usize,
    pub(super) header: &'a SectionHeader,
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

    /// Reads a block into `out`, whose memory is reused.
    ///
    /// Every cell of it is then an index into the section's list of codes.
    ///
    /// # Errors
    ///
    /// If there is no such block, or it is corrupt.
    pub fn read_block(
        self,
        block: u64,
        decoder: &mut Decoder,
        out: &mut Block,
    ) -> Result<(), TableError> {
        out.cells = 0;
        let bytes = self.stored(block)?;
        let cells = self.header.cells_of(block);
        let width = self.header.info.width();
        if bytes.len() == width.bytes() {
            out.storage = CellStorage::Same(self.same(block, bytes)?);
        } else {
            out.storage = CellStorage::Plain(width);
            out.plain.resize(cells * width.bytes(), 0);
            self.decode(block, bytes, decoder, &mut out.plain)?;
        }
        out.cells = cells;
        Ok(())
    }

    /// The code of one cell. It decodes the whole block: to look up more than one cell, keep the
    /// block.
    ///
    /// # Errors
    ///
    /// If there is no such cell, or its block is corrupt.
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

    /// The bytes of a block, checked.
    pub(super) fn stored(self, block: u64) -> Result<&'a [u8], TableError> {
        let blocks = self.header.blocks();
        if block >= blocks {
            return Err(self.out_of_range(block, blocks));
        }
        let found = || {
            let entry = self.entry(block)?;
            let bytes = self.table.slice(entry.place, entry.length.into())?;
            (entry.checksum(self.number, block, bytes) == entry.crc).then_some(bytes)
        };
        found().ok_or_else(|| self.corrupt(block))
    }

    /// A group of the index with this number of blocks: the place of the first block, and the
    /// entries.
    pub(super) fn group(
        self,
        group: u64,
        blocks: u64,
    ) -> Option<(u64, &'a [[u8; ENTRY_BYTES as usize]])> {
        let place = self.header.group(group);
        let bytes = self
            .table
            .slice(place, PLACE_BYTES + blocks * ENTRY_BYTES)?;
        let (place, entries) = bytes.split_first_chunk()?;
        Some((u64::from_le_bytes(*place), entries.as_chunks().0))
    }

    /// The entry of a block, not yet checked.
    fn entry(self, block: u64) -> Option<IndexEntry> {
        let within = block % GROUP;
        let (mut place, entries) = self.group(block / GROUP, within + 1)?;
        let (&last, before) = entries.split_last()?;
        for &entry in before {
            place = place.checked_add(length_and_checksum(entry).0.into())?;
        }
        let (length, crc) = length_and_checksum(last);
        Some(IndexEntry { place, length, crc })
    }

    /// The code of a block in which all cells are equal, from its checked bytes.
    pub(super) fn same(self, block: u64, bytes: &[u8]) -> Result<u16, TableError> {
        let code = bytes
            .iter()
            .rev()
            .fold(0, |code, &byte| code << 8 | u16::from(byte));
        if usize::from(code) < self.header.info.codes.len() {
            Ok(code)
        } else {
            Err(self.corrupt(block))
        }
    }

    /// Decompresses the checked bytes of a block.
    pub(super) fn decode(
        self,
        block: u64,
        bytes: &[u8],
        decoder: &mut Decoder,
        plain: &mut [u8],
    ) -> Result<(), TableError> {
        let aids = &self.table.aids[self.number];
        let loaded = self.loaded()?;
        let dictionary = loaded.dictionary.as_ref();
        let decoded = match (&aids.shape, &loaded.model) {
            (Some(shape), Some(model)) => {
                let first = block * u64::from(self.header.block_cells);
                let most = decode::MOST_BYTES * plain.len();
                let packed = decoder.decompress(bytes, dictionary, most);
                packed.is_some_and(|(packed, scratch)| {
                    decode::decode(shape, model, first, packed, scratch, plain)
                })
            }
            _ => decoder.decode(bytes, dictionary, plain),
        };
        if decoded && all_below(plain, self.header.info.codes.len()) {
            Ok(())
        } else {
            Err(self.corrupt(block))
        }
    }

    /// The section's model and dictionary, where it has them.
    pub(super) fn loaded(self) -> Result<&'a Loaded, TableError> {
        let aids = &self.table.aids[self.number];
        let loaded = aids.loaded.get_or_init(|| {
            let model_bytes = self.header.model_bytes as usize;
            let length = self.header.data() - self.header.start;
            let bytes = self.table.slice(self.header.start, length)?;
            if crc32c(bytes) != self.header.dictionary_crc {
                return None;
            }
            let (model, dictionary) = bytes.split_at_checked(model_bytes)?;
            let model = match &aids.shape {
                None => None,
                Some(_) => Some(Model::from_bytes(model)?),
            };
            let dictionary = match dictionary {
                [] => None,
                bytes => Some(Dictionary::new(bytes)?),
            };
            Some(Loaded { model, dictionary })
        });
        loaded.as_ref().ok_or_else(|| {
            let section = self.number;
            self.table
                .error(TableErrorKind::DictionaryCorrupt { section })
        })
    }

    pub(super) fn corrupt(self, block: u64) -> TableError {
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

/// The shape of a section packed by symbol ranking, if it can be.
fn shape_of(header: &Header, section: &SectionHeader) -> Option<Shape> {
    let shape = Shape::new(header.material, &section.info)?;
    let block = section.block_cells as usize;
    let whole = block.is_multiple_of(shape.plane()) && section.cells.is_multiple_of(block as u64);
    (whole && block <= decode::MOST_CELLS && shape.cells() == section.cells).then_some(shape)
}

/// The length and the checksum in a block's entry.
pub(super) fn length_and_checksum(entry: [u8; ENTRY_BYTES as usize]) -> (u32, u32) {
    let [a, b, c, checksum @ ..] = entry;
    (
        u32::from_le_bytes([a, b, c, 0]),
        u32::from_le_bytes(checksum),
    )
}

/// True if all cells in `plain` are below this number of codes.
fn all_below(plain: &[u8], codes: usize) -> bool {
    match CellWidth::for_codes(codes) {
        // A fold is vectorised by the compiler; `Iterator::max` is not.
        CellWidth::One => plain
            .iter()
            .copied()
            .reduce(u8::max)
            .is_none_or(|max| usize::from(max) < codes),
        CellWidth::Two => {
            let (low, high) = plain.split_at(plain.len() / 2);
            low.iter()
                .zip(high)
                .map(|(&low, &high)| u16::from_le_bytes([low, high]))
                .reduce(u16::max)
                .is_none_or(|max| usize::from(max) < codes)
        }
    }
}
