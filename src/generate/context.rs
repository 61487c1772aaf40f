//! What every part of the making of one table needs.

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
    /// Its material.
    pub material: CanonicalMaterial,
    /// Where it is written.
    pub directory: &'a Path,
    /// The smaller endings.
    pub library: &'a mut Library,
    /// How it is written.
    pub options: &'a WriteOptions,
    /// Hears how far the work is.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// What it has taken so far.
    pub report: Report,
    /// The sets of its verdict table, if they are wanted.
    pub won_sets: Option<Gathering>,
}

impl Context<'_> {
    /// Solves or looks up the smaller endings, passes them to `read` as leaves of a lane layout,
    /// and forgets them: their memory is needed for the solve.
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

    /// Does some work of a phase.
    pub fn measure<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> T {
        self.report.phases.measure(phase, work)
    }
}
