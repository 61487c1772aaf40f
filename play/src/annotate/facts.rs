//! The events of a whole game: counts, mistakes, and the end.

use super::game::Annotation;
use sakmak::board::Color;
use sakmak::game::Counters;
use sakmak::rules::{Allowance, LimitKind};

/// The events of a game, with the moments when they happened. Moment 0 is before the first move, as
/// in [`Annotation::moments`]; plies are numbered as in [`Annotation::plies`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The first moment with a position in the tables.
    pub known_from: Option<usize>,
    /// The counts that began during the game.
    pub counts: Vec<CountBegun>,
    /// The course of the game: successive spans of moments with the same winner under the rules.
    pub course: Vec<Span>,
    /// The mistakes: the plies that made the player's result worse.
    pub mistakes: Vec<usize>,
    /// For each side, White first: the ply of the last mistake with which the side gave up a win or
    /// a draw for good.
    pub last_chance: [Option<usize>; 2],
    /// For each side, White first: the number of moves that the side wasted without changing the
    /// result.
    pub costs: [u32; 2],
    /// The first moment at which a finished count allows a draw claim.
    pub over: Option<usize>,
    /// The first moment of a threefold repetition before the end of the game.
    pub repetition: Option<usize>,
    /// The end of the game on the board.
    pub end: Termination,
}

/// A count that began during the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountBegun {
    /// The first moment of the count.
    pub moment: usize,
    /// The rule that ends the game when the count is over.
    pub kind: LimitKind,
    /// The side that counts. None if it is unknown.
    pub side: Option<Color>,
    /// The limit of the count, in moves.
    pub limit: u32,
    /// The limit of the earlier count against the same bare king that this count replaces. None if
    /// there is no earlier count, or if its limit was the same. In ouk the limit falls when the
    /// opponent of the side that counts promotes its last bia.
    pub in_place_of: Option<u32>,
    /// The first number of the count.
    pub first_number: u32,
    /// The number of moves that the count leaves the opponent of the side that counts, who must
    /// mate. None if unknown.
    pub left: Option<u32>,
    /// The number of moves that the opponent of the side that counts needs to win. None if the
    /// opponent cannot win, or if the position is not in the tables.
    pub needed: Option<u32>,
    /// False if the game does not show whether the count began here.
    pub is_certain: bool,
}

/// A sequence of consecutive moments with the same winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first moment of the sequence.
    pub from: usize,
    /// The last moment of the sequence.
    pub to: usize,
    /// The winner under the rules. None for a draw.
    pub winner: Option<Color>,
}

/// The end of a game on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// This side gave mate.
    Checkmate(Color),
    /// The side to move had no legal move and was not in check.
    Stalemate,
    /// No mate was possible with the men that were left.
    Insufficient,
    /// The count was over, which draws the game.
    CountOver,
    /// The last position occurred for the third time.
    Repetition,
    /// The game could have continued.
    Open,
}

impl Annotation {
    /// Finds the events of the game.
    pub fn facts(&self) -> Facts {
        let mistakes: Vec<usize> = self
            .plies
            .iter()
            .enumerate()
            .filter(|(_, ply)| {
                ply.judged
                    .as_ref()
                    .is_some_and(|judged| judged.is_mistake())
            })
            .map(|(ply, _)| ply)
            .collect();
        let course = self.course();
        let mut last_chance = [None; 2];
        for &ply in &mistakes {
            last_chance[self.player(ply).index()] = Some(ply);
        }
        // A result that was given up and regained later does not count as lost.
        let finally = course.last().map(|span| span.winner);
        for side in Color::ALL {
            if finally == Some(Some(side)) {
                last_chance[side.index()] = None;
            }
        }
        let mut costs = [0; 2];
        for (ply, played) in self.plies.iter().enumerate() {
            let cost = played.judged.as_ref().map_or(0, |judged| judged.cost);
            costs[self.player(ply).index()] += cost;
        }
        let over = self.over();
        Facts {
            known_from: self
                .moments
                .iter()
                .position(|moment| moment.known.is_some()),
            counts: self.counts(),
            course,
            mistakes,
            last_chance,
            costs,
            over,
            repetition: self.repetition.filter(|&moment| !self.is_mated(moment)),
            end: self.end(over),
        }
    }

    /// The side that makes this ply.
    pub(super) fn player(&self, ply: usize) -> Color {
        self.moments[ply].state.board.turn()
    }

    fn course(&self) -> Vec<Span> {
        let mut course: Vec<Span> = Vec::new();
        for (moment, at) in self.moments.iter().enumerate() {
            let Some(winner) = at.known.map(|known| known.winner()) else {
                continue;
            };
            match course.last_mut() {
                Some(span) if span.winner == winner => span.to = moment,
                _ => course.push(Span {
                    from: moment,
                    to: moment,
                    winner,
                }),
            }
        }
        course
    }

    fn counts(&self) -> Vec<CountBegun> {
        let mut counts: Vec<CountBegun> = Vec::new();
        for moment in 0..self.moments.len() {
            if let Some(begun) = self.begins(moment, counts.last()) {
                counts.push(begun);
            }
        }
        counts
    }

    /// The count that begins at a moment. `previous` is the latest count that began earlier.
    fn begins(&self, moment: usize, previous: Option<&CountBegun>) -> Option<CountBegun> {
        let at = &self.moments[moment];
        let Counters { limit, counted, .. } = at.state.counters;
        if limit == 0 {
            return None;
        }
        let bare = self.bare(moment);
        let is_certain = bare.is_some() || at.is_counted;
        let begun = |in_place_of| Some(self.count_begun(moment, bare, is_certain, in_place_of));
        let Some(previous) = previous else {
            return begun(None);
        };
        // A previous moment exists: the previous count began there or earlier.
        let before = self.moments[moment - 1].state.counters;
        let goes_on = limit == before.limit && counted == before.counted + 1;
        match (bare, self.bare(previous.moment)) {
            (Some(_), None) => begun(None),
            (Some(_), Some(_)) if goes_on => None,
            (Some(_), Some(_)) => {
                begun(Some(before.limit / 2).filter(|&before| 2 * before != limit && before > 0))
            }
            // Players can announce a count later than it becomes possible, or begin it again.
            (None, _) => match is_certain && !(previous.is_certain && goes_on) {
                true => begun(None),
                false => None,
            },
        }
    }

    /// The side that has only its king, if there is one.
    fn bare(&self, moment: usize) -> Option<Color> {
        let board = &self.moments[moment].state.board;
        let mut sides = Color::ALL.into_iter();
        sides.find(|&side| board.position().by_color(side).len() == 1)
    }

    fn count_begun(
        &self,
        moment: usize,
        bare: Option<Color>,
        is_certain: bool,
        in_place_of: Option<u32>,
    ) -> CountBegun {
        let at = &self.moments[moment];
        let counters = at.state.counters;
        let turn = at.state.board.turn();
        let stronger = bare
            .map(|bare| !bare)
            .or(at.known.and_then(|known| known.stronger()));
        let side = match bare {
            Some(bare) => Some(bare),
            None if is_certain => self.counting_side,
            None => None,
        };
        let counts_next = side.or(stronger.map(|side| !side)) == Some(turn);
        let count = counters.count(self.rules);
        let allowance = stronger
            .zip(at.state.board.in_tables())
            .and_then(|(side, position)| {
                Allowance::new(self.rules, position.material(), side, turn, &count)
            });
        CountBegun {
            moment,
            kind: match bare.is_some() && at.state.board.position().is_pawnless() {
                true => LimitKind::PiecesHonor,
                false => LimitKind::BoardsHonor,
            },
            side,
            limit: counters.limit / 2,
            in_place_of,
            first_number: match bare.is_none() && is_certain && moment > 0 && !counts_next {
                // The players announced the number with the move.
                true => counters.counted.div_ceil(2),
                false => (counters.counted + if counts_next { 1 } else { 2 }).div_ceil(2),
            },
            left: allowance.map(|allowance| allowance.moves_available),
            needed: at.known.and_then(|known| known.needed()),
            is_certain,
        }
    }

    /// The first moment at which a finished count allows a draw claim.
    fn over(&self) -> Option<usize> {
        self.moments.iter().enumerate().position(|(moment, at)| {
            // Only board's honor is optional.
            let certain = at.is_counted
                || !self.rules.has_boards_honor()
                || !self.is_before_pieces_honor(moment);
            certain && at.state.counters.is_over(self.rules) && !self.is_mated(moment)
        })
    }

    pub(super) fn is_mated(&self, moment: usize) -> bool {
        let board = &self.moments[moment].state.board;
        board.is_check() && board.legal_moves().is_empty()
    }

    fn end(&self, over: Option<usize>) -> Termination {
        let last = self.moments.len() - 1;
        let board = &self.last().state.board;
        match board.legal_moves().is_empty() {
            true if board.is_check() => return Termination::Checkmate(!board.turn()),
            true => return Termination::Stalemate,
            false => {}
        }
        if self.rules.is_insufficient(board.position().material()) {
            return Termination::Insufficient;
        }
        match over {
            Some(moment) if moment <= last => Termination::CountOver,
            _ if self.is_repetition => Termination::Repetition,
            _ => Termination::Open,
        }
    }
}
