//! `sakmak uci`, talked to as a GUI does, alone and before an engine.

mod alone;
mod bia;
mod filter;
mod talk;
mod verdicts;
