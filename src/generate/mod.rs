//! The generator: solves subendings before the endings that need them, chooses the best order of
//! the cells, and writes the tables.

mod bia;
mod black_wins;
mod cell;
mod cells;
mod choose_order;
mod code_set;
mod coded_cells;
mod existing;
mod goal;
mod in_memory;
mod job;
mod leftovers;
mod method;
mod occupied_squares;
mod out_of_core;
mod permute;
mod phases;
mod plan;
mod plan_memory;
mod plan_memory_bia;
mod publish;
mod report;
mod section;
mod side_counts;
mod solved_ending;
mod solved_endings;
mod table;
mod table_job;
mod verdicts;
mod won_sets;

#[doc(hidden)]
pub use bia::{BiaSolution, solve_slices};
#[doc(hidden)]
pub use choose_order::best_order;
pub use existing::{Existing, existing, existing_of, existing_verdicts};
#[doc(hidden)]
pub use goal::Goal;
pub use job::{JobDirectory, JobError, at_work, generate_as_job};
pub use leftovers::remove_all_leftovers;
pub use method::{Method, Slices};
pub use out_of_core::{checkpoint_bytes, remove_checkpoints};
pub use phases::{Phase, Phases, Spent};
#[doc(hidden)]
pub use plan::plan_by;
pub use plan::{Plan, plan, plan_with_verdicts};
pub use publish::require_place;
pub use report::{Progress, Report};
pub use solved_endings::SolvedEndings;
pub use table::{Made, generate_by_plan, generate_table};
pub use verdicts::{MOST_VERDICT_MEN, generate_verdicts};
pub use won_sets::WonSets;
