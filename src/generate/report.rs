//! Reports the progress of making a table, and its final results.

use std::time::Duration;

use super::phases::{Phase, Phases};
use crate::material::CanonicalMaterial;
use crate::statistics::Statistics;

/// A step in making a table.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// Loading the subendings.
    Reading,
    /// Solving a slice. The fields are the slice's number, from 1, and the number of all slices:
    /// those of all solves of the ending or, in an ending with bia, those of the current solve.
    Slice(u32, u32),
    /// Some steps of an earlier run are unusable and will be solved again.
    Discarded,
    /// All positions of this distance, in moves, have been found.
    Solved(u16),
    /// Trying orders of the cells.
    Choosing,
    /// Writing cells. The fields are the number of cells written so far and the number of all
    /// cells.
    Written(u64, u64),
}

/// The cost and the result of making a table.
#[derive(Clone, Debug)]
pub struct Report {
    /// The ending.
    pub material: CanonicalMaterial,
    /// The number of cells solved: all positions, legal or not, with either side to move.
    pub cells: u64,
    /// The time spent in each phase.
    pub phases: Phases,
    /// The total elapsed time.
    pub elapsed: Duration,
    /// The size of the file, in bytes.
    pub bytes: u64,
    /// The statistics of the ending's positions.
    pub statistics: Statistics,
}

impl Report {
    /// The report before any work on a table.
    pub(super) fn new(material: CanonicalMaterial) -> Report {
        Report {
            material,
            cells: 0,
            phases: Phases::default(),
            elapsed: Duration::ZERO,
            bytes: 0,
            statistics: Statistics::default(),
        }
    }

    /// The number of cells solved per second of CPU time. Only the solve of the ending itself
    /// counts, without the solves of subendings and the writing.
    pub fn cells_per_cpu_second(&self) -> f64 {
        let solving = self.phases.of(Phase::Solving).cpu;
        self.cells as f64 / solving.as_secs_f64().max(1e-9)
    }
}
