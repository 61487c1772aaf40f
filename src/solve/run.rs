//! The run of a solve, from the mates to the last distance.

use super::arrays::{Arrays, Keep};
use super::bare::{self, Feed};
use super::bit_planes::BitPlanes;
use super::geometry::Geometry;
use super::ghosts::fill_ghosts;
use super::huge_pages::LaneWords;
use super::lane_layout::LaneLayout;
use super::leaf::{Leaf, Levels, Shape, leaf_bytes};
use super::step_counts::{SolveCounts, TaskCounts};
use super::two_sided::{self, Feeds};
use crate::simd::Simd;

/// A step that was taken, for those who watch.
#[derive(Clone, Copy, Debug)]
pub struct StepDone {
    /// The step: the distance in moves that it settled.
    pub moves: u16,
}

/// A solved ending.
#[derive(Debug)]
pub struct Solution {
    /// The order of the lanes.
    pub layout: LaneLayout,
    /// Moves to mate with the winner to move, if they were asked for; 0 where it does not win. Bits
    /// on squares of the lane's own men mean nothing.
    pub winner_to_move: BitPlanes,
    /// One more than the moves to mate with the loser to move, 0 where it does not lose, if it
    /// was asked for.
    pub loser_to_move: Option<BitPlanes>,
    /// The bits, winner to move, that were never won; the lane's own men's squares mean nothing.
    pub open: LaneWords,
    /// Counts on the whole board and an example for each distance.
    pub counts: SolveCounts,
}

impl Solution {
    /// The memory it takes.
    pub fn memory_bytes(&self) -> usize {
        let loser = self
            .loser_to_move
            .as_ref()
            .map_or(0, BitPlanes::memory_bytes);
        self.open.len() * 8 + self.winner_to_move.memory_bytes() + loser
    }
}

/// The bytes of what a solve keeps at once, with this many planes of its own distances and of
/// those of each leaf.
pub fn solve_bytes(layout: &LaneLayout, unit: Unit, planes: u64, leaf_planes: u64) -> u64 {
    Arrays::bytes(layout, matches!(unit, Unit::Plies(_)), planes)
        .saturating_add(leaf_bytes(layout, leaf_planes))
        .saturating_add(Geometry::bytes(layout))
}

/// The two kinds of endings.
enum Kind {
    Bare(Vec<Feed>),
    TwoSided(Box<Feeds>),
}

/// What the distances of a solve are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Moves of the winner.
    Moves,
    /// Moves of either side, up to this many; what takes more is not won. The leaves have the distances
    /// before the capture, which is a ply like any other, and 0 where the win does not stand.
    Plies(u16),
}

/// Solves an ending for the wins of one side. `leaves` are the endings after a capture in which
/// the winner can still win; what is not among them counts as drawn. The distances that are not to
/// be kept take no memory. Runs on the current rayon pool.
pub fn solve(
    layout: LaneLayout,
    leaves: Vec<Leaf>,
    keep: Keep,
    unit: Unit,
    simd: Simd,
    watch: &mut dyn FnMut(StepDone),
) -> Solution {
    let geometry = Geometry::new(layout);
    let winner = geometry.layout.winner();
    let groups = geometry.layout.groups();
    let (fallen, taken): (Vec<Leaf>, Vec<Leaf>) = leaves
        .into_iter()
        .partition(|leaf| groups[leaf.group].color == winner);
    let feeds = |leaves: Vec<Leaf>| {
        let feed = |leaf: Leaf| {
            let shape = Shape::new(&geometry.layout, leaf.group);
            let levels = Levels::new(&shape, leaf.planes);
            Feed { shape, levels }
        };
        leaves.into_iter().map(feed).collect::<Vec<Feed>>()
    };
    let (fallen, taken) = (feeds(fallen), feeds(taken));
    let mut kind = if geometry.layout.is_bare() {
        Kind::Bare(fallen)
    } else {
        Kind::TwoSided(Box::new(Feeds::new(&geometry, fallen, taken)))
    };
    let last_feed = match &kind {
        Kind::Bare(feeds) => feeds.iter().map(|f| f.levels.largest()).max().unwrap_or(0),
        Kind::TwoSided(feeds) => feeds.last(),
    };

    let mut arrays = Arrays::new(&geometry, keep);
    let mut counts = SolveCounts::default();
    let found: Vec<TaskCounts> = match &kind {
        Kind::Bare(_) => bare::start(simd, &geometry, &mut arrays),
        Kind::TwoSided(feeds) => two_sided::start(simd, &geometry, &mut arrays, feeds),
    };
    let mut any = counts.start(&geometry, &found);
    let mut step = 0;
    if let Unit::Plies(most) = unit {
        // A step finds the wins of a number of plies and the losses of one more, which the step
        // after the next makes wins of. The first finds what is lost by nothing but captures.
        arrays = arrays.by_plies();
        let mut any_before = false;
        loop {
            fill_ghosts(simd, &geometry, &mut arrays.next);
            arrays.turn_over();
            watch(StepDone { moves: step / 2 });
            let feeding = step <= last_feed;
            if step > most || !(any || any_before || feeding) {
                break;
            }
            let found = if any_before || feeding {
                let lost = Some(step + 1).filter(|&lost| lost <= most);
                match &mut kind {
                    Kind::Bare(feeds) => {
                        bare::step(simd, &geometry, &mut arrays, feeds, step, lost, None)
                    }
                    Kind::TwoSided(feeds) => {
                        two_sided::step(simd, &geometry, &mut arrays, feeds, step, lost)
                    }
                }
            } else {
                arrays.next.full.fill(0);
                Vec::new()
            };
            any_before = any;
            any = counts.step(&geometry, &found);
            step += 1;
        }
        counts.take_wins_a_step_back();
    } else {
        loop {
            fill_ghosts(simd, &geometry, &mut arrays.next);
            arrays.turn_over();
            watch(StepDone { moves: step });
            if !any && step >= last_feed {
                break;
            }
            step += 1;
            let found = match &mut kind {
                Kind::Bare(feeds) => {
                    bare::step(simd, &geometry, &mut arrays, feeds, step, Some(step), None)
                }
                Kind::TwoSided(feeds) => {
                    two_sided::step(simd, &geometry, &mut arrays, feeds, step, Some(step))
                }
            };
            any = counts.step(&geometry, &found);
        }
    }
    Solution {
        layout: geometry.layout,
        winner_to_move: arrays.winner_to_move,
        loser_to_move: arrays.loser_to_move,
        open: arrays.open.words,
        counts,
    }
}
