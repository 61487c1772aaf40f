//! Bare-king endings too large for their distances to stay in memory: what each step wins is handed
//! to a [`Checkpoints`], and three bits a position are kept.
//!
//! The journal is at once what the distances are put together from in the end and where a solve
//! that was stopped goes on: what is open follows from what was won, and what was lost last from
//! what is open.

use rayon::prelude::*;

use super::arrays::{Arrays, Keep};
use super::bare::{self, Feed, lost_now};
use super::geometry::Geometry;
use super::ghosts::fill_ghosts;
use super::lane_layout::LaneLayout;
use super::leaf::{Leaf, Levels, Shape};
use super::row_codec::decode_rows;
use super::run::StepDone;
use super::step_counts::{SolveCounts, StepCounts};
use crate::board::attacks;
use crate::simd::Simd;

/// The journal failed and knows why.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointFailed;

/// Where the steps of a solve are kept.
///
/// A step is kept in *parts*, each some rows, packed (see [`decode_part`]); the parts are those of
/// [`parts`]. Steps are numbered from 1: step 0, the mates, is worked out again when a run resumes.
pub trait Checkpoints: Sync {
    /// What the steps that are there already found, from step 1 on.
    fn finished(&self) -> Vec<StepCounts>;

    /// Reads a part of a step that is there.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn read(&self, step: u16, part: usize, packed: &mut Vec<u8>) -> Result<(), CheckpointFailed>;

    /// Begins the step after those finished.
    ///
    /// # Errors
    ///
    /// If nothing can be written.
    fn begin(&mut self, step: u16) -> Result<(), CheckpointFailed>;

    /// Writes a part of the step begun, from any thread. Errors are returned by [`Checkpoints::finish`].
    fn write(&self, part: usize, packed: &[u8]);

    /// Seals the step begun.
    ///
    /// # Errors
    ///
    /// If something could not be written.
    fn finish(&mut self, counts: StepCounts) -> Result<(), CheckpointFailed>;
}

/// How the lanes of a layout are divided into parts: rows of a part, lanes of a row, parts of each
/// slab.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The rows of a part.
    pub rows: usize,
    /// The lanes of a row.
    pub row_lanes: usize,
    /// The parts of the slab of each square of the winner's king.
    pub per_slab: usize,
}

/// The parts of a layout.
pub fn parts(layout: &LaneLayout) -> Parts {
    let groups = layout.groups().len();
    let rows = match groups {
        0 | 1 => layout.slab_rows(),
        _ => layout.slab_rows() / layout.placements(0).len(),
    };
    Parts {
        rows,
        row_lanes: layout.row_lanes(),
        per_slab: layout.slab_rows() / rows,
    }
}

/// Calls `visit` with each lane of a part, counted in the part, in which the step has won, and the
/// bits it has won. `None` if the bytes are not those of a part.
pub fn decode_part(packed: &[u8], parts: Parts, mut visit: impl FnMut(usize, u64)) -> Option<()> {
    decode_rows(packed, parts.rows, parts.row_lanes, |row, lane, word| {
        visit(row * parts.row_lanes + lane, word);
    })
}

/// Solves a bare-king ending, or a slice of one, from where the journal ends. Runs on the current
/// rayon pool.
///
/// # Errors
///
/// If the journal fails.
pub fn solve_checkpointed(
    layout: LaneLayout,
    leaves: Vec<Leaf>,
    simd: Simd,
    journal: &mut dyn Checkpoints,
    watch: &mut dyn FnMut(StepDone),
) -> Result<SolveCounts, CheckpointFailed> {
    let geometry = Geometry::new(layout);
    let mut feeds: Vec<Feed> = leaves
        .into_iter()
        .map(|leaf| {
            let shape = Shape::new(&geometry.layout, leaf.group);
            let levels = Levels::new(&shape, leaf.planes);
            Feed { shape, levels }
        })
        .collect();
    let last_feed = feeds.iter().map(|f| f.levels.largest()).max().unwrap_or(0);
    let mut arrays = Arrays::new(&geometry, Keep::Open);
    let mut counts = SolveCounts::default();
    let found = bare::start(simd, &geometry, &mut arrays);
    let mut any = counts.start(&geometry, &found);
    let finished = journal.finished();
    let mut step = finished.len() as u16;
    if step > 0 {
        replay(&geometry, &mut arrays, journal, step)?;
        any = finished
            .last()
            .is_some_and(|last| last.losses.positions > 0);
        counts.steps.extend(finished);
    }
    loop {
        fill_ghosts(simd, &geometry, &mut arrays.next);
        std::mem::swap(&mut arrays.lost, &mut arrays.next);
        watch(StepDone { moves: step });
        if !any && step >= last_feed {
            return Ok(counts);
        }
        step += 1;
        journal.begin(step)?;
        let found = {
            let journal = &*journal;
            let write = |part: usize, packed: &[u8]| journal.write(part, packed);
            bare::step(
                simd,
                &geometry,
                &mut arrays,
                &mut feeds,
                step,
                Some(step),
                Some(&write),
            )
        };
        any = counts.step(&geometry, &found);
        journal.finish(counts.steps.last().copied().unwrap_or_default())?;
    }
}

/// Takes what the finished steps won out of `open`, and leaves what the last of them lost in
/// `next`.
fn replay(
    geometry: &Geometry,
    arrays: &mut Arrays,
    journal: &dyn Checkpoints,
    last: u16,
) -> Result<(), CheckpointFailed> {
    let cut = parts(&geometry.layout);
    arrays
        .parts(geometry, (0, 0))
        .1
        .into_par_iter()
        .enumerate()
        .try_for_each_init(
            || (Vec::new(), vec![0; geometry.row_strides.len()]),
            |(packed, digits), (part, (span, winner, loser))| {
                loser.full.fill(0);
                for step in 1..last {
                    journal.read(step, part, packed)?;
                    let take = |lane: usize, word: u64| winner.open[lane] &= !word;
                    decode_part(packed, cut, take).ok_or(CheckpointFailed)?;
                }
                journal.read(last, part, packed)?;
                let near = attacks::king(geometry.layout.domain()[span.slab]).0;
                let mut occupied = 0;
                decode_rows(packed, cut.rows, cut.row_lanes, |row, lane, word| {
                    let first = row * cut.row_lanes;
                    let next = &mut loser.next[first..first + cut.row_lanes];
                    if loser.full[row] == 0 {
                        loser.full[row] = 1;
                        next.fill(0);
                        geometry.digits(span.first_row + row, digits);
                        let men = geometry.occupied(span.slab, digits);
                        occupied = men.unwrap_or_default().0;
                    }
                    let open = &mut winner.open[first + lane];
                    *open &= !word;
                    let men = occupied | geometry.inner_squares[lane];
                    next[lane] = lost_now(*open, word, men | near);
                })
                .ok_or(CheckpointFailed)
            },
        )
}
