//! Asking tables: what becomes of a position, and which move is best.
//!
//! A [`Tablebase`] knows some directories of tables and opens a table when a position first needs
//! it. Probing needs the board, the rules, the index and the tables, and nothing of the solver.
//!
//! ```no_run
//! use sakmak::board::{Fen, Lettering};
//! use sakmak::probe::Tablebase;
//! use sakmak::rules::{Count, RuleSet};
//!
//! let mut tablebase = Tablebase::new();
//! tablebase.add_directory("tables")?;
//! let fen = Fen::parse("8/8/8/3k4/8/3K4/2SM4/8 w", Lettering::Makruk)?;
//! if let Some(value) = tablebase.probe(&fen.position, RuleSet::Makruk, &Count::Fresh)? {
//!     println!("{}: {:?}", value.category, value.dtm);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # One side to move
//!
//! A table holds its positions with one side to move. For the other side the moves are tried and
//! the best of the positions they lead to is taken: **one ply of look-up**. A capture leads to the
//! table of a smaller ending. So a probe may need every table that [`CanonicalMaterial::closure`]
//! lists; `sakmak generate` makes them together.
//!
//! [`CanonicalMaterial::closure`]: crate::material::CanonicalMaterial::closure

mod answer;
mod batch;
mod cache;
mod catalog;
mod distance;
mod error;
mod given_count;
mod line;
mod line_document;
mod look;
mod numbering;
mod open;
mod ranking;
mod tablebase;
mod value;

pub use answer::{Answer, AnswerDocument};
pub use cache::CacheStatistics;
pub use distance::{Distance, Moves};
pub use error::ProbeError;
pub use given_count::GivenCountError;
pub use line::{End, Line, Played};
pub use line_document::LineDocument;
pub use ranking::RankedMove;
pub use tablebase::{Options, Tablebase};
pub use value::Value;
