//! PGN: games in text form, parsed leniently.
//!
//! [`Games`] reads the games of a file of any size, one at a time. There are no syntax errors:
//! every word that is not part of a tag or a comment is read as a move. Moves are checked when the
//! game is played.
//!
//! ```
//! use sakmak::game::pgn::Games;
//!
//! let text = "[Variant \"Makruk\"]\n\n1. e4 d5 2. exd5 {takes} 1-0\n\n1. d4 *\n";
//! let games: Result<Vec<_>, _> = Games::new(text.as_bytes()).collect();
//! let games = games?;
//! assert_eq!(games[0].moves[2].san, "exd5");
//! assert_eq!(games[0].moves[2].comments, ["takes"]);
//! assert_eq!((games[1].line, games[1].result()), (5, "*"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod game;
mod read;
mod result;
mod sign;
mod stream;
mod token;
mod variant;

pub use game::{PgnGame, PgnMove};
pub use sign::{glyph_of_sign, split_sign};
pub use stream::{Games, MOST_BYTES, PgnError};
pub use variant::{rules_of_variant, variant_of_rules};
