//! Guarantees for programs that embed the library.

#[path = "../answers/mod.rs"]
mod answers;
#[path = "../making/mod.rs"]
mod making;
#[path = "../naive/mod.rs"]
mod naive_solver;

mod allocation;
mod common;
mod counting_suite;
mod damage;
mod fifty_moves;
mod forged;
mod golden;
mod insufficient;
mod naive;
mod options;
mod rule_sets;
mod search;
