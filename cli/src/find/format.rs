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
    /// EPD, in which bm lists the moves that keep the result
    Epd,
    /// A page to print, for puzzles: boards, with the answers on a separate page
    Html,
}
