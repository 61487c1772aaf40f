//! Moves of games as players write them: those of the board, and ouk's first leaps among them.

use super::board::GameBoard;
use crate::board::{Move, SanError};

impl GameBoard {
    /// A legal move as players write it, in the letters of the game. A move that is not legal gives
    /// a text without meaning.
    pub fn san(&self, m: Move) -> String {
        let next = self.play(m);
        let mate = next.is_check().then(|| next.legal_moves().is_empty());
        let lettering = self.rules.lettering();
        self.position
            .write_san(m, lettering, mate, |m| self.is_legal(m))
    }

    /// The legal move that a text means.
    ///
    /// # Errors
    ///
    /// If no legal move, or more than one, is written so.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        let lettering = self.rules.lettering();
        self.position.read_san(text, lettering, &self.legal_moves())
    }
}

#[cfg(test)]
mod tests {
    use super::super::GameState;
    use crate::rules::RuleSet;

    #[test]
    fn every_legal_move_is_read_back_from_what_is_written() {
        for rules in RuleSet::ALL {
            let mut state = GameState::start(rules);
            for ply in 0..300 {
                let moves = state.board.legal_moves();
                for &m in &moves {
                    let san = state.board.san(m);
                    assert_eq!(state.board.parse_san(&san), Ok(m), "{san} in {state}");
                }
                let Some(&m) = moves.get((ply * 7919) % moves.len().max(1)) else {
                    break;
                };
                state = state.play(m);
            }
        }
    }

    #[test]
    fn a_first_leap_is_told_from_the_step_of_another_met() {
        let fen = "4k3/8/8/8/8/8/3M4/3KM3 w E - 0 1";
        let board = GameState::from_fen(fen, RuleSet::Ouk).unwrap().board;
        let san = |m: &str| board.san(m.parse().unwrap());
        assert_eq!([san("e1e3"), san("d2e3")], ["Mee3", "Mde3"]);
    }
}
