//! Options for compressing tables.

use super::block_size::{BlockPacking, HUGE, LARGE, MEN_IN_SMALL_BLOCKS, SMALL};
use crate::board::Game;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSets;
use crate::table::header::{Metric, Packing};

/// Options for compressing sections. The same cells and options always give the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// The rule sets to compute. The table also has results for [rule
    /// sets](crate::table::rule_sets_answered) that need no section of their own.
    pub rules: RuleSets,
    /// The packing to use for every section that allows it. If it is `None`, each section gets the
    /// packing that makes it smallest.
    pub packing: Option<Packing>,
    /// The zstd level of plain blocks.
    pub level: i32,
    /// The number of cells in a plain block.
    pub block_cells: u32,
    /// The largest number of cells in a block packed by symbol ranking. A block has at least one
    /// plane, even if the plane has more cells.
    pub ranking_block_cells: u32,
    /// The size, in percent of plain blocks, up to which sections get larger blocks with symbol
    /// ranking, which are written several times as fast and read faster.
    pub ranked_percent: u64,
    /// Whether to predict sections from others where possible: distances to honor from distances to
    /// mate, and the distances of other rule sets from makruk's. Predicted sections are smaller by
    /// a third or more, but all sections must then have the same cell order.
    pub over_bases: bool,
    /// Whether symbol ranking rounds the widths of likely places to multiples of 64. Rounding makes
    /// reading a tenth faster and files a thousandth larger.
    pub whole_parts: bool,
    /// Packings that were chosen for some sections in an earlier run. For all other sections, the
    /// writer searches for the smallest packing. This search is a sixth of the work of making a
    /// table.
    pub known: Vec<SectionPacking>,
}

/// The packing of one section of an ending's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionPacking {
    /// The metric of the section.
    pub metric: Metric,
    /// The cell order, as bytes from [`Layout::order_bytes`](crate::index::Layout::order_bytes).
    pub order: Vec<u8>,
    /// The packing of the section's blocks.
    pub packing: BlockPacking,
}

impl Default for WriteOptions {
    /// The default options. They follow from the measurements in `docs/develop/compression.md`.
    fn default() -> WriteOptions {
        WriteOptions {
            rules: RuleSets::ALL,
            packing: None,
            level: 12,
            block_cells: SMALL.plain,
            ranking_block_cells: SMALL.ranked,
            ranked_percent: 100,
            over_bases: false,
            whole_parts: true,
            known: Vec::new(),
        }
    }
}

impl WriteOptions {
    /// The packing in plain blocks.
    pub fn plain(&self) -> BlockPacking {
        BlockPacking {
            kind: Packing::Plain,
            cells: self.block_cells,
        }
    }

    /// The packing by symbol ranking.
    pub fn symbol_ranking(&self) -> BlockPacking {
        BlockPacking {
            kind: Packing::SymbolRanking,
            cells: self.ranking_block_cells,
        }
    }

    /// Symbol ranking with blocks twice as large as those of [`WriteOptions::symbol_ranking`]. Used
    /// for sections that are smaller in plain blocks than in small ranked blocks. Even large ranked
    /// blocks read faster than plain ones.
    pub fn larger_symbol_ranking(&self) -> BlockPacking {
        BlockPacking {
            kind: Packing::SymbolRanking,
            cells: self.ranking_block_cells.saturating_mul(2),
        }
    }

    /// The options of the published tables. Endings of up to five men, which engines probe most,
    /// have small blocks and predicted sections. Tables of larger endings are many times larger and
    /// take longer to make, so they are compressed faster, in larger blocks.
    pub fn of(material: CanonicalMaterial) -> WriteOptions {
        let rules = RuleSets::published(material.material());
        if material.men() <= MEN_IN_SMALL_BLOCKS {
            return WriteOptions {
                rules,
                over_bases: has_bases(material),
                ranked_percent: ranked_percent(material.game()),
                ..WriteOptions::default()
            };
        }
        WriteOptions {
            rules,
            level: 7,
            block_cells: LARGE.plain,
            ranking_block_cells: LARGE.ranked,
            whole_parts: false,
            ..WriteOptions::default()
        }
    }

    /// Options for smaller files. Making the files takes several times as long, and reading them
    /// some ten times as long.
    pub fn small(material: CanonicalMaterial) -> WriteOptions {
        WriteOptions {
            rules: RuleSets::published(material.material()),
            over_bases: has_bases(material),
            level: 19,
            block_cells: HUGE.plain,
            ranking_block_cells: HUGE.ranked,
            whole_parts: false,
            ..WriteOptions::default()
        }
    }
}

/// See [`WriteOptions::ranked_percent`]. The tables of makruk, published earlier, are as small as
/// possible. In ASEAN chess, a twelfth more bytes against a bare king halve the time for a table.
fn ranked_percent(game: Game) -> u64 {
    match game {
        Game::Makruk => 100,
        Game::Asean => 150,
    }
}

/// True if an ending's table has sections that can be predicted from others.
fn has_bases(material: CanonicalMaterial) -> bool {
    let rules = RuleSets::published(material.material());
    Metric::all_of(material, rules).any(|metric| metric.predicted_from(material).is_some())
}
