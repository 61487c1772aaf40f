//! Reading a table over any bytes: a file, a memory map, a vector, a slice in a test.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crc32c::crc32c;

use super::block::{Block, CellStorage, Decoder, IndexEntry, SAME_BYTES, checksum_of_cells};
use super::code::{CellWidth, Code};
use super::error::{IoAction, TableError, TableErrorKind};
use super::header::{GROUP, Header, Metric, PLACE_BYTES, Packing, SectionHeader};
use super::source::{FileBytes, Source};
use super::symbol_rank::decode::{self, SectionShape};
use super::symbol_rank::model::Model;
use crate::material::CanonicalMaterial;

/// The table of one ending, over the bytes of its file.
///
/// Making one is cheap: only the header is read and checked. A block is checked each time it is
/// read, since a checksum costs little compared to decompression; [`Table::check`] checks them all.
#[derive(Debug)]
pub struct Table<B> {
    pub(super) source: B,
    pub(super) file_bytes: u64,
    path: Option<PathBuf>,
    header: Header,
    /// For each section, if it is packed by symbol ranking.
    ranked: Vec<Option<RankedSection>>,
}

/// A table in a file, or in the bytes of one. If it comes from a path, its errors name it.
pub type TableFile = Table<FileBytes>;

/// What is needed to decode the blocks of a section packed by symbol ranking.
#[derive(Debug)]
struct RankedSection {
    shape: SectionShape,
    /// Empty until it is first needed, then the model, or none if it is corrupt.
    model: OnceLock<Option<Model>>,
    /// The number of the section that it is predicted from, if there is one.
    base: Option<usize>,
}

impl<B: Source> Table<B> {
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
    pub(super) fn with_path(source: B, path: Option<PathBuf>) -> Result<Table<B>, TableError> {
        let (header, file_bytes) =
            Header::read(&source).map_err(|kind| TableError::new(path.as_deref(), None, kind))?;
        Table::of_header(source, file_bytes, path, header)
    }

    /// The table with this header, in these bytes.
    pub(super) fn of_header(
        source: B,
        file_bytes: u64,
        path: Option<PathBuf>,
        header: Header,
    ) -> Result<Table<B>, TableError> {
        let ranked = |number: usize| {
            let section = &header.sections[number];
            if section.packing == Packing::Plain {
                return (section.model_bytes == 0).then_some(None);
            }
            let base = match section.packing {
                Packing::RankingOverBase => Some(base_of(&header, number)?),
                _ => None,
            };
            Some(Some(RankedSection {
                shape: shape_of(&header, section, base)?,
                model: OnceLock::new(),
                base,
            }))
        };
        let ranked: Option<Vec<_>> = (0..header.sections.len()).map(ranked).collect();
        let ranked = ranked.ok_or_else(|| {
            let what = "a section cannot be packed as it says";
            let kind = TableErrorKind::HeaderCorrupt { what };
            TableError::new(path.as_deref(), Some(header.material), kind)
        })?;
        Ok(Table {
            source,
            file_bytes,
            path,
            header,
            ranked,
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
        self.file_bytes
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

    /// Some bytes of the file, read into `buffer` if need be. None if the file has never had them:
    /// then the place is wrong.
    pub(super) fn bytes<'a>(
        &'a self,
        start: u64,
        length: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, TableError> {
        let end = start.checked_add(length);
        let (Some(_), Ok(length)) = (
            end.filter(|&end| end <= self.file_bytes),
            usize::try_from(length),
        ) else {
            return Ok(None);
        };
        let read = self.source.bytes(start, length, buffer);
        read.map(Some).map_err(|error| self.unreadable(error))
    }

    /// The error for a part of the file that it had when it was opened.
    fn unreadable(&self, source: io::Error) -> TableError {
        let expected = self.file_bytes;
        self.error(match self.source.length() {
            Ok(found) if found < expected => TableErrorKind::Truncated { expected, found },
            _ => TableErrorKind::Io {
                action: IoAction::Read,
                source,
            },
        })
    }
}

/// A group of the index.
pub(super) struct Group<'a> {
    /// The place of its first block.
    pub first: u64,
    /// The entries of its blocks.
    entries: &'a [u8],
    packing: Packing,
}

impl Group<'_> {
    /// The length of each block, and its checksum if it has none inside.
    pub fn entries(&self) -> impl Iterator<Item = (u32, Option<u32>)> {
        let entries = self
            .entries
            .chunks_exact(self.packing.entry_bytes() as usize);
        entries.map(|entry| match *entry {
            [a, b, c, d, e, f, g] => (
                u32::from_le_bytes([a, b, c, 0]),
                Some(u32::from_le_bytes([d, e, f, g])),
            ),
            [a, b] => (2 * u32::from(u16::from_le_bytes([a, b])), None),
            _ => (0, None),
        })
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

impl<'a, B: Source> Section<'a, B> {
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
        self.read_block_over(block, None, decoder, out)
    }

    /// The section whose blocks this one's are predicted from, if it is packed by
    /// [`Packing::RankingOverBase`].
    pub fn base(self) -> Option<Section<'a, B>> {
        let number = self.table.ranked[self.number].as_ref()?.base?;
        Some(Section {
            table: self.table,
            number,
            header: &self.table.header.sections[number],
        })
    }

    /// The same as [`Section::read_block`], with the block of the same number of [`Section::base`], if it
    /// is decoded already.
    ///
    /// # Errors
    ///
    /// As [`Section::read_block`].
    pub fn read_block_over(
        self,
        block: u64,
        base: Option<&Block>,
        decoder: &mut Decoder,
        out: &mut Block,
    ) -> Result<(), TableError> {
        out.cells = 0;
        let mut buffer = decoder.take_buffer();
        let read = self.read_into(block, base, decoder, &mut buffer, out);
        decoder.give_back(buffer);
        read
    }

    fn read_into(
        self,
        block: u64,
        base: Option<&Block>,
        decoder: &mut Decoder,
        buffer: &mut Vec<u8>,
        out: &mut Block,
    ) -> Result<(), TableError> {
        let bytes = self.stored(block, buffer)?;
        let cells = self.header.cells_of(block);
        let width = self.header.info.width();
        if let Some(code) = self.same(block, bytes)? {
            out.storage = CellStorage::Same(code);
        } else {
            out.storage = CellStorage::Plain(width);
            out.plain.resize(cells * width.bytes(), 0);
            self.decode(block, bytes, base, decoder, &mut out.plain)?;
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

    /// The bytes of a block, read into `buffer` if need be, and checked unless their checksum is
    /// inside.
    pub(super) fn stored<'b>(
        self,
        block: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], TableError>
    where
        'a: 'b,
    {
        let blocks = self.header.blocks();
        if block >= blocks {
            return Err(self.out_of_range(block, blocks));
        }
        let entry = self.entry(block, buffer)?;
        let entry = entry.ok_or_else(|| self.corrupt(block))?;
        let bytes = self.table.bytes(entry.place, entry.length.into(), buffer)?;
        let right = |bytes: &&[u8]| {
            let found = |crc| entry.checksum(self.number, block, bytes) == crc;
            entry.crc.is_none_or(found)
        };
        let bytes = bytes.filter(right);
        bytes.ok_or_else(|| self.corrupt(block))
    }

    /// A group of the index with this number of blocks: the place of the first block, and the
    /// entries. None if it has no such place.
    pub(super) fn group<'b>(
        self,
        group: u64,
        blocks: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<Group<'b>>, TableError>
    where
        'a: 'b,
    {
        let place = self.header.group(group);
        let packing = self.header.packing;
        let length = PLACE_BYTES + blocks * packing.entry_bytes();
        let bytes = self.table.bytes(place, length, buffer)?;
        let parts = bytes.and_then(<[u8]>::split_first_chunk);
        Ok(parts.map(|(first, entries)| Group {
            first: u64::from_le_bytes(*first),
            entries,
            packing,
        }))
    }

    /// The entry of a block, not yet checked. None if it has no such place.
    fn entry(self, block: u64, buffer: &mut Vec<u8>) -> Result<Option<IndexEntry>, TableError> {
        let within = block % GROUP;
        let group = self.group(block / GROUP, within + 1, buffer)?;
        Ok(group.and_then(|group| {
            let mut place = group.first;
            let mut entries = group.entries();
            for (length, _) in entries.by_ref().take(within as usize) {
                place = place.checked_add(length.into())?;
            }
            let (length, crc) = entries.next()?;
            Some(IndexEntry { place, length, crc })
        }))
    }

    /// The code of a block in which all cells are equal, from its bytes. None of any other block.
    pub(super) fn same(self, block: u64, bytes: &[u8]) -> Result<Option<u16>, TableError> {
        let (code, right) = match (self.header.packing, bytes) {
            (Packing::Plain, &[low]) if self.header.info.width() == CellWidth::One => {
                (low.into(), true)
            }
            (Packing::Plain, &[low, high]) if self.header.info.width() == CellWidth::Two => {
                (u16::from_le_bytes([low, high]), true)
            }
            (Packing::Plain, _) => return Ok(None),
            (_, &[low, high, ref crc @ ..]) if bytes.len() == SAME_BYTES => {
                let found = checksum_of_cells(self.number, block, &[low, high]);
                (u16::from_le_bytes([low, high]), found.to_le_bytes() == *crc)
            }
            _ => return Ok(None),
        };
        let known = usize::from(code) < self.header.info.codes.len();
        let code = (right && known).then_some(code);
        code.map(Some).ok_or_else(|| self.corrupt(block))
    }

    /// Decodes the bytes of a block. `base` is the base's block, if there is a base and its block is
    /// decoded already.
    pub(super) fn decode(
        self,
        block: u64,
        bytes: &[u8],
        base: Option<&Block>,
        decoder: &mut Decoder,
        plain: &mut [u8],
    ) -> Result<(), TableError> {
        let decoded = match self.ranking()? {
            Some((shape, model)) => {
                let first = block * u64::from(self.header.block_cells);
                self.base_cells(block, base, shape, decoder)?;
                let Decoder { scratch, base, .. } = decoder;
                let base = base.as_ref().map_or(&[][..], |base| &base.cells);
                let checksum = decode::decode(shape, model, first, bytes, base, scratch, plain);
                checksum == Some(checksum_of_cells(self.number, block, plain))
            }
            None => decoder.decode(bytes, plain),
        };
        if decoded && all_below(plain, self.header.info.codes.len()) {
            Ok(())
        } else {
            Err(self.corrupt(block))
        }
    }

    /// Puts the base's cells of a block into the decoder, if there is a base.
    fn base_cells(
        self,
        block: u64,
        decoded: Option<&Block>,
        shape: &SectionShape,
        decoder: &mut Decoder,
    ) -> Result<(), TableError> {
        let (Some(section), Some(over_base)) = (self.base(), &shape.over_base) else {
            return Ok(());
        };
        let mut base = decoder.base.take().unwrap_or_default();
        let block = match decoded {
            Some(decoded) => decoded,
            None => {
                section.read_block(block, &mut base.decoder, &mut base.block)?;
                &base.block
            }
        };
        block.over(over_base, &mut base.cells);
        decoder.base = Some(base);
        Ok(())
    }

    /// The shape and the model of a section packed by symbol ranking.
    pub(super) fn ranking(self) -> Result<Option<(&'a SectionShape, &'a Model)>, TableError> {
        let Some(ranked) = &self.table.ranked[self.number] else {
            return Ok(None);
        };
        let model = match ranked.model.get() {
            Some(model) => model,
            None => {
                // A failure to read it is not kept: the next probe tries again.
                let model = self.model()?;
                ranked.model.get_or_init(|| model)
            }
        };
        let section = self.number;
        let corrupt = || self.table.error(TableErrorKind::ModelCorrupt { section });
        let model = model.as_ref().ok_or_else(corrupt)?;
        Ok(Some((&ranked.shape, model)))
    }

    /// Reads the model. None if it is corrupt.
    fn model(self) -> Result<Option<Model>, TableError> {
        let mut buffer = Vec::new();
        let length = self.header.model_bytes.into();
        let bytes = self.table.bytes(self.header.start, length, &mut buffer)?;
        let bytes = bytes.filter(|bytes| crc32c(bytes) == self.header.model_crc);
        let over_base = self.header.packing == Packing::RankingOverBase;
        Ok(bytes.and_then(|bytes| Model::from_bytes(bytes, over_base)))
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

/// The number of the section that another is predicted from, in which each block has as many cells.
fn base_of(header: &Header, number: usize) -> Option<usize> {
    let own = &header.sections[number];
    let base = header.base_of(&own.info, number)?;
    let of = |section: &SectionHeader| (section.cells, section.block_cells);
    (of(own) == of(&header.sections[base])).then_some(base)
}

/// The shape of a section packed by symbol ranking, if it can be. `base` is the number of the one that it
/// is predicted from.
fn shape_of(header: &Header, section: &SectionHeader, base: Option<usize>) -> Option<SectionShape> {
    let base = base.map(|base| &header.sections[base].info);
    let shape = SectionShape::new(header.material, &section.info, base)?;
    let block = section.block_cells as usize;
    let whole = block.is_multiple_of(shape.plane()) && section.cells.is_multiple_of(block as u64);
    (whole && block <= decode::MOST_CELLS && shape.cells() == section.cells).then_some(shape)
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

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::index::{Component, Layout};
    use crate::rules::RuleSet;
    use crate::stats::Statistics;
    use crate::table::header::SectionInfo;

    /// A header of sections for mate and for honor, the second over the first.
    fn header() -> Header {
        let material = "KRvKM".parse().unwrap();
        let layout = Layout::new(
            material,
            Layout::symmetry_of(material),
            &[
                Component::Group(0),
                Component::Group(1),
                Component::Anchor,
                Component::Lane,
            ],
        );
        let layout = layout.unwrap();
        let section = |metric, packing| SectionHeader {
            info: SectionInfo {
                metric,
                side: Color::White,
                symmetry: layout.symmetry().id(),
                order: layout.order_bytes(),
                codes: vec![Code::WhiteWins(1), Code::Draw, Code::BlackWins(0)],
                statistics: Statistics::default(),
            },
            cells: layout.cells(),
            block_cells: 2560,
            packing,
            model_bytes: 9,
            start: 64,
            model_crc: 0,
            index: 80,
        };
        Header {
            rules_revision: 1,
            material,
            sections: vec![
                section(Metric::Dtm, Packing::SymbolRanking),
                section(Metric::Dth(RuleSet::Makruk), Packing::RankingOverBase),
            ],
        }
    }

    fn is_refused(header: Header) -> bool {
        let table = Table::of_header(Vec::new(), 0, None, header);
        table.is_err_and(|error| matches!(error.kind(), TableErrorKind::HeaderCorrupt { .. }))
    }

    #[test]
    fn a_base_that_is_not_there_is_refused() {
        assert!(!is_refused(header()));
        let changes: [fn(&mut Vec<SectionHeader>); 9] = [
            |sections| sections.swap(0, 1),
            |sections| drop(sections.remove(0)),
            |sections| sections[0].info.metric = Metric::Dth(RuleSet::Makruk),
            |sections| sections[1].info.metric = Metric::Dtm,
            |sections| sections[0].packing = Packing::Plain,
            |sections| sections[0].info.order.swap(0, 1),
            |sections| sections[0].block_cells = 640,
            |sections| sections[1].info.codes.swap(0, 1),
            |sections| sections[1].info.codes.swap(1, 2),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut header = header();
            change(&mut header.sections);
            assert!(is_refused(header), "{number}");
        }
    }
}
