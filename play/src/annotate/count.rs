//! Follows the counts of a game from move to move, and recognises their numbers in comments.
//!
//! A number in a comment may be a count said aloud, but also a move's time or an engine's score.
//! The numbers are taken for a count only if all of them follow one another as in a count.

use sakmak::board::{Color, Move};
use sakmak::game::pgn::PgnMove;
use sakmak::game::{BoardsHonor, GameCount, GameState};
use sakmak::probe::{Distance, Tablebase};
use sakmak::rules::Count;

use super::options::{CountFrom, Counting};

/// The board of a game and the state of its counts, which change with each move.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    /// The board with its counters: those that the game states, or else those that an engine would
    /// keep.
    pub state: GameState,
    counting: Counting,
    /// True if the game or [`Counting::From`] shows that board's honor is being counted.
    known: bool,
    /// The side that counts board's honor. None if it is unknown.
    pub counting_side: Option<Color>,
    /// The first wrong number that the game announces for the count against a bare king, then the
    /// correct number.
    pub wrong_number: Option<(u32, u32)>,
}

impl Tracker {
    /// Follows a game from the position `start`. `comments_count` is true if the game's comments
    /// state the numbers of a count.
    pub fn new(start: GameState, counting: Counting, comments_count: bool) -> Tracker {
        let known = start.counters.limit > 0 && is_before_pieces_honor(&start);
        let GameCount { counters, .. } = GameCount::start(&start, BoardsHonor::Automatic);
        Tracker {
            state: GameState { counters, ..start },
            counting: match counting {
                Counting::NotSaid if comments_count => Counting::Never,
                counting => counting,
            },
            known,
            counting_side: None,
            wrong_number: None,
        }
    }

    /// The count under which the position is judged.
    pub fn count(&self) -> Count {
        match self.has_board_honor() && !self.is_counted() {
            true => Count::Fresh,
            false => self.state.counters.count(self.state.rules()),
        }
    }

    /// True if board's honor is known to be counted.
    pub fn is_counted(&self) -> bool {
        self.has_board_honor() && (self.known || self.counting == Counting::First)
    }

    /// The count that would run if board's honor had been counted from its first possible moment.
    /// None if the game shows whether it was counted, or if no such count is possible.
    pub fn if_counted(&self) -> Option<Count> {
        let unknown = !self.known && self.counting == Counting::NotSaid;
        let counters = self.state.counters;
        (unknown && self.has_board_honor() && counters.counted > 0 && counters.limit > 0)
            .then(|| counters.count(self.state.rules()))
    }

    /// True if board's honor may be counted.
    fn has_board_honor(&self) -> bool {
        self.state.rules().has_boards_honor() && is_before_pieces_honor(&self.state)
    }

    /// Starts the count of board's honor if [`Counting::From`] names the next move. Returns true if
    /// it does, but board's honor cannot be counted in this position.
    pub fn before_move(&mut self, tablebase: &Tablebase) -> bool {
        let Counting::From(CountFrom { number, side }) = self.counting else {
            return false;
        };
        if self.known || self.state.counters.fullmove != number {
            return false;
        }
        let turn = self.state.board.turn();
        let side = side.unwrap_or_else(|| {
            // By default, the side that would be mated counts or, without a forced mate, the side
            // to move.
            let position = self.state.board.in_tables();
            let dtm = position.and_then(|position| {
                tablebase
                    .dtm_in(self.state.board.rules().game(), &position)
                    .ok()
            });
            match dtm {
                Some(Distance::Win(_)) => !turn,
                _ => turn,
            }
        });
        if side != turn {
            return false;
        }
        let GameState {
            board, counters, ..
        } = self.state;
        let automatic = GameCount {
            counters,
            boards_honor: BoardsHonor::Automatic,
        };
        let Some(begun) = automatic.begin(board.rules(), board.position()) else {
            return true;
        };
        self.state.counters = begun.counters;
        self.known = true;
        self.counting_side = Some(turn);
        false
    }

    /// Makes a move. `announced` is the number that the player announced with it. The count of
    /// board's honor continues from this number. Against a bare king, the number is checked against
    /// the correct one and changes nothing.
    pub fn play(&mut self, m: Move, announced: Option<u32>) {
        let mover = self.state.board.turn();
        self.state = self.state.play(m);
        let Some(announced) = announced else {
            return;
        };
        let mut counters = self.state.counters;
        let number = counters.counted.div_ceil(2);
        if !is_before_pieces_honor(&self.state) {
            let bare = self.state.board.position().by_color(mover).len() == 1;
            if bare && counters.limit > 0 && number != announced {
                self.wrong_number = self.wrong_number.or(Some((announced, number)));
            }
            return;
        }
        if !self.has_board_honor() || self.counting == Counting::First {
            return;
        }
        counters = counters.with_fresh_count(&self.state.board);
        if may_be_said(announced, counters.limit) {
            if number != announced || counters.counted == 0 {
                counters.counted = 2 * announced - 1;
            }
            self.state.counters = counters;
            self.known = true;
            self.counting_side = Some(mover);
        }
    }
}

/// True before any count against a bare king: while both sides have men besides their kings and, in
/// ouk, while there are bia.
pub(super) fn is_before_pieces_honor(state: &GameState) -> bool {
    let position = state.board.position();
    let have_men = |color| position.by_color(color).len() > 1;
    let bia_remain = state.rules().counts_with_bia() && !position.is_pawnless();
    bia_remain || Color::ALL.into_iter().all(have_men)
}

/// The numbers in the comments on a game's moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    by_ply: Vec<Option<u32>>,
    /// True if the comments contain numbers that do not form a count.
    pub are_no_count: bool,
}

/// A number in the comment on a ply, announced by the side that made the ply.
#[derive(Clone, Copy)]
struct Announcement {
    ply: usize,
    side: Color,
    number: u32,
}

impl Numbers {
    /// Finds the numbers in a game's comments. `states` are the states of the game before its first
    /// move and after each move.
    pub fn of_game(moves: &[PgnMove], states: &[GameState]) -> Numbers {
        let all = moves.iter().map(number_of_move);
        let mut by_ply: Vec<Option<u32>> = all.take(states.len() - 1).collect();
        let are_no_count = !follow_one_another(&by_ply, states);
        if are_no_count {
            by_ply.fill(None);
        }
        Numbers {
            by_ply,
            are_no_count,
        }
    }

    /// The number announced with a ply. None if there is none, or if the numbers form no count.
    pub fn announced_with(&self, ply: usize) -> Option<u32> {
        self.by_ply.get(ply).copied().flatten()
    }

    /// True if there are numbers and they form a count.
    pub fn are_count(&self) -> bool {
        self.by_ply.iter().any(Option::is_some)
    }
}

/// The first comment on a move that consists only of a number above 0, as a number.
fn number_of_move(written: &PgnMove) -> Option<u32> {
    let mut numbers = written.comments.iter().filter_map(|comment| {
        let digits = comment.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| comment.parse().ok()).flatten()
    });
    numbers.find(|&number| number > 0)
}

/// True if the numbers can be those of a count: each is possible with its move, and each after the
/// first continues the previous number or begins a count again.
fn follow_one_another(by_ply: &[Option<u32>], states: &[GameState]) -> bool {
    let mut before: Option<Announcement> = None;
    by_ply.iter().enumerate().all(|(ply, number)| {
        let Some(number) = *number else {
            return true;
        };
        let announced = Announcement {
            ply,
            side: states[ply].board.turn(),
            number,
        };
        let after = &states[ply + 1];
        let follows = match before.replace(announced) {
            None => true,
            Some(before) if before.side == announced.side => {
                number as usize == before.number as usize + (ply - before.ply) / 2
            }
            Some(_) => false,
        };
        is_possible(after, announced) && (follows || begins(after, announced))
    })
}

/// True if the number announced with a move can belong to a count: the player may count in the
/// position after the move, and the number does not exceed the limit by more than one.
fn is_possible(after: &GameState, announced: Announcement) -> bool {
    let counters = after.counters;
    let men = |side| after.board.position().by_color(side).len();
    let counts = match is_before_pieces_honor(after) {
        true => after.rules().has_boards_honor(),
        false => men(announced.side) == 1,
    };
    counts && may_be_said(announced.number, counters.limit)
}

/// True if a count with this limit, in plies, can reach the number: a player may say one more than
/// the limit. No count runs if the limit is 0.
fn may_be_said(number: u32, limit_plies: u32) -> bool {
    limit_plies > 0 && number <= limit_plies / 2 + 1
}

/// True if the number announced with a move can be the first of a count. Board's honor begins with
/// 1. The count against a bare king begins with the number of men on the board plus one.
fn begins(after: &GameState, announced: Announcement) -> bool {
    match is_before_pieces_honor(after) {
        true => announced.number == 1,
        false => announced.number == after.counters.counted.div_ceil(2),
    }
}

#[cfg(test)]
mod tests {
    use sakmak::game::GameState;
    use sakmak::rules::RuleSet;

    use super::*;

    /// Returns the number of announcements taken for a count. None if they do not form a count. In
    /// `moves`, 0 means no number.
    fn announced(fen: &str, rules: RuleSet, moves: &[(&str, u32)]) -> Option<usize> {
        let mut states = vec![GameState::from_fen(fen, rules).unwrap()];
        let mut written = Vec::new();
        for &(uci, number) in moves {
            let state = states[states.len() - 1];
            states.push(state.play(state.parse_uci(uci).unwrap()));
            let comments = match number {
                0 => vec!["a word".to_string()],
                _ => vec![number.to_string()],
            };
            written.push(PgnMove {
                comments,
                ..PgnMove::default()
            });
        }
        let numbers = Numbers::of_game(&written, &states);
        (!numbers.are_no_count).then(|| numbers.by_ply.iter().flatten().count())
    }

    const TWO_SIDED: &str = "8/8/8/3k2n1/8/3K4/2R5/8 w - - 0 41";

    /// Calls [`announced`] for a game in which White's rook and Black's king move to and fro, with
    /// these numbers.
    fn two_sided(numbers: [u32; 8]) -> Option<usize> {
        let moves = ["c2c1", "d5e5", "c1c2", "e5d5"].into_iter().cycle();
        let moves: Vec<_> = moves.zip(numbers).collect();
        announced(TWO_SIDED, RuleSet::Makruk, &moves)
    }

    #[test]
    fn numbers_that_follow_one_another_are_a_count() {
        assert_eq!(two_sided([0, 1, 0, 2, 0, 3, 0, 4]), Some(4));
        assert_eq!(two_sided([0, 0, 0, 7, 0, 8, 0, 0]), Some(2));
        // Counts with a number left out, with a restart, and with numbers of the other side.
        assert_eq!(two_sided([0, 1, 0, 0, 0, 3, 0, 4]), Some(3));
        assert_eq!(two_sided([0, 1, 0, 2, 0, 1, 0, 2]), Some(4));
        assert_eq!(two_sided([0, 1, 0, 2, 1, 0, 2, 0]), Some(4));
        assert_eq!(two_sided([0, 0, 0, 0, 0, 0, 0, 0]), Some(0));
    }

    #[test]
    fn times_and_scores_are_no_count() {
        assert_eq!(two_sided([3, 12, 4, 9, 3, 20, 1, 1]), None);
        assert_eq!(two_sided([0, 5, 0, 5, 0, 5, 0, 5]), None);
        assert_eq!(two_sided([1, 1, 2, 2, 3, 3, 4, 4]), None);
        for number in [66, 67, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, u32::MAX] {
            assert_eq!(two_sided([0, number, 0, 0, 0, 0, 0, 0]), None);
        }
    }

    #[test]
    fn nobody_counts_while_there_are_bia_nor_two_sides_in_asean_chess() {
        let bia = "8/8/8/3k2n1/8/3K3P/2R5/8 w - - 0 41";
        assert_eq!(announced(bia, RuleSet::Makruk, &[("c2c1", 1)]), None);
        assert_eq!(announced(TWO_SIDED, RuleSet::Asean, &[("c2c1", 1)]), None);
        // The bare king's side counts, not the side with the rook.
        let bare = "8/8/8/3k4/8/3K4/2R5/8 w - 32 7 41";
        let numbers = |white, black| {
            let moves = [("c2c1", white), ("d5e5", black)];
            announced(bare, RuleSet::Makruk, &moves)
        };
        assert_eq!(numbers(0, 5), Some(1));
        assert_eq!(numbers(4, 0), None);
    }
}
