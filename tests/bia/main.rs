//! Endings with bia: the solver against known figures, against the naive solver, and against the
//! values one ply later.

#[path = "../answers/mod.rs"]
mod answers;
#[path = "../making/mod.rs"]
mod making;
#[path = "../naive/mod.rs"]
mod naive;

mod by_slice;
mod common;
mod find;
mod golden;
mod happenings;
mod known;
mod one_ply;
mod probe;
mod puzzles;
mod twin;
mod verify;
