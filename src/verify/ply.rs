//! One ply: the distances with one side to move from those with the other.

use rayon::prelude::*;

use super::choose::{as_chosen, one_more, take, take_king, turned, worst};
use super::distances::{DistanceList, Element, Lanes};
use super::grid::{Config, Grid, Men};
use super::smaller::Smaller;
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::Transform;
use crate::simd::Simd;

/// The distances of one side's wins with `mover` to move, from those after its moves.
///
/// `after` holds the distances with the other side to move, as [`Distance`] describes.
///
/// [`Distance`]: super::grid::Distance
pub fn ply(
    grid: &Grid,
    mover: Color,
    winner: Color,
    after: &DistanceList,
    smaller: &Smaller,
) -> DistanceList {
    let ply = Ply {
        grid,
        mover,
        winner,
        after,
        smaller,
        simd: Simd::detect(),
    };
    let narrow = matches!(after, DistanceList::Bytes(_));
    let mut list = DistanceList::room(grid.configs(), narrow);
    match &mut list {
        DistanceList::Bytes(bytes) => ply.fill(bytes),
        DistanceList::Words(words) => ply.fill(words),
    }
    list
}

/// One ply of one side, from the distances after its moves.
pub struct Ply<'a, A> {
    /// The placings.
    pub grid: &'a Grid,
    /// The side to move.
    pub mover: Color,
    /// Whose wins the distances are of.
    pub winner: Color,
    /// The distances with the other side to move.
    pub after: &'a A,
    /// The distances after captures.
    pub smaller: &'a Smaller,
    /// The vectors to use.
    pub simd: Simd,
}

impl<A: Lanes> Ply<'_, A> {
    /// Works out the distances of every configuration.
    fn fill<E: Element>(&self, list: &mut [E]) {
        let lanes = list.par_chunks_exact_mut(64).enumerate();
        let room = || self.grid.room();
        lanes.for_each_init(room, |config, (number, lane)| {
            let lane = lane.try_into().expect("64 distances");
            self.lane::<E>(number, config, lane);
        });
    }

    /// The distances of a configuration, of which it is given the number; `config` is room for it,
    /// and holds it afterwards. Returns the legal squares of Black's king, if its men stand apart.
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
        let legal = self.grid.legal(config, self.mover);
        Lane { ply: self, config }.distances(number, legal, lane);
        Some(legal)
    }

    /// What illegal positions have.
    fn illegal<E: Element>(&self) -> E {
        match self.wins() {
            true => E::ZERO,
            false => E::NEVER,
        }
    }

    /// Whether the side to move is the one that wins.
    fn wins(&self) -> bool {
        self.mover == self.winner
    }

    /// Whether the move adds a ply to the distances after it: a loser's move is none of the winner's,
    /// but it is a ply.
    fn adds_ply(&self) -> bool {
        self.smaller.plies && !self.wins()
    }

    /// The side to move after it, and the winner.
    fn after(&self) -> (Color, Color) {
        (!self.mover, self.winner)
    }
}

/// The moves of one side from one configuration, Black's king on every square at once.
struct Lane<'a, A> {
    ply: &'a Ply<'a, A>,
    config: &'a Config,
}

impl<A: Lanes> Lane<'_, A> {
    fn distances<E: Element>(&self, number: usize, legal: SquareSet, out: &mut [E; 64]) {
        let Ply {
            simd,
            grid,
            smaller,
            ..
        } = *self.ply;
        let wins = self.ply.wins();
        let mut best = [worst(wins); 64];
        self.men(number, &mut best);
        match self.ply.mover {
            Color::White => self.white_king(&mut best),
            Color::Black => self.black_king(number, &mut best),
        }
        if wins {
            one_more(simd, smaller.plies, legal, &best, out);
            return;
        }
        as_chosen(simd, smaller.plies, legal, &best, out);
        if !out.contains(&E::ZERO) {
            return;
        }
        // No move at all: mate if in check, else stalemate.
        let checked = match self.ply.mover {
            Color::White => grid.checked(self.config),
            Color::Black => grid.attacked(self.config, Color::White),
        };
        for square in legal & !checked {
            let distance = &mut out[square.index()];
            if *distance == E::ZERO {
                *distance = E::NEVER;
            }
        }
    }

    /// Takes in the distances after a move, for Black's king on the squares of `from`. They are found
    /// by its squares after the transform.
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

    /// The moves of the mover's men, from the configuration with this number.
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

    fn white_king<E: Element>(&self, best: &mut [E; 64]) {
        let mut men = self.config.men;
        for to in attacks::king(self.config.king) & !self.own() {
            let reached = |men: &Men| self.ply.grid.number(to, men);
            self.arrive(best, SquareSet::ALL, to, &mut men, to, reached);
        }
    }

    /// A man has come to `to`, perhaps by a capture there: takes in the lane reached. `reached` gives its
    /// number and the transform to apply if nothing was captured.
    fn arrive<E: Element>(
        &self,
        best: &mut [E; 64],
        lanes: SquareSet,
        king: Square,
        men: &mut Men,
        to: Square,
        reached: impl FnOnce(&Men) -> (usize, Transform),
    ) {
        match self.captured(to) {
            Some(g) => {
                men[g] = men[g].without(to);
                let mut room = [E::NEVER; 64];
                let rest = self.ply.smaller.after(g);
                let lane = rest.lane(self.ply.after(), king, men, &mut room);
                self.take(best, lanes, lane, false);
                men[g] = men[g].with(to);
            }
            None => {
                let (number, transform) = reached(men);
                let lane = self.ply.after.elements(number);
                self.take(best, lanes, (lane, transform), self.ply.adds_ply());
            }
        }
    }

    /// The group of the other side's man on a square.
    fn captured(&self, square: Square) -> Option<usize> {
        let mut groups = self.ply.grid.groups().iter().zip(&self.config.men);
        groups.position(|(group, men)| group.color != self.ply.mover && men.contains(square))
    }

    fn black_king<E: Element>(&self, number: usize, best: &mut [E; 64]) {
        let (simd, wins) = (self.ply.simd, self.ply.wins());
        // What can't be moved to is the worst that can be chosen.
        let mut reached = [worst(wins); 64];
        let lane = self.ply.after.elements(number);
        let free = !Grid::occupied(self.config);
        take(simd, wins, self.ply.adds_ply(), free, lane, &mut reached);
        let mut men = self.config.men;
        for (g, group) in self.ply.grid.groups().iter().enumerate() {
            if group.color == Color::Black {
                continue;
            }
            let rest = self.ply.smaller.after(g);
            for square in self.config.men[g] {
                men[g] = self.config.men[g].without(square);
                let distance = rest.distance(self.ply.after(), self.config.king, square, &men);
                reached[square.index()] = E::of(distance);
            }
            men[g] = self.config.men[g];
        }
        take_king(simd, wins, &reached, best);
    }

    /// The squares of the mover's men, White's king among them if it is White's.
    fn own(&self) -> SquareSet {
        let king = match self.ply.mover {
            Color::White => self.config.king.set(),
            Color::Black => SquareSet::EMPTY,
        };
        let groups = self.ply.grid.groups().iter().zip(&self.config.men);
        groups
            .filter(|(group, _)| group.color == self.ply.mover)
            .fold(king, |all, (_, &men)| all | men)
    }
}
