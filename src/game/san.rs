//! Algebraic notation in games, including ouk's first leaps.

use super::board::GameBoard;
use crate::board::{Move, Notation, SanError};

impl GameBoard {
    /// A legal move in algebraic notation with the letters of the game. The text of an illegal move
    /// is meaningless.
    pub fn san(&self, m: Move) -> String {
        let next = self.play(m);
        let mate = next.is_check().then(|| next.legal_moves().is_empty());
        let lettering = self.rules.lettering();
        self.position
            .write_san(m, lettering, mate, |m| self.is_legal(m))
    }

    /// Parses a legal move.
    ///
    /// # Errors
    ///
    /// If the text means no legal move, or could mean several.
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        self.parse_san_as(text, Notation::default())
    }

    /// Parses a legal move of a game that uses this notation.
    ///
    /// # Errors
    ///
    /// If the text means no legal move, or could mean several.
    pub fn parse_san_as(&self, text: &str, notation: Notation) -> Result<Move, SanError> {
        let lettering = self.rules.lettering();
        let moves = self.legal_moves();
        self.position
            .read_san(text, lettering, &moves, self.promoted, notation)
    }
}

#[cfg(test)]
mod tests {
    use super::super::GameState;
    use super::*;
    use crate::board::LetterP;
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
    fn the_letter_p_is_a_bia_or_a_promoted_one() {
        let read = |fen: &str, text, p, promoted_apart| {
            let state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
            let notation = Notation { p, promoted_apart };
            let m = state.board.parse_san_as(text, notation);
            m.map(|m| m.to_string()).ok()
        };
        let read = |fen, text, p, apart| read(fen, text, p, apart).unwrap_or_default();
        // Only a bia, only a promoted bia, and an original met.
        let bia = "8/8/8/3k4/8/P2K4/8/8 w - - 0 1";
        let promoted = "8/8/8/3k4/8/1M~1K4/8/8 w - - 0 1";
        let met = "8/8/8/3k4/8/1M1K4/8/8 w - - 0 1";
        for p in [LetterP::Either, LetterP::Bia, LetterP::Promoted] {
            assert_eq!(read(bia, "Pa4", p, true), "a3a4");
            assert_eq!(read(promoted, "Pa4", p, true), "b3a4");
            assert_eq!(read(promoted, "Ma4", p, true), "b3a4");
            assert_eq!(read(met, "Pa4", p, true), "");
        }
        // Both could go to a4.
        let both = "8/8/8/3k4/8/PM~1K4/8/8 w - - 0 1";
        assert_eq!(read(both, "Pa4", LetterP::Bia, false), "a3a4");
        assert_eq!(read(both, "Pa4", LetterP::Promoted, false), "b3a4");
        assert_eq!(read(both, "Pa4", LetterP::Either, false), "");
        assert_eq!(read(both, "P3a4", LetterP::Promoted, false), "b3a4");
        assert_eq!(read(both, "a4", LetterP::Promoted, false), "a3a4");
        // A met and a promoted bia could go to d5.
        let mets = "8/8/2M5/6k1/2M~5/8/8/3K4 w - - 0 1";
        assert_eq!(read(mets, "Qd5", LetterP::Promoted, true), "c6d5");
        assert_eq!(read(mets, "Pd5", LetterP::Promoted, true), "c4d5");
        assert_eq!(read(mets, "Q4d5", LetterP::Promoted, true), "c4d5");
        assert_eq!(read(mets, "Qd5", LetterP::Promoted, false), "");
    }

    #[test]
    fn a_promoted_bia_needs_no_letter_where_it_alone_can_go() {
        let moves = |fen: &str, texts: &[&str]| {
            let mut state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
            let mut read = Vec::new();
            for text in texts {
                match state.board.parse_san(text) {
                    Ok(m) => (state, _) = (state.play(m), read.push(m.to_string())),
                    Err(error) => return Err(error.to_string()),
                }
            }
            Ok(read.join(" "))
        };
        let fen = "8/8/8/4P3/6p1/8/8/5K1k w";
        let line = moves(fen, &["e6=F", "g3=F", "f5", "h2", "e4"]);
        assert_eq!(line.unwrap(), "e5e6m g4g3m e6f5 g3h2 f5e4");
        // A bia that can go there is meant first.
        let bia = "8/8/8/8/2P1P3/1M~1K4/8/6k1 w";
        assert_eq!(moves(bia, &["c5"]).unwrap(), "c4c5");
        assert_eq!(
            moves("8/8/8/8/4P3/1M~1K4/8/6k1 w", &["c4"]).unwrap(),
            "b3c4"
        );
        // Nobody knows which of two is meant, and a met needs its letter.
        let two = moves("8/8/8/8/8/1M~1M~3K/8/6k1 w", &["c4"]).unwrap_err();
        assert!(two.contains("b3c4 or d3c4"), "{two}");
        let met = moves("8/8/8/8/8/1M5K/8/6k1 w", &["c4"]).unwrap_err();
        assert!(met.contains("not a legal move"), "{met}");
    }

    #[test]
    fn the_thai_letter_of_a_promoted_bia_is_not_that_of_a_met() {
        let read = |fen: &str, text: &str| {
            let state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
            state.board.parse_san(text).map(|m| m.to_string()).ok()
        };
        let mets = "8/8/2M5/6k1/2M~5/8/8/3K4 w";
        assert_eq!(read(mets, "ม็ง5").as_deref(), Some("c6d5"));
        assert_eq!(read(mets, "งง5").as_deref(), Some("c4d5"));
        assert_eq!(read(mets, "ง ค๔-ง๕").as_deref(), Some("c4d5"));
        // A FEN may not mark the promoted bia.
        let unmarked = "8/8/8/6k1/2M5/8/8/3K4 w";
        assert_eq!(read(unmarked, "งง5").as_deref(), Some("c4d5"));
    }

    #[test]
    fn a_first_leap_is_told_from_the_step_of_another_met() {
        let fen = "4k3/8/8/8/8/8/3M4/3KM3 w E - 0 1";
        let board = GameState::from_fen(fen, RuleSet::Ouk).unwrap().board;
        let san = |m: &str| board.san(m.parse().unwrap());
        assert_eq!([san("e1e3"), san("d2e3")], ["Mee3", "Mde3"]);
    }
}
