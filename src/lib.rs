//! The endgame tablebase of makruk (Thai chess) and ASEAN chess.

pub mod board;
pub mod material;
pub mod rules;
pub mod stats;
