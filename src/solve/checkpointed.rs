//! Stores the positions found by each step as a checkpoint, so that the distances need not stay in
//! memory and an interrupted solve can resume.
//!
//! At the end, the distances are assembled from the checkpoints. To resume a solve, `open` is
//! rebuilt from the stored wins, and `pending` from the stored losses. Against a bare king, only
//! the wins are stored, since the losses of a step follow from its wins and `open`.

use rayon::prelude::*;

use super::arrays::{Arrays, of_run};
use super::bare::lost_now;
use super::geometry::Geometry;
use super::ghosts::fill_ghosts;
use super::lane::LaneWords;
use super::lane_layout::LaneLayout;
use super::row_codec::decode_rows;
use super::rows::Rows;
use super::step_counts::StepCounts;
use crate::board::attacks;
use crate::parallel::ForkedByOneFunction;
use crate::simd::Simd;

/// The error of a solve whose checkpoints could not be read or written. The [`Checkpoints`] value
/// keeps the cause.
#[derive(Clone, Copy, Debug)]
pub struct CheckpointFailed;

/// Stores the steps of a solve.
///
/// A step is stored in packed *parts* of several rows each: first the wins in each part and then,
/// if the loser has men, the losses in each part. [`parts`] divides the rows, and [`decode_part`]
/// unpacks a part.
///
/// Steps are numbered from 1. With men on both sides, step 1 finds the mates. Against a bare king,
/// step 1 is the first step after the mates, and a resumed run finds the mates again.
pub trait Checkpoints: Sync {
    /// Allocates zeroed lanes for the solve, in memory or in a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be created.
    fn lanes(&self, lanes: usize) -> Result<LaneWords, CheckpointFailed> {
        Ok(LaneWords::zeroed(lanes))
    }

    /// The counts of the finished steps, beginning with step 1.
    fn finished(&self) -> Vec<StepCounts>;

    /// Reads a part of a finished step into `packed`.
    ///
    /// # Errors
    ///
    /// If the part cannot be read.
    fn read(&self, step: u16, part: usize, packed: &mut Vec<u8>) -> Result<(), CheckpointFailed>;

    /// Begins the next step.
    ///
    /// # Errors
    ///
    /// If the checkpoint cannot be written.
    fn begin(&mut self, step: u16) -> Result<(), CheckpointFailed>;

    /// Writes a part of the current step. Any thread may call it; errors are returned later, by
    /// [`Checkpoints::finish`].
    fn write(&self, part: usize, packed: &[u8]);

    /// Completes the current step.
    ///
    /// # Errors
    ///
    /// If any part could not be written.
    fn finish(&mut self, counts: StepCounts) -> Result<(), CheckpointFailed>;
}

/// The division of a layout's lanes into parts.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// The number of rows in a part.
    pub rows: usize,
    /// The number of lanes in a row.
    pub row_lanes: usize,
    /// The number of parts in a slab (the rows with the winner's king on one square).
    pub per_slab: usize,
    /// The number of parts in all slabs.
    pub all: usize,
    /// True if a step also stores losses. They follow the wins, in the same number of parts.
    pub losses: bool,
}

impl Parts {
    /// The number of lanes in a part.
    pub fn lanes(&self) -> usize {
        self.rows * self.row_lanes
    }

    /// The number of parts that a step stores.
    pub fn kept(&self) -> usize {
        self.all * (1 + usize::from(self.losses))
    }
}

/// The division of a layout's lanes into parts.
pub fn parts(layout: &LaneLayout) -> Parts {
    let rows = layout.chunk_rows();
    let per_slab = layout.slab_rows() / rows;
    Parts {
        rows,
        row_lanes: layout.row_lanes(),
        per_slab,
        all: per_slab * layout.domain().len(),
        losses: !layout.is_bare(),
    }
}

/// Unpacks a part. For each lane with positions, calls `visit` with the lane's index in the part
/// and the positions as bits. Returns `None` if the bytes are not a packed part.
pub fn decode_part(packed: &[u8], parts: Parts, mut visit: impl FnMut(usize, u64)) -> Option<()> {
    decode_rows(packed, parts.rows, parts.row_lanes, |row, lane, word| {
        visit(row * parts.row_lanes + lane, word);
    })
}

/// Brings the arrays of a new solve to their state after the finished steps.
///
/// # Errors
///
/// If a step cannot be read.
pub(super) fn replay(
    simd: Simd,
    geometry: &Geometry,
    arrays: &mut Arrays,
    checkpoints: &dyn Checkpoints,
    finished: u16,
) -> Result<(), CheckpointFailed> {
    if geometry.layout.is_bare() {
        replay_bare(geometry, arrays, checkpoints, finished)
    } else {
        replay_two_sided(simd, geometry, arrays, checkpoints, finished)
    }
}

/// Removes the wins of the finished steps from `open`, and puts the losses of the last step into
/// `next`.
fn replay_bare(
    geometry: &Geometry,
    arrays: &mut Arrays,
    checkpoints: &dyn Checkpoints,
    last: u16,
) -> Result<(), CheckpointFailed> {
    let cut = parts(&geometry.layout);
    for run in arrays.runs(geometry) {
        let parts = arrays.parts(geometry, (0, 0)).1;
        let parts = of_run(parts, &run).into_par_iter().enumerate().erased();
        parts.try_for_each_init(
            || (Vec::new(), vec![0; geometry.row_strides.len()]),
            |(packed, digits), (i, (span, winner, loser))| {
                let part = run.start + i;
                loser.full.fill(0);
                for step in 1..last {
                    checkpoints.read(step, part, packed)?;
                    let take = |lane: usize, word: u64| winner.open[lane] &= !word;
                    decode_part(packed, cut, take).ok_or(CheckpointFailed)?;
                }
                checkpoints.read(last, part, packed)?;
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
        )?;
        arrays.release();
    }
    Ok(())
}

/// Removes the wins of the finished steps from `open` and their losses from `pending`. Puts the
/// losses of the last step into `next`. In a solve by plies, puts the losses of the step before the
/// last into `between`.
fn replay_two_sided(
    simd: Simd,
    geometry: &Geometry,
    arrays: &mut Arrays,
    checkpoints: &dyn Checkpoints,
    last: u16,
) -> Result<(), CheckpointFailed> {
    let cut = parts(&geometry.layout);
    if last > 1
        && let Some(between) = &mut arrays.between
    {
        lost_at(between, cut, checkpoints, last - 1)?;
        fill_ghosts(simd, geometry, between);
    }
    lost_at(&mut arrays.next, cut, checkpoints, last)?;
    for run in arrays.runs(geometry) {
        let parts = arrays.parts(geometry, (0, 0)).1;
        let parts = of_run(parts, &run).into_par_iter().enumerate().erased();
        parts.try_for_each_init(Vec::new, |packed, (i, (_, winner, loser))| {
            let part = run.start + i;
            for step in 1..=last {
                let of_side = [
                    (part, &mut *winner.open),
                    (cut.all + part, &mut *loser.pending),
                ];
                for (part, left) in of_side {
                    checkpoints.read(step, part, packed)?;
                    let take = |lane: usize, word: u64| left[lane] &= !word;
                    decode_part(packed, cut, take).ok_or(CheckpointFailed)?;
                }
            }
            Ok(())
        })?;
        arrays.release();
    }
    Ok(())
}

/// Fills the rows with the losses of one step, slab by slab.
fn lost_at(
    lost: &mut Rows,
    cut: Parts,
    checkpoints: &dyn Checkpoints,
    step: u16,
) -> Result<(), CheckpointFailed> {
    for first in (0..cut.all).step_by(cut.per_slab) {
        let parts = lost.words.par_chunks_mut(cut.lanes());
        parts
            .zip(lost.full.par_chunks_mut(cut.rows))
            .enumerate()
            .skip(first)
            .take(cut.per_slab)
            .erased()
            .try_for_each_init(Vec::new, |packed, (part, (words, full))| {
                words.fill(0);
                full.fill(0);
                checkpoints.read(step, cut.all + part, packed)?;
                decode_part(packed, cut, |lane, word| {
                    words[lane] = word;
                    full[lane / cut.row_lanes] = 1;
                })
                .ok_or(CheckpointFailed)
            })?;
        lost.words.release();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use super::*;
    use crate::board::Color;
    use crate::solve::{BitPlanes, Keep, Simd, Solution, Unit, solve, solve_checkpointed};

    /// Checkpoints in memory.
    #[derive(Default)]
    struct InMemory {
        steps: Vec<(StepCounts, BTreeMap<usize, Vec<u8>>)>,
        writing: Mutex<BTreeMap<usize, Vec<u8>>>,
        /// The last step that may be written. Later steps fail.
        last: Option<u16>,
    }

    impl Checkpoints for InMemory {
        fn finished(&self) -> Vec<StepCounts> {
            self.steps.iter().map(|(counts, _)| *counts).collect()
        }

        fn read(
            &self,
            step: u16,
            part: usize,
            packed: &mut Vec<u8>,
        ) -> Result<(), CheckpointFailed> {
            packed.clear();
            let parts = &self.steps[usize::from(step) - 1].1;
            packed.extend(parts.get(&part).into_iter().flatten());
            Ok(())
        }

        fn begin(&mut self, step: u16) -> Result<(), CheckpointFailed> {
            assert_eq!(usize::from(step), self.steps.len() + 1);
            self.writing = Mutex::default();
            match self.last {
                Some(last) if step > last => Err(CheckpointFailed),
                _ => Ok(()),
            }
        }

        fn write(&self, part: usize, packed: &[u8]) {
            self.writing.lock().unwrap().insert(part, packed.to_vec());
        }

        fn finish(&mut self, counts: StepCounts) -> Result<(), CheckpointFailed> {
            let parts = std::mem::take(&mut *self.writing.lock().unwrap());
            self.steps.push((counts, parts));
            Ok(())
        }
    }

    /// The distances of all wins or of all losses, read from the checkpoints. In each step, the
    /// parts to read begin with the part `first_part`. A position found at step n has the distance
    /// n − `offset`.
    fn distances(kept: &InMemory, layout: &LaneLayout, first_part: usize, offset: u16) -> Vec<u16> {
        let cut = parts(layout);
        let mut distances = vec![0; layout.lanes() * 64];
        for (step, (_, parts)) in (1..).zip(&kept.steps) {
            for (&part, packed) in parts.range(first_part..first_part + cut.all) {
                decode_part(packed, cut, |lane, mut word| {
                    let lane = (part - first_part) * cut.lanes() + lane;
                    while word != 0 {
                        distances[lane * 64 + word.trailing_zeros() as usize] = step - offset;
                        word &= word - 1;
                    }
                })
                .unwrap();
            }
        }
        distances
    }

    fn of_planes(planes: &BitPlanes) -> Vec<u16> {
        let mut lane_numbers = [0; 64];
        let lanes = (0..planes.lanes()).flat_map(|lane| {
            planes.numbers(lane, &mut lane_numbers);
            lane_numbers
        });
        lanes.collect()
    }

    #[test]
    fn checkpoints_have_what_a_solve_keeps_wherever_it_stopped() {
        for (name, winner) in [("KRvKM", Color::White), ("KMvKR", Color::Black)] {
            let layout = LaneLayout::new(name.parse().unwrap(), winner);
            for unit in [Unit::Moves, Unit::Plies(23)] {
                let simd = Simd::detect();
                let whole: Solution =
                    solve(layout.clone(), vec![], Keep::Both, unit, simd, &mut |_| {});
                let mut kept = InMemory::default();
                // A solve that is interrupted after each step still reaches the end.
                let counts = (1..).find_map(|last| {
                    kept.last = Some(last);
                    let layout = layout.clone();
                    let kept = &mut kept;
                    solve_checkpointed(layout, vec![], unit, simd, kept, &mut |_| {}).ok()
                });
                let what = format!("{name} {unit:?}");
                assert_eq!(counts.unwrap().steps, whole.counts.steps, "{what}");
                assert!(whole.counts.steps.len() > 3, "{what}");
                let offset = 1 + u16::from(unit != Unit::Moves);
                let wins = distances(&kept, &layout, 0, offset);
                assert!(wins == of_planes(&whole.winner_to_move), "{what}");
                let losses = distances(&kept, &layout, parts(&layout).all, 0);
                let expected = of_planes(whole.loser_to_move.as_ref().unwrap());
                assert!(losses == expected, "{what}");
            }
        }
    }
}
