//! How tables are compressed.

use crate::material::CanonicalMaterial;
use crate::table::header::Packing;

/// The most men of an ending whose blocks are small.
const MEN_IN_SMALL_BLOCKS: usize = 5;

/// How sections are compressed. Two files of the same table are equal if their options are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOptions {
    /// The packing of every section that can have it; by default, the smaller one.
    pub packing: Option<Packing>,
    /// The level of zstd for plain blocks.
    pub level: i32,
    /// The cells of a plain block.
    pub block_cells: u32,
    /// The most bytes of the dictionary of a plain section; 0 for none, as in all tables, since it
    /// did not pay. Tests write such sections for the readers of the format.
    #[doc(hidden)]
    pub plain_dictionary_bytes: u32,
    /// The level of zstd for blocks packed by symbol ranking.
    pub ranking_level: i32,
    /// The most cells of a block packed by symbol ranking, if a plane has no more.
    pub ranking_block_cells: u32,
    /// The most bytes of the dictionary of a section packed by symbol ranking; 0 for none.
    pub ranking_dictionary_bytes: u32,
}

impl Default for WriteOptions {
    /// `docs/compression.md` has the measurements behind each of these.
    fn default() -> WriteOptions {
        WriteOptions {
            packing: None,
            level: 12,
            block_cells: 1 << 14,
            plain_dictionary_bytes: 0,
            ranking_level: 12,
            ranking_block_cells: 2560,
            ranking_dictionary_bytes: 512,
        }
    }
}

impl WriteOptions {
    /// The options of the published tables. Endings of up to five men against a bare king, which
    /// engines probe most, have the default. All others are many times larger and slower to make, so
    /// they are compressed faster and in larger blocks.
    pub fn of(material: CanonicalMaterial) -> WriteOptions {
        if material.is_bare() && material.men() <= MEN_IN_SMALL_BLOCKS {
            return WriteOptions::default();
        }
        WriteOptions {
            level: 7,
            block_cells: 1 << 15,
            ranking_level: 6,
            ranking_block_cells: 5120,
            ..WriteOptions::default()
        }
    }

    /// Options for smaller files, which take several times as long to make, and whose blocks take
    /// four times as long to read.
    pub fn small() -> WriteOptions {
        WriteOptions {
            level: 19,
            block_cells: 1 << 16,
            ranking_level: 19,
            ranking_block_cells: 4 * 5120,
            ..WriteOptions::default()
        }
    }
}
