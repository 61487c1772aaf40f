//! What the header of a distance table says of its sections.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::code::{CellWidth, Code, MAX_CODES};
use super::statistics::read_statistics;
use crate::board::Color;
use crate::container::bytes::{ByteReader, Parsed};
use crate::container::index::BlockIndex;
use crate::container::{Format, Part};
use crate::material::CanonicalMaterial;
use crate::rules::{RuleSet, RuleSets, late_captures_matter};
use crate::stats::Statistics;

/// The latest version of the file format, which tables have that lack a rule set. Their headers say which
/// rule sets they have; those of all other versions have all.
///
/// A reader accepts exactly the versions it knows, so any change after which an older reader would
/// misread or not understand a file raises it: another layout, another metric, another meaning of
/// a byte. The first 16 bytes keep their meaning in all versions, so that every sakmak can tell a
/// newer table from a damaged one. Another compression level or block size changes no version:
/// files say what they use.
pub const VERSION: u32 = 6;

/// The version of other tables against a bare king that use [`Packing::RankingOverBase`].
#[cfg(feature = "make")]
const VERSION_OF_BARE_BASES: u32 = 5;

/// The version of those with men on both sides.
#[cfg(feature = "make")]
const VERSION_OF_TWO_SIDED_BASES: u32 = 4;

/// The version of all other tables.
pub const VERSION_WITHOUT_BASES: u32 = 3;

/// The versions that are read.
const VERSIONS: RangeInclusive<u32> = VERSION_WITHOUT_BASES..=VERSION;

/// The latest revision of the rules that tables are computed under.
///
/// A bump means that some position's value has changed: a rule of movement, of capture, of what
/// ends the game or of the count was corrected. Tables of another revision than
/// [`rules_revision`] tells are then refused rather than mixed with new ones, since a table is
/// built on those of smaller endings. Faster ways to the same values are no bump.
pub const RULES_REVISION: u32 = 2;

/// The revision of the rules in which the values of a material changed last: that of its table.
///
/// 1: the first. 2: what decides in ASEAN chess ends with any capture after which the win stands,
/// and is counted in plies, while both sides have men, and against a bare king where its captures can
/// gain time: see [`Metric::counts_plies`].
pub fn rules_revision(material: CanonicalMaterial) -> u32 {
    match Metric::Dth(RuleSet::Asean).counts_plies(material) {
        true => 2,
        false => 1,
    }
}

/// The most cells of a block. It bounds what a reader has to hold for one look-up.
pub const MAX_BLOCK_CELLS: u32 = 1 << 20;

/// The format of the files.
pub(super) const FORMAT: Format = Format {
    magic: *b"\x89SKM\r\n\x1a\n",
    versions: VERSIONS,
    rule_sets_since: VERSION,
    extension: "skm",
};

/// The blocks of a group of the index.
pub(super) const GROUP: u64 = 32;

/// What the winning side's moves are counted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Distance to mate.
    Dtm,
    /// Distance to honor or mate, under a rule set. In ASEAN chess any capture after which the win
    /// stands ends it, by whichever side: what other tables call the distance to zeroing. Against a
    /// bare king, which is in few tables, a capture may take several plies: see
    /// [`plies_of_late_capture`](crate::rules::plies_of_late_capture).
    Dth(RuleSet),
}

impl Metric {
    /// True if a table's section of this metric counts plies, of both sides, and not the winner's
    /// moves: in ASEAN chess, where the fifty-move rule counts them, and a win of more than its
    /// hundred plies is a draw. In endings of up to four men with men on both sides moves say as much:
    /// only a last man can be captured, and that by the winner. Against a bare king there is such a
    /// section only where [`late_captures_matter`].
    pub fn counts_plies(self, material: CanonicalMaterial) -> bool {
        let both = !material.is_bare() && material.men() > 4;
        self == Metric::Dth(RuleSet::Asean) && (both || late_captures_matter(material))
    }

    /// The metric whose section this one's refers to where the two agree ([`Code::Base`]), and
    /// which it equals where it has no section: for distances to honor, those of makruk; against a
    /// bare king without bia, the distances to mate.
    pub fn base(self, material: CanonicalMaterial) -> Option<Metric> {
        match self {
            Metric::Dtm => None,
            Metric::Dth(_) if material.is_bare() && material.is_pawnless() => Some(Metric::Dtm),
            Metric::Dth(RuleSet::Makruk) => None,
            Metric::Dth(_) => Some(Metric::Dth(RuleSet::Makruk)),
        }
    }

    /// The metric whose section this one's cells are predicted from with
    /// [`Packing::RankingOverBase`]: with men on both sides for makruk's distances to honor those to mate
    /// and for others makruk's; against a bare king without bia for all those to mate. With bia distances to honor
    /// against a bare king are so unlike those to mate that they are as small by themselves.
    pub fn predicted_from(self, material: CanonicalMaterial) -> Option<Metric> {
        match self {
            Metric::Dth(RuleSet::Makruk) if !material.is_bare() => Some(Metric::Dtm),
            metric => metric.base(material),
        }
    }

    /// The metrics that the table of an ending answers which has these rule sets, those that others are
    /// based on first. With bia there is makruk's honor alone, against a bare king too: it counts once
    /// no bia is left.
    pub fn all_of(material: CanonicalMaterial, rules: RuleSets) -> impl Iterator<Item = Metric> {
        let honor = rules.iter().map(Metric::Dth);
        let honor = honor.filter(move |metric| match material.is_pawnless() {
            true => !material.is_bare() || metric.counts_plies(material),
            false => *metric == Metric::Dth(RuleSet::Makruk),
        });
        std::iter::once(Metric::Dtm).chain(honor)
    }
}

/// The rule sets that the table of an ending answers if it is made with these: against a bare king also
/// those that have no section, since there the distances to mate say all.
pub fn answered(material: CanonicalMaterial, rules: RuleSets) -> RuleSets {
    let free = |set: &RuleSet| material.is_bare() && !Metric::Dth(*set).counts_plies(material);
    let free = RuleSets::with(RuleSet::ALL.into_iter().filter(free));
    (rules | free) & RuleSets::possible(material.material())
}

/// What a section holds and how its cells are to be read, as given to the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// What is counted.
    pub metric: Metric,
    /// The side to move in the positions that the cells stand for.
    pub side: Color,
    /// Which symmetries were taken out, as the index understands it.
    pub symmetry: u8,
    /// The components of a cell's number, outermost first, as the index understands them.
    pub order: Vec<u8>,
    /// What the codes in the cells stand for. Frequent ones first compress best where there are
    /// more than 256.
    pub codes: Vec<Code>,
    /// The results of the positions with either side to move.
    pub statistics: Statistics,
}

impl SectionInfo {
    /// The width of a decoded cell.
    pub fn width(&self) -> CellWidth {
        CellWidth::for_codes(self.codes.len())
    }
}

/// How the cells of a section are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// As they are, compressed by zstd.
    #[default]
    Plain,
    /// By symbol ranking: each cell is predicted from its neighbours, and its place in a list of
    /// likely values is stored, by a range coder.
    SymbolRanking,
    /// The same, but cells are predicted also from the same cells of another section: see
    /// [`Metric::predicted_from`].
    RankingOverBase,
}

impl Packing {
    /// The bytes of a block's entry in the index. Of a plain block: three for its length, four for
    /// its checksum. By symbol ranking: two for half its length, since its checksum is inside.
    pub(super) const fn entry_bytes(self) -> u64 {
        match self {
            Packing::Plain => 7,
            Packing::SymbolRanking | Packing::RankingOverBase => 2,
        }
    }
}

/// A section as the header describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionHeader {
    /// What it holds.
    pub info: SectionInfo,
    /// The number of cells.
    pub cells: u64,
    /// The cells of each block but the last, which may have fewer.
    pub block_cells: u32,
    /// How they are packed.
    pub packing: Packing,
    /// The bytes of the model that predicts cells; 0 if the packing is plain.
    pub model_bytes: u32,
    /// Where the model is, followed by the blocks.
    pub(super) start: u64,
    /// The checksum of the model.
    pub(super) model_crc: u32,
    /// Where the index is, after the blocks.
    pub(super) index: u64,
}

impl SectionHeader {
    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.cells.div_ceil(self.block_cells.max(1).into())
    }

    /// The cells of one block; none if there is no such block.
    pub fn cells_of(&self, block: u64) -> usize {
        let before = block.saturating_mul(self.block_cells.into());
        self.cells
            .saturating_sub(before)
            .min(self.block_cells.into()) as usize
    }

    /// Where the blocks' bytes begin.
    pub(super) fn data(&self) -> u64 {
        self.start.saturating_add(self.model_bytes.into())
    }

    /// The index of the blocks.
    pub(super) fn block_index(&self) -> BlockIndex {
        BlockIndex {
            place: self.index,
            blocks: self.blocks(),
            group: GROUP,
            entry_bytes: self.packing.entry_bytes(),
        }
    }

    /// Where the section is.
    pub(super) fn part(&self) -> Part {
        Part {
            models: std::iter::once(self.start..self.data()).collect(),
            index: self.block_index(),
        }
    }
}

/// The sections of a table, as its header describes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub material: CanonicalMaterial,
    pub rules: RuleSets,
    pub sections: Vec<SectionHeader>,
}

impl Header {
    /// The version of the format that a reader must know.
    #[cfg(feature = "make")]
    pub fn version(&self) -> u32 {
        let over_base = |section: &SectionHeader| section.packing == Packing::RankingOverBase;
        match self.sections.iter().any(over_base) {
            _ if self.rules != RuleSets::ALL => VERSION,
            true if self.material.is_bare() => VERSION_OF_BARE_BASES,
            true => VERSION_OF_TWO_SIDED_BASES,
            false => VERSION_WITHOUT_BASES,
        }
    }

    /// The number of the section that another, so described, is predicted from, if it is among the first
    /// `earlier` ones: packed by symbol ranking itself, and with each position under the same number.
    pub fn base_of(&self, info: &SectionInfo, earlier: usize) -> Option<usize> {
        let metric = info.metric.predicted_from(self.material)?;
        let earlier = &self.sections[..earlier];
        let base = earlier.iter().position(|base| base.info.metric == metric)?;
        let SectionHeader {
            info: other,
            packing,
            ..
        } = &earlier[base];
        let alike =
            info.side == other.side && info.symmetry == other.symmetry && info.order == other.order;
        (alike && *packing != Packing::Plain).then_some(base)
    }

    /// Reads the sections of a table of this material and these rule sets.
    pub fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Header> {
        let sections = input.u8()?;
        let sections = (0..sections).map(|_| decode_section(input));
        let sections = sections.collect::<Parsed<Vec<_>>>()?;
        let stray = |section: &SectionHeader| match section.info.metric {
            Metric::Dtm => false,
            Metric::Dth(set) => !rules.contains(set),
        };
        match sections.iter().any(stray) {
            true => Err("a section is of a rule set that it does not have"),
            false => Ok(Header {
                material,
                rules,
                sections,
            }),
        }
    }
}

fn decode_section(input: &mut ByteReader) -> Parsed<SectionHeader> {
    let metric = match (input.u8()?, input.u8()?) {
        (0, 0) => Metric::Dtm,
        (1, rules) => {
            Metric::Dth(RuleSet::from_id(rules).ok_or("a section has an unknown rule set")?)
        }
        _ => return Err("a section has an unknown metric"),
    };
    let side = match input.u8()? {
        0 => Color::White,
        1 => Color::Black,
        _ => return Err("a section has an unknown side to move"),
    };
    let symmetry = input.u8()?;
    let order = input.short_bytes()?.to_vec();
    let cells = input.u64()?;
    let block_cells = input.u32()?;
    if block_cells == 0 || block_cells > MAX_BLOCK_CELLS {
        return Err("a section's blocks have an impossible size");
    }
    let packing = match input.u8()? {
        0 => Packing::Plain,
        1 => Packing::SymbolRanking,
        2 => Packing::RankingOverBase,
        _ => return Err("a section is packed in an unknown way"),
    };
    let start = input.u64()?;
    let model_bytes = input.u32()?;
    let model_crc = input.u32()?;
    let index = input.u64()?;
    let codes = input.list(MAX_CODES, 3, |input| match (input.u8()?, input.u16()?) {
        (0, 0) => Ok(Code::Draw),
        (1, moves) => Ok(Code::WhiteWins(moves)),
        (2, moves) => Ok(Code::BlackWins(moves)),
        (3, 0) => Ok(Code::Base),
        _ => Err("a section has an unknown code"),
    })?;
    if codes.is_empty() {
        return Err("a section has no codes");
    }
    let statistics = read_statistics(input)?;
    Ok(SectionHeader {
        info: SectionInfo {
            metric,
            side,
            symmetry,
            order,
            codes,
            statistics,
        },
        cells,
        block_cells,
        packing,
        model_bytes,
        start,
        model_crc,
        index,
    })
}
