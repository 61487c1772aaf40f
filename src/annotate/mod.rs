//! Games with what the tables say of them: when a count began, how many moves were left and how
//! many were needed, and which move threw a win or a draw away.
//!
//! ```
//! use sakmak::annotate::{Options, annotate};
//! use sakmak::game::pgn::Games;
//! use sakmak::probe::Tablebase;
//! # let directory = tempfile::tempdir()?;
//! # for material in sakmak::material::parse_set("KRvK")? {
//! #     let mut library = sakmak::generate::Library::new();
//! #     let options = sakmak::table::WriteOptions::of(material);
//! #     sakmak::generate::generate_table(
//! #         material, directory.path(), &mut library, &options, &|_| {},
//! #     )?;
//! # }
//!
//! let mut tablebase = Tablebase::new();
//! tablebase.add_directory(directory.path())?;
//! let text = "[FEN \"8/8/8/8/8/2k5/1R6/K7 w - 32 1 1\"]\n\n1. Rb8 Kc2 2. Rb2+ Kxb2 1/2-1/2";
//! for game in Games::new(text.as_bytes()) {
//!     let annotation = annotate(&tablebase, game?, &Options::default())?;
//!     // With 2. Rb2+ the rook is given away.
//!     assert_eq!(annotation.facts().mistakes, [2]);
//!     assert!(annotation.pgn(usize::MAX).contains("2. Rb2+??"));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The count
//!
//! The count against a bare king follows from the moves, so it is exact. Board's honor, the count
//! while both sides have men, is begun by a player or not, and no PGN says so: [`Counting`] tells
//! how it is taken. Where nobody says whether it was counted each position is judged as if it began
//! with the next move of the side that counts, and [`Known::if_counted`] is the other reading.
//!
//! # What a mistake is
//!
//! A move is a mistake only if the result under the count got worse by it: a win is no longer one,
//! or a draw is lost. A win that only takes longer is none, and neither is the step from a mate
//! that comes too late for the count to no mate at all.

mod count;
mod document;
mod facts;
mod game;
mod judge;
mod moment;
mod numbers;
mod options;
mod pgn;
mod words;

pub use document::AnnotationDocument;
pub use facts::{CountBegun, End, Facts, Span};
pub use game::{AnnotateError, Annotation, Ply, Reach, Stop, annotate};
pub use judge::Judged;
pub use moment::{Known, Moment};
pub use options::{CountFrom, Counting, CountingError, Options};
