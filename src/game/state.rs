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
#[error("move {ply} ({text}) is illegal in {fen}: {}", self.hint())]
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

impl ReplayError {
    /// The advice that ends the message.
    fn hint(&self) -> String {
        let promotions = self.before.promotions(&self.text);
        match promotions.is_empty() {
            true => "give legal moves, for instance e3e4".to_string(),
            false => format!("the bia is promoted, so give {}", promotions.join(" or ")),
        }
    }
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
            counters: (self.counters).between(
                self.rules(),
                self.board.position(),
                board.position(),
            ),
        }
    }

    /// Finds the legal move that a UCI text means: `e3e4`, or `e5e6m` for a promotion.
    pub fn parse_uci(&self, text: &str) -> Option<Move> {
        let lettering = self.lettering();
        let text = text.to_ascii_lowercase();
        let mut moves = self.board.legal_moves().into_iter();
        moves.find(|m| m.uci(lettering).to_string() == text)
    }

    /// The legal promotions for a UCI text without the letter of the promoted man.
    fn promotions(&self, text: &str) -> Vec<String> {
        let text = text.to_ascii_lowercase();
        let moves = self.board.legal_moves().into_iter();
        let promotions = moves.filter(|m| m.promotion.is_some());
        let written = promotions.map(|m| m.uci(self.lettering()).to_string());
        written.filter(|uci| uci[..4] == text).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promotion_without_its_letter_is_refused_with_the_letter_to_add() {
        let says = |fen: &str, rules, text| {
            let state = GameState::from_fen(fen, rules).unwrap();
            state.replay([text]).unwrap_err().to_string()
        };
        let white = "8/8/8/7P/8/1S6/8/1K1k4 w";
        let end = ": the bia is promoted, so give h5h6m";
        for rules in [RuleSet::Makruk, RuleSet::Ouk] {
            assert!(says(white, rules, "h5h6").ends_with(end));
            assert!(says(white, rules, "H5H6").ends_with(end));
        }
        let black = "8/8/8/8/1p6/8/8/1K1k4 b";
        assert!(says(black, RuleSet::Makruk, "b4b3").ends_with("give b4b3m"));
        let asean = says("8/1P6/8/8/8/8/8/1K1k4 w", RuleSet::Asean, "b7b8");
        let all = ["b7b8r", "b7b8n", "b7b8b", "b7b8q"];
        assert!(all.iter().all(|uci| asean.contains(uci)), "{asean}");
        for text in ["h5h7", "h5h6r", "h5", "b1b2m", "é", ""] {
            assert!(says(white, RuleSet::Makruk, text).ends_with("for instance e3e4"));
        }
    }
}
