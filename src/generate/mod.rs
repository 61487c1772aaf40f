//! Making tables: smaller endings first, each solved, its cells put into the best order, and
//! written.

mod black_wins;
mod cells;
mod choose_order;
mod encode;
mod existing;
mod goal;
mod leftovers;
mod library;
mod method;
mod occupied_squares;
mod out_of_core;
mod permute;
mod phases;
mod plan;
mod report;
mod table;

pub use choose_order::best_order;
pub use existing::{Existing, existing};
pub use leftovers::remove_all_leftovers;
pub use library::{Goal, Library};
pub use method::{Method, is_large};
pub use phases::{Phase, Phases, Spent};
pub use plan::{Plan, plan, plan_by};
pub use report::{Progress, Report};
pub use table::{generate_table, generate_table_by};
