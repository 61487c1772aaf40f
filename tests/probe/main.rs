//! Guarantees for programs that embed the library.

#[path = "../making/mod.rs"]
mod making;
#[path = "../naive/mod.rs"]
mod naive_solver;

mod allocation;
mod common;
mod damage;
mod fifty_moves;
mod find;
mod naive;
mod options;
mod puzzles;
mod rule_sets;
mod search;
