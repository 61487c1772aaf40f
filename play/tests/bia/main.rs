//! Searches and puzzles of endings with bia, compared with scans of every position and with the
//! solver.

#[allow(dead_code, reason = "it is for the library's tests of bia too")]
#[path = "../../../tests/bia/common.rs"]
mod common;
#[path = "../../../tests/making/mod.rs"]
mod making;
#[path = "../../../tests/naive/mod.rs"]
mod naive;

mod find;
mod puzzles;
