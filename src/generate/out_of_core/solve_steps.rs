//! Solves one side's wins, continuing from checkpoints.

use super::checkpoint::{CheckpointFiles, SliceCounts};
use crate::generate::phases::Phase;
use crate::generate::report::Progress;
use crate::generate::table_job::TableJob;
use crate::solve::{LaneLayout, Leaf, Simd, StepDone, Unit, solve_checkpointed};
use crate::table::TableError;

/// Solves one side's wins in a slice, continuing from its checkpoints.
///
/// # Errors
///
/// If the checkpoints cannot be read or written.
pub fn solve_steps(
    job: &mut TableJob<'_>,
    lane_layout: &LaneLayout,
    leaves: Vec<Leaf>,
    unit: Unit,
    checkpoints: &mut CheckpointFiles,
) -> Result<SliceCounts, TableError> {
    let progress = job.progress;
    let counts = job.measure(Phase::Solving, || {
        let watch = &mut |step: StepDone| progress(Progress::Solved(step.moves));
        solve_checkpointed(
            lane_layout.clone(),
            leaves,
            unit,
            Simd::detect(),
            checkpoints,
            watch,
        )
    });
    counts
        .map(SliceCounts::from)
        .map_err(|_| checkpoints.take_error())
}
