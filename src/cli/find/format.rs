//! The output formats of `sakmak find`.

use clap::ValueEnum;

/// The output format of a position or a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One FEN per line
    Fen,
    /// One JSON document per line
    Json,
    /// A table with a heading
    Csv,
    /// Best play from the tables, as PGN
    Pgn,
    /// EPD, with the moves that keep the result as bm
    Epd,
    /// A page to print, for puzzles: boards, with the answers on a separate page
    Html,
}
