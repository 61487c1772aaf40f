//! Promises to users of `sakmak serve`, checked through sockets, as clients see them.

#![cfg(feature = "serve")]

#[path = "../program/bia_questions.rs"]
mod bia_questions;
#[path = "../program/command.rs"]
mod command;
#[path = "../../../tests/making/mod.rs"]
mod making;
#[expect(dead_code, reason = "it is for the tests of the command line too")]
#[path = "../program/running.rs"]
mod running;

mod agree;
mod answers;
mod bia;
mod client;
mod course;
mod damage;
mod endings;
mod errors;
mod fens;
mod games;
mod moves;
mod previews;
mod program;
mod rule_sets;
mod site;
mod slow;
mod tables;
mod verdicts;
mod why;
