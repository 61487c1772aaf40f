//! The state of a game: the board and its counters, with their FEN.

use std::fmt;

use thiserror::Error;

use super::board::GameBoard;
use super::counters::Counters;
use crate::board::{Fen, FenCount, FenError, LeapRights, Lettering, Move, Position};
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

impl GameState {
    /// Parses a FEN of 2 to 6 fields with the letters of the game.
    ///
    /// # Errors
    ///
    /// If the text is not the FEN of a legal position.
    pub fn from_fen(text: &str, rules: RuleSet) -> Result<GameState, FenError> {
        Ok(GameState::of_fen(&rules.read_game_fen(text)?, rules))
    }

    /// The state that a FEN of the game describes: see [`RuleSet::read_game_fen`].
    pub fn of_fen(fen: &Fen, rules: RuleSet) -> GameState {
        let (limit, counted, clock) = match fen.count {
            None => (0, 0, fen.clock),
            Some(count) => {
                // Against a bare king, count and clock began with the same capture.
                let clock = match rules.has_fifty_move_rule() {
                    true => count.counted(),
                    false => 0,
                };
                (count.limit(), count.counted(), clock)
            }
        };
        GameState {
            board: GameBoard {
                position: fen.position,
                rules,
                promoted: fen.promoted,
                leapers: fen.leapers(),
            },
            counters: Counters {
                limit,
                counted,
                clock,
                fullmove: fen.fullmove,
            },
        }
    }

    /// The FEN of the game. While a count is running, the counted plies take the place of the
    /// clock.
    pub fn fen(&self) -> Fen {
        let count = FenCount::new(self.counters.limit, self.counters.counted).ok();
        Fen {
            position: *self.board.position(),
            clock: match count {
                None => self.counters.clock,
                Some(_) => 0,
            },
            count,
            fullmove: self.counters.fullmove,
            leaps: LeapRights::of(self.board.leapers()),
            promoted: self.board.promoted(),
        }
    }

    /// The FEN with `~` after each promoted bia.
    pub fn fen_with_promoted(&self) -> String {
        let fen = self.fen();
        fen.display(self.lettering()).with_promoted().to_string()
    }
}

impl fmt::Display for GameState {
    /// Writes the FEN with all six fields.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.fen().display(self.lettering()).to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Count;

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

    fn read(text: &str, rules: RuleSet) -> Result<GameState, FenError> {
        GameState::from_fen(text, rules)
    }

    #[test]
    fn the_start_positions_are_those_of_fairy_stockfish() {
        for (rules, fen) in [
            (
                RuleSet::Makruk,
                "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            ),
            (
                RuleSet::Asean,
                "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1",
            ),
            (
                RuleSet::Ouk,
                "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
            ),
        ] {
            assert_eq!(GameState::start(rules).to_string(), fen);
            assert_eq!(read(fen, rules), Ok(GameState::start(rules)));
        }
    }

    #[test]
    fn what_programs_write_is_read() {
        // The start position of cutechess, a count past its limit, and fields left out.
        let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1";
        assert_eq!(
            read(start, RuleSet::Makruk),
            Ok(GameState::start(RuleSet::Makruk))
        );
        let over = read("8/8/8/3k4/8/3K4/3R4/8 b - 32 33 90", RuleSet::Makruk).unwrap();
        let count = Count::Explicit {
            limit_plies: 32,
            counted_plies: 33,
        };
        assert_eq!(over.counters.count(RuleSet::Makruk), count);
        let short = read("8/8/8/3k4/8/3K4/3R4/8 b", RuleSet::Makruk).unwrap();
        assert_eq!(short.to_string(), "8/8/8/3k4/8/3K4/3R4/8 b - - 0 1");
    }

    #[test]
    fn promoted_men_are_marked_if_asked_for() {
        let fen = "8/8/3M~4/3k4/8/3K4/3M4/8 w - - 0 1";
        let state = read(fen, RuleSet::Makruk).unwrap();
        assert_eq!(state.fen_with_promoted(), fen);
        assert_eq!(state.to_string(), fen.replace('~', ""));
        // The mark of a promoted bia stays with the man.
        let next = state.play(state.parse_uci("d6e7").unwrap());
        assert_eq!(next.board.promoted().len(), 1);
        assert!(read("8/8/3R~4/3k4/8/3K4/8/8 w", RuleSet::Makruk).is_err());
    }

    #[test]
    fn first_leaps_are_those_of_men_at_home_in_ouk() {
        let fen = "4k3/8/8/8/8/8/8/3K4 w De - 0 1";
        let state = read(fen, RuleSet::Ouk).unwrap();
        assert_eq!(state.to_string(), fen);
        assert_eq!(state.tabled(), None);
        let makruk = read(fen, RuleSet::Makruk).unwrap();
        assert_eq!(makruk.to_string(), fen.replace("De", "-"));
        // The third field names a man that has moved.
        let moved = read("4k3/8/8/8/8/8/8/4K3 w D - 0 1", RuleSet::Ouk).unwrap();
        assert!(moved.tabled().is_some());
    }

    #[test]
    fn what_is_no_fen_is_refused() {
        for text in [
            "",
            "8/8/8/8/8/8/8/8 w",
            "8/8/8/3k4/8/3K4/3R4 w",
            "8/8/8/3k4/8/3K4/3R5/8 w",
            "8/8/8/3k4/8/3K4/3R4/9 w",
            "8/8/8/3k4/8/3K4/3B4/8 w",
            "8/8/8/3k4/8/3K4/3R4/8",
            "8/8/8/3k4/8/3K4/3R4/8 x",
            "8/8/8/3k4/8/3K4/3R4/8 w - -1 8 1",
            "8/8/8/3k4/8/3K4/3R4/8 w - 99999999999 8 1",
            "8/8/8/3k4/8/3K4/3R4/8 w - - 0 1 more",
            "P7/8/8/3k4/8/3K4/3R4/8 w",
            "8/8/8/3k4/3K4/8/8/8 w",
            "8/8/8/3k4/8/3K4/3r4/8 b",
        ] {
            assert!(read(text, RuleSet::Makruk).is_err(), "{text}");
        }
    }
}
