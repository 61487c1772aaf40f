//! One ply: the distances with one side to move from those with the other.

use super::distances::{DistanceList, Lanes, widen};
use super::grid::{Config, Distance, Grid, NEVER};
use super::smaller::Smaller;
use crate::board::{Color, Role, Square, SquareSet, attacks};
use crate::index::Transform;
use crate::rules::FIFTY_MOVES_PLIES;
use crate::simd::{Simd, for_each_level};

/// The distances of one side's wins with `mover` to move, from those after its moves.
///
/// `after` holds the distances with the other side to move, as [`Distance`] describes.
pub fn ply(
    grid: &Grid,
    mover: Color,
    winner: Color,
    after: &DistanceList,
    smaller: &Smaller,
) -> DistanceList {
    let narrow = matches!(after, DistanceList::Bytes(_));
    let simd = Simd::detect();
    let room = || grid.room();
    DistanceList::collect(grid.configs(), narrow, room, |config, number, lane| {
        let one = Ply {
            grid,
            mover,
            winner,
            after,
            smaller,
            simd,
        };
        one.lane(number, config, lane);
    })
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
    /// The distances of a configuration, of which it is given the number; `config` is room for it,
    /// and holds it afterwards. Returns whether its men stand apart.
    pub fn lane(&self, number: usize, config: &mut Config, lane: &mut [Distance; 64]) -> bool {
        let illegal = if self.mover == self.winner { 0 } else { NEVER };
        *lane = [illegal; 64];
        if !self.grid.config(number, config) {
            return false;
        }
        Lane {
            grid: self.grid,
            mover: self.mover,
            winner: self.winner,
            after: self.after,
            smaller: self.smaller,
            config,
            simd: self.simd,
        }
        .distances(number, lane);
        true
    }
}

for_each_level! {
    /// Takes in the distances on some squares: the least if the winner moves, else the most.
    fn pick(wins: bool, from: u64, lane: &[Distance; 64], best: &mut [Distance; 64]) = pick_body;
}

for_each_level! {
    /// The same of distances that are bytes.
    fn pick_bytes(wins: bool, from: u64, bytes: &[u8; 64], best: &mut [Distance; 64])
        = pick_bytes_body;
}

#[inline(always)]
fn pick_bytes_body(wins: bool, from: u64, bytes: &[u8; 64], best: &mut [Distance; 64]) {
    pick_body(wins, from, &bytes.map(widen), best);
}

#[inline(always)]
fn pick_body(wins: bool, from: u64, lane: &[Distance; 64], best: &mut [Distance; 64]) {
    let mut mask = [0; 64];
    for (bit, mask) in mask.iter_mut().enumerate() {
        *mask = Distance::from(from >> bit & 1 != 0).wrapping_neg();
    }
    // What is masked out is the worst that can be taken: never, and no move at all.
    if wins {
        for i in 0..64 {
            best[i] = best[i].min(lane[i] | !mask[i]);
        }
    } else {
        for i in 0..64 {
            best[i] = best[i].max(lane[i] & mask[i]);
        }
    }
}

/// The squares before and after the board that a king's step can reach.
const MARGIN: usize = 9;

/// All ones for the squares from which a step to the file on the left, the same, or the one on
/// the right stays on the board.
static STAYS_ON_BOARD: [[Distance; 64]; 3] = {
    let mut masks = [[Distance::MAX; 64]; 3];
    let mut rank = 0;
    while rank < 8 {
        masks[0][8 * rank] = 0;
        masks[2][8 * rank + 7] = 0;
        rank += 1;
    }
    masks
};

/// The moves of one side from one configuration, Black's king on every square at once.
struct Lane<'a, A> {
    grid: &'a Grid,
    mover: Color,
    winner: Color,
    after: &'a A,
    smaller: &'a Smaller,
    config: &'a Config,
    simd: Simd,
}

impl<A: Lanes> Lane<'_, A> {
    fn distances(&self, number: usize, out: &mut [Distance; 64]) {
        let wins = self.mover == self.winner;
        // The winner takes the least, the loser the most; 0 stays where a loser has no move.
        let mut best = [if wins { NEVER } else { 0 }; 64];
        self.men(number, &mut best);
        match self.mover {
            Color::White => self.white_king(&mut best),
            Color::Black => self.black_king(number, &mut best),
        }
        let legal = self.grid.legal(self.config, self.mover);
        for square in legal {
            let i = square.index();
            out[i] = match best[i] {
                NEVER => NEVER,
                least if wins => self.within(least + 1),
                // No move at all: mate if in check, else stalemate.
                0 if !self.in_check(square) => NEVER,
                most => self.within(most),
            };
        }
    }

    /// A win of more plies than the fifty-move rule has is none.
    fn within(&self, distance: Distance) -> Distance {
        match self.smaller.plies && u32::from(distance) > FIFTY_MOVES_PLIES {
            true => NEVER,
            false => distance,
        }
    }

    /// The distances after a move that takes nothing, as the mover picks from them. A loser's move is
    /// a ply, but none of the winner's moves.
    fn after(&self, number: usize) -> [Distance; 64] {
        let mut lane = self.after.lane(number);
        if self.counts_own_plies() {
            for distance in &mut lane {
                *distance += Distance::from(!matches!(*distance, 0 | NEVER));
            }
        }
        lane
    }

    /// Whether the mover's move, which is none of the winner's, adds to the distances.
    fn counts_own_plies(&self) -> bool {
        self.smaller.plies && self.mover != self.winner
    }

    fn in_check(&self, black_king: Square) -> bool {
        match self.mover {
            Color::White => self.grid.checked(self.config).contains(black_king),
            Color::Black => self
                .grid
                .attacked(self.config, Color::White)
                .contains(black_king),
        }
    }

    /// Takes in a move to a lane of distances, for Black's king on any square of `from`.
    fn take(&self, best: &mut [Distance; 64], from: SquareSet, lane: impl Fn(Square) -> Distance) {
        let wins = self.mover == self.winner;
        for square in from {
            let best = &mut best[square.index()];
            let distance = lane(square);
            *best = if wins {
                (*best).min(distance)
            } else {
                (*best).max(distance)
            };
        }
    }

    /// [`Lane::take`] from a list by square, all squares in one sweep.
    fn take_lane(
        &self,
        best: &mut [Distance; 64],
        from: SquareSet,
        lane: &[Distance; 64],
        transform: Transform,
    ) {
        let mut moved = [0; 64];
        let lane = if transform == Transform::IDENTITY {
            lane
        } else {
            for square in Square::all() {
                moved[square.index()] = lane[transform.square(square).index()];
            }
            &moved
        };
        pick(self.simd, self.mover == self.winner, from.0, lane, best);
    }

    /// The moves of the mover's men, from the configuration with this number.
    fn men(&self, number: usize, best: &mut [Distance; 64]) {
        let occupied = Grid::occupied(self.config);
        let mut men = self.config.men.clone();
        for (g, group) in self.grid.groups().iter().enumerate() {
            if group.color != self.mover {
                continue;
            }
            let others = number - self.grid.of_group(g, self.config.men[g]);
            for from in self.config.men[g] {
                let targets = attacks::attacks(group.role, group.color, from, occupied);
                for to in targets & !self.own() {
                    let lanes = match group.role {
                        Role::Rook => !attacks::between(from, to),
                        _ => SquareSet::ALL,
                    };
                    men[g] = self.config.men[g].without(from).with(to);
                    let reached = |men: &[SquareSet]| {
                        let moved = others + self.grid.of_group(g, men[g]);
                        (moved, Transform::IDENTITY)
                    };
                    self.arrive(best, lanes, self.config.king, &mut men, to, reached);
                }
                men[g] = self.config.men[g];
            }
        }
    }

    fn white_king(&self, best: &mut [Distance; 64]) {
        let mut men = self.config.men.clone();
        for to in attacks::king(self.config.king) & !self.own() {
            let reached = |men: &[SquareSet]| self.grid.number(to, men);
            self.arrive(best, SquareSet::ALL, to, &mut men, to, reached);
        }
    }

    /// A man has come to `to`, perhaps by a capture there: takes in the lane reached. `reached` gives its
    /// number and the transform to apply if nothing was captured.
    fn arrive(
        &self,
        best: &mut [Distance; 64],
        lanes: SquareSet,
        king: Square,
        men: &mut [SquareSet],
        to: Square,
        reached: impl FnOnce(&[SquareSet]) -> (usize, Transform),
    ) {
        let captured = self
            .grid
            .groups()
            .iter()
            .enumerate()
            .find(|(g, group)| group.color != self.mover && self.config.men[*g].contains(to));
        if let Some((g, group)) = captured {
            men[g] = men[g].without(to);
            let rest = self.smaller.after(group.role, group.color);
            let turn = !self.mover;
            match rest.lane(turn, self.winner, king, self.grid, men) {
                Some((lane, transform)) => self.take_lane(best, lanes, &lane, transform),
                None => self.take(best, lanes, |square| {
                    rest.distance(turn, self.winner, king, square, self.grid, men)
                }),
            }
            men[g] = men[g].with(to);
            return;
        }
        let (number, transform) = reached(men);
        let as_stored = transform == Transform::IDENTITY && !self.counts_own_plies();
        match self.after.bytes(number).filter(|_| as_stored) {
            Some(bytes) => {
                let wins = self.mover == self.winner;
                pick_bytes(self.simd, wins, lanes.0, bytes, best);
            }
            None => self.take_lane(best, lanes, &self.after(number), transform),
        }
    }

    fn black_king(&self, number: usize, best: &mut [Distance; 64]) {
        let mut reached = self.after(number);
        let mut men = self.config.men.clone();
        let mut closed = self.config.king.set();
        for (g, group) in self.grid.groups().iter().enumerate() {
            for square in self.config.men[g] {
                if group.color == Color::Black {
                    closed = closed.with(square);
                    continue;
                }
                men[g] = men[g].without(square);
                let rest = self.smaller.after(group.role, group.color);
                reached[square.index()] = rest.distance(
                    Color::White,
                    self.winner,
                    self.config.king,
                    square,
                    self.grid,
                    &men,
                );
                men[g] = men[g].with(square);
            }
        }
        // What can't be moved to is the worst that can be taken; so is what lies off the board.
        let wins = self.mover == self.winner;
        let worst = if wins { NEVER } else { 0 };
        for square in closed {
            reached[square.index()] = worst;
        }
        let mut padded = [worst; 64 + 2 * MARGIN];
        padded[MARGIN..MARGIN + 64].copy_from_slice(&reached);
        for &(files, ranks) in attacks::steps(Role::King, self.mover) {
            let first = MARGIN.wrapping_add_signed(isize::from(ranks * 8 + files));
            let to = &padded[first..first + 64];
            let from = &STAYS_ON_BOARD[(files + 1) as usize];
            for i in 0..64 {
                best[i] = if wins {
                    best[i].min(to[i] | !from[i])
                } else {
                    best[i].max(to[i] & from[i])
                };
            }
        }
    }

    /// The squares of the mover's men, White's king among them if it is White's.
    fn own(&self) -> SquareSet {
        let king = match self.mover {
            Color::White => self.config.king.set(),
            Color::Black => SquareSet::EMPTY,
        };
        self.grid
            .groups()
            .iter()
            .zip(&self.config.men)
            .filter(|(group, _)| group.color == self.mover)
            .fold(king, |all, (_, &men)| all | men)
    }
}
