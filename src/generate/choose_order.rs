//! Chooses the order of the men and the packing that make a section smallest.

use std::ops::Range;

use rayon::prelude::*;

use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;
use crate::parallel::ForkedByOneFunction;
use crate::table::{
    BlockPacking, CellSource, Packing, SectionInfo, WriteOptions, estimate, sample_bytes, spread,
};

/// One round of a tournament of cell orders. In each round, the cells are packed as plain blocks.
struct Round {
    /// The zstd level of the samples. With small blocks it hardly affects which order is best.
    level: i32,
    /// The number of blocks compressed for each order. Blocks differ so much in size that a few are
    /// not enough.
    blocks: u64,
    /// The largest number of cells in a sampled block.
    cells: u32,
    /// The number of orders that reach the next round.
    keep: usize,
}

const fn round(level: i32, blocks: u64, cells: u32, keep: usize) -> Round {
    Round {
        level,
        blocks,
        cells,
        keep,
    }
}

/// The largest block sampled in the early rounds, in cells. Larger blocks of the section are
/// divided for sampling.
const LARGE: u32 = 1 << 16;

/// The rounds of comparison if the section's blocks have at most [`LARGE`] cells.
const ROUNDS: [Round; 3] = [
    round(3, 16, LARGE, 10),
    round(9, 48, LARGE, 3),
    round(9, 256, LARGE, 1),
];
/// The rounds of comparison if the section's blocks have more than [`LARGE`] cells. With such
/// blocks the block size and the zstd level affect which order is best.
const ROUNDS_OF_LARGE: [Round; 3] = [
    round(3, 16, LARGE, 20),
    round(9, 48, LARGE, 8),
    round(19, 48, u32::MAX, 1),
];

/// The last round for large blocks takes longer than the earlier rounds together and shrinks a
/// table by at most an eighth. It is skipped if plain blocks are larger than blocks with symbol
/// ranking by more than this factor, given as numerator and denominator.
const SKIP_LAST_ROUND: (u64, u64) = (3, 2);

/// The number of blocks sampled to compare plain packing with symbol ranking, and to compare orders
/// under symbol ranking. If blocks have more than [`LARGE`] cells, fewer blocks are sampled, with
/// the same total number of cells.
const SAMPLED: u64 = 256;

/// The factor by which symbol ranking may enlarge a base section. The sections that are predicted
/// from it then save more.
const MOST_BASE_GROWTH: u64 = 2;

/// Chooses the layout and the packing whose sampled blocks are smallest. Ties are decided by the
/// order of the components, so that every machine makes the same choice. Larger blocks with symbol
/// ranking are used only for sections that would otherwise be plain, since small blocks are faster
/// to read.
///
/// `info` describes the section except for its order; `in_order` returns the cells in the order of
/// a layout.
pub fn best_order<S: CellSource>(
    material: CanonicalMaterial,
    info: &SectionInfo,
    in_order: impl Fn(&Layout) -> S + Sync,
    options: &WriteOptions,
) -> (Layout, BlockPacking) {
    let symmetry = Layout::symmetry_of(material);
    let components = components(material);
    let layout = |order: &Vec<Component>| {
        Layout::new(material, symmetry, order)
            .expect("an order of the material's own components is valid")
    };
    let plain: Vec<Layout> = orders(&components).iter().map(layout).collect();
    let codes = info.codes.len();
    let all = plain[0].cells().div_ceil(options.block_cells.into());
    let plain = Orders::new(plain, codes, options, 0..all, &in_order);
    let size = |layout: &Layout, packing: BlockPacking| {
        let info = SectionInfo {
            order: layout.order_bytes(),
            ..info.clone()
        };
        let source = in_order(layout);
        let sampled = SAMPLED * u64::from(LARGE) / u64::from(packing.cells);
        let sampled = sampled.clamp(1, SAMPLED);
        estimate(material, &info, packing, options.level, &source, sampled)
    };
    let (small, larger) = (options.symbol_ranking(), options.larger_symbol_ranking());
    let ranked = || {
        ranked_orders(&components)
            .iter()
            .map(layout)
            .collect::<Vec<Layout>>()
            .into_par_iter()
            .erased()
            .filter_map(|layout| Some((size(&layout, small)?, layout)))
            .collect::<Vec<(u64, Layout)>>()
            .into_iter()
            .min_by_key(|(bytes, _)| *bytes)
    };
    let of_plain = |plain: Layout| (plain, options.plain());
    let ranked = match options.packing {
        Some(Packing::Plain) => None,
        _ => ranked(),
    };
    let Some((bytes, ranked)) = ranked else {
        return of_plain(plain.smallest());
    };
    if options.packing.is_some() {
        return (ranked, small);
    }
    let mut plain = plain;
    if options.block_cells > LARGE {
        plain.run_all_rounds_but_the_last();
        let first = size(plain.best(), options.plain()).unwrap_or(u64::MAX);
        let (times, parts) = SKIP_LAST_ROUND;
        if first.saturating_mul(parts) > bytes.saturating_mul(times) {
            return (ranked, small);
        }
    }
    let plain = plain.smallest();
    let plain_bytes = size(&plain, options.plain()).unwrap_or(u64::MAX);
    if options.over_bases {
        // The sections predicted from this one save more than this section may grow.
        return match bytes <= plain_bytes.saturating_mul(MOST_BASE_GROWTH) {
            true => (ranked, small),
            false => of_plain(plain),
        };
    }
    let most = plain_bytes / 100 * options.ranked_percent;
    let as_larger = || size(&ranked, larger).is_some_and(|bytes| bytes <= most);
    match bytes <= plain_bytes {
        true => (ranked, small),
        false if as_larger() => (ranked, larger),
        false => of_plain(plain),
    }
}

/// The orders of plain cells that are being compared, the best one so far first.
struct Orders<'a, S> {
    left: Vec<Layout>,
    rounds: std::slice::Iter<'static, Round>,
    codes: usize,
    options: &'a WriteOptions,
    /// The blocks to take samples from.
    blocks: Range<u64>,
    source: &'a (dyn Fn(&Layout) -> S + Sync),
}

impl<'a, S: CellSource> Orders<'a, S> {
    fn new(
        layouts: Vec<Layout>,
        codes: usize,
        options: &'a WriteOptions,
        blocks: Range<u64>,
        source: &'a (dyn Fn(&Layout) -> S + Sync),
    ) -> Orders<'a, S> {
        let rounds = match options.block_cells {
            ..=LARGE => &ROUNDS,
            _ => &ROUNDS_OF_LARGE,
        };
        Orders {
            left: layouts,
            rounds: rounds.iter(),
            codes,
            options,
            blocks,
            source,
        }
    }

    fn best(&self) -> &Layout {
        &self.left[0]
    }

    fn run_all_rounds_but_the_last(&mut self) {
        while self.rounds.len() > 1 {
            self.next_round();
        }
    }

    fn smallest(mut self) -> Layout {
        while self.rounds.len() > 0 {
            self.next_round();
        }
        self.left.remove(0)
    }

    fn next_round(&mut self) {
        let Some(round) = self.rounds.next() else {
            return;
        };
        let mut sized: Vec<(u64, Layout)> = std::mem::take(&mut self.left)
            .into_par_iter()
            .erased()
            .map(|layout| (self.size(&layout, round), layout))
            .collect();
        sized.sort_by_key(|(bytes, _)| *bytes);
        sized.truncate(round.keep);
        self.left = sized.into_iter().map(|(_, layout)| layout).collect();
    }

    fn size(&self, layout: &Layout, round: &Round) -> u64 {
        let cells = self.options.block_cells.min(round.cells);
        let in_a_block = u64::from(self.options.block_cells / cells);
        let [first, last] = [self.blocks.start, self.blocks.end].map(|block| block * in_a_block);
        let source = (self.source)(layout);
        // The section's last block may be shorter. A range without a whole block may begin after
        // it.
        let last = last.min(source.cells().div_ceil(cells.into()));
        let chosen = spread(last.saturating_sub(first), round.blocks);
        let chosen: Vec<u64> = chosen.iter().map(|block| first + block).collect();
        sample_bytes(&source, self.codes, round.level, cells, &chosen)
    }
}

/// Finds the layout whose plain blocks, sampled from the range `blocks`, are smallest.
pub(super) fn smallest<S: CellSource>(
    layouts: Vec<Layout>,
    codes: usize,
    options: &WriteOptions,
    blocks: Range<u64>,
    source: &(dyn Fn(&Layout) -> S + Sync),
) -> Layout {
    Orders::new(layouts, codes, options, blocks, source).smallest()
}

/// The orders worth comparing under symbol ranking. The kings are always innermost, so the orders
/// differ only in the component directly outside the kings: a group, or the bia.
fn ranked_orders(components: &[Component]) -> Vec<Vec<Component>> {
    let groups: Vec<Component> = components
        .iter()
        .copied()
        .filter(|c| matches!(c, Component::Group(_) | Component::Bia))
        .collect();
    groups
        .iter()
        .map(|&last| {
            let others = groups.iter().copied().filter(|&group| group != last);
            others
                .chain([last, Component::Anchor, Component::Lane])
                .collect()
        })
        .collect()
}

/// The components of a material's layout.
pub fn components(material: CanonicalMaterial) -> Vec<Component> {
    let groups = Layout::groups_of(material).len();
    let mut components = vec![Component::Lane, Component::Anchor];
    components.extend((0..groups).map(Component::Group));
    if !material.is_pawnless() {
        components.push(Component::Bia);
    }
    components
}

/// All permutations of the components, in ascending order.
pub fn orders(components: &[Component]) -> Vec<Vec<Component>> {
    let mut found = vec![vec![]];
    for &component in components {
        found = found
            .into_iter()
            .flat_map(|order: Vec<Component>| {
                (0..=order.len()).map(move |at| {
                    let mut longer = order.clone();
                    longer.insert(at, component);
                    longer
                })
            })
            .collect();
    }
    found.sort();
    found
}
