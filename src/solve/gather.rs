//! Finds the positions from which one move leads to given positions, for a row of lanes at a time.

use super::geometry::{Geometry, Inner, MARGIN, Place};
use super::row_codec::RowEncoder;
use super::rows::{Rows, or_into};
use crate::board::Color;

/// A function called with the index of a part and the packed positions that a step found in it.
pub type Record<'a> = dyn Fn(usize, &[u8]) + Sync + 'a;

/// Buffers for one row. Each thread has its own buffers and reuses them.
#[derive(Debug)]
pub struct Scratch {
    /// The positions from which a move leads to a given position.
    pub moves: Vec<u64>,
    /// The positions from which a capture leads to a given position of a subending.
    pub captures: Vec<u64>,
    /// The positions that this step finds.
    pub newly: Vec<u64>,
    /// A buffer for the positions that an exit wins or saves.
    pub exits: Vec<u64>,
    /// The packed positions that the step found in a part. `None` if positions are not recorded.
    pub found: Option<RowEncoder>,
    /// The digits of the outer groups.
    pub digits: Vec<usize>,
    ray: Vec<u64>,
    padded: Vec<u64>,
}

impl Scratch {
    /// Allocates buffers for the rows of a geometry.
    pub fn new(geometry: &Geometry) -> Scratch {
        let row = vec![0; geometry.row_lanes];
        Scratch {
            moves: row.clone(),
            captures: row.clone(),
            newly: row.clone(),
            exits: row.clone(),
            ray: row,
            found: None,
            digits: vec![0; geometry.row_strides.len()],
            padded: vec![0; 64 + 2 * MARGIN],
        }
    }
}

/// Adds to `sum`, for each move of `color`'s men in this row, the lane of `source` that the move
/// leads to. Includes moves of the winner's king, but not of the lane's king. Returns false only if
/// it adds no bits.
///
/// Any man stops a slider, including the lane's king. The caller must ignore bits on the squares of
/// the lane's other men, where the king cannot stand.
#[inline(always)]
pub fn moves(
    geometry: &Geometry,
    color: Color,
    source: &Rows,
    place: Place,
    sum: &mut [u64],
    ray_sum: &mut [u64],
    padded: &mut [u64],
) -> bool {
    let mut any = false;
    let row = place.row;
    if color == geometry.layout.winner() {
        for &slab in &geometry.king_moves[place.slab] {
            if let Some(words) = source.row(slab * geometry.slab_rows + place.slab_row) {
                or_into(sum, words);
                any = true;
            }
        }
    }
    for (group, (&digit, &stride)) in place.digits.iter().zip(&geometry.row_strides).enumerate() {
        if geometry.layout.groups()[group].color != color {
            continue;
        }
        let graph = &geometry.graphs[group];
        let base = row - digit * stride;
        if graph.slides() {
            for ray in graph.rays(digit) {
                any |= slide(geometry, source, place, ray, base, stride, sum, ray_sum);
            }
        } else {
            for step in graph.moves(digit) {
                if let Some(words) = source.row(base + step.to as usize * stride) {
                    or_into(sum, words);
                    any = true;
                }
            }
        }
    }
    let inner_moves = geometry
        .layout
        .groups()
        .last()
        .is_some_and(|g| g.color == color);
    if inner_moves && let Some(words) = source.row(row) {
        any = true;
        match &geometry.inner {
            Inner::Shifts(shifts) => {
                padded[MARGIN..MARGIN + 64].copy_from_slice(words);
                let sum: &mut [u64; 64] = sum.try_into().expect("a single man's row has 64 lanes");
                for shift in shifts {
                    let first = MARGIN.wrapping_add_signed(shift.offset);
                    let shifted = &padded[first..first + 64];
                    for i in 0..64 {
                        sum[i] |= shifted[i] & shift.mask[i];
                    }
                }
            }
            Inner::Edges => edges(geometry, words, place.occupied, sum),
            Inner::Still => {}
        }
    }
    any
}

/// Adds the moves of a slider of an outer group along one ray, from the far end towards the slider.
/// At each square, drops the moves past the square in positions with the lane's king or a man of
/// the innermost group on it.
#[inline(always)]
#[expect(clippy::too_many_arguments)]
fn slide(
    geometry: &Geometry,
    source: &Rows,
    place: Place,
    ray: &[super::graph::Step],
    base: usize,
    stride: usize,
    sum: &mut [u64],
    ray_sum: &mut [u64],
) -> bool {
    let free = ray
        .iter()
        .position(|step| place.occupied >> step.square & 1 != 0)
        .unwrap_or(ray.len());
    let mut any = false;
    for (i, step) in ray[..free].iter().enumerate().rev() {
        let words = source.row(base + step.to as usize * stride);
        if i == 0 {
            // The nearest square is last. It is added directly to the sum, with the moves past it.
            if any {
                pass(geometry, ray_sum, step.square);
                or_into(sum, ray_sum);
            }
            if let Some(words) = words {
                or_into(sum, words);
                any = true;
            }
            break;
        }
        match (any, words) {
            (true, words) => {
                pass(geometry, ray_sum, step.square);
                if let Some(words) = words {
                    or_into(ray_sum, words);
                }
            }
            (false, Some(words)) => {
                ray_sum.copy_from_slice(words);
                any = true;
            }
            (false, None) => {}
        }
    }
    any
}

/// Removes the moves that a man on `square` blocks: in each lane, the bit for the lane's king on
/// that square; in lanes with an innermost man on it, all bits.
#[inline(always)]
fn pass(geometry: &Geometry, row: &mut [u64], square: u8) {
    for word in row.iter_mut() {
        *word &= !(1 << square);
    }
    for &lane in &geometry.lanes_on[square as usize] {
        row[lane as usize] = 0;
    }
}

/// Adds the moves of the innermost group, lane by lane.
#[inline(always)]
fn edges(geometry: &Geometry, words: &[u64], occupied: u64, sum: &mut [u64]) {
    let graph = &geometry.graphs[geometry.graphs.len() - 1];
    for (lane, sum) in sum.iter_mut().enumerate() {
        for ray in graph.rays(lane) {
            let mut clear = !0;
            for step in ray {
                if occupied >> step.square & 1 != 0 {
                    break;
                }
                *sum |= words[step.to as usize] & clear;
                clear &= !(1 << step.square);
            }
        }
    }
}

impl Scratch {
    /// Allocates buffers for a part, including an encoder if `record` is given.
    pub fn recording(geometry: &Geometry, record: Option<&Record<'_>>) -> Scratch {
        let found = record.map(|_| RowEncoder::default());
        Scratch {
            found,
            ..Scratch::new(geometry)
        }
    }

    /// Passes the positions found in a part to `record`, if it is given.
    pub fn hand_on(&mut self, record: Option<&Record<'_>>, part: usize) {
        if let (Some(record), Some(found)) = (record, &mut self.found) {
            record(part, found.bytes());
            found.clear();
        }
    }

    /// Clears `self.moves`, and gathers [`moves`] into it.
    #[inline(always)]
    pub fn gather_moves(
        &mut self,
        geometry: &Geometry,
        color: Color,
        source: &Rows,
        place: Place,
    ) -> bool {
        self.moves.fill(0);
        moves(
            geometry,
            color,
            source,
            place,
            &mut self.moves,
            &mut self.ray,
            &mut self.padded,
        )
    }
}
