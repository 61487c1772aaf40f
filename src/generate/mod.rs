//! Making tables: smaller endings first, each solved, its cells put into the best order, and
//! written.

mod black;
mod cells;
mod encode;
mod journal;
mod large;
mod library;
mod occupied;
mod one;
mod order;
mod outcome;
mod phases;
mod plan;
mod staged;
mod survey;
mod walk;

pub use large::is_large;
pub use library::{Goal, Library};
pub use one::{Method, Progress, Report, generate_table, generate_table_by};
pub use order::best_order;
pub use phases::{Phase, Phases, Spent};
pub use plan::{Plan, plan, plan_by};
pub use survey::{Found, survey};
