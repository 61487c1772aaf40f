//! What making a table reports: its progress, and in the end what it took.

use std::time::Duration;

use super::phases::{Phase, Phases};
use crate::material::CanonicalMaterial;
use crate::stats::Statistics;

/// How far the making of a table is.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// The smaller endings are being looked up.
    Reading,
    /// A slice is being solved: its number, and how many there are, of both sides and under all goals.
    Slice(u32, u32),
    /// What an earlier run left of the steps is of no use, and is made again.
    Discarded,
    /// This distance in moves has been settled.
    Solved(u16),
    /// Orders of the men are being tried.
    Choosing,
    /// Cells written, and all there are to write.
    Written(u64, u64),
}

/// What making a table took and gave.
#[derive(Clone, Debug)]
pub struct Report {
    /// The material.
    pub material: CanonicalMaterial,
    /// Entries solved, of both sides to move, legal or not.
    pub cells: u64,
    /// What each part of the work took.
    pub phases: Phases,
    /// Elapsed time of everything.
    pub elapsed: Duration,
    /// The bytes of the file.
    pub bytes: u64,
    /// What becomes of the positions.
    pub statistics: Statistics,
}

impl Report {
    /// Of a table on which no work has been done.
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

    /// Entries solved in a second of CPU time: that of the solve alone, not of the smaller
    /// endings, nor of writing.
    pub fn cells_per_cpu_second(&self) -> f64 {
        let solving = self.phases.of(Phase::Solving).cpu;
        self.cells as f64 / solving.as_secs_f64().max(1e-9)
    }
}
