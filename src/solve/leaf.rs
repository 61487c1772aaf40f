//! Leaves: the distances of the subendings after captures, lane by lane.

use rayon::prelude::*;

use super::bit_planes::BitPlanes;
use super::lane_layout::LaneLayout;
use super::rows::Rows;
use crate::board::{Square, SquareSet};
use crate::index::{Placements, Transform};
use crate::parallel::ForkedByOneFunction;

/// A function that writes the distances of a lane's positions: see [`Leaf::collect`].
pub type LaneDistances<'a> = dyn Fn(Square, &[SquareSet], &mut [u16; 64]) + Sync + 'a;

/// The subending after the capture of a man of one group.
#[derive(Debug)]
pub struct Leaf {
    /// The group that has lost a man.
    pub group: usize,
    /// The distances, in the lane order of the layout after the capture ([`LaneLayout::without`]);
    /// 0 for positions that the winner does not win.
    ///
    /// If the captured man was the winner's, the winner is to move, and the distances are the
    /// winner's moves. If it was the loser's, the loser is to move, and the distances are the
    /// winner's moves plus one. In the second case, the slabs are those of
    /// [`LaneLayout::slab_kings`].
    pub planes: BitPlanes,
}

impl Leaf {
    /// Collects the distances of the subending after the capture of a man of `group`.
    ///
    /// Calls `distances` for each lane, with the square of the winner's king and the squares of
    /// each group of [`LaneLayout::without`]. `distances` writes the numbers that [`Leaf::planes`]
    /// stores, one for each square of the loser's king.
    pub fn collect(layout: &LaneLayout, group: usize, distances: &LaneDistances<'_>) -> Leaf {
        let rest = layout.without(group);
        let kings = leaf_kings(layout, group);
        let lanes = rest.lanes() / layout.domain().len() * kings.len();
        let parts: Vec<BitPlanes> = (0..lanes.div_ceil(LANES))
            .into_par_iter()
            .erased()
            .map(|part| {
                let first = part * LANES;
                let mut planes = BitPlanes::new(LANES.min(lanes - first));
                let mut values = [0; 64];
                for lane in 0..planes.lanes() {
                    let (slab, men) = rest.men(first + lane);
                    distances(kings[slab], &men, &mut values);
                    planes.set_lane(lane, &values);
                }
                planes
            })
            .collect();
        Leaf {
            group,
            planes: BitPlanes::join(parts),
        }
    }
}

/// The number of lanes that a task processes.
const LANES: usize = 4096;

/// A function that finds a leaf's lane in a solved ending: see [`Leaf::of_solved`].
pub type LanePlace<'a> = dyn Fn(Square, &[SquareSet]) -> (Transform, usize) + Sync + 'a;

impl Leaf {
    /// Copies the distances of a leaf from a solved ending: see [`Leaf::collect`]. Given the men of
    /// a lane of the leaf, `place` returns the lane of the solved ending that contains the same
    /// positions, and the transform that maps the leaf's lane to it.
    pub fn of_solved(
        layout: &LaneLayout,
        group: usize,
        solved: &BitPlanes,
        place: &LanePlace<'_>,
    ) -> Leaf {
        let rest = layout.without(group);
        let kings = leaf_kings(layout, group);
        let lanes = rest.lanes() / layout.domain().len() * kings.len();
        let mut planes = BitPlanes::new(lanes);
        planes.make_room(solved.limit());
        planes
            .parts_mut(LANES)
            .into_par_iter()
            .enumerate()
            .erased()
            .for_each(|(part, mut words)| {
                let lanes = words.first().map_or(0, |words| words.len());
                for lane in 0..lanes {
                    let (slab, men) = rest.men(part * LANES + lane);
                    let (transform, from) = place(kings[slab], &men);
                    let back = transform.inverse();
                    for (j, words) in words.iter_mut().enumerate() {
                        words[lane] = back.set(SquareSet(solved.word(j, from))).0;
                    }
                }
            });
        Leaf { group, planes }
    }
}

/// A digest of a layout's leaves. Equal digests mean equal leaves, and so equal solutions.
pub fn digest(leaves: &[Leaf]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for leaf in leaves {
        let planes: Vec<&[u64]> = leaf.planes.used().collect();
        for number in [leaf.group, leaf.planes.lanes(), planes.len()] {
            hasher.update(&(number as u64).to_le_bytes());
        }
        for words in planes {
            hasher.update(bytemuck::cast_slice(words));
        }
    }
    hasher.finalize()
}

/// The squares of the winner's king in a leaf's slabs.
fn leaf_kings(layout: &LaneLayout, group: usize) -> Vec<Square> {
    if layout.groups()[group].color == layout.winner() {
        layout.domain().to_vec()
    } else {
        // The winner's king may step out of the domain to capture.
        layout.slab_kings()
    }
}

/// The memory used by a layout's leaves during a solve, in bytes. Each leaf needs `planes` bit
/// planes and, in each lane, one word for the positions at the current distance.
pub fn leaf_bytes(layout: &LaneLayout, planes: u64) -> u64 {
    let leaf = |group: usize| {
        let rest = layout.without(group).lane_count();
        let kings = leaf_kings(layout, group).len() as u64;
        let lanes = rest / layout.domain().len() as u64 * kings;
        // If the loser has men, a leaf after the capture of a winner's man also has open positions.
        let own = layout.groups()[group].color == layout.winner();
        let open = u64::from(own && !layout.is_bare());
        lanes.saturating_mul((planes + 1 + open) * size_of::<u64>() as u64)
    };
    (0..layout.groups().len())
        .map(leaf)
        .fold(0, u64::saturating_add)
}

/// Computes the index of a row in a leaf from the digits of the layout before the capture.
#[derive(Debug)]
pub struct Shape {
    /// The group that has lost a man.
    pub group: usize,
    /// For each outer group of the layout, the stride of its digit (placement index), in rows of
    /// the leaf.
    pub strides: Vec<usize>,
    /// The number of rows in a slab of the leaf.
    pub slab_rows: usize,
    /// The number of lanes in a row of the leaf; 1 if the innermost group has no men left.
    pub row_lanes: usize,
    /// The number of slabs in the leaf.
    pub slabs: usize,
}

impl Shape {
    /// The shape of the leaf after the capture of a man of `group`.
    pub fn new(layout: &LaneLayout, group: usize) -> Shape {
        let inner = layout.groups().len() - 1;
        let radix = |g: usize| match layout.groups()[g].count - usize::from(g == group) {
            0 => 1,
            count => Placements::new(count, layout.groups()[g].domain).len(),
        };
        let mut strides = vec![1; inner];
        for g in (1..inner).rev() {
            strides[g - 1] = strides[g] * radix(g);
        }
        Shape {
            group,
            strides,
            slab_rows: (0..inner).map(radix).product(),
            row_lanes: radix(inner),
            slabs: leaf_kings(layout, group).len(),
        }
    }

    /// The number of rows in the leaf.
    pub fn rows(&self) -> usize {
        self.slabs * self.slab_rows
    }

    /// The index of the leaf's row with these digits. Ignores the digit of the group that has lost
    /// a man.
    #[inline(always)]
    pub fn row(&self, slab: usize, digits: &[usize]) -> usize {
        let mut row = slab * self.slab_rows;
        for (group, (&digit, &stride)) in digits.iter().zip(&self.strides).enumerate() {
            if group != self.group {
                row += digit * stride;
            }
        }
        row
    }
}

/// The positions of a leaf at one distance, which rises with each step.
#[derive(Debug)]
pub struct Levels {
    planes: BitPlanes,
    largest: u16,
    /// The positions at the current distance.
    pub level: Rows,
    /// True if `level` contains a position.
    pub any: bool,
}

impl Levels {
    /// Levels for a leaf of this shape, before the first distance is loaded.
    pub fn new(shape: &Shape, planes: BitPlanes) -> Levels {
        let level = Rows::new(shape.rows(), shape.row_lanes);
        assert_eq!(planes.lanes(), level.words.len(), "a leaf of its layout");
        Levels {
            largest: planes.largest(),
            planes,
            level,
            any: false,
        }
    }

    /// The largest distance in the leaf.
    pub fn largest(&self) -> u16 {
        self.largest
    }

    /// Loads the positions at one distance into `level`.
    pub fn raise(&mut self, distance: u16) {
        self.any = (1..=self.largest).contains(&distance);
        if !self.any {
            self.level.full.fill(0);
            return;
        }
        let row_lanes = self.level.row_lanes;
        // Processes several thousand lanes at a time, in whole rows.
        let rows_at_once = (4096 / row_lanes).max(1);
        let planes = &self.planes;
        let parts = self.level.words.par_chunks_mut(rows_at_once * row_lanes);
        parts
            .zip(self.level.full.par_chunks_mut(rows_at_once))
            .enumerate()
            .erased()
            .for_each(|(chunk, (words, full))| {
                planes.level(distance, chunk * rows_at_once * row_lanes, words);
                for (row, full) in words.chunks(row_lanes).zip(full) {
                    *full = u8::from(row.iter().any(|&word| word != 0));
                }
            });
    }
}
