//! Annotates games with the tables' results: when a count began, how many moves it left and how
//! many were needed, and which move gave up a win or a draw.
//!
//! ```
//! use sakmak_play::annotate::{AnnotateOptions, annotate};
//! use sakmak::game::pgn::Games;
//! use sakmak::probe::Tablebase;
//! # let directory = tempfile::tempdir()?;
//! # for material in sakmak::material::parse_set("KRvK")? {
//! #     let mut solved_endings = sakmak::generate::SolvedEndings::new();
//! #     let options = sakmak::table::WriteOptions::of(material);
//! #     sakmak::generate::generate_table(
//! #         material, directory.path(), &mut solved_endings, &options, &|_| {},
//! #     )?;
//! # }
//!
//! let mut tablebase = Tablebase::new();
//! tablebase.add_directory(directory.path())?;
//! let text = "[FEN \"8/8/8/8/8/2k5/1R6/K7 w - 32 1 1\"]\n\n1. Rb8 Kc2 2. Rb2+ Kxb2 1/2-1/2";
//! for game in Games::new(text.as_bytes()) {
//!     let annotation = annotate(&tablebase, game?, &AnnotateOptions::default())?;
//!     // 2. Rb2+ gives the rook away.
//!     assert_eq!(annotation.facts().mistakes, [2]);
//!     assert!(annotation.pgn(usize::MAX).contains("2. Rb2+??"));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The count
//!
//! The count against a bare king follows from the moves, so it is exact. Board's honor, the count
//! while both sides have men, is optional for the players, and PGN does not record it: see
//! [`Counting`]. If a game does not show whether it was counted, each position is judged with a
//! fresh count. [`ProbedPosition::if_counted`] then has the result under a count from the first
//! possible moment.
//!
//! # Mistakes
//!
//! A move is a mistake only if it worsens the result under the count: a win becomes a draw or a
//! loss, or a draw a loss. Lengthening a win is not a mistake, and neither is losing a mate that
//! would have come too late for the count.

mod count;
mod document;
mod facts;
mod game;
mod moment;
mod options;
mod pgn;
mod summary;
mod words;

pub use document::AnnotationDocument;
pub use facts::{CountBegun, Facts, Span, Termination};
pub use game::{AnnotateError, Annotation, Ply, Reach, Stop, annotate};
pub use moment::{Judged, Moment, ProbedPosition};
pub use options::{AnnotateOptions, CountFrom, Counting, CountingError};
