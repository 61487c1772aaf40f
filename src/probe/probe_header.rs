//! The part of a table's header that a probe needs, for both kinds of tables: the sections of a
//! distance table with their numbering, and the sets of a verdict table with their cache pages.
//!
//! A probe of decoded blocks needs nothing else. All other probes read the file, and open it again
//! if it has been closed.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cache::{PAGE_BYTES, PAGE_WORDS, PageCache};
use super::distance::{Counted, Distance};
use super::numbering::Numbering;
use crate::board::{Color, Position};
use crate::container::{Container, FileBytes, Kind};
use crate::index::{Bia, Group, Layout};
use crate::rules::{RuleSet, RuleSets};
use crate::table::{CellWidth, Code, Distances, Metric, SectionHeader, TableError, TableFile};
use crate::verdict::{self, LanePlace, Pages, PlaneLayout, Set, VerdictFile, VerdictSets};

/// A kind of table that can be probed.
pub(super) trait Probed: Kind {
    /// The parsed header, which is enough for a probe of decoded blocks.
    type ProbeHeader: Debug + Send + Sync;

    /// Parses a table's header and reserves cache keys for its pages.
    fn contents(
        table: &Container<Self, FileBytes>,
        pages: &AtomicU64,
    ) -> Result<Self::ProbeHeader, TableError>;

    /// True if `contents` equals the header of this table.
    fn is_of(contents: &Self::ProbeHeader, table: &Container<Self, FileBytes>) -> bool;

    /// The rule sets for which a table has results.
    fn rules(contents: &Self::ProbeHeader) -> RuleSets;
}

impl Probed for Distances {
    type ProbeHeader = ProbeHeader;

    fn contents(table: &TableFile, pages: &AtomicU64) -> Result<ProbeHeader, TableError> {
        ProbeHeader::new(table, pages)
    }

    fn is_of(contents: &ProbeHeader, table: &TableFile) -> bool {
        contents.is_of(table)
    }

    fn rules(contents: &ProbeHeader) -> RuleSets {
        contents.rules
    }
}

impl Probed for VerdictSets {
    type ProbeHeader = VerdictContents;

    fn contents(table: &VerdictFile, pages: &AtomicU64) -> Result<VerdictContents, TableError> {
        Ok(VerdictContents::new(table, pages))
    }

    fn is_of(contents: &VerdictContents, table: &VerdictFile) -> bool {
        contents.is_of(table)
    }

    fn rules(contents: &VerdictContents) -> RuleSets {
        contents.rules()
    }
}

/// A distance table's header, prepared for lookups.
#[derive(Debug)]
pub(super) struct ProbeHeader {
    /// The rule sets for which the table has results.
    pub rules: RuleSets,
    sections: Vec<Stored>,
    /// How to look up each metric (mate, or honor under a rule set), for each side to move.
    plans: [[Option<Plan>; 2]; METRICS],
}

/// The sections to read for one metric.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The index of the section to read first.
    section: u8,
    /// The index of the base section, which is read if a cell refers to it. `None` if there is no
    /// base section.
    base: Option<u8>,
    /// True if the first section stores moves, false if it stores plies.
    pub moves: bool,
}

/// A section of a table, with the numbering of its positions.
#[derive(Debug)]
pub(super) struct Stored {
    /// The section's index in the file.
    pub number: usize,
    /// The section's header in the file.
    pub header: SectionHeader,
    /// Computes the index of a position.
    pub numbering: Numbering,
    /// The distance that each code stands for, seen by the side to move. `None` for the code that
    /// refers to the base section.
    values: Vec<Option<Distance<Counted>>>,
    /// The key of the section's first page in the cache.
    first_page: u64,
    pages_of_block: u64,
    /// True if a cell has two bytes.
    pub wide: bool,
    /// A multiplier that replaces the division by the number of cells in a block: 2⁶⁴ divided by
    /// that number, rounded up. `None` if some quotients might be wrong.
    reciprocal: Option<u64>,
}

/// The number of metrics: the distance to mate, and a distance to honor for each rule set.
const METRICS: usize = 1 + RuleSet::ALL.len();

/// The index of a metric in [`ProbeHeader::plans`].
fn plan_index(metric: Metric) -> Option<usize> {
    match metric {
        Metric::Dtm => Some(0),
        Metric::Dth(rules) => Some(1 + usize::from(rules.id())),
    }
}

/// The location of a cell: its block, its page and its word in the page.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPlace {
    /// The block's index in its section.
    pub block: u64,
    /// The cell's index in the block.
    pub cell: usize,
    /// The cache key of the page.
    pub key: u64,
    /// The index of the word in the page.
    pub word: usize,
    /// The number of bits by which to shift the word right, so that the cell is in its lowest bits.
    pub shift: u32,
}

impl Stored {
    /// Locates the cell with this index.
    #[inline]
    pub fn locate(&self, number: u64) -> CellPlace {
        let n = u64::from(self.header.block_cells);
        let block = match self.reciprocal {
            Some(factor) => ((u128::from(number) * u128::from(factor)) >> 64) as u64,
            None => number / n,
        };
        let cell = (number - block * n) as usize;
        let byte = cell << u32::from(self.wide);
        CellPlace {
            block,
            cell,
            key: self.key(block) + (byte / PAGE_BYTES) as u64,
            word: byte % PAGE_BYTES / 8,
            shift: (byte % 8 * 8) as u32,
        }
    }

    /// The cache key of a block's first page.
    #[inline]
    pub fn key(&self, block: u64) -> u64 {
        self.first_page + block * self.pages_of_block
    }

    /// The code of the cell at `place`, given the word that contains it.
    #[inline]
    pub fn code(&self, word: u64, place: &CellPlace) -> u16 {
        let code = (word >> place.shift) as u16;
        if self.wide { code } else { code & 0xff }
    }

    /// The distance that a code stands for, seen by the side to move. The outer option is `None`
    /// for an unknown code, the inner option for a reference to the base section.
    #[inline]
    pub fn value(&self, code: u16) -> Option<Option<Distance<Counted>>> {
        self.values.get(usize::from(code)).copied()
    }
}

impl ProbeHeader {
    /// Parses a table's header and reserves keys for its pages.
    pub fn new(file: &TableFile, pages: &AtomicU64) -> Result<ProbeHeader, TableError> {
        let material = file.material();
        let mut sections = Vec::new();
        for section in file.sections() {
            let header = section.header();
            let info = &header.info;
            let layout = Layout::from_bytes(material, info.symmetry, &info.order)
                .ok()
                .filter(|layout| layout.cells() == header.cells)
                .ok_or_else(|| file.damaged("its order of men does not fit its material"))?;
            let wide = info.width() == CellWidth::Two;
            let bytes = u64::from(header.block_cells) << u32::from(wide);
            let pages_of_block = bytes.div_ceil(PAGE_BYTES as u64);
            let needed = pages_of_block.saturating_mul(header.blocks());
            sections.push(Stored {
                number: section.number(),
                header: header.clone(),
                numbering: Numbering::new(&layout),
                values: info.codes.iter().map(|c| value(*c, info.side)).collect(),
                first_page: pages.fetch_add(needed, Ordering::Relaxed),
                pages_of_block,
                wide,
                reciprocal: reciprocal(header.block_cells, header.cells),
            });
        }
        let find = |metric, side: Color| {
            let found = sections.iter().position(|stored| {
                stored.header.info.metric == metric && stored.header.info.side == side
            });
            found.and_then(|place| u8::try_from(place).ok())
        };
        let mut plans = [[None; 2]; METRICS];
        for metric in Metric::all_of(material, file.rule_sets()) {
            for side in Color::ALL {
                let base = metric.base(material).and_then(|base| find(base, side));
                if let (Some(place), Some(section)) =
                    (plan_index(metric), find(metric, side).or(base))
                {
                    let base = base.filter(|&base| base != section);
                    let info = &sections[usize::from(section)].header.info;
                    plans[place][side.index()] = Some(Plan {
                        section,
                        base,
                        moves: !info.metric.counts_plies(material),
                    });
                }
            }
        }
        Ok(ProbeHeader {
            rules: file.rule_sets(),
            sections,
            plans,
        })
    }

    /// True if the header of `file` equals the header from which these contents were read.
    pub fn is_of(&self, file: &TableFile) -> bool {
        let headers = file.sections().map(|section| section.header());
        file.rule_sets() == self.rules
            && headers.eq(self.sections.iter().map(|stored| &stored.header))
    }

    /// How to look up a metric with this side to move, if the table stores it. A metric without a
    /// section of its own is read from its base section.
    #[inline]
    pub fn plan(&self, metric: Metric, turn: Color) -> Option<Plan> {
        *self.plans.get(plan_index(metric)?)?.get(turn.index())?
    }

    /// The section that a plan reads first.
    #[inline]
    pub fn section(&self, plan: Plan) -> Option<&Stored> {
        self.sections.get(usize::from(plan.section))
    }

    /// The section that a plan reads if a cell refers to the base.
    #[inline]
    pub fn base(&self, plan: Plan) -> Option<&Stored> {
        self.sections.get(usize::from(plan.base?))
    }

    /// The section with this index in the file.
    pub fn numbered(&self, number: usize) -> Option<&Stored> {
        self.sections.get(number)
    }

    /// The table's first section of this metric.
    pub fn of_metric(&self, metric: Metric) -> Option<&Stored> {
        let mut sections = self.sections.iter();
        sections.find(|stored| stored.header.info.metric == metric)
    }
}

/// The multiplier that replaces a division by `n` for numbers below `limit`: see
/// [`Stored::locate`]. `None` if some quotients might be wrong.
///
/// The multiplier exceeds 2⁶⁴ / n by less than 1. So the product with a number m exceeds 2⁶⁴ · m /
/// n by less than m. As long as m · n is below 2⁶⁴, this error is too small to reach the next
/// quotient.
fn reciprocal(n: u32, limit: u64) -> Option<u64> {
    limit.checked_mul(n.into())?;
    u64::MAX.checked_div(n.into())?.checked_add(1)
}

/// The distance that a code stands for, seen by the side to move. `None` for [`Code::Base`].
fn value(code: Code, turn: Color) -> Option<Distance<Counted>> {
    match (code, code.win()) {
        (Code::Base, _) => None,
        (_, None) => Some(Distance::Draw),
        (_, Some((winner, length))) if winner == turn => Some(Distance::Win(Counted(length))),
        (_, Some((_, length))) => Some(Distance::Loss(Counted(length))),
    }
}

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
    fn take(&self, set: usize, mut words: [&mut [u64]; 2]) -> bool {
        self.cache.copy(self.key(set), &mut words)
    }

    fn keep(&self, set: usize, words: [&[u64]; 2]) {
        if words[0].len() + words[1].len() <= PAGE_WORDS {
            self.cache.replace(self.key(set), &words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplying_by_the_reciprocal_is_dividing() {
        for n in [2u32, 3, 640, 3840, 4096, 4480, 32_768, 1_000_003] {
            let limit = u64::MAX / u64::from(n);
            let part = reciprocal(n, limit).unwrap();
            let n = u64::from(n);
            let some = (0..1000).map(|i| limit / 1000 * i);
            for near in some.chain([n, limit - n]) {
                // Numbers just below and just above a multiple, where an error would show first.
                let near = near / n * n;
                for number in [near.saturating_sub(1), near, near + 1, near + n - 1] {
                    let product = u128::from(number) * u128::from(part);
                    assert_eq!((product >> 64) as u64, number / n, "{number} / {n}");
                }
            }
            assert_eq!(reciprocal(n as u32, u64::MAX), None);
        }
        // The multiplier would be 2⁶⁴, which does not fit.
        assert_eq!(reciprocal(1, 10), None);
    }
}
