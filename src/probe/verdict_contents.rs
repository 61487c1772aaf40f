//! The part of a verdict table's header that a probe needs, and the cache pages of its blocks.
//!
//! Like the header of a distance table, it stays in memory even while the file is closed.

use std::sync::atomic::{AtomicU64, Ordering};

use super::cache::PageCache;
use crate::board::{Color, Position};
use crate::index::{Bia, Group};
use crate::rules::{RuleSet, RuleSets};
use crate::verdict::{self, LanePlace, Pages, PlaneLayout, Set, VerdictFile};

/// A verdict table's header, prepared for lookups.
#[derive(Debug)]
pub(super) struct VerdictContents {
    header: verdict::Header,
    /// For each side, White first, the stored sets of positions that it wins. `None` for a side
    /// that never wins.
    sides: [Option<Side>; 2],
}

/// The sets of positions that one side wins, as stored in a verdict table.
#[derive(Debug)]
pub(super) struct Side {
    layout: PlaneLayout,
    /// The number of planes in a set.
    all_planes: u64,
    /// The number of planes in a block.
    planes: u64,
    /// The number of blocks in a set.
    blocks: u64,
    /// The cache key of the first page of this side's sets.
    first_page: u64,
    /// The index of the set of positions that this side wins with nothing counted.
    pub board: usize,
    /// For each rule set, the index of the set of positions that this side wins inside the count.
    /// `None` if the file does not store this set.
    pub in_time: [Option<usize>; RuleSet::ALL.len()],
}

/// The location of a position's bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitPlace {
    /// The index of the block.
    pub block: u64,
    /// The index of the lane in its block.
    pub lane: usize,
    /// The number of lanes in the block.
    pub lanes: usize,
    /// The position's bit in the word of its lane.
    pub bit: u32,
    /// The bit of the square on which the winner's own king stands. It is never set.
    pub own: u32,
}

/// The cache pages of one block, one page for each set.
pub(super) struct BlockPages<'a> {
    cache: &'a PageCache,
    /// The cache key of the block's page for the first set.
    key: u64,
    /// The number of blocks in a set.
    blocks: u64,
}

impl VerdictContents {
    /// Parses a table's header and reserves keys for its pages.
    pub fn new(file: &VerdictFile, pages: &AtomicU64) -> VerdictContents {
        let side = |winner| {
            let (planes, blocks) = file.blocks(winner)?;
            let layout = file.layout(winner)?;
            Some(Side {
                layout: layout.clone(),
                all_planes: layout.planes(),
                planes,
                blocks,
                first_page: pages.fetch_add(Set::COUNT as u64 * blocks, Ordering::Relaxed),
                board: file.stored_set(winner, Set::Board)?,
                in_time: RuleSet::ALL.map(|rules| file.stored_set(winner, Set::InTime(rules))),
            })
        };
        VerdictContents {
            header: file.header().clone(),
            sides: Color::ALL.map(side),
        }
    }

    /// True if the header of `file` equals the header from which these contents were read.
    pub fn is_of(&self, file: &VerdictFile) -> bool {
        self.header == *file.header()
    }

    /// The rule sets for which the table has results.
    #[inline]
    pub fn rules(&self) -> RuleSets {
        self.header.rules()
    }

    /// The stored sets of positions that one side wins. `None` if that side never wins.
    #[inline]
    pub fn side(&self, winner: Color) -> Option<&Side> {
        self.sides[winner.index()].as_ref()
    }
}

impl Side {
    /// Locates the bit of a position.
    #[inline]
    pub fn place(&self, position: &Position) -> BitPlace {
        let winner = self.layout.winner();
        let men = |group: &Group| position.by_color(group.color) & position.by_role(group.role);
        let (king, other) = (position.king(winner), position.king(!winner));
        let bia = Bia::of_position(position);
        let LanePlace {
            plane,
            lane,
            bit,
            own,
        } = self.layout.place(bia, king, other, men);
        let block = plane / self.planes;
        let first = block * self.planes;
        let in_plane = self.layout.domain().len();
        // The last block may have fewer planes.
        let planes = self.planes.min(self.all_planes - first) as usize;
        BitPlace {
            block,
            lane: (plane - first) as usize * in_plane + lane,
            lanes: planes * in_plane,
            bit,
            own,
        }
    }

    /// The cache pages of a block.
    #[inline]
    pub fn pages<'a>(&self, block: u64, cache: &'a PageCache) -> BlockPages<'a> {
        BlockPages {
            cache,
            key: self.first_page + block,
            blocks: self.blocks,
        }
    }
}

impl BlockPages<'_> {
    /// The cache key of the block's page for a set.
    #[inline]
    pub fn key(&self, set: usize) -> u64 {
        self.key + set as u64 * self.blocks
    }
}

impl Pages for BlockPages<'_> {
    fn take(&self, set: usize, page: &mut [u64]) -> bool {
        self.cache.copy(self.key(set), page)
    }

    fn keep(&self, set: usize, page: &[u64]) {
        self.cache.replace(self.key(set), page.iter().copied());
    }
}
