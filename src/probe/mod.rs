//! Probing: the value of a position and its best moves, from tables.
//!
//! A [`Tablebase`] reads tables from directories or from memory. It opens the file of a table when
//! a position first needs it. Probing does not need the solver.
//!
//! ```
//! use sakmak::board::{Color, Position, Role, Square, SquareSet};
//! use sakmak::probe::{Distance, Moves, Tablebase};
//! use sakmak::rules::{Category, Count, RuleSet};
//! # let directory = tempfile::tempdir()?;
//! # for material in sakmak::material::parse_set("KRvK")? {
//! #     let mut solved_endings = sakmak::generate::SolvedEndings::new();
//! #     let options = sakmak::table::WriteOptions::of(material);
//! #     sakmak::generate::generate_table(
//! #         material, directory.path(), &mut solved_endings, &options, &|_| {},
//! #     )?;
//! # }
//!
//! // Once, at the start.
//! let mut tablebase = Tablebase::new();
//! tablebase.add_directory(directory.path())?;
//!
//! // In the search: the engine's position as bitboards (bit 0 is a1, bit 63 is h8),
//! // by colour and by role in the order K R N S M P.
//! let (white_king, rook, black_king) = (1 << 0, 1 << 7, 1 << 18);
//! let position = Position::new(
//!     [SquareSet(white_king | rook), SquareSet(black_king)],
//!     [white_king | black_king, rook, 0, 0, 0, 0].map(SquareSet),
//!     Color::White,
//! )?;
//! // Or man by man:
//! let men = [
//!     (Square::A1, Color::White, Role::King),
//!     (Square::H1, Color::White, Role::Rook),
//!     (Square::C3, Color::Black, Role::King),
//! ];
//! assert_eq!(position, Position::from_men(men, Color::White)?);
//!
//! // Under makruk's rules, with a count that begins with Black's next move.
//! let value = tablebase.probe(&position, RuleSet::Makruk, &Count::Fresh)?;
//! assert_eq!((value.category, value.dtm), (Category::Win, Distance::Win(Moves(14))));
//!
//! // At the root: every move with its value for the player who makes it, and best play.
//! let moves = tablebase.best_moves(&position, RuleSet::Makruk, &Count::Fresh)?;
//! assert_eq!(moves[0].category, Category::Win);
//! let line = tablebase.line(&position, RuleSet::Makruk, &Count::Fresh)?;
//! assert_eq!(line.moves.len(), 27);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # In a search
//!
//! Threads share a [`Tablebase`]; probes take `&self`. Decoded blocks are cached in 64 MiB of
//! memory, or in [`Options::cache_bytes`]. A probe of cached blocks takes no lock and makes no
//! system call. Once a thread has decoded a block of each size, its probes allocate nothing, except
//! with the decoder written in Rust. The first probe of a table opens it; [`Inventory::open_all`]
//! opens all tables at once. Files are mapped into memory: limit their number with
//! [`Options::most_open`], or choose another [`Options::access`]. To probe many positions at once,
//! use [`Tablebase::probe_many`].
//!
//! # Errors
//!
//! [`ProbeError`] distinguishes a mistake of the caller, a missing table and an unusable file.
//! [`TableError::kind`] says what is wrong with the file. An error concerns one table and is not
//! cached: the next probe tries again. If a table is corrupt and a later directory has a table of
//! the same ending, that table is used instead ([`Inventory::replaced`]). Nothing panics.
//!
//! [`TableError::kind`]: crate::table::TableError::kind
//!
//! # One side to move
//!
//! A table stores its positions with one side to move only. For the other side, the probe looks up
//! the position after every move and takes the best result. This is called **one ply of lookup**.
//! The position after a capture is in the table of a subending. So a probe may need every table in
//! [`CanonicalMaterial::closure`], which `sakmak generate` makes together.
//!
//! [`CanonicalMaterial::closure`]: crate::material::CanonicalMaterial::closure

mod answer;
mod by_category;
mod cache;
mod cells;
mod distance;
mod document;
mod error;
mod given_count;
mod inventory;
mod line;
mod lookup;
mod numbering;
pub(crate) mod one_ply;
mod overlay;
mod probe_header;
mod ranking;
mod store;
mod tablebase;
mod tables_of;
mod through_moves;
mod value;
mod verdict_lookup;

pub use answer::{Answer, CategoryAnswer, DistanceAnswer, Next};
pub use by_category::{BoundedMove, ByCategory, KnownMoves};
pub use cache::CacheStatistics;
pub use distance::{Distance, Moves, Plies};
pub use document::AnswerDocument;
pub use error::ProbeError;
pub use given_count::GivenCountError;
pub use inventory::Inventory;
pub use line::{End, Line, LineDocument, Played, line_end, line_pgn};
pub use overlay::{HonorLists, HonorWins, Longest, MovesAvailable, Overlay, Results, Share};
pub use ranking::RankedMove;
pub use store::Options;
pub use tablebase::{Cached, Ending, Tablebase};
pub use tables_of::Replaced;
pub use value::Value;
