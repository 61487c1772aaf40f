//! Reports the progress of making a table, and its results at the end.

use std::time::Duration;

use super::phases::{Phase, Phases};
use crate::material::CanonicalMaterial;
use crate::stats::Statistics;

/// A step in making a table.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// Loading the subendings.
    Reading,
    /// Solving a slice: its number, and the number of slices over both sides and all goals.
    Slice(u32, u32),
    /// Steps of an earlier run could not be used and are made again.
    Discarded,
    /// This distance in moves is done.
    Solved(u16),
    /// Trying orders of the men.
    Choosing,
    /// Cells written, and cells in all.
    Written(u64, u64),
}

/// Cost and result of making a table.
#[derive(Clone, Debug)]
pub struct Report {
    /// The material.
    pub material: CanonicalMaterial,
    /// The number of cells solved, legal or not, with either side to move.
    pub cells: u64,
    /// The cost of each phase.
    pub phases: Phases,
    /// Elapsed time in all.
    pub elapsed: Duration,
    /// Bytes of the file.
    pub bytes: u64,
    /// The results of the positions.
    pub statistics: Statistics,
}

impl Report {
    /// Before any work on a table.
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

    /// How many cells were solved per second of CPU time. Only the solve itself counts, without
    /// subendings and writing.
    pub fn cells_per_cpu_second(&self) -> f64 {
        let solving = self.phases.of(Phase::Solving).cpu;
        self.cells as f64 / solving.as_secs_f64().max(1e-9)
    }
}
