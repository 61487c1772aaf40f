//! Parses any text as a FEN, a move, a material and a set.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../harness.rs"]
mod harness;

fuzz_target!(|text: &str| harness::fen(text));
