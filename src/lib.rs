//! Endgame tablebases of makruk (Thai chess), ouk (Cambodian chess) and ASEAN chess.
//!
//! In these games a side with a bare king may count its moves, and the game is drawn if the count
//! runs out before mate. So a forced mate is not enough: it must also be short enough. This crate
//! computes the distance to mate of every position of an ending, stores the distances in compressed
//! files, and answers probes under three rule sets. Makruk's endings may have bia (pawns).
//!
//! # Positions, moves and counts
//!
//! Positions and counts need no tables. Makruk and ASEAN chess use the same letters for different
//! men, so parsing a FEN takes a lettering.
//!
//! ```
//! use sakmak::rules::moves_available;
//! use sakmak::{Count, Fen, Lettering, RuleSet};
//!
//! // Black's last man has just fallen. The count ends at 128 plies and starts at 10: five moves,
//! // one for each man on the board.
//! let fen = Fen::parse("8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78", Lettering::Makruk)?;
//! let position = fen.position;
//!
//! let moves = position.legal_moves();
//! let moves: Vec<String> = moves.iter().map(|&m| position.san(m, Lettering::Makruk)).collect();
//! assert_eq!(moves, ["Ka4"]);
//!
//! // White has 64 − 5 moves left to mate.
//! let (white, black) = (!position.turn(), position.turn());
//! let count = Count::from_fen(&fen);
//! count.validate(RuleSet::Makruk, position.material())?;
//! let available = moves_available(RuleSet::Makruk, position.material(), white, black, &count);
//! assert_eq!(available, Some(59));
//!
//! // In ASEAN chess the men are not counted, but fifty moves without a capture are a draw.
//! let available = moves_available(RuleSet::Asean, position.material(), white, black, &Count::Fresh);
//! assert_eq!(available, Some(50));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Tables
//!
//! [`generate`] makes the table of an ending, [`probe`] looks positions up, and [`verify`] checks
//! tables against the rules. Each table is made once, after those of its subendings:
//!
//! ```
//! use sakmak::generate::{SolvedEndings, generate_table};
//! use sakmak::material::parse_set;
//! use sakmak::table::WriteOptions;
//! use sakmak::{Category, Count, Distance, Fen, Lettering, Moves, RuleSet, Tablebase};
//!
//! let directory = tempfile::tempdir()?;
//! let mut solved_endings = SolvedEndings::new();
//! for material in parse_set("KRvK")? {
//!     let options = WriteOptions::of(material);
//!     generate_table(material, directory.path(), &mut solved_endings, &options, &|_progress| {})?;
//! }
//!
//! let mut tablebase = Tablebase::new();
//! tablebase.add_directory(directory.path())?;
//! let fen = Fen::parse("8/8/8/8/8/2k5/8/K6R w", Lettering::Makruk)?;
//! assert_eq!(tablebase.dtm(&fen.position)?, Distance::Win(Moves(14)));
//!
//! // Makruk counts from 3, the number of men, to 16. White's first move is made before the count
//! // starts, so White has 14 moves and mates with the last. Ouk's count leaves 13.
//! for (rules, category) in [
//!     (RuleSet::Makruk, Category::Win),
//!     (RuleSet::Ouk, Category::CursedWin),
//! ] {
//!     let value = tablebase.probe(&fen.position, rules, &Count::Fresh)?;
//!     assert_eq!(value.category, category);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The modules
//!
//! The names that most programs need are at the root of the crate: positions, counts, values and
//! [`Tablebase`]. The modules have the others.
//!
//! | task | module |
//! |---|---|
//! | set up positions, make moves | [`board`], [`material`] |
//! | evaluate distances under a count | [`rules`] |
//! | follow whole games | [`game`] |
//! | probe tables | [`probe`] |
//! | read table files directly | [`table`], [`index`] |
//! | list the tables of a directory | [`directory`] |
//! | make tables | [`generate`] |
//! | check tables | [`verify`] |
//! | summarise endings | [`statistics`] |
//!
//! `docs/develop/architecture.md` shows the layers and the flow of data through them.
//!
//! # Features
//!
//! A program that only probes needs few features:
//!
//! | feature | adds | default |
//! |---|---|---|
//! | `make` | [`generate`], [`directory`], [`verify`] and [`table::TableWriter`]; implies `zstd` | yes |
//! | `zstd` | decompression by the zstd library, which needs a C compiler | yes |
//! | `rust-zstd` | decompression in Rust, by ruzstd, unless `zstd` is on: slower, and allocates for each block | no |
//!
//! One of the last two is required. With `rust-zstd` the crate builds for `wasm32-unknown-unknown`.
//! This target has no files, so pass tables as bytes to [`probe::Tablebase::add_bytes`] or
//! [`table::Table::new`], or as a source that fetches bytes on demand to
//! [`probe::Tablebase::add_source`].
//!
//! ```toml
//! # An engine that probes tables in a directory.
//! sakmak = { version = "0.1", default-features = false, features = ["zstd"] }
//! # A page in a browser that has fetched them.
//! sakmak = { version = "0.1", default-features = false, features = ["rust-zstd"] }
//! ```

// The table of features in the documentation lists the modules that are left out.
#![cfg_attr(
    not(feature = "make"),
    doc = "\n[`generate`]: #features\n[`directory`]: #features\n[`verify`]: #features\n[`table::TableWriter`]: #features\n"
)]
// Parts of the reader's modules that only the generator uses need no optional crate, so they are
// always compiled.
#![cfg_attr(not(feature = "make"), allow(dead_code, unused_imports))]

#[cfg(not(any(feature = "zstd", feature = "rust-zstd")))]
compile_error!("sakmak needs a zstd decoder: turn on its feature `zstd` (in C) or `rust-zstd`");

// With this item, `cargo test --doc` compiles the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "make")]
mod atomic_file;
pub mod board;
mod byte_map;
mod container;
#[cfg(feature = "make")]
pub mod directory;
pub mod game;
#[cfg(feature = "make")]
pub mod generate;
mod huge_pages;
pub mod index;
#[cfg(feature = "make")]
#[doc(hidden)]
pub mod internals;
pub mod material;
mod pages;
#[cfg(feature = "make")]
mod parallel;
pub mod probe;
#[cfg(feature = "make")]
pub mod published;
pub mod random;
mod rans;
mod regular_file;
pub mod remedy;
pub mod rules;
mod simd;
#[cfg(feature = "make")]
mod solve;
pub mod statistics;
pub mod table;
mod table_kind;
pub mod verdict;
#[cfg(feature = "make")]
pub mod verify;

// The names that most programs need; the modules have the others.
#[doc(inline)]
pub use board::{
    Color, Fen, FenError, Lettering, Move, MoveList, Position, PositionError, Role, Square,
    SquareSet,
};
#[doc(inline)]
pub use material::{CanonicalMaterial, Material, MaterialError};
#[doc(inline)]
pub use probe::{Answer, Distance, Line, Moves, Plies, ProbeError, RankedMove, Tablebase, Value};
#[doc(inline)]
pub use rules::{Category, Count, CountError, RuleSet};
#[doc(inline)]
pub use table::TableError;
