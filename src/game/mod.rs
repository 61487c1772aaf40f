//! Whole games: the board after each move from the start position, and the counters of the game.
//!
//! A game needs more than the tables of endings do, so this module also handles the first leaps of
//! ouk's kings and mets, the promoted bia, and a running count. The rules are those of
//! Fairy-Stockfish's variants `makruk`, `asean` and `cambodian`; `tools/crosscheck/run-games`
//! compares random games with Fairy-Stockfish.
//!
//! ```
//! use sakmak::game::GameState;
//! use sakmak::rules::RuleSet;
//!
//! let start = GameState::start(RuleSet::Makruk);
//! let state = start.replay(["e3e4", "d6d5", "e4d5"])?;
//! assert_eq!(
//!     state.to_string(),
//!     "rnsmksnr/8/ppp1pppp/3P4/8/PPPP1PPP/8/RNSKMSNR b - - 0 2"
//! );
//! // No table has so many men.
//! assert_eq!(state.tabled(), None);
//!
//! let text = "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78";
//! let state = GameState::from_fen(text, RuleSet::Makruk)?;
//! assert!(state.tabled().is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod board;
mod counters;
mod counting;
pub mod pgn;
mod state;

pub use board::GameBoard;
pub use counters::Counters;
pub use counting::{BoardsHonor, GameCount};
pub use state::{GameState, ReplayError};
