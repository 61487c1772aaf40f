//! The header of a distance table, with the headers of its sections.

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
use crate::statistics::Statistics;
use crate::table_kind::TableKind;

/// The latest format version, of tables with bia that have results for another rule set than
/// makruk.
///
/// A reader accepts only the versions that it knows. So the version is raised by every change that
/// makes an older reader fail or misread a file: a new layout, a new metric, or a new meaning of a
/// byte. The first 16 bytes keep their meaning in all versions, so that every sakmak can
/// distinguish a newer table from a corrupt one. The compression level and the block size may
/// change without a new version: readers do not need the level, and the file contains the block
/// size.
pub const VERSION: u32 = 7;

/// The first version whose header lists the table's rule sets. The writer uses it for tables that
/// lack some rule set. Tables of earlier versions have all rule sets.
pub(super) const VERSION_WITH_RULE_SETS: u32 = 6;

/// The version of tables against a bare king that have all rule sets and use
/// [`Packing::RankingOverBase`].
const VERSION_OF_BARE_BASES: u32 = 5;

/// The version of tables with men on both sides that have all rule sets and use
/// [`Packing::RankingOverBase`].
const VERSION_OF_TWO_SIDED_BASES: u32 = 4;

/// The version of tables that have all rule sets and do not use [`Packing::RankingOverBase`].
pub const VERSION_WITHOUT_BASES: u32 = 3;

/// The format versions that readers support.
const VERSIONS: RangeInclusive<u32> = VERSION_WITHOUT_BASES..=VERSION;

/// The latest revision of the rules.
///
/// A new revision means that the value of some position has changed, by a correction to movement,
/// captures, the end of a game, or the count. Tables of a revision other than [`rules_revision`]
/// are rejected: a table is computed from the tables of its subendings, and all of them must follow
/// the same rules. A faster way to compute the same values does not need a new revision.
pub const RULES_REVISION: u32 = 2;

/// The rules revision of a material's table: the last revision that changed one of the table's
/// values.
///
/// Revision 1 was the first. Revision 2 changed the distance to honor in ASEAN chess: the distance
/// now ends with every capture after which the winner still wins, and is measured in plies. The
/// change affects tables with men on both sides, and tables against a bare king in which a capture
/// by that king can gain time: see [`Metric::counts_plies`]. Tables of five men or more with
/// makruk's bia have no such distance, but those with men on both sides were published as of
/// revision 2.
pub fn rules_revision(material: CanonicalMaterial) -> u32 {
    let both = !material.is_bare() && material.men() > 4;
    match both || Metric::Dth(RuleSet::Asean).counts_plies(material) {
        true => 2,
        false => 1,
    }
}

/// The largest number of cells in a block. This limits the memory that a lookup needs.
pub const MAX_BLOCK_CELLS: u32 = 1 << 20;

/// The largest number of sections: one for each metric and each side to move. This limits the
/// memory that a header needs.
const MAX_SECTIONS: usize = 2 * (1 + RuleSet::ALL.len());

/// The versions of the file format.
pub(super) const FORMAT: Format = Format {
    kind: TableKind::Distances,
    versions: VERSIONS,
    rule_sets_since: VERSION_WITH_RULE_SETS,
};

/// The file name of a material's table: `KSMvK.skm`.
pub fn file_name(material: CanonicalMaterial) -> String {
    FORMAT.kind.file_name(material)
}

/// The number of blocks in a group of the index.
pub(super) const GROUP: u64 = 32;

/// The event to which a distance is measured: mate, or honor under a rule set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Metric {
    /// Mate. The section contains distances to mate.
    Dtm,
    /// Honor under a rule set: mate, or a capture of the last enemy man after which the winner
    /// mates in time under the new count.
    ///
    /// In ASEAN chess, the distance also ends with any other capture and with any move of a bia, by
    /// either side, after which the position is still won. Chess players call this the distance to
    /// zeroing. In a few endings against a bare king, such a capture can gain time, and may count
    /// as several plies: see
    /// [`plies_of_late_capture`](crate::rules::plies_of_late_capture).
    Dth(RuleSet),
}

impl Metric {
    /// True if a section of this metric stores plies of both sides instead of moves of the winner.
    ///
    /// ASEAN chess uses plies, since its fifty-move rule counts plies and a win of more than 100
    /// plies is a draw. Two groups of endings still store moves. With men on both sides and up to
    /// four men, moves are enough, because the only possible capture is that of a last man, by the
    /// winner. Against a bare king without bia, only endings in which [`late_captures_matter`] have
    /// a section in plies. With bia, all tables of ASEAN chess have one.
    pub fn counts_plies(self, material: CanonicalMaterial) -> bool {
        let both = !material.is_bare() && material.men() > 4;
        match self {
            Metric::Dth(rules) if rules.has_fifty_move_rule() => match material.is_pawnless() {
                true => both || late_captures_matter(material),
                false => material.game() == rules.game(),
            },
            Metric::Dtm | Metric::Dth(_) => false,
        }
    }

    /// The metric of the base section, to which [`Code::Base`] refers. If a table has no section
    /// for this metric, the values of the base section apply. The base of a distance to honor is
    /// makruk's distance to honor or, against a bare king without bia, the distance to mate. With
    /// bia of another game, it is that of the game's first rule set.
    pub fn base(self, material: CanonicalMaterial) -> Option<Metric> {
        match self {
            Metric::Dtm => None,
            Metric::Dth(_) if material.is_bare() && material.is_pawnless() => Some(Metric::Dtm),
            Metric::Dth(rules) => {
                let first = RuleSet::first_of(material.game());
                (rules != first).then_some(Metric::Dth(first))
            }
        }
    }

    /// The metric of the section from which [`Packing::RankingOverBase`] predicts. With men on both
    /// sides, makruk's distance to honor is predicted from the distance to mate, and the distances
    /// of the other rule sets are predicted from makruk's. Against a bare king without bia, all
    /// distances to honor are predicted from the distance to mate. Against a bare king with bia, no
    /// metric is predicted from another, since that would save no space.
    pub fn predicted_from(self, material: CanonicalMaterial) -> Option<Metric> {
        match self {
            Metric::Dth(RuleSet::Makruk) if !material.is_bare() => Some(Metric::Dtm),
            metric => metric.base(material),
        }
    }

    /// The metrics of an ending's table with these rule sets, base sections first. A table with bia
    /// needs the distances to honor even against a bare king, since the count starts when the last
    /// bia is gone.
    pub fn all_of(material: CanonicalMaterial, rules: RuleSets) -> impl Iterator<Item = Metric> {
        let rules = rules.for_men(material.material());
        let honor = rules.iter().map(Metric::Dth);
        let bare = material.material().is_bare_without_bia();
        let honor = honor.filter(move |metric| !bare || metric.counts_plies(material));
        std::iter::once(Metric::Dtm).chain(honor)
    }
}

/// True if a table with bia has results for another rule set than makruk. Readers of versions
/// before
/// [`VERSION`] know tables with bia for makruk only.
pub(crate) fn has_bia_of_other_rules(material: CanonicalMaterial, rules: RuleSets) -> bool {
    !material.is_pawnless() && rules != RuleSets::MAKRUK
}

/// The rule sets for which a table made for `rules` has results. Against a bare king without bia,
/// they include rule sets that need no section of their own, since the distances to mate decide
/// their results.
pub fn rule_sets_answered(material: CanonicalMaterial, rules: RuleSets) -> RuleSets {
    let bare = material.material().is_bare_without_bia();
    let free = |set: &RuleSet| bare && !Metric::Dth(*set).counts_plies(material);
    let free = RuleSets::with(RuleSet::ALL.into_iter().filter(free));
    (rules | free).for_men(material.material())
}

/// Describes the cells of a section, for the writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// The metric of the section.
    pub metric: Metric,
    /// The side to move in the section's positions.
    pub side: Color,
    /// The number of the symmetry, from [`Symmetry::id`](crate::index::Symmetry::id).
    pub symmetry: u8,
    /// The components of a position's index, outermost first, as bytes from
    /// [`Layout::order_bytes`](crate::index::Layout::order_bytes).
    pub order: Vec<u8>,
    /// The meaning of each value of a cell: a cell is an index into this list. With more than 256
    /// codes, cells compress best if the frequent codes come first.
    pub codes: Vec<Code>,
    /// The number of positions with each result, for both sides to move.
    pub statistics: Statistics,
}

impl SectionInfo {
    /// The number of bytes of a decoded cell.
    pub fn width(&self) -> CellWidth {
        CellWidth::for_codes(self.codes.len())
    }
}

/// How the cells of a section are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// The cells are compressed by zstd.
    #[default]
    Plain,
    /// Symbol ranking: each cell is predicted from its neighbours. A list of likely values is
    /// chosen for the cell, and a range coder stores the value's place in this list.
    SymbolRanking,
    /// Symbol ranking that also predicts each cell from the same cell of a base section: see
    /// [`Metric::predicted_from`].
    RankingOverBase,
}

impl Packing {
    /// The length of an index entry in bytes. The entry of a plain block takes seven bytes: three
    /// for the block's length and four for its checksum. The entry of a block packed by symbol
    /// ranking takes two, for half the block's length, since the checksum is inside the block.
    pub(super) const fn entry_bytes(self) -> u64 {
        match self {
            Packing::Plain => 7,
            Packing::SymbolRanking | Packing::RankingOverBase => 2,
        }
    }
}

/// A section's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionHeader {
    /// The metric, the side to move, and the meaning of the cells.
    pub info: SectionInfo,
    /// The number of cells in the section.
    pub cells: u64,
    /// The number of cells in a block. The last block may have fewer.
    pub block_cells: u32,
    /// The packing of the cells.
    pub packing: Packing,
    /// The size of the section's compressed model in bytes; 0 if blocks are plain.
    pub model_bytes: u32,
    /// The offset of the model in the file. The blocks follow the model.
    pub(super) start: u64,
    /// The checksum of the model.
    pub(super) model_crc: u32,
    /// The offset of the section's index, which comes after the blocks.
    pub(super) index: u64,
}

impl SectionHeader {
    /// The number of blocks in the section.
    pub fn blocks(&self) -> u64 {
        self.cells.div_ceil(self.block_cells.max(1).into())
    }

    /// The number of cells in a block, or 0 if no block has this index.
    pub fn cells_of(&self, block: u64) -> usize {
        let before = block.saturating_mul(self.block_cells.into());
        self.cells
            .saturating_sub(before)
            .min(self.block_cells.into()) as usize
    }

    /// The offset of the section's first block.
    pub(super) fn data(&self) -> u64 {
        self.start.saturating_add(self.model_bytes.into())
    }

    /// The location of the index of the section's blocks.
    pub(super) fn block_index(&self) -> BlockIndex {
        BlockIndex {
            offset: self.index,
            blocks: self.blocks(),
            group: GROUP,
            entry_bytes: self.packing.entry_bytes(),
        }
    }

    /// The location of the section in the file.
    pub(super) fn part(&self) -> Part {
        Part {
            models: std::iter::once(self.start..self.data()).collect(),
            index: self.block_index(),
        }
    }
}

/// The headers of all sections of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub material: CanonicalMaterial,
    pub rules: RuleSets,
    pub sections: Vec<SectionHeader>,
}

impl Header {
    /// The oldest format version that can express this header.
    pub fn version(&self) -> u32 {
        let over_base = |section: &SectionHeader| section.packing == Packing::RankingOverBase;
        match self.sections.iter().any(over_base) {
            _ if has_bia_of_other_rules(self.material, self.rules) => VERSION,
            _ if self.rules != RuleSets::ALL => VERSION_WITH_RULE_SETS,
            true if self.material.is_bare() => VERSION_OF_BARE_BASES,
            true => VERSION_OF_TWO_SIDED_BASES,
            false => VERSION_WITHOUT_BASES,
        }
    }

    /// Finds the base section of a section described by `info` among the first `earlier` sections,
    /// and returns its index. The base must be packed by symbol ranking, and number positions in
    /// the same way as the section.
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

    /// Parses the sections of a table of this material with these rule sets.
    pub fn decode(
        input: &mut ByteReader<'_>,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Parsed<Header> {
        let sections = input.u8()?;
        if usize::from(sections) > MAX_SECTIONS {
            return Err("it has more sections than there are metrics");
        }
        let sections = (0..sections).map(|_| decode_section(input));
        let sections = sections.collect::<Parsed<Vec<_>>>()?;
        let stray = |section: &SectionHeader| match section.info.metric {
            Metric::Dtm => false,
            Metric::Dth(set) => !rules.contains(set),
        };
        match sections.iter().any(stray) {
            true => Err("a section has a rule set that the header lacks"),
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
