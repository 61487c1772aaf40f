//! Follows the counts of a game from move to move.

use sakmak::board::{Color, Move};
use sakmak::game::GameState;
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
        let mut state = start;
        let known = state.counters.limit > 0 && is_before_pieces_honor(&state);
        if !is_before_pieces_honor(&state) {
            state.counters = state.counters.with_fresh_count(&state.board);
        }
        Tracker {
            state,
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
        let mut counters = self.state.counters;
        counters.limit = 0;
        counters = counters.with_fresh_count(&self.state.board);
        if !self.has_board_honor() || counters.limit == 0 {
            return true;
        }
        self.state.counters = counters;
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
        if counters.limit > 0 && 2 * announced <= counters.limit + 2 {
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
