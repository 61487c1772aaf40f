//! Conversations with `sakmak uci` as a GUI has them, alone and in front of an engine.

mod alone;
mod bia;
mod filter;
pub mod talk;
mod verdicts;
