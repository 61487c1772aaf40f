//! `sakmak uci`, talked to as a GUI does, alone and before an engine.

#![cfg(all(feature = "cli", unix))]

mod alone;
mod filter;
mod talk;
mod verdicts;
