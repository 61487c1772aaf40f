//! Output formats.

use clap::ValueEnum;

/// The output format of a position or a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The FEN, one a line
    Fen,
    /// A JSON document a line
    Json,
    /// A table with a heading
    Csv,
    /// The line that the tables give
    Pgn,
    /// The moves that keep the result as bm
    Epd,
    /// A page to print, for puzzles: boards, and the answers on a page of their own
    Html,
}
