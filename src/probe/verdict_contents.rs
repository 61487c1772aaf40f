//! What the header of a verdict table says, made ready for lookups, and the pages that its blocks are
//! decoded into.
//!
//! As that of a distance table, it is kept while the file may be closed and opened again.

use std::sync::atomic::{AtomicU64, Ordering};

use super::cache::PageCache;
use crate::board::{Color, Position};
use crate::index::{Bia, Group};
use crate::rules::{RuleSet, RuleSets};
use crate::verdict::{self, LanePlace, Pages, PlaneLayout, Set, VerdictFile};

/// What a verdict table's header says.
#[derive(Debug)]
pub(super) struct VerdictContents {
    header: verdict::Header,
    /// By winner, White first, unless it never wins.
    sides: [Option<Side>; 2],
}

/// One side's wins.
#[derive(Debug)]
pub(super) struct Side {
    layout: PlaneLayout,
    /// The planes in all, those of a block, and the blocks.
    all_planes: u64,
    planes: u64,
    blocks: u64,
    /// The key in the cache of the first page.
    first_page: u64,
    /// The set that has the wins on the board.
    pub board: usize,
    /// By rule set, those that have the wins inside the count, if there are any.
    pub in_time: [Option<usize>; RuleSet::ALL.len()],
}

/// Where the words of a position are.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitPlace {
    /// The number of the block.
    pub block: u64,
    /// The number of the lane in the block, and how many lanes that has.
    pub lane: usize,
    pub lanes: usize,
    /// The bit in the word.
    pub bit: u32,
    /// The bit of the winner's own king, which no position has.
    pub own: u32,
}

/// The pages of a block in the cache.
pub(super) struct BlockPages<'a> {
    cache: &'a PageCache,
    /// The key of the first set's page, and the number of blocks.
    key: u64,
    blocks: u64,
}

impl VerdictContents {
    /// Parses the header of a table, and sets keys of the cache's pages aside for it.
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

    /// True if this is what the file says.
    pub fn is_of(&self, file: &VerdictFile) -> bool {
        self.header == *file.header()
    }

    /// The rule sets that the table answers.
    #[inline]
    pub fn rules(&self) -> RuleSets {
        self.header.rules()
    }

    /// How many positions have each category.
    pub fn counts(&self) -> &verdict::Counts {
        self.header.counts()
    }

    /// A side's wins; none if it never wins.
    #[inline]
    pub fn side(&self, winner: Color) -> Option<&Side> {
        self.sides[winner.index()].as_ref()
    }
}

impl Side {
    /// Where a position is.
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

    /// The pages of a block.
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
    /// The key of a set's page.
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
