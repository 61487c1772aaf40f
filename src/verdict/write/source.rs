//! The sets of one side's wins, as the input of the writer.

use rayon::prelude::*;

use super::set_coding::SetCoding;
use crate::index::Bia;
use crate::parallel::ForkedByOneFunction;
use crate::verdict::facts::LaneFacts;
use crate::verdict::header::{Header, SETS, Set};
use crate::verdict::layout::PlaneLayout;
use crate::verdict::net::{NetEntry, net};
use crate::verdict::words::{Planes, Turn};

/// The words of a set, with the winner to move and with the loser to move: plane by plane, one word
/// for each lane.
pub type Words<'a> = [&'a mut [u64]; 2];

/// The sets of one side's wins.
pub struct Source<'a> {
    pub layout: PlaneLayout,
    net: Vec<NetEntry>,
    pub sets: [Words<'a>; SETS],
}

/// A block, as a range of lanes.
pub struct Block {
    /// The index of the block's first lane among the lanes of all planes.
    first: usize,
    /// The facts of the block's lanes.
    facts: Vec<LaneFacts>,
}

/// The number of positions in each set, by side to move, the winner first. The last entry contains
/// the numbers of legal positions. Positions that symmetry makes equal are counted separately.
pub type Sizes = [[u64; 2]; SETS + 1];

impl<'a> Source<'a> {
    /// Prepares the words of all sets: clears the bits of illegal positions, and counts the
    /// positions of each set.
    pub fn new(layout: PlaneLayout, sets: [Words<'a>; SETS]) -> (Source<'a>, Sizes) {
        let mut source = Source {
            net: net(layout.domain()),
            layout,
            sets,
        };
        let sizes = source.mask();
        (source, sizes)
    }

    /// The number of lanes in a plane.
    pub fn lanes(&self) -> usize {
        self.layout.domain().len()
    }

    /// The facts of a plane's lanes.
    pub fn facts(&self, plane: u64) -> impl Iterator<Item = LaneFacts> {
        facts(&self.layout, plane)
    }

    /// Clears the bits of illegal positions, and counts the positions of each set.
    fn mask(&mut self) -> Sizes {
        let layout = &self.layout;
        let lanes = layout.domain().len();
        let symmetry = layout.symmetry();
        let weights_of = |bia| -> Vec<u64> {
            let weight = |&king| symmetry.weight(bia, king);
            layout.domain().iter().map(weight).collect()
        };
        let without_bia = weights_of(Bia::NONE);
        let sets = self.sets.each_mut();
        let [[a, b], [c, d], [e, f], [g, h]] =
            sets.map(|set| set.each_mut().map(|words| words.par_chunks_mut(lanes)));
        let sizes = (a, b, c, d, e, f, g, h)
            .into_par_iter()
            .enumerate()
            .erased();
        let sizes = sizes.map(|(plane, (a, b, c, d, e, f, g, h))| {
            let mut sets = [[a, b], [c, d], [e, f], [g, h]];
            let mut sizes = Sizes::default();
            // With bia, the weights depend on whether the bia are their own mirror image.
            let (bia, _) = layout.men(plane as u64);
            let weights = match bia.is_empty() {
                true => &without_bia,
                false => &weights_of(bia),
            };
            for (lane, facts) in facts(layout, plane as u64).enumerate() {
                for turn in 0..2 {
                    let legal = facts.legal[turn];
                    for (size, set) in sizes.iter_mut().zip(&mut sets) {
                        set[turn][lane] &= legal;
                        size[turn] += weights[lane] * u64::from(set[turn][lane].count_ones());
                    }
                    sizes[SETS][turn] += weights[lane] * u64::from(legal.count_ones());
                }
            }
            sizes
        });
        sizes.reduce(Sizes::default, |a, b| {
            std::array::from_fn(|i| [a[i][0] + b[i][0], a[i][1] + b[i][1]])
        })
    }

    /// The block of `planes` planes that begins with plane `first`.
    pub fn block(&self, first: u64, planes: u64) -> Block {
        Block {
            first: first as usize * self.lanes(),
            facts: (first..first + planes)
                .flat_map(|plane| self.facts(plane))
                .collect(),
        }
    }

    /// The words of a set in a block, with `turn` to move.
    pub fn words(&self, set: usize, turn: Turn, block: &Block) -> &[u64] {
        &self.sets[set][turn as usize][block.first..block.first + block.facts.len()]
    }

    /// Calls `visit` with the inputs for coding a set's part of a block, and with a copy of its
    /// words: first with the winner to move, then with the loser to move.
    pub fn walk(
        &self,
        set: usize,
        coding: SetCoding,
        block: &Block,
        mut visit: impl FnMut(&Planes<'_>, Turn, &mut [u64]),
    ) {
        let words = |set, turn| self.words(set, turn, block);
        for turn in [Turn::Winner, Turn::Loser] {
            let planes = Planes {
                net: &self.net,
                facts: &block.facts,
                parent: coding.parent.map(|parent| words(parent, turn)),
                similar: coding.ties.like.map(|similar| words(similar, turn)),
                outsiders: coding.ties.outsiders,
                guide: (turn == Turn::Loser).then(|| words(coding.guide, Turn::Winner)),
                king_steps: coding.king_steps,
            };
            visit(&planes, turn, &mut words(set, turn).to_vec());
        }
    }
}

/// The facts of a plane's lanes.
fn facts(layout: &PlaneLayout, plane: u64) -> impl Iterator<Item = LaneFacts> {
    let mut facts = vec![LaneFacts::default(); layout.domain().len()];
    layout.plane_men(plane).fill(layout.domain(), &mut facts);
    facts.into_iter()
}

/// Adds a side's positions to the counts of the categories. If this is the first side, also counts
/// all legal positions as draws.
pub fn add_to_categories(header: &mut Header, layout: &PlaneLayout, sizes: &Sizes, is_first: bool) {
    let colors = [layout.winner(), !layout.winner()];
    for (turn, color) in colors.into_iter().enumerate() {
        for rules in header.rules.iter() {
            let counts = &mut header.counts[usize::from(rules.id())][color.index()];
            let in_time = sizes[Set::InTime(rules).place()][turn];
            let (best, next) = if turn == 0 { (0, 1) } else { (4, 3) };
            counts[best] += in_time;
            // A set of wins in time that is no subset of the wins would make the difference
            // negative.
            counts[next] += sizes[0][turn].saturating_sub(in_time);
            if is_first {
                counts[2] += sizes[SETS][turn];
            }
        }
    }
}
