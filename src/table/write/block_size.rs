//! The sizes of blocks in distance tables. The sizes of a published packing
//! (`tables/published.json`) come first, except with `--search-orders` or `--small`.

use crate::table::header::Packing;

/// The numbers of cells in blocks of both packings.
pub struct BlockSize {
    /// The number of cells in a plain block.
    pub plain: u32,
    /// The largest number of cells in a block packed by symbol ranking.
    pub ranked: u32,
}

/// The default size, for endings that engines probe most.
pub const SMALL: BlockSize = BlockSize {
    plain: 1 << 14,
    ranked: 2560,
};

/// The size for endings of more men than [`MEN_IN_SMALL_BLOCKS`].
pub const LARGE: BlockSize = BlockSize {
    plain: 1 << 15,
    ranked: 5120,
};

/// The size for the smallest files.
pub const HUGE: BlockSize = BlockSize {
    plain: 1 << 19,
    ranked: 1 << 15,
};

/// Endings of up to this many men have small blocks.
pub const MEN_IN_SMALL_BLOCKS: usize = 5;

/// A packing and its block size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockPacking {
    /// The kind of packing.
    pub kind: Packing,
    /// The number of cells in a block. With symbol ranking it is a maximum, but a block has at
    /// least one plane.
    pub cells: u32,
}
