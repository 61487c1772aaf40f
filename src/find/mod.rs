//! Positions by what they are: wins that just fit the count, only moves, captures that throw a win
//! away.
//!
//! ```
//! use sakmak::find::{Finder, Wanted};
//! use sakmak::probe::Tablebase;
//! use sakmak::rules::RuleSet;
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
//! // Wins of K+R v K with no move to spare.
//! let wanted = Wanted {
//!     margin: Some(0),
//!     ..Wanted::new(RuleSet::Makruk)
//! };
//! let found: Vec<_> = Finder::new(&tablebase, "KRvK".parse()?, &wanted, 7)?
//!     .take(3)
//!     .collect::<Result<_, _>>()?;
//! // White has 14 moves before a count that has not begun is over, and needs them all.
//! assert!(found.iter().all(|found| found.value.dtm.moves().map(|moves| moves.0) == Some(14)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Positions come in an order that the seed decides: the same seed with the same tables gives the
//! same ones. Of positions that are the same but for a symmetry of the board one is given. The cells
//! of a table are looked through by their value alone, and moves are tried only where it passes.

mod contradiction;
mod document;
mod family;
mod finder;
mod puzzle;
mod puzzles;
mod region;
mod shuffled;
mod theme;
mod wanted;

pub use crate::random::Numbers;
pub use contradiction::WantedError;
pub use document::FoundDocument;
pub use finder::{Cursor, FindError, Finder, Found};
pub use puzzle::{Goal, Puzzle, PuzzleMove};
pub use puzzles::{PuzzleDocument, Puzzles};
pub use region::{Region, RegionError};
pub use theme::Theme;
pub use wanted::{Capture, FirstMove, Promotion, Wanted, margin};
