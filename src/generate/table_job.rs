//! The job of making one table, passed to all functions that take part in it.

use std::path::Path;

use super::goal::Goal;
use super::phases::Phase;
use super::report::{Progress, Report};
use super::solved_endings::SolvedEndings;
use super::won_sets::WonSetsBuilder;
use crate::material::CanonicalMaterial;
use crate::solve::{LaneLayout, Leaf};
use crate::table::WriteOptions;

/// The job of making one table: the input, the options and the results so far.
pub struct TableJob<'a> {
    /// The ending.
    pub material: CanonicalMaterial,
    /// The directory that the table is written to.
    pub directory: &'a Path,
    /// The solved subendings.
    pub solved_endings: &'a mut SolvedEndings,
    /// The options for compressing.
    pub options: &'a WriteOptions,
    /// The callback that receives the progress.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// The report so far.
    pub report: Report,
    /// Collects the won positions for the ending's verdict table, if one is wanted.
    pub won_sets: Option<WonSetsBuilder>,
}

impl TableJob<'_> {
    /// Collects the leaves (the results of captures) of a lane layout from the solved subendings,
    /// solving missing ones, and passes the leaves to `read`. Drops the kept endings before that,
    /// to free memory for the solve.
    pub fn leaves<T>(
        &mut self,
        layout: &LaneLayout,
        goal: Goal,
        read: impl FnOnce(Vec<Leaf>) -> T,
    ) -> T {
        (self.progress)(Progress::Reading);
        let (solved_endings, material) = (&mut *self.solved_endings, self.material.material());
        self.report.phases.measure(Phase::Smaller, || {
            let leaves = solved_endings.leaves(material, layout, goal);
            solved_endings.forget();
            read(leaves)
        })
    }

    /// Runs a closure that needs the job itself, and adds its time to a phase.
    pub fn measure_with<T>(
        &mut self,
        phase: Phase,
        work: impl FnOnce(&mut TableJob<'_>) -> T,
    ) -> T {
        let mut phases = std::mem::take(&mut self.report.phases);
        let done = phases.measure(phase, || work(self));
        self.report.phases = phases;
        done
    }

    /// Runs a closure and adds its time to a phase.
    pub fn measure<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        self.report.phases.measure(phase, work)
    }
}
