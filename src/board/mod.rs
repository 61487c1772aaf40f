//! The board: squares, attacks, positions, FEN, moves.
//!
//! The same board is used for whole games with bia and for endings with few men. This module is
//! independent of tables and counts.

#[cfg(test)]
mod arbitrary;
pub mod attacks;
mod fen;
mod fen_display;
mod fen_error;
mod game;
mod leap;
mod legal;
mod lettering;
mod man;
mod moves;
mod position;
mod san;
mod square;
pub(crate) mod thai;
mod written_move;

pub use fen::{Fen, FenCount};
pub use fen_display::FenDisplay;
pub use fen_error::{FenCountError, FenError};
pub use game::Game;
pub use leap::LeapRights;
pub use lettering::Lettering;
pub use man::{Color, Role};
pub use moves::{Move, MoveError, MoveList};
pub use position::{MAX_MEN_A_SIDE, Position, PositionError};
pub use san::SanError;
pub use square::{Square, SquareError, SquareSet};
pub use written_move::{LetterP, Notation};
