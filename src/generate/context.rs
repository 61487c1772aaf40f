//! The state that all parts of making one table share.

use std::path::Path;

use super::goal::Goal;
use super::library::Library;
use super::phases::Phase;
use super::report::{Progress, Report};
use super::won_sets::Gathering;
use crate::material::CanonicalMaterial;
use crate::solve::{LaneLayout, Leaf};
use crate::table::WriteOptions;

/// The making of one table.
pub struct Context<'a> {
    /// The ending.
    pub material: CanonicalMaterial,
    /// The directory of the table.
    pub directory: &'a Path,
    /// Solved subendings.
    pub library: &'a mut Library,
    /// Options for compressing.
    pub options: &'a WriteOptions,
    /// Receives the progress.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Time and statistics so far.
    pub report: Report,
    /// Collects the sets of the ending's verdict table, if one is wanted.
    pub won_sets: Option<Gathering>,
}

impl Context<'_> {
    /// Solves the subendings or looks them up, and passes them to `read` as leaves of a lane
    /// layout. Drops them afterwards to free their memory for the solve.
    pub fn leaves<T>(
        &mut self,
        layout: &LaneLayout,
        goal: Goal,
        read: impl FnOnce(Vec<Leaf>) -> T,
    ) -> T {
        (self.progress)(Progress::Reading);
        let (library, material) = (&mut *self.library, self.material.material());
        self.report.phases.measure(Phase::Smaller, || {
            let leaves = library.leaves(material, layout, goal);
            library.forget();
            read(leaves)
        })
    }

    /// Runs work that needs the context itself, and adds its time to a phase.
    pub fn measure_with<T>(&mut self, phase: Phase, work: impl FnOnce(&mut Context<'_>) -> T) -> T {
        let mut phases = std::mem::take(&mut self.report.phases);
        let done = phases.measure(phase, || work(self));
        self.report.phases = phases;
        done
    }

    /// Runs work and adds its time to a phase.
    pub fn measure<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        self.report.phases.measure(phase, work)
    }
}
