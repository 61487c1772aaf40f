//! FENs of games: a [`Fen`] with the counters of a game.

use std::fmt;

use super::board::GameBoard;
use super::counters::Counters;
use super::state::GameState;
use crate::board::{Fen, FenCount, FenError, LeapRights};
use crate::rules::RuleSet;

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
                let clock = match rules {
                    RuleSet::Asean => count.counted(),
                    RuleSet::Makruk | RuleSet::Ouk => 0,
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
