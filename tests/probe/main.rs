//! What a program that embeds the library relies on.

#[path = "../making/mod.rs"]
mod making;

mod allocation;
mod common;
mod damage;
mod naive;
mod options;
mod search;
