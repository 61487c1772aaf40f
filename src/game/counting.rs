//! The count of a game, with the choice whether board's honor is counted.

use super::counters::{Counters, is_two_sided, limit_of};
use super::state::GameState;
use crate::board::{Color, Position};
use crate::rules::{Count, RuleSet};

/// The choice whether board's honor, which nobody has to count, is counted. The count against a
/// bare king always runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoardsHonor {
    /// The count runs from the first moment at which a side may count, as in Fairy-Stockfish and
    /// cutechess.
    #[default]
    Automatic,
    /// Nobody counts.
    NotCounted,
    /// This side counts from the first of its moves with which it may begin.
    By(Color),
}

/// The count of a game. It follows the game from move to move, under each rule set, and also while
/// the game has more men than any table.
///
/// ```
/// use sakmak::game::{BoardsHonor, GameCount, GameState};
/// use sakmak::rules::RuleSet;
///
/// let rules = RuleSet::Makruk;
/// let mut state = GameState::from_fen("8/8/8/3k4/3m4/2K5/3R4/8 w", rules)?;
/// let mut count = GameCount::start(&state, BoardsHonor::NotCounted);
/// // White takes Black's last man. Black counts on from 3, the number of men on the board.
/// for uci in ["d2d4", "d5c5"] {
///     let next = state.replay([uci])?;
///     count = count.after(rules, state.board.position(), next.board.position());
///     state = next;
/// }
/// assert_eq!((count.counters.limit, count.number()), (32, Some(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameCount {
    /// The limit, the number counted, the clock and the fullmove number.
    pub counters: Counters,
    /// The choice whether board's honor is counted.
    pub boards_honor: BoardsHonor,
}

impl GameCount {
    /// The count of the first position of a game.
    ///
    /// A count of board's honor that a FEN has given to the state goes on. If the choice is that
    /// nobody counts, it becomes [`BoardsHonor::Automatic`]. Against a bare king a count that the
    /// FEN leaves out begins with the bare king's next move.
    pub fn start(state: &GameState, boards_honor: BoardsHonor) -> GameCount {
        let position = state.board.position();
        let is_counted = is_two_sided(position) && state.counters.limit > 0;
        let count = GameCount {
            counters: match is_two_sided(position) {
                true => state.counters,
                false => state.counters.with_fresh_count(&state.board),
            },
            boards_honor: match boards_honor {
                BoardsHonor::NotCounted if is_counted => BoardsHonor::Automatic,
                choice => choice,
            },
        };
        count.as_chosen(state.rules(), position, is_counted)
    }

    /// The count after the move that leads from the position `before` to the position `after`.
    #[must_use]
    pub fn after(&self, rules: RuleSet, before: &Position, after: &Position) -> GameCount {
        let count = GameCount {
            counters: self.counters.between(rules, before, after),
            ..*self
        };
        count.as_chosen(rules, after, self.counters.limit > 0)
    }

    /// The count if the side to move begins to count board's honor, from 1, with its next move. `None`
    /// if this side may not count board's honor in the position.
    pub fn begin(&self, rules: RuleSet, position: &Position) -> Option<GameCount> {
        if !is_two_sided(position) {
            return None;
        }
        let side = position.turn();
        Some(GameCount {
            counters: Counters {
                limit: 2 * limit_of(rules, position, side)?,
                counted: 0,
                ..self.counters
            },
            boards_honor: BoardsHonor::By(side),
        })
    }

    /// The count if board's honor is no longer counted. The count against a bare king goes on.
    #[must_use]
    pub fn stop(&self, position: &Position) -> GameCount {
        let count = GameCount {
            boards_honor: BoardsHonor::NotCounted,
            ..*self
        };
        match is_two_sided(position) {
            true => count.without_limit(),
            false => count,
        }
    }

    /// The count for a probe.
    pub const fn count(&self, rules: RuleSet) -> Count {
        self.counters.count(rules)
    }

    /// The number that the count has reached: the number that the counting side said last or, before
    /// it has said one, the number from which it counts on. `None` if nothing is counted.
    pub fn number(&self) -> Option<u32> {
        let Counters { limit, counted, .. } = self.counters;
        (limit > 0).then(|| counted.div_ceil(2))
    }

    /// True if the count, or the clock of the fifty-move rule, is over. The game is then drawn,
    /// unless the side to move is mated.
    pub const fn is_over(&self, rules: RuleSet) -> bool {
        self.counters.is_over(rules)
    }

    /// The count with board's honor counted only as chosen. `is_counted` is true if it was counted
    /// before.
    fn as_chosen(self, rules: RuleSet, position: &Position, is_counted: bool) -> GameCount {
        if is_counted || !is_two_sided(position) {
            return self;
        }
        match self.boards_honor {
            BoardsHonor::Automatic => self,
            BoardsHonor::By(side) if side == position.turn() => {
                let begun = self.begin(rules, position);
                begun.unwrap_or_else(|| self.without_limit())
            }
            BoardsHonor::NotCounted | BoardsHonor::By(_) => self.without_limit(),
        }
    }

    fn without_limit(self) -> GameCount {
        let counters = Counters {
            limit: 0,
            counted: 0,
            ..self.counters
        };
        GameCount { counters, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fields 4 and 5 of the FEN after each move.
    fn fields(rules: RuleSet, fen: &str, choice: BoardsHonor, moves: &[&str]) -> Vec<(u32, u32)> {
        let mut state = GameState::from_fen(fen, rules).unwrap();
        let mut count = GameCount::start(&state, choice);
        let mut found = vec![(count.counters.limit, count.counters.counted)];
        for uci in moves {
            let next = state.replay([*uci]).unwrap();
            count = count.after(rules, state.board.position(), next.board.position());
            found.push((count.counters.limit, count.counters.counted));
            state = next;
        }
        found
    }

    const TWO_SIDED: &str = "8/8/8/3k2n1/8/3K4/2R5/8 w - - 0 41";
    const TO_AND_FRO: [&str; 4] = ["c2c1", "d5e5", "c1c2", "e5d5"];

    #[test]
    fn the_boards_honor_runs_as_chosen() {
        let of = |choice| fields(RuleSet::Makruk, TWO_SIDED, choice, &TO_AND_FRO);
        let none = (0, 0);
        assert_eq!(
            of(BoardsHonor::Automatic),
            [none, (128, 0), (128, 1), (128, 2), (128, 3)]
        );
        assert_eq!(of(BoardsHonor::NotCounted), [none; 5]);
        // Black says 1 with its first move, which is the second ply.
        let black = of(BoardsHonor::By(Color::Black));
        assert_eq!(black, [none, (128, 0), (128, 1), (128, 2), (128, 3)]);
        let white = of(BoardsHonor::By(Color::White));
        assert_eq!(white, [(128, 0), (128, 1), (128, 2), (128, 3), (128, 4)]);
    }

    #[test]
    fn a_side_begins_stops_and_begins_again_with_1() {
        let rules = RuleSet::Makruk;
        let mut state = GameState::from_fen(TWO_SIDED, rules).unwrap();
        let mut count = GameCount::start(&state, BoardsHonor::NotCounted);
        let mut numbers = vec![];
        for (ply, uci) in TO_AND_FRO.iter().cycle().take(12).enumerate() {
            match ply {
                1 | 9 => count = count.begin(rules, state.board.position()).unwrap(),
                6 => count = count.stop(state.board.position()),
                _ => {}
            }
            let next = state.replay([*uci]).unwrap();
            count = count.after(rules, state.board.position(), next.board.position());
            numbers.push(count.number().unwrap_or(0));
            state = next;
        }
        assert_eq!(numbers, [0, 1, 1, 2, 2, 3, 0, 0, 0, 1, 1, 2]);
    }

    #[test]
    fn nobody_begins_a_count_that_the_rules_do_not_have() {
        let may_begin = |rules, fen: &str| {
            let state = GameState::from_fen(fen, rules).unwrap();
            let count = GameCount::start(&state, BoardsHonor::NotCounted);
            count.begin(rules, state.board.position()).is_some()
        };
        assert!(may_begin(RuleSet::Makruk, TWO_SIDED));
        assert!(may_begin(RuleSet::Ouk, TWO_SIDED));
        assert!(!may_begin(RuleSet::Asean, TWO_SIDED));
        let bia = "8/8/8/3k2n1/8/3K3P/2R5/8 w";
        assert!(!may_begin(RuleSet::Makruk, bia));
        assert!(may_begin(RuleSet::Ouk, bia));
        // White has four men, Black three.
        let four = "8/8/8/3k2nn/8/3K3P/2R4N/8";
        assert!(!may_begin(RuleSet::Ouk, &format!("{four} w")));
        assert!(may_begin(RuleSet::Ouk, &format!("{four} b")));
        assert!(!may_begin(RuleSet::Makruk, "8/8/8/3k4/8/3K4/2R5/8 b"));
    }

    #[test]
    fn the_count_against_a_bare_king_runs_whatever_is_chosen() {
        let fen = "8/8/8/3k4/3m4/2K5/3R4/8 w";
        for choice in [
            BoardsHonor::Automatic,
            BoardsHonor::NotCounted,
            BoardsHonor::By(Color::White),
        ] {
            let found = fields(RuleSet::Makruk, fen, choice, &["d2d4", "d5c5"]);
            assert_eq!(found[1..], [(32, 6), (32, 7)]);
            let bare = fields(RuleSet::Makruk, "8/8/8/3k4/8/3K4/2R5/8 b", choice, &[]);
            assert_eq!(bare, [(32, 6)]);
        }
    }

    #[test]
    fn the_count_of_a_fen_goes_on() {
        let fen = "8/8/8/3k2n1/8/3K4/2R5/8 w - 128 40 41";
        for choice in [
            BoardsHonor::Automatic,
            BoardsHonor::NotCounted,
            BoardsHonor::By(Color::White),
        ] {
            let found = fields(RuleSet::Makruk, fen, choice, &["c2c1"]);
            assert_eq!(found, [(128, 40), (128, 41)]);
        }
    }

    #[test]
    fn a_bared_king_in_ouk_goes_on_only_with_a_count_that_ran() {
        let fen = "8/8/8/2k1n3/4K3/7P/8/8 w";
        let taken = |choice| fields(RuleSet::Ouk, fen, choice, &["e4e5"])[1];
        assert_eq!(taken(BoardsHonor::NotCounted), (0, 0));
        assert_eq!(taken(BoardsHonor::By(Color::White)), (126, 1));
    }
}
