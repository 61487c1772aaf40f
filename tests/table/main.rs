//! Table files return what was written, and any damage is noticed.

#[path = "../making/mod.rs"]
mod making;
#[path = "../golden/plain.rs"]
mod plain;
#[path = "../golden/symbol_ranking.rs"]
mod ranked;
#[path = "../golden/over_base.rs"]
mod ranked_over_base;

mod bia;
mod files;
mod fuzz;
mod symbol_rank;
mod verdict;
