//! The board and its men: squares, attacks, positions, FEN, moves.
//!
//! Nothing here knows what a table is or how a count runs.

pub mod attacks;
mod man;
mod square;

pub use man::{Color, Role};
pub use square::{Square, SquareSet};
