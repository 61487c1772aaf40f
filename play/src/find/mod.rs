//! Searches for positions by criteria, such as wins without a move to spare, only moves, and
//! captures that give up a win.
//!
//! ```
//! use sakmak_play::find::{Criteria, Finder};
//! use sakmak::probe::Tablebase;
//! use sakmak::rules::RuleSet;
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
//! // Wins of K+R v K with no move to spare.
//! let wanted = Criteria {
//!     margin: Some(0),
//!     ..Criteria::new(RuleSet::Makruk)
//! };
//! let found: Vec<_> = Finder::new(&tablebase, "KRvK".parse()?, &wanted, 7)?
//!     .take(3)
//!     .collect::<Result<_, _>>()?;
//! // With White to move a fresh count leaves 14 moves, and White needs them all.
//! assert!(found.iter().all(|found| found.value.dtm.moves().map(|moves| moves.0) == Some(14)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The seed determines the order: with the same tables, the same seed gives the same positions. Of
//! positions that are symmetric to each other, only one is returned. Cells are filtered by their
//! values first; moves are tried only in positions that pass.

mod contradiction;
mod criteria;
mod document;
mod finder;
mod images;
mod puzzle;

pub use contradiction::CriteriaError;
pub use criteria::{Capture, Criteria, FirstMove, Promotion, Region, RegionError, margin};
pub use document::FoundDocument;
pub use finder::{Cursor, FindError, Finder, Found};
pub use puzzle::{Puzzle, PuzzleDocument, PuzzleMove, Puzzles, Stipulation, Theme};
