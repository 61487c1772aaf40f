//! The counters of a game: count, clock and fullmove number.

use super::board::GameBoard;
use crate::board::{Color, Position, Role};
use crate::material::{Army, Material};
use crate::rules::{Count, RuleSet, boards_honor_limit, pieces_honor_limit};

/// The counters of a game, as in Fairy-Stockfish: a count begins automatically as soon as a side
/// has the right to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counters {
    /// The limit of the count in plies; 0 without a count.
    pub limit: u32,
    /// The number of plies counted.
    pub counted: u32,
    /// The plies since the last capture or move of a bia.
    pub clock: u32,
    /// The fullmove number, from 1.
    pub fullmove: u32,
}

/// The number of plies without a capture or a move of a bia after which an ASEAN game is drawn.
const FIFTY_MOVES: u32 = 100;

impl Counters {
    /// The counters of the start position.
    pub const START: Counters = Counters {
        limit: 0,
        counted: 0,
        clock: 0,
        fullmove: 1,
    };

    /// The counters after the move that leads from the position `before` to the position `after`.
    #[must_use]
    pub fn between(&self, rules: RuleSet, before: &Position, after: &Position) -> Counters {
        let (us, them) = (before.turn(), !before.turn());
        let men = |color| after.by_color(color).len();
        let bia = |position: &Position| position.men(us, Role::Bia);
        let taken = before.by_color(them) & !after.by_color(them);
        let by_bia = bia(before) != bia(after);
        let promoted = bia(after).len() < bia(before).len();
        let mut next = Counters {
            limit: self.limit,
            counted: self.counted.saturating_add(u32::from(self.limit > 0)),
            clock: match !taken.is_empty() || by_bia {
                true => 0,
                false => self.clock.saturating_add(1),
            },
            fullmove: self.fullmove.saturating_add(u32::from(us == Color::Black)),
        };
        let all = after.occupied().len() as u32;
        let from_men = rules.counts_from_men();
        let took_bia = !(taken & before.by_role(Role::Bia)).is_empty();
        if from_men && took_bia && men(us) == 1 && after.is_pawnless() {
            // A bare king captured the last bia, and this capture is the first counted move.
            if let Some(limit) = limit_of(rules, after, us) {
                next.limit = 2 * limit;
                next.counted = 2 * all - 1;
            }
        }
        let bared = (!taken.is_empty() || promoted) && men(them) == 1;
        if (next.limit == 0 || bared)
            && let Some(limit) = limit_of(rules, after, them)
        {
            next.limit = 2 * limit;
            next.counted = match men(them) > 1 {
                true => 0,
                false => 2 * rules.first_number(all),
            };
        }
        next
    }

    /// Adds a count that begins with the next move of the counting side, if a side may count and no
    /// count is running. The numbers are as in a FEN: see [`Count::Fresh`].
    #[must_use]
    pub fn with_fresh_count(&self, board: &GameBoard) -> Counters {
        let sides = Color::ALL.map(|side| limit_of(board.rules(), board.position(), side));
        let (limit, bare) = match (self.limit, sides) {
            (0, [Some(limit), other]) => (limit, other.is_none().then_some(Color::White)),
            (0, [None, Some(limit)]) => (limit, Some(Color::Black)),
            _ => return *self,
        };
        let from_men = board.rules().counts_from_men();
        let bare = bare.filter(|&bare| board.position().by_color(bare).len() == 1);
        let counted = match bare {
            None => 0,
            // The stronger side moves before the first counted move. A count that starts at 0 does
            // not include that move, and begins after it.
            Some(bare) if !from_men && (board.turn() != bare || self.clock > 0) => return *self,
            Some(_) if !from_men => 0,
            Some(bare) => {
                2 * board.position().occupied().len() as u32 - u32::from(board.turn() != bare)
            }
        };
        Counters {
            limit: 2 * limit,
            counted,
            ..*self
        }
    }

    /// The count for a probe.
    pub const fn count(&self, rules: RuleSet) -> Count {
        match *self {
            // A capture by the bare king restarts the fifty-move rule, but not the count. A count
            // that begins with a quiet move starts later than the clock.
            Counters {
                limit,
                counted,
                clock,
                ..
            } if limit > 0 && clock != counted && rules.has_fifty_move_rule() => Count::Both {
                limit_plies: limit,
                counted_plies: counted,
                clock_plies: clock,
            },
            Counters {
                limit: 0, clock: 0, ..
            } => Count::Fresh,
            Counters {
                limit: 0, clock, ..
            } => Count::Clock { plies: clock },
            Counters { limit, counted, .. } => Count::Explicit {
                limit_plies: limit,
                counted_plies: counted,
            },
        }
    }

    /// True if a count, or the clock of the fifty-move rule, is over. The side to move may then
    /// claim a draw, unless it is mated.
    pub const fn is_over(&self, rules: RuleSet) -> bool {
        let fifty_moves = rules.has_fifty_move_rule() && self.clock >= FIFTY_MOVES;
        fifty_moves || (self.limit > 0 && self.counted > self.limit)
    }
}

/// True if both sides have men besides their kings.
pub(super) fn is_two_sided(position: &Position) -> bool {
    Color::ALL.map(|color| position.by_color(color).len() > 1) == [true; 2]
}

/// The limit, in moves, of the count that a side has the right to begin; `None` if it may not
/// count.
pub(super) fn limit_of(rules: RuleSet, position: &Position, side: Color) -> Option<u32> {
    let men = |color| position.by_color(color).len();
    if men(!side) == 1 {
        return None;
    }
    let pawnless = position.is_pawnless();
    if men(side) == 1 {
        return pieces_honor_limit(rules, position.material().army(!side));
    }
    let may_count = match rules {
        RuleSet::Makruk => pawnless,
        RuleSet::Asean => false,
        RuleSet::Ouk => men(side) <= 3,
    };
    // The limit is the same for all men that may be counted, so one met for each side represents
    // them.
    let met = Army::BARE.with(Role::Met);
    let two_sided = Material::new([met, met]);
    may_count.then(|| boards_honor_limit(rules, two_sided))?
}

#[cfg(test)]
mod tests {
    use super::super::GameState;
    use super::*;

    /// The count's fields in the FEN after some moves.
    fn count(rules: RuleSet, fen: &str, moves: &[&str]) -> String {
        let state = GameState::from_fen(fen, rules).unwrap();
        let fen = state.replay(moves.iter().copied()).unwrap().fen();
        match fen.count {
            Some(count) => format!("{} {}", count.limit(), count.counted()),
            None => format!("- {}", fen.clock),
        }
    }

    #[test]
    fn the_boards_honor_begins_when_the_last_bia_is_gone() {
        let fen = "8/8/4k3/1r6/8/2PK4/1R6/8 w - - 3 30";
        assert_eq!(count(RuleSet::Makruk, fen, &["b2b1"]), "- 4");
        let last = "8/8/4k3/2r5/8/2PK4/1R6/8 b - - 3 30";
        assert_eq!(count(RuleSet::Makruk, last, &["c5c3"]), "128 0");
        assert_eq!(count(RuleSet::Makruk, last, &["c5c3", "d3c3"]), "32 6");
        assert_eq!(count(RuleSet::Asean, last, &["c5c3"]), "- 0");
        // Ouk counts for a side of three men or fewer even with bia on the board.
        assert_eq!(count(RuleSet::Ouk, fen, &["b2b1"]), "126 0");
    }

    #[test]
    fn the_count_against_a_bare_king_begins_with_the_men_on_the_board() {
        let fen = "8/8/4k3/2r5/8/2RK4/8/8 w - 128 40 60";
        assert_eq!(count(RuleSet::Makruk, fen, &["c3c5"]), "32 6");
        let asean = "8/8/4k3/2r5/8/2RK4/8/8 w - - 12 60";
        assert_eq!(count(RuleSet::Asean, asean, &["c3c5"]), "32 0");
        assert_eq!(count(RuleSet::Asean, asean, &["c3c5", "e6d6"]), "32 1");
    }

    #[test]
    fn a_bare_king_that_takes_the_last_bia_has_counted_that_move() {
        let fen = "8/8/8/3kP3/8/8/R7/3K4 b - - 0 60";
        assert_eq!(count(RuleSet::Makruk, fen, &["d5e5"]), "32 5");
    }

    #[test]
    fn the_count_of_the_real_game_leaves_what_was_left() {
        // SchemingMind game 737440: the last man is captured.
        let fen = "8/1b6/2MN4/K1M5/1k6/8/8/8 w - - 0 1";
        assert!(GameState::from_fen(fen, RuleSet::Makruk).is_err());
        let fen = "8/Ks6/2MN4/k1M5/8/8/8/8 w - 128 59 78";
        assert_eq!(count(RuleSet::Makruk, fen, &["a7b7"]), "128 10");
    }

    #[test]
    fn a_fresh_count_is_the_same_in_numbers() {
        let fens = [
            "8/8/8/3k4/8/3K4/2SM4/8 w - - 0 1",
            "8/8/8/3k4/8/3K4/2SM4/8 b - - 0 1",
            "8/8/2sm4/3k4/8/3K4/8/8 b - - 0 1",
            "8/8/8/3k2n1/8/3K4/2R5/8 w - - 0 1",
            "8/8/8/3k4/8/3K4/8/8 w - - 0 1",
        ];
        for (rules, fen) in RuleSet::ALL
            .into_iter()
            .flat_map(|rules| fens.map(|fen| (rules, fen)))
        {
            let fen = match rules {
                RuleSet::Asean => &fen.replace('S', "B").replace('M', "Q").replace("sm", "bq"),
                _ => fen,
            };
            let state = GameState::from_fen(fen, rules).unwrap();
            let fresh = state.counters.with_fresh_count(&state.board);
            let position = state.board.in_tables().unwrap();
            for side in Color::ALL {
                let left = |count| {
                    crate::rules::moves_available(
                        rules,
                        position.material(),
                        side,
                        position.turn(),
                        &count,
                    )
                };
                // Board's honor begins with the next move, whichever side makes it.
                let two_sided = position.material().bare_side().is_none();
                if !(two_sided && side == position.turn()) {
                    assert_eq!(
                        left(fresh.count(rules)),
                        left(Count::Fresh),
                        "{rules} {fen} {side}"
                    );
                }
            }
            assert_eq!(fresh.with_fresh_count(&state.board), fresh);
        }
    }

    #[test]
    fn a_count_is_over_when_it_passes_its_limit() {
        let at = |rules, fen: &str| {
            let state = GameState::from_fen(fen, rules).unwrap();
            state.counters.is_over(rules)
        };
        assert!(!at(RuleSet::Makruk, "8/8/8/3k4/8/3K4/3R4/8 b - 32 32 90"));
        assert!(at(RuleSet::Makruk, "8/8/8/3k4/8/3K4/3R4/8 b - 32 33 90"));
        assert!(at(RuleSet::Asean, "8/8/8/3k4/8/3K4/3Q4/8 b - - 100 90"));
        assert!(!at(RuleSet::Makruk, "8/8/8/3k4/8/3K4/3R4/8 b - - 100 90"));
    }
}
