//! The board and its men: squares, attacks, positions, FEN, moves.
//!
//! Nothing here knows what a table is or how a count runs.

#[cfg(test)]
mod arbitrary;
pub mod attacks;
mod fen;
mod leap;
mod lettering;
mod man;
mod moves;
mod position;
mod san;
mod square;

pub use fen::{Fen, FenCount, FenCountError, FenDisplay, FenError};
pub use leap::LeapRights;
pub use lettering::Lettering;
pub use man::{Color, Role};
pub use moves::{Move, MoveError, MoveList};
pub use position::{MAX_MEN, Position, PositionError};
pub use san::SanError;
pub(crate) use san::parse_origin;
pub use square::{Square, SquareSet};
