//! The endgame tablebase of makruk (Thai chess) and ASEAN chess.
//!
//! A side that has only its king left may count its moves, and if it is not mated before the count
//! runs out the game is drawn. So it is not enough to know who can force mate: it must be known in
//! how many moves. This crate computes that for every position of endings without pawns, keeps it
//! in compressed files and answers from them, under three rule sets: makruk, ASEAN chess, and ouk.
//!
//! # Positions, moves and counts
//!
//! No table is needed for these. The letters of the men are those of the rule set, since the two
//! letterings contradict each other; so a reader of FENs says which they are.
//!
//! ```
//! use sakmak::board::{Fen, Lettering};
//! use sakmak::rules::{Count, RuleSet, moves_available};
//!
//! // Black's last man has just been taken, with ten plies (five men) counted of 128.
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
//! [`generate`] makes the table of an ending, [`probe`] asks tables about positions, [`verify`]
//! checks them against the rules, and [`study`] sums them up. Tables are made once, smaller endings
//! first:
//!
//! ```
//! use sakmak::board::{Fen, Lettering};
//! use sakmak::generate::{Library, generate_table};
//! use sakmak::material::parse_set;
//! use sakmak::probe::{Distance, Moves, Tablebase};
//! use sakmak::rules::{Category, Count, RuleSet};
//! use sakmak::table::WriteOptions;
//!
//! let directory = tempfile::tempdir()?;
//! let mut library = Library::new();
//! for material in parse_set("KRvK")? {
//!     let options = WriteOptions::of(material);
//!     generate_table(material, directory.path(), &mut library, &options, &|_progress| {})?;
//! }
//!
//! let mut tablebase = Tablebase::new();
//! tablebase.add_directory(directory.path())?;
//! let fen = Fen::parse("8/8/8/8/8/2k5/8/K6R w", Lettering::Makruk)?;
//! assert_eq!(tablebase.dtm(&fen.position)?, Distance::Win(Moves(14)));
//!
//! // Makruk counts to 16 from the three men on the board, and White's first move comes before: it
//! // mates with the last of 14 moves. In ouk it has one less.
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
//! | to do this | look in |
//! |---|---|
//! | set up positions and make moves | [`board`], [`material`] |
//! | say what a distance is worth under a count | [`rules`] |
//! | follow whole games, pawns and all | [`game`] |
//! | ask tables | [`probe`] |
//! | annotate games | [`annotate`] |
//! | find positions | [`find`] |
//! | read files of tables without the rest | [`table`], [`index`] |
//! | list the tables of a directory | [`directory`] |
//! | make tables | [`generate`] |
//! | check tables | [`verify`] |
//! | look at whole endings | [`stats`], [`study`] |
//! | answer the explorer, over HTTP | [`explorer`], `serve` |
//!
//! `docs/develop/architecture.md` has the layers, and the way of the data through them.
//!
//! # Features
//!
//! A program that only asks tables need not build what makes them:
//!
//! | feature | gives | by default |
//! |---|---|---|
//! | `cli` | the program; with it comes `make` | yes |
//! | `serve` | the explorer's page and its HTTP API, for the program | no |
//! | `explorer` | [`explorer`]: the documents of the explorer | yes |
//! | `make` | [`generate`], [`directory`], [`verify`], [`study`] and [`table::TableWriter`]; with it comes `zstd` | yes |
//! | `zstd` | decompressing by the zstd library, which needs a C compiler | yes |
//! | `rust-zstd` | decompressing in Rust, by ruzstd, if `zstd` is not there: slower, and each block decoded allocates | no |
//!
//! One of the last two is needed. With `rust-zstd` the crate builds for `wasm32-unknown-unknown`, where there
//! are no files: there tables are given as bytes, by [`probe::Tablebase::add_bytes`] or
//! [`table::Table::new`], or as a source of bytes that are fetched when needed, by
//! [`probe::Tablebase::add_source`], and nothing is asked of the system.
//!
//! ```toml
//! # An engine that probes tables in a directory.
//! sakmak = { version = "0.1", default-features = false, features = ["zstd"] }
//! # A page in a browser that has fetched them.
//! sakmak = { version = "0.1", default-features = false, features = ["rust-zstd"] }
//! ```

// What is left out is in the table of features.
#![cfg_attr(
    not(feature = "make"),
    doc = "\n[`generate`]: #features\n[`directory`]: #features\n[`verify`]: #features\n[`study`]: #features\n[`table::TableWriter`]: #features\n"
)]
#![cfg_attr(not(feature = "explorer"), doc = "\n[`explorer`]: #features\n")]

#[cfg(not(any(feature = "zstd", feature = "rust-zstd")))]
compile_error!("sakmak needs a zstd decoder: turn on its feature `zstd` (in C) or `rust-zstd`");

// The code in the README is compiled by `cargo test --doc`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

pub mod annotate;
#[cfg(feature = "make")]
mod atomic_file;
pub mod board;
mod container;
#[cfg(feature = "make")]
pub mod directory;
#[cfg(feature = "explorer")]
pub mod explorer;
pub mod find;
pub mod game;
#[cfg(feature = "make")]
pub mod generate;
#[cfg(feature = "make")]
mod huge_pages;
pub mod index;
#[cfg(feature = "make")]
#[doc(hidden)]
pub mod internals;
pub mod material;
pub mod probe;
#[cfg(feature = "make")]
pub mod published;
mod random;
mod rans;
mod regular_file;
pub mod remedy;
pub mod rules;
#[cfg(feature = "serve")]
pub mod serve;
mod simd;
#[cfg(feature = "make")]
mod solve;
pub mod stats;
#[cfg(feature = "make")]
pub mod study;
pub mod table;
#[cfg(feature = "uci")]
pub mod uci;
pub mod verdict;
#[cfg(feature = "make")]
pub mod verify;
