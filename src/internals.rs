//! Parts of the solver and of the writer for this project's own packages, tests and benchmarks. They
//! may change in any release.

pub use crate::atomic_file::{
    AtomicFile, remove_leftovers as remove_partial_files, write as write_atomically,
};
pub use crate::generate::{BiaSolution, Goal, best_order, plan_by, solve_slices};
pub use crate::index::ColorSlice;
pub use crate::pages::{keep_pages, mapped_bytes};
pub use crate::parallel::ForkedByOneFunction;
pub use crate::probe::one_ply::asean_plies;
pub use crate::regular_file::{open as open_regular_file, read as read_regular_file};
pub use crate::simd::Simd;
pub use crate::solve::{
    BitPlanes, Counted, Keep, LaneLayout, LaneWords, Solution, SolveCounts, StepCounts, Unit, solve,
};
pub use crate::table::{can_use_symbol_ranking, estimate, sample_bytes};
pub use crate::verify::verify_by_placement;
