//! Which order of the men, and which packing, makes a section small.

use std::ops::Range;

use rayon::prelude::*;

use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;
use crate::table::{
    BlockPacking, CellSource, Packing, SectionInfo, WriteOptions, estimate, sample_bytes, spread,
};

/// How orders of plain cells are told apart: the level of zstd and the blocks of each order that are
/// compressed in a round, and how many orders then go on. Blocks differ so much in size that a few
/// of them say little; the level matters less to which is the best.
const ROUNDS: [(i32, u64, usize); 3] = [(3, 16, 10), (9, 48, 3), (9, 256, 1)];
/// The blocks by which the two packings are compared, and the orders for symbol ranking.
const SAMPLED: u64 = 256;

/// A section that others can be predicted from may have this many times the bytes of plain blocks.
const LOST_TO_BASES: u64 = 2;

/// The layout and the packing of a section whose sampled blocks compress best. Equal ones are told
/// apart by their order, so that the choice is the same everywhere. Larger blocks packed by symbol
/// ranking are only for sections that would be plain otherwise: small blocks are read faster.
///
/// `info` describes the section but for its order, and `in_order` gives its cells in any.
pub fn best_order<S: CellSource>(
    material: CanonicalMaterial,
    info: &SectionInfo,
    in_order: impl Fn(&Layout) -> S + Sync,
    options: &WriteOptions,
) -> (Layout, BlockPacking) {
    let symmetry = Layout::symmetry_of(material);
    let components = components(material);
    let layout = |order: &Vec<Component>| {
        Layout::new(material, symmetry, order).expect("an order of a material's components is one")
    };
    let plain: Vec<Layout> = orders(&components).iter().map(layout).collect();
    let codes = info.codes.len();
    let all = plain[0].cells().div_ceil(options.block_cells.into());
    let plain = || smallest(plain, codes, options, 0..all, &in_order);
    let size = |layout: &Layout, packing: BlockPacking| {
        let info = SectionInfo {
            order: layout.order_bytes(),
            ..info.clone()
        };
        let source = in_order(layout);
        estimate(material, &info, packing, options.level, &source, SAMPLED)
    };
    let (small, larger) = (options.symbol_ranking(), options.larger_symbol_ranking());
    let ranked = || {
        ranked_orders(&components)
            .iter()
            .map(layout)
            .collect::<Vec<Layout>>()
            .into_par_iter()
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
        return of_plain(plain());
    };
    if options.packing.is_some() {
        return (ranked, small);
    }
    let plain = plain();
    let plain_bytes = size(&plain, options.plain()).unwrap_or(u64::MAX);
    if options.over_bases {
        // What is predicted from it saves more than it may lose itself.
        return match bytes <= plain_bytes.saturating_mul(LOST_TO_BASES) {
            true => (ranked, small),
            false => of_plain(plain),
        };
    }
    let as_larger = || size(&ranked, larger).is_some_and(|bytes| bytes <= plain_bytes);
    match bytes <= plain_bytes {
        true => (ranked, small),
        false if as_larger() => (ranked, larger),
        false => of_plain(plain),
    }
}

/// The layout whose plain blocks, sampled from a range, compress best.
pub(super) fn smallest<S: CellSource>(
    layouts: Vec<Layout>,
    codes: usize,
    options: &WriteOptions,
    blocks: Range<u64>,
    source: &(dyn Fn(&Layout) -> S + Sync),
) -> Layout {
    let size = |layout: &Layout, level: i32, sampled: u64| -> u64 {
        let chosen = spread(blocks.end - blocks.start, sampled);
        let chosen: Vec<u64> = chosen.iter().map(|block| blocks.start + block).collect();
        let source = source(layout);
        sample_bytes(&source, codes, level, options.block_cells, &chosen)
    };
    let mut left = layouts;
    for (level, sampled, keep) in ROUNDS {
        let mut sized: Vec<(u64, Layout)> = left
            .into_par_iter()
            .map(|layout| (size(&layout, level, sampled), layout))
            .collect();
        sized.sort_by_key(|(bytes, _)| *bytes);
        sized.truncate(keep);
        left = sized.into_iter().map(|(_, layout)| layout).collect();
    }
    left.remove(0)
}

/// The orders of some components that differ when packed by symbol ranking: the kings are the
/// innermost, and what matters is the group outside them.
fn ranked_orders(components: &[Component]) -> Vec<Vec<Component>> {
    let groups: Vec<Component> = components
        .iter()
        .copied()
        .filter(|c| matches!(c, Component::Group(_)))
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
    components
}

/// Every order of some components.
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
