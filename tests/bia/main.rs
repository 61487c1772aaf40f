//! Tests endings with bia: compares the solver with known figures, with the naive solver, and with
//! the values one ply later.

#[path = "../answers/mod.rs"]
mod answers;
#[path = "../making/mod.rs"]
mod making;
#[path = "../naive/mod.rs"]
mod naive;

mod asean;
mod by_slice;
mod common;
mod games;
mod golden;
mod happenings;
mod known;
mod one_ply;
mod ouk;
mod probe;
mod twin;
mod verify;
