//! Searches and puzzles of endings without bia, compared with scans of every position and with the
//! naive solver.

#[allow(dead_code, reason = "it is for the library's tests of probes too")]
#[path = "../../../tests/probe/common.rs"]
mod common;
#[path = "../../../tests/making/mod.rs"]
mod making;
#[path = "../../../tests/naive/mod.rs"]
mod naive_solver;

mod find;
mod puzzles;
mod rule_sets;
