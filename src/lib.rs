//! The endgame tablebase of makruk (Thai chess) and ASEAN chess.

pub mod board;
pub mod generate;
pub mod index;
pub mod material;
pub mod probe;
pub mod rules;
pub mod solve;
pub mod stats;
pub mod study;
pub mod table;
pub mod verify;
