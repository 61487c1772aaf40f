//! What a user of `sakmak serve` relies on: seen through sockets, as clients see it.

#![cfg(feature = "serve")]

#[path = "../making/mod.rs"]
mod making;

mod agree;
mod answers;
mod client;
mod damage;
mod errors;
mod fens;
mod games;
mod program;
mod site;
mod slow;
mod tables;
mod verdicts;
