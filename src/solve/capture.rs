//! Captures by the lane's king: smaller endings fed in at their own distances.

use super::frame::Frame;
use super::gather::Place;
use super::geometry::Geometry;
use super::planes::Planes;
use super::rows::Rows;
use crate::board::{Square, SquareSet};
use rayon::prelude::*;

/// A smaller ending: what is left when the lane's king captures a man of one group.
#[derive(Debug)]
pub struct Leaf {
    /// The group of the frame that has lost a man.
    pub group: usize,
    /// Distances with the winner to move, in the order of [`Frame::without`]; 0 where not won.
    pub planes: Planes,
}

impl Leaf {
    /// Collects the distances of what is left of `frame` when a man of `group` is gone.
    ///
    /// `distances` is asked lane by lane: it gets the winner's king (in the frame's domain) and
    /// the squares of each group of [`Frame::without`], and fills in the moves to mate for the
    /// 64 squares of the other king, 0 where the winner, to move, does not win.
    pub fn collect(
        frame: &Frame,
        group: usize,
        distances: &(dyn Fn(Square, &[SquareSet], &mut [u16; 64]) + Sync),
    ) -> Leaf {
        const LANES: usize = 4096;
        let rest = frame.without(group);
        let lanes = rest.lanes();
        let parts: Vec<Planes> = (0..lanes.div_ceil(LANES))
            .into_par_iter()
            .map(|part| {
                let first = part * LANES;
                let mut planes = Planes::new(LANES.min(lanes - first));
                let mut values = [0; 64];
                for lane in 0..planes.lanes() {
                    let (king, men) = rest.men(first + lane);
                    distances(king, &men, &mut values);
                    planes.set_lane(lane, &values);
                }
                planes
            })
            .collect();
        Leaf {
            group,
            planes: Planes::join(parts),
        }
    }
}

/// A leaf at work: its positions of one distance.
#[derive(Debug)]
pub struct Feed {
    leaf: Leaf,
    largest: u16,
    /// For each outer group of the main frame, the rows one step of its digit skips in the leaf.
    strides: Vec<usize>,
    slab_rows: usize,
    /// The lanes of a leaf row: 1 if the innermost group is gone.
    row_lanes: usize,
    level: Rows,
    any: bool,
}

impl Feed {
    /// Makes a leaf ready for a frame.
    pub fn new(frame: &Frame, leaf: Leaf) -> Feed {
        let inner = frame.groups().len() - 1;
        let radix = |group: usize| {
            let lost = usize::from(group == leaf.group);
            match frame.groups()[group].count - lost {
                0 => 1,
                count => crate::index::Placements::new(count, SquareSet::ALL).len(),
            }
        };
        let mut strides = vec![1; inner];
        for group in (1..inner).rev() {
            strides[group - 1] = strides[group] * radix(group);
        }
        let slab_rows = (0..inner).map(radix).product();
        let row_lanes = radix(inner);
        let rows = frame.domain().len() * slab_rows;
        assert_eq!(leaf.planes.lanes(), rows * row_lanes, "a leaf of its frame");
        Feed {
            largest: leaf.planes.largest(),
            strides,
            slab_rows,
            row_lanes,
            level: Rows::new(rows, row_lanes),
            any: false,
            leaf,
        }
    }

    /// The largest distance there is.
    pub fn largest(&self) -> u16 {
        self.largest
    }

    /// Brings up the positions of one distance.
    pub fn raise(&mut self, distance: u16) {
        self.any = distance <= self.largest;
        if !self.any {
            return;
        }
        let row_lanes = self.row_lanes;
        // Some thousands of lanes at a time, whole rows each.
        let rows_at_once = (4096 / row_lanes).max(1);
        let planes = &self.leaf.planes;
        self.level
            .words
            .par_chunks_mut(rows_at_once * row_lanes)
            .zip(self.level.full.par_chunks_mut(rows_at_once))
            .enumerate()
            .for_each(|(chunk, (words, full))| {
                planes.level(distance, chunk * rows_at_once * row_lanes, words);
                for (row, full) in words.chunks(row_lanes).zip(full) {
                    *full = u8::from(row.iter().any(|&word| word != 0));
                }
            });
    }

    /// Adds to `sum` the captures that a row's lanes have into this level: bits on the squares of
    /// the captured men. Returns whether there was any.
    #[inline(always)]
    pub fn gather(&self, geometry: &Geometry, place: Place, sum: &mut [u64]) -> bool {
        if !self.any {
            return false;
        }
        let mut row = place.slab * self.slab_rows;
        for (group, (&digit, &stride)) in place.digits.iter().zip(&self.strides).enumerate() {
            if group != self.leaf.group {
                row += digit * stride;
            }
        }
        let group = self.leaf.group;
        if group < place.digits.len() {
            self.outer(geometry, group, place.digits[group], row, sum)
        } else {
            self.inner(geometry, row, sum)
        }
    }

    #[inline(always)]
    fn outer(
        &self,
        geometry: &Geometry,
        group: usize,
        digit: usize,
        row: usize,
        sum: &mut [u64],
    ) -> bool {
        let mut any = false;
        for removal in geometry.graphs[group].removals(digit) {
            let rest = removal.rest as usize * self.strides[group];
            if let Some(words) = self.level.row(row + rest) {
                for (sum, word) in sum.iter_mut().zip(words) {
                    *sum |= word & 1 << removal.square;
                }
                any = true;
            }
        }
        any
    }

    #[inline(always)]
    fn inner(&self, geometry: &Geometry, row: usize, sum: &mut [u64]) -> bool {
        let Some(words) = self.level.row(row) else {
            return false;
        };
        let graph = &geometry.graphs[self.leaf.group];
        if let [word] = *words {
            for square in SquareSet(word) {
                sum[square.index()] |= word & square.set().0;
            }
        } else {
            for (lane, sum) in sum.iter_mut().enumerate() {
                for removal in graph.removals(lane) {
                    *sum |= words[removal.rest as usize] & 1 << removal.square;
                }
            }
        }
        true
    }
}
