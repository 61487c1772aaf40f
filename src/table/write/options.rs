//! How tables are compressed.

use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;
use crate::table::header::{Metric, Packing};

/// The most men of an ending whose blocks are small.
const MEN_IN_SMALL_BLOCKS: usize = 5;

/// How sections are compressed. Two files of the same table are equal if their options are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// The rule sets that the table is made with. It answers [more](crate::table::answered) where they need
    /// no section.
    pub rules: RuleSets,
    /// The packing of every section that can have it; by default, the smaller one.
    pub packing: Option<Packing>,
    /// The level of zstd for plain blocks.
    pub level: i32,
    /// The cells of a plain block.
    pub block_cells: u32,
    /// The most cells of a block packed by symbol ranking, if a plane has no more.
    pub ranking_block_cells: u32,
    /// Whether sections are predicted from others where they can be: distances to honor from those to
    /// mate, and those of other rule sets from makruk's. It makes them smaller by a third and more, and
    /// all sections have one order.
    pub over_bases: bool,
    /// Whether symbol ranking gives likely places whole 64ths of all numbers: blocks are read in nine tenths of the
    /// time, and take a thousandth more bytes.
    pub whole_parts: bool,
    /// How sections are packed, of those where it is known. For the others the smallest packing is
    /// searched for, which is a sixth of the work on a table.
    pub known: Vec<SectionPacking>,
}

/// How a section of an ending's table is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionPacking {
    /// Which section it is.
    pub metric: Metric,
    /// The order of its cells, as [`Layout::order_bytes`](crate::index::Layout::order_bytes) has it.
    pub order: Vec<u8>,
    /// The packing.
    pub packing: BlockPacking,
}

/// The packing of a section, and the size of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPacking {
    /// How blocks are packed.
    pub kind: Packing,
    /// The cells of a block; by symbol ranking the most, if a plane has no more.
    pub cells: u32,
}

impl Default for WriteOptions {
    /// `docs/develop/compression.md` has the measurements behind each of these.
    fn default() -> WriteOptions {
        WriteOptions {
            rules: RuleSets::ALL,
            packing: None,
            level: 12,
            block_cells: 1 << 14,
            ranking_block_cells: 2560,
            over_bases: false,
            whole_parts: true,
            known: Vec::new(),
        }
    }
}

impl WriteOptions {
    /// Plain blocks.
    pub fn plain(&self) -> BlockPacking {
        BlockPacking {
            kind: Packing::Plain,
            cells: self.block_cells,
        }
    }

    /// Blocks packed by symbol ranking.
    pub fn symbol_ranking(&self) -> BlockPacking {
        BlockPacking {
            kind: Packing::SymbolRanking,
            cells: self.ranking_block_cells,
        }
    }

    /// The same twice as large: for sections that would be smaller as plain blocks than as small ones
    /// packed by symbol ranking. They are still read faster than plain ones.
    pub fn larger_symbol_ranking(&self) -> BlockPacking {
        BlockPacking {
            kind: Packing::SymbolRanking,
            cells: self.ranking_block_cells.saturating_mul(2),
        }
    }

    /// The options of the published tables. Endings of up to five men, which engines probe most, have
    /// small blocks, and their sections are predicted from others. All others are many times larger and slower to make,
    /// so they are compressed faster and in larger blocks.
    pub fn of(material: CanonicalMaterial) -> WriteOptions {
        let rules = RuleSets::possible(material.material());
        if material.men() <= MEN_IN_SMALL_BLOCKS {
            return WriteOptions {
                rules,
                over_bases: has_bases(material),
                ..WriteOptions::default()
            };
        }
        WriteOptions {
            rules,
            level: 7,
            block_cells: 1 << 15,
            ranking_block_cells: 5120,
            whole_parts: false,
            ..WriteOptions::default()
        }
    }

    /// Options for smaller files, which take several times as long to make, and whose blocks take
    /// some ten times as long to read.
    pub fn small(material: CanonicalMaterial) -> WriteOptions {
        WriteOptions {
            rules: RuleSets::possible(material.material()),
            over_bases: has_bases(material),
            level: 19,
            block_cells: 1 << 19,
            ranking_block_cells: 1 << 15,
            whole_parts: false,
            ..WriteOptions::default()
        }
    }
}

/// Whether an ending's table has sections that can be predicted from others.
fn has_bases(material: CanonicalMaterial) -> bool {
    let rules = RuleSets::possible(material.material());
    Metric::all_of(material, rules).any(|metric| metric.predicted_from(material).is_some())
}
