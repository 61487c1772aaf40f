//! Probing tables: what a position is worth, and which move is best.
//!
//! A [`Tablebase`] knows some directories of tables and opens a table when a position first needs
//! it; or it is given tables as bytes. Probing needs the board, the rules, the index and the tables, and nothing of the solver.
//!
//! ```
//! use sakmak::board::{Color, Position, Role, Square, SquareSet};
//! use sakmak::probe::{Distance, Moves, Tablebase};
//! use sakmak::rules::{Category, Count, RuleSet};
//! # let directory = tempfile::tempdir()?;
//! # for material in sakmak::material::parse_set("KRvK")? {
//! #     let mut library = sakmak::generate::Library::new();
//! #     let options = sakmak::table::WriteOptions::of(material);
//! #     sakmak::generate::generate_table(
//! #         material, directory.path(), &mut library, &options, &|_| {},
//! #     )?;
//! # }
//!
//! // Once, at the start.
//! let mut tablebase = Tablebase::new();
//! tablebase.add_directory(directory.path())?;
//!
//! // In the search: a position as the engine has it, in bitboards (bit 0 is a1, bit 63 is h8),
//! // first by colour, then by role in the order K R N S M P.
//! let (white_king, rook, black_king) = (1 << 0, 1 << 7, 1 << 18);
//! let position = Position::new(
//!     [SquareSet(white_king | rook), SquareSet(black_king)],
//!     [white_king | black_king, rook, 0, 0, 0, 0].map(SquareSet),
//!     Color::White,
//! )?;
//! // (Or man by man.)
//! let square = |name: &str| name.parse::<Square>().map_err(|()| "no square");
//! let men = [
//!     (square("a1")?, Color::White, Role::King),
//!     (square("h1")?, Color::White, Role::Rook),
//!     (square("c3")?, Color::Black, Role::King),
//! ];
//! assert_eq!(position, Position::from_men(men, Color::White)?);
//!
//! // Under makruk's rules, the count beginning with Black's next move.
//! let value = tablebase.probe(&position, RuleSet::Makruk, &Count::Fresh)?;
//! assert_eq!((value.category, value.dtm), (Category::Win, Distance::Win(Moves(14))));
//!
//! // At the root: every move with what it is worth to the player who makes it, and best play.
//! let moves = tablebase.best_moves(&position, RuleSet::Makruk, &Count::Fresh)?;
//! assert_eq!(moves[0].category, Category::Win);
//! let line = tablebase.line(&position, RuleSet::Makruk, &Count::Fresh)?;
//! assert_eq!(line.moves.len(), 27);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # In a search
//!
//! A [`Tablebase`] is shared by all threads and asked by `&self`. Decoded blocks are kept in a cache
//! of 64 MiB, or of what [`Options::cache_bytes`] says; a probe that finds its blocks there takes no
//! lock and makes no system call, and no probe allocates once a thread is warm (with the decoder in Rust,
//! decoding a block does). The first probe of
//! a table opens it: [`Tablebase::open_all`] does that beforehand. Files are mapped
//! into memory; limit those that are open with [`Options::most_open`], or have them read another way
//! ([`Options::access`]). Many positions that need not be answered at once are
//! best given to [`Tablebase::probe_many`].
//!
//! # Errors
//!
//! [`ProbeError`] tells the caller's mistake, a missing table and a file that cannot be used apart;
//! [`TableError::kind`] tells how the file is damaged. An error concerns one table, and the others
//! go on answering; what failed is tried again with the next probe. Nothing panics. Where a later directory
//! has the table too, that one answers instead ([`Tablebase::replaced`]).
//!
//! [`TableError::kind`]: crate::table::TableError::kind
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
mod by_category;
mod cache;
mod contents;
mod distance;
mod error;
mod given_count;
mod kind;
mod line;
mod line_document;
mod lookup;
mod measure;
mod numbering;
mod open_files;
mod options;
mod ranking;
mod shelf;
mod store;
mod tablebase;
mod value;
mod verdict_contents;
mod verdicts;

pub use answer::{Answer, AnswerDocument};
pub use by_category::BoundedMove;
pub use cache::CacheStatistics;
pub use distance::{Distance, Moves, Plies};
pub use error::ProbeError;
pub use given_count::GivenCountError;
pub use line::{End, Line, Played};
pub use line_document::LineDocument;
pub use options::Options;
pub use ranking::RankedMove;
pub use shelf::Replaced;
pub use tablebase::Tablebase;
pub use value::Value;
