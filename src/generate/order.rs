//! Which order of the men, and which packing, makes a section small.

use rayon::prelude::*;

use super::encode::orders;
use super::plan::components;
use crate::board::Color;
use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;
use crate::table::{CellSource, Packing, SectionInfo, WriteOptions, estimate};

/// Blocks of each order that are compressed plain at first, quickly, and the level for it.
const FIRST_ROUND: (u64, i32) = (8, 3);
/// How many orders come into the second round, and the blocks of each, compressed as the file
/// will be.
const SECOND_ROUND: (usize, u64) = (4, 24);
/// The blocks of each order that are packed as ranks.
const RANKED: u64 = 64;

/// Plain blocks must be smaller than this many hundredths of ranked ones to be taken: a ranked
/// block has a sixth of the cells, and a probe waits for a whole block.
const PLAIN_BELOW: u64 = 90;

/// The layout and the packing of a section whose sampled blocks compress best. Equal ones are told
/// apart by their order, so that the choice is the same everywhere.
///
/// `info` describes the section but for its order, and `in_order` gives its cells in any.
pub fn best_order<S: CellSource>(
    material: CanonicalMaterial,
    info: &SectionInfo,
    in_order: impl Fn(&Layout) -> S + Sync,
    options: &WriteOptions,
) -> (Layout, Packing) {
    let symmetry = Layout::symmetry_of(material);
    let components = components(material);
    let layout = |order: &Vec<Component>| {
        Layout::new(material, Color::White, symmetry, order)
            .expect("an order of a material's components is one")
    };
    let size = |layout: &Layout, packing: Packing, options: &WriteOptions, blocks: u64| {
        let info = SectionInfo {
            order: layout.order_bytes(),
            ..info.clone()
        };
        let source = in_order(layout);
        estimate(material, &info, packing, &source, options, blocks).unwrap_or(u64::MAX)
    };
    let round = |layouts: Vec<Layout>, packing, options: &WriteOptions, blocks, keep| {
        let mut sized: Vec<(u64, Layout)> = layouts
            .into_par_iter()
            .map(|layout| (size(&layout, packing, options, blocks), layout))
            .collect();
        sized.sort_by_key(|(bytes, _)| *bytes);
        sized.truncate(keep);
        sized
    };
    let only = |sized: Vec<(u64, Layout)>| sized.into_iter().map(|(_, layout)| layout).collect();

    let plain: Vec<Layout> = orders(&components).iter().map(layout).collect();
    let (blocks, level) = FIRST_ROUND;
    let quick = WriteOptions {
        level,
        ..options.clone()
    };
    let plain = only(round(plain, Packing::Plain, &quick, blocks, SECOND_ROUND.0));
    let mut plain = round(plain, Packing::Plain, options, SECOND_ROUND.1, 1);
    let (plain_bytes, plain) = plain.swap_remove(0);

    let mut ranked = round(
        ranked_orders(&components).iter().map(layout).collect(),
        Packing::Ranks,
        options,
        RANKED,
        1,
    );
    match ranked.pop() {
        Some((bytes, layout))
            if bytes < u64::MAX
                && u128::from(plain_bytes) * 100 >= u128::from(bytes) * u128::from(PLAIN_BELOW) =>
        {
            (layout, Packing::Ranks)
        }
        _ => (plain, Packing::Plain),
    }
}

/// The orders of some components that differ when packed as ranks: the kings are the innermost,
/// and what matters is the group outside them.
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
