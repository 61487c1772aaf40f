//! The state of a game: the board and its counters.

use thiserror::Error;

use super::board::GameBoard;
use super::counters::Counters;
use crate::board::{Lettering, Move, Position};
use crate::rules::{Count, RuleSet};

/// The state of a game at one moment: the board and its counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameState {
    /// The men and the side to move.
    pub board: GameBoard,
    /// The count, the clock and the fullmove number.
    pub counters: Counters,
}

/// The error for an illegal move in a list of moves.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("move {ply} ({text}) is illegal in {fen}: give legal moves, for instance e3e4")]
pub struct ReplayError {
    /// The number of the move in the list, from 1.
    pub ply: usize,
    /// The text of the move.
    pub text: String,
    /// The FEN before the move.
    pub fen: String,
    /// The state before the move.
    pub before: Box<GameState>,
}

impl GameState {
    /// The state at the start of a game.
    pub fn start(rules: RuleSet) -> GameState {
        GameState {
            board: GameBoard::start(rules),
            counters: Counters::START,
        }
    }

    /// The rule set of the game.
    pub const fn rules(&self) -> RuleSet {
        self.board.rules()
    }

    /// The letters for the men in this game.
    pub const fn lettering(&self) -> Lettering {
        self.rules().lettering()
    }

    /// The state after a legal move.
    #[must_use]
    pub fn play(&self, m: Move) -> GameState {
        let board = self.board.play(m);
        GameState {
            board,
            counters: self.counters.after(&self.board, m, &board),
        }
    }

    /// Finds the legal move that a UCI text means: `e3e4`, or `e5e6m` for a promotion.
    pub fn parse_uci(&self, text: &str) -> Option<Move> {
        let lettering = self.lettering();
        let text = text.to_ascii_lowercase();
        let mut moves = self.board.legal_moves().into_iter();
        moves.find(|m| m.uci(lettering).to_string() == text)
    }

    /// The state after some moves in UCI notation.
    ///
    /// # Errors
    ///
    /// At the first illegal move.
    pub fn replay<'a>(
        &self,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<GameState, ReplayError> {
        let mut state = *self;
        for (i, text) in moves.into_iter().enumerate() {
            let Some(m) = state.parse_uci(text) else {
                return Err(ReplayError {
                    ply: i + 1,
                    text: text.to_string(),
                    fen: state.to_string(),
                    before: Box::new(state),
                });
            };
            state = state.play(m);
        }
        Ok(state)
    }

    /// The position and the count for a probe. `None` if no table contains the position, because it
    /// has too many men, a bia on a square where tables have none, or a man of ouk that may still
    /// leap.
    pub fn tabled(&self) -> Option<(Position, Count)> {
        Some((self.board.in_tables()?, self.counters.count(self.rules())))
    }
}
