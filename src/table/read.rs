//! Reads distance tables.

use super::block::{Block, CellStorage, Decoder, IndexEntry, SAME_BYTES, checksum_of_cells};
use super::code::{CellWidth, Code};
use super::header::{FORMAT, GROUP, Header, Metric, Packing, SectionHeader, rules_revision};
use super::symbol_rank::decode::{self, SectionShape};
use super::symbol_rank::model::Model;
use super::whole;
use crate::container::bytes::{ByteReader, Parsed};
use crate::container::index::Entries;
use crate::container::{
    Container, FileBytes, Format, Kind, LazyModel, Part, Source, TableError, TableErrorKind,
};
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;

/// The distance table of one ending, read from the bytes of its file. To check all blocks, call
/// `Table::check`.
pub type Table<B> = Container<Distances, B>;

/// A distance table in a file or in memory. If it was opened by path, its errors name the path.
pub type TableFile = Table<FileBytes>;

/// The content of a distance table's header, prepared for reading: see [`Table`].
#[derive(Debug)]
pub struct Distances {
    header: Header,
    /// The decoding parameters of each section; `None` for sections not packed by symbol ranking.
    ranked: Vec<Option<RankedSection>>,
}

/// The decoding parameters of a section packed by symbol ranking: its shape and its model.
#[derive(Debug)]
struct RankedSection {
    shape: SectionShape,
    model: LazyModel<Model>,
    /// The index of the base section, if there is one.
    base: Option<usize>,
}

impl Kind for Distances {
    const FORMAT: Format = FORMAT;

    fn rules_revision(material: CanonicalMaterial) -> u32 {
        rules_revision(material)
    }

    fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Distances> {
        let header = Header::decode(input, material, rules)?;
        Distances::new(header).ok_or("a section has a packing that it does not allow")
    }

    fn parts(&self) -> Vec<Part> {
        let sections = self.header.sections.iter();
        sections.map(SectionHeader::part).collect()
    }

    fn check_whole(&self, version: u32, _: CanonicalMaterial, _: RuleSets) -> Parsed<()> {
        whole::check(&self.header, version)
    }
}

impl Distances {
    /// The header's list of sections.
    #[cfg(test)]
    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// Prepares the sections of this header for reading. `None` if a section does not allow the
    /// packing that its header states.
    pub(super) fn new(header: Header) -> Option<Distances> {
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
                model: LazyModel::default(),
                base,
            }))
        };
        let ranked = (0..header.sections.len())
            .map(ranked)
            .collect::<Option<_>>()?;
        Some(Distances { header, ranked })
    }
}

impl<B: Source> Table<B> {
    /// The sections, in the order of the file.
    pub fn sections(&self) -> impl ExactSizeIterator<Item = Section<'_, B>> {
        (0..self.kind.header.sections.len()).map(|number| Section {
            table: self,
            number,
            header: &self.kind.header.sections[number],
        })
    }

    /// The table's first section of this metric.
    pub fn section(&self, metric: Metric) -> Option<Section<'_, B>> {
        self.sections()
            .find(|section| section.header.info.metric == metric)
    }
}

/// Parses an index entry into the block's length and its checksum. The checksum is `None` if it is
/// inside the block.
pub(super) fn decode_entry(entry: &[u8]) -> (u32, Option<u32>) {
    match *entry {
        [a, b, c, d, e, f, g] => (
            u32::from_le_bytes([a, b, c, 0]),
            Some(u32::from_le_bytes([d, e, f, g])),
        ),
        [a, b] => (2 * u32::from(u16::from_le_bytes([a, b])), None),
        _ => (0, None),
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
    /// The section's index in the file.
    pub fn number(self) -> usize {
        self.number
    }

    /// The section's header.
    pub fn header(self) -> &'a SectionHeader {
        self.header
    }

    /// The block of a cell, and the cell's index in the block.
    pub fn block_of(self, cell: u64) -> (u64, usize) {
        let n = u64::from(self.header.block_cells);
        (cell / n, (cell % n) as usize)
    }

    /// Reads a block into `out`, whose memory is reused. Afterwards, each cell in `out` is an index
    /// into the section's list of codes.
    ///
    /// # Errors
    ///
    /// If the section has no block with this index, or the block is corrupt.
    pub fn read_block(
        self,
        block: u64,
        decoder: &mut Decoder,
        out: &mut Block,
    ) -> Result<(), TableError> {
        self.read_block_over(block, None, decoder, out)
    }

    /// The base section from which this section's blocks are predicted, if the packing is
    /// [`Packing::RankingOverBase`].
    pub fn base(self) -> Option<Section<'a, B>> {
        let number = self.table.kind.ranked[self.number].as_ref()?.base?;
        Some(Section {
            table: self.table,
            number,
            header: &self.table.kind.header.sections[number],
        })
    }

    /// Like [`Section::read_block`], but for callers that may already have decoded the block with
    /// the same index in [`Section::base`]. They pass it as `base`.
    ///
    /// # Errors
    ///
    /// As for [`Section::read_block`].
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
        if let Some(code) = self.only_code(block, bytes)? {
            out.storage = CellStorage::Same(code);
        } else {
            out.storage = CellStorage::Plain(width);
            out.plain.resize(cells * width.bytes(), 0);
            self.decode(block, bytes, base, decoder, &mut out.plain)?;
        }
        out.cells = cells;
        Ok(())
    }

    /// The code of one cell. This decodes a whole block; for several cells use
    /// [`Section::read_block`].
    ///
    /// # Errors
    ///
    /// If the section has no cell with this index, or the cell's block is corrupt.
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

    /// Reads the bytes of a block, through `buffer` if necessary, and checks them unless the
    /// checksum is inside the block.
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
        let bytes = self
            .table
            .bytes(entry.offset, entry.length.into(), buffer)?;
        let right = |bytes: &&[u8]| {
            let found = |crc| entry.checksum(self.number, block, bytes) == crc;
            entry.crc.is_none_or(found)
        };
        let bytes = bytes.filter(right);
        bytes.ok_or_else(|| self.corrupt(block))
    }

    /// Reads the first `blocks` entries of a group of the index. `None` if the group is outside the
    /// file.
    pub(super) fn group<'b>(
        self,
        group: u64,
        blocks: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<Option<Entries<'b>>, TableError>
    where
        'a: 'b,
    {
        let index = self.header.block_index();
        let (offset, length) = index.group(group, blocks);
        let bytes = self.table.bytes(offset, length, buffer)?;
        Ok(bytes.and_then(|bytes| index.entries(bytes)))
    }

    /// Reads the index entry of a block without checking it. `None` if the entry is outside the
    /// file.
    fn entry(self, block: u64, buffer: &mut Vec<u8>) -> Result<Option<IndexEntry>, TableError> {
        let group = self.group(block / GROUP, block % GROUP + 1, buffer)?;
        let last = group.and_then(|entries| entries.last(|entry| decode_entry(entry).0.into()));
        Ok(last.map(|(offset, entry)| {
            let (length, crc) = decode_entry(entry);
            IndexEntry {
                offset,
                length,
                crc,
            }
        }))
    }

    /// The code of a block in which all cells are equal, from the block's bytes. `None` for all
    /// other blocks.
    pub(super) fn only_code(self, block: u64, bytes: &[u8]) -> Result<Option<u16>, TableError> {
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

    /// Decodes the bytes of a block into `plain`. `base` is the block with the same index in the
    /// base section, if the caller has already decoded it.
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

    /// If the section has a base, decodes the block with the same index in the base section and
    /// stores its cells in the decoder. `decoded` is that block, if the caller has already decoded
    /// it.
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
        block.convert(over_base, &mut base.cells);
        decoder.base = Some(base);
        Ok(())
    }

    /// The shape and the model of a section packed by symbol ranking; `None` for all other
    /// sections. The shape follows from the material and the header.
    pub(super) fn ranking(self) -> Result<Option<(&'a SectionShape, &'a Model)>, TableError> {
        let Some(ranked) = &self.table.kind.ranked[self.number] else {
            return Ok(None);
        };
        let header = self.header;
        let over_base = header.packing == Packing::RankingOverBase;
        let model = ranked.model.get(
            self.table,
            header.start..header.data(),
            header.model_crc,
            self.number,
            |bytes| Model::from_bytes(bytes, over_base),
        )?;
        Ok(Some((&ranked.shape, model)))
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

/// The index of the base section of section `number`. `None` if the two sections have different
/// block sizes, or there is no base.
fn base_of(header: &Header, number: usize) -> Option<usize> {
    let own = &header.sections[number];
    let base = header.base_of(&own.info, number)?;
    let of = |section: &SectionHeader| (section.cells, section.block_cells);
    (of(own) == of(&header.sections[base])).then_some(base)
}

/// The properties of a section that symbol ranking needs. `None` if the section does not allow
/// symbol ranking. `base` is the index of its base section.
fn shape_of(header: &Header, section: &SectionHeader, base: Option<usize>) -> Option<SectionShape> {
    let base = base.map(|base| &header.sections[base].info);
    let shape = SectionShape::new(header.material, &section.info, base)?;
    let block = section.block_cells as usize;
    let whole = block.is_multiple_of(shape.plane()) && section.cells.is_multiple_of(block as u64);
    (whole && block <= decode::MOST_CELLS && shape.cells() == section.cells).then_some(shape)
}

/// True if every code in `plain` is below `codes`, the number of codes.
fn all_below(plain: &[u8], codes: usize) -> bool {
    match CellWidth::for_codes(codes) {
        // The compiler vectorises a fold, but not `Iterator::max`.
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
    use crate::statistics::Statistics;
    use crate::table::header::SectionInfo;

    /// A header with two sections: distances to mate, and distances to honor with the first section
    /// as their base.
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
            material,
            rules: RuleSets::ALL,
            sections: vec![
                section(Metric::Dtm, Packing::SymbolRanking),
                section(Metric::Dth(RuleSet::Makruk), Packing::RankingOverBase),
            ],
        }
    }

    fn is_refused(header: Header) -> bool {
        Distances::new(header).is_none()
    }

    #[test]
    fn a_missing_or_unfit_base_is_refused() {
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
