//! Making tables: smaller endings first, each solved, its cells put into the best order, and
//! written.

mod encode;
mod library;
mod one;
mod order;
mod phases;
mod plan;
mod survey;

pub use library::{Goal, Library};
pub use one::{Progress, Report, generate_table};
pub use order::best_order;
pub use phases::{Phase, Phases, Spent};
pub use plan::{Plan, plan};
pub use survey::{Found, survey};
