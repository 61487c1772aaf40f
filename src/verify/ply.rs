//! Looks one ply ahead: computes the distances with one side to move from those with the other side
//! to move.

use std::cell::Cell;

use rayon::prelude::*;

use super::choose::{as_chosen, one_more, take, take_king, turned, worst};
use super::distances::{DistanceList, Element, Lanes};
use super::grid::{Config, Distance, Grid, Men, Wanted};
use super::subendings::{BiaChange, Ending, Remaining, Subendings};
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::{Bia, Transform};
use crate::parallel::ForkedByOneFunction;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::simd::Simd;

/// Computes the distances of one side's wins with `mover` to move, from the distances after the
/// mover's moves. If only some configurations are `wanted`, the distances of the others are
/// undefined.
///
/// `after` contains the distances with the other side to move, in the form that [`Distance`]
/// describes, and the subendings.
///
/// [`Distance`]: super::grid::Distance
pub fn ply(
    grid: &Grid,
    (mover, winner): (Color, Color),
    (after, subendings): (&DistanceList, &Subendings),
    wanted: Option<&Wanted>,
) -> DistanceList {
    let ply = Ply {
        grid,
        mover,
        winner,
        after,
        subendings,
        simd: Simd::detect(),
    };
    let narrow = matches!(after, DistanceList::Bytes(_));
    let mut list = DistanceList::zeroed(grid.configs(), narrow);
    match &mut list {
        DistanceList::Bytes(bytes) => ply.fill(bytes, wanted),
        DistanceList::Words(words) => ply.fill(words, wanted),
    }
    list
}

/// The inputs for computing the distances with one side to move from those after that side's moves.
pub struct Ply<'a, A> {
    /// The verifier's numbering of configurations (all men but Black's king).
    pub grid: &'a Grid,
    /// The side to move.
    pub mover: Color,
    /// The side whose wins the distances measure.
    pub winner: Color,
    /// The distances with the other side to move.
    pub after: &'a A,
    /// The subendings after captures and promotions.
    pub subendings: &'a Subendings,
    /// The vector instructions to use.
    pub simd: Simd,
}

impl<A: Lanes> Ply<'_, A> {
    /// Computes the distances of all configurations, or of those that are wanted.
    fn fill<E: Element>(&self, list: &mut [E], wanted: Option<&Wanted>) {
        let lanes = list.par_chunks_exact_mut(64).enumerate().erased();
        let scratch = || self.grid.scratch();
        lanes.for_each_init(scratch, |config, (number, lane)| {
            let lane = lane.try_into().expect("64 distances");
            let apart = self.grid.config(number, config);
            if wanted.is_some_and(|wanted| !wanted.contains(config)) {
                return;
            }
            if apart {
                self.lane_of::<E>(number, config, lane);
            } else {
                *lane = [self.illegal(); 64];
            }
        });
    }

    /// Writes the distances of the configuration with this number to `lane`, and the configuration
    /// to `config`. Returns the legal squares of Black's king, or `None` if two men share a square.
    pub fn lane<E: Element>(
        &self,
        number: usize,
        config: &mut Config,
        lane: &mut [E; 64],
    ) -> Option<SquareSet> {
        if !self.grid.config(number, config) {
            *lane = [self.illegal(); 64];
            return None;
        }
        Some(self.lane_of(number, config, lane))
    }

    /// Writes the distances of a configuration to `lane`. `number` is its number. Returns the legal
    /// squares of Black's king.
    fn lane_of<E: Element>(&self, number: usize, config: &Config, lane: &mut [E; 64]) -> SquareSet {
        let legal = self.grid.legal(config, self.mover);
        let at_once = Cell::new(SquareSet::EMPTY);
        Lane {
            ply: self,
            config,
            at_once,
        }
        .distances(number, legal, lane);
        legal
    }

    /// The distance that marks illegal positions.
    fn illegal<E: Element>(&self) -> E {
        match self.wins() {
            true => E::ZERO,
            false => E::NEVER,
        }
    }

    /// True if the side to move is the winner.
    fn wins(&self) -> bool {
        self.mover == self.winner
    }

    /// True if each move adds one to the distance, because the loser moves and distances are in
    /// plies. If the winner moves, [`one_more`] adds one to the best distance instead.
    fn adds_ply(&self) -> bool {
        self.subendings.plies && !self.wins()
    }

    /// The side to move after the ply, followed by the winner.
    fn after(&self) -> (Color, Color) {
        (!self.mover, self.winner)
    }
}

/// The moves of one side from one configuration, for all squares of Black's king at once.
struct Lane<'a, A> {
    ply: &'a Ply<'a, A>,
    config: &'a Config,
    /// The squares of Black's king for which a move of the loser captures or promotes the last bia,
    /// and the win is in time under the count that then begins. The distance is 0, although the
    /// position is not mate.
    at_once: Cell<SquareSet>,
}

impl<A: Lanes> Lane<'_, A> {
    /// Writes the distances with the mover to move to `out`.
    fn distances<E: Element>(&self, number: usize, legal: SquareSet, out: &mut [E; 64]) {
        let Ply {
            simd,
            grid,
            subendings,
            ..
        } = *self.ply;
        let wins = self.ply.wins();
        let mut best = [worst(wins); 64];
        self.men(number, &mut best);
        self.bia(&mut best);
        match self.ply.mover {
            Color::White => self.white_king(&mut best),
            Color::Black => self.black_king(number, &mut best),
        }
        if wins {
            one_more(simd, subendings.plies, legal, &best, out);
            return;
        }
        as_chosen(simd, subendings.plies, legal, &best, out);
        if !out.contains(&E::ZERO) {
            return;
        }
        // Positions without any move: mate if in check, otherwise stalemate.
        let checked = match self.ply.mover {
            Color::White => grid.checked(self.config),
            Color::Black => grid.attacked(self.config, Color::White),
        };
        for square in legal & !checked & !self.at_once.get() {
            let distance = &mut out[square.index()];
            if *distance == E::ZERO {
                *distance = E::NEVER;
            }
        }
    }

    /// Merges the distances after a move, which are in `lane`, into `best`, for Black's king on the
    /// squares of `from`. `transform` maps the king's square to its square in `lane`.
    fn take<E: Element>(
        &self,
        best: &mut [E; 64],
        from: SquareSet,
        (lane, transform): (&[E; 64], Transform),
        adds_ply: bool,
    ) {
        let (simd, wins) = (self.ply.simd, self.ply.wins());
        if transform == Transform::IDENTITY {
            return take(simd, wins, adds_ply, from, lane, best);
        }
        let lane = turned(simd, transform, lane);
        take(simd, wins, adds_ply, from, &lane, best);
    }

    /// Merges the distances after each move of the mover's men, without king and bia, into `best`.
    /// `number` is the number of the configuration before the move.
    fn men<E: Element>(&self, number: usize, best: &mut [E; 64]) {
        let grid = self.ply.grid;
        let occupied = Grid::occupied(self.config);
        let own = self.own();
        let mut men = self.config.men;
        for (g, group) in grid.groups().iter().enumerate() {
            if group.color != self.ply.mover {
                continue;
            }
            let others = number - grid.of_group(g, self.config.men[g]);
            for from in self.config.men[g] {
                let targets = attacks::attacks(group.role, group.color, from, occupied);
                for to in targets & !own {
                    let lanes = match group.role {
                        Role::Rook => !attacks::between(from, to),
                        _ => SquareSet::ALL,
                    };
                    men[g] = self.config.men[g].without(from).with(to);
                    let reached = |men: &Men| {
                        let moved = others + grid.of_group(g, men[g]);
                        (moved, Transform::IDENTITY)
                    };
                    self.arrive(best, lanes, self.config.king, &mut men, to, reached);
                }
                men[g] = self.config.men[g];
            }
        }
    }

    /// Merges the distances after each step of White's king into `best`.
    fn white_king<E: Element>(&self, best: &mut [E; 64]) {
        let mut men = self.config.men;
        for to in attacks::king(self.config.king) & !self.own() {
            let reached = |men: &Men| self.ply.grid.number(self.config.bia, to, men);
            self.arrive(best, SquareSet::ALL, to, &mut men, to, reached);
        }
    }

    /// Merges into `best` the distances after a move to `to`, which may be a capture, for Black's
    /// king on the squares of `lanes`. `men` and `king` are in their places after the move. If the
    /// move captures nothing, `reached` computes the number of the configuration after it, and the
    /// transform of its lane.
    fn arrive<E: Element>(
        &self,
        best: &mut [E; 64],
        lanes: SquareSet,
        king: Square,
        men: &mut Men,
        to: Square,
        reached: impl FnOnce(&Men) -> (usize, Transform),
    ) {
        let bia = self.config.bia;
        match self.captured(to) {
            Some(g) => {
                men[g] = men[g].without(to);
                let remaining = Remaining {
                    bia,
                    king,
                    men,
                    promoted: None,
                };
                self.reach_ending(best, lanes, self.ply.subendings.after(g), remaining);
                men[g] = men[g].with(to);
            }
            None if bia.of(!self.ply.mover).contains(to) => {
                let remaining = Remaining {
                    bia: bia.without(to),
                    king,
                    men,
                    promoted: None,
                };
                let rest = self.ply.subendings.after_bia(self.capture_of_bia());
                self.reach_ending(best, lanes, rest, remaining);
            }
            None => {
                let (number, transform) = reached(men);
                let lane = self.ply.after.elements(number);
                self.take(best, lanes, (lane, transform), self.ply.adds_ply());
            }
        }
    }

    /// Merges into `best` the distances after a move that leads to the ending `rest`, for Black's
    /// king on the squares of `lanes`.
    fn reach_ending<E: Element>(
        &self,
        best: &mut [E; 64],
        lanes: SquareSet,
        rest: &Ending,
        remaining: Remaining<'_>,
    ) {
        let mut scratch = [E::NEVER; 64];
        let (lane, transform) = rest.lane(self.ply.after(), remaining, &mut scratch);
        if self.ply.wins() || !rest.is_in_time_only() {
            self.take(best, lanes, (lane, transform), false);
            return;
        }
        // If the win is still in time after the loser's move, the distance is 0.
        let mut lane = turned(self.ply.simd, transform, lane);
        let mut at_once = SquareSet::EMPTY;
        for square in lanes {
            let distance = &mut lane[square.index()];
            if *distance == E::of(1) {
                *distance = E::ZERO;
                at_once = at_once.with(square);
            }
        }
        self.at_once.set(self.at_once.get() | at_once);
        self.take(best, lanes, (&lane, Transform::IDENTITY), false);
    }

    /// The change of the bia by a capture of one of the other side's bia.
    fn capture_of_bia(&self) -> BiaChange {
        BiaChange {
            promoted: None,
            taken: Some((!self.ply.mover, Role::Bia)),
        }
    }

    /// Merges the distances after each move of the mover's bia into `best`.
    fn bia<E: Element>(&self, best: &mut [E; 64]) {
        let (mover, occupied) = (self.ply.mover, Grid::occupied(self.config));
        for from in self.config.bia.of(mover) {
            for to in attacks::bia_step(mover, from) & !occupied {
                self.move_bia(best, from, to);
            }
            for to in attacks::attacks(Role::Bia, mover, from, occupied) & occupied & !self.own() {
                // White's king is among the occupied squares, but cannot be captured.
                if to != self.config.king {
                    self.move_bia(best, from, to);
                }
            }
        }
    }

    /// Merges into `best` the distances after a bia's move to `to`, which may be a capture, a
    /// promotion, or both.
    fn move_bia<E: Element>(&self, best: &mut [E; 64], from: Square, to: Square) {
        let (mover, game) = (self.ply.mover, self.ply.grid.game());
        match game.promotes(mover, to) {
            true => {
                for &role in game.promotions() {
                    self.move_bia_as(best, from, to, Some(role));
                }
            }
            false => self.move_bia_as(best, from, to, None),
        }
    }

    /// Like [`Lane::move_bia`], for a bia that becomes `promoted`, if it is promoted.
    fn move_bia_as<E: Element>(
        &self,
        best: &mut [E; 64],
        from: Square,
        to: Square,
        promoted: Option<Role>,
    ) {
        let (mover, king) = (self.ply.mover, self.config.king);
        let rest: Bia = self.config.bia.without(from).without(to);
        let bia = match promoted {
            Some(_) => rest,
            None => rest.with(mover, to),
        };
        let mut men = self.config.men;
        let taken = match self.captured(to) {
            Some(g) => {
                men[g] = men[g].without(to);
                Some((!mover, self.ply.grid.groups()[g].role))
            }
            None if self.config.bia.of(!mover).contains(to) => Some((!mover, Role::Bia)),
            None => None,
        };
        let remaining = Remaining {
            bia,
            king,
            men: &men,
            promoted: promoted.map(|role| (mover, role, to)),
        };
        match (promoted, taken) {
            (None, None) => {
                let (number, transform) = self.ply.grid.number(bia, king, &men);
                let lane = self.ply.after.elements(number);
                if !self.ply.subendings.plies {
                    self.take(best, SquareSet::ALL, (lane, transform), false);
                    return;
                }
                // The clock is set back, so the distance only shows whether the position is won.
                let lane = lane.map(|distance| in_time(self.ply.wins(), distance));
                self.take(best, SquareSet::ALL, (&lane, transform), false);
            }
            (None, Some((_, role))) if role != Role::Bia => {
                let group = self
                    .captured(to)
                    .expect("a captured man belongs to a group");
                self.reach_ending(
                    best,
                    SquareSet::ALL,
                    self.ply.subendings.after(group),
                    remaining,
                );
            }
            (promoted, taken) => {
                let promoted = promoted.map(|role| (mover, role));
                let change = BiaChange { promoted, taken };
                let rest = self.ply.subendings.after_bia(change);
                self.reach_ending(best, SquareSet::ALL, rest, remaining);
            }
        }
    }

    /// The group of the other side's man on a square, if there is one.
    fn captured(&self, square: Square) -> Option<usize> {
        let mut groups = self.ply.grid.groups().iter().zip(&self.config.men);
        groups.position(|(group, men)| group.color != self.ply.mover && men.contains(square))
    }

    /// Merges the distances after each step of Black's king into `best`. `number` is the number of
    /// the configuration.
    fn black_king<E: Element>(&self, number: usize, best: &mut [E; 64]) {
        let (simd, wins) = (self.ply.simd, self.ply.wins());
        // Squares that Black's king cannot reach get the worst value.
        let mut reached = [worst(wins); 64];
        let lane = self.ply.after.elements(number);
        let free = !Grid::occupied(self.config);
        take(simd, wins, self.ply.adds_ply(), free, lane, &mut reached);
        let mut men = self.config.men;
        for (g, group) in self.ply.grid.groups().iter().enumerate() {
            if group.color == Color::Black {
                continue;
            }
            let rest = self.ply.subendings.after(g);
            for square in self.config.men[g] {
                men[g] = self.config.men[g].without(square);
                let remaining = Remaining {
                    bia: self.config.bia,
                    king: self.config.king,
                    men: &men,
                    promoted: None,
                };
                let distance = rest.distance(self.ply.after(), remaining, square);
                reached[square.index()] = E::of(distance);
            }
            men[g] = self.config.men[g];
        }
        for square in self.config.bia.of(Color::White) {
            let rest = self.ply.subendings.after_bia(self.capture_of_bia());
            let remaining = Remaining {
                bia: self.config.bia.without(square),
                king: self.config.king,
                men: &men,
                promoted: None,
            };
            let distance = rest.distance(self.ply.after(), remaining, square);
            reached[square.index()] = E::of(distance);
            if !wins && rest.is_in_time_only() && distance == 1 {
                reached[square.index()] = E::ZERO;
                let before = self.at_once.get() | attacks::king(square);
                self.at_once.set(before);
            }
        }
        take_king(simd, wins, &reached, best);
    }

    /// The squares of the mover's men, including White's king if White moves.
    fn own(&self) -> SquareSet {
        let king = match self.ply.mover {
            Color::White => self.config.king.set(),
            Color::Black => SquareSet::EMPTY,
        };
        let groups = self.ply.grid.groups().iter().zip(&self.config.men);
        groups
            .filter(|(group, _)| group.color == self.ply.mover)
            .fold(
                king | self.config.bia.of(self.ply.mover),
                |all, (_, &men)| all | men,
            )
    }
}

/// The distance after a move that sets back the clock of the fifty-move rule: 0 for a win after a
/// move of the winner (`winner_moved`), 1 for a win after a move of the loser.
fn in_time<E: Element>(winner_moved: bool, distance: E) -> E {
    match (winner_moved, distance) {
        // An illegal position.
        (false, distance) if distance == E::ZERO => E::ZERO,
        (_, distance) if u32::from(distance.distance()) > FIFTY_MOVES_PLIES => E::NEVER,
        (winner_moved, _) => E::of(Distance::from(!winner_moved)),
    }
}
