//! Solves slices of endings with bia; those in which only the kings can move are solved apart.
//!
//! Those slices have 64 lanes, one for each square of the winner's king. The general solver takes
//! longer to distribute such small slices among tasks than to solve them. Here a step is a loop over
//! all lanes. The result is that of the general solver.

use super::arrays::Keep;
use super::bit_planes::BitPlanes;
use super::exits::Exits;
use super::geometry::fixed_attacks;
use super::lane::{LaneWords, king_steps};
use super::lane_layout::LaneLayout;
use super::leaf::Leaf;
use super::run::{Solution, Unit, solve_slice_generally};
use super::step_counts::{Counted, SolveCounts, StepCounts};
use crate::board::{SquareSet, attacks};
use crate::simd::Simd;

const SQUARES: usize = 64;

/// A word for each square of the winner's king.
type Words = [u64; SQUARES];

/// A slice, while it is solved. The exits are in the order of the king's squares.
struct Kings {
    layout: LaneLayout,
    /// For each lane, the number of positions on the whole board that a position represents.
    weights: Vec<u64>,
    exits: Exits,
    /// With the winner to move: the legal positions not yet won, including those just after a
    /// capture by the lane's king.
    open: Words,
    /// With the loser to move: the legal positions not yet lost, except stalemates.
    pending: Words,
    /// The losses of the last step and of the one before it.
    lost: [Words; 2],
    winner_to_move: BitPlanes,
    loser_to_move: BitPlanes,
    counts: SolveCounts,
}

/// Solves a slice of an ending with bia for the wins of one side, on the current rayon pool: see
/// [`LaneLayout::of_bia`]. The leaves are the subendings after captures of men other than bia, with
/// the same placement of bia.
pub fn solve_slice(
    layout: LaneLayout,
    leaves: Vec<Leaf>,
    exits: Exits,
    mode: (Keep, Unit),
    simd: Simd,
) -> Solution {
    match layout.groups().is_empty() {
        true => solve_kings(layout, &exits, mode.1),
        false => solve_slice_generally(layout, leaves, exits, mode, simd),
    }
}

/// Solves a slice without groups for the wins of one side, and keeps the distances with either side
/// to move.
fn solve_kings(layout: LaneLayout, exits: &Exits, unit: Unit) -> Solution {
    let mut kings = Kings::new(layout, exits);
    kings.start();
    let exits = [&kings.exits.win, &kings.exits.hold];
    let last_exit = exits.map(BitPlanes::largest).into_iter().max().unwrap_or(0);
    match unit {
        Unit::Moves => kings.by_moves(last_exit),
        Unit::Plies(limit) => kings.by_plies(limit, last_exit),
    }
    let squares: Vec<usize> = kings.layout.domain().iter().map(|s| s.index()).collect();
    Solution {
        winner_to_move: in_order(&kings.winner_to_move, &squares),
        loser_to_move: Some(in_order(&kings.loser_to_move, &squares)),
        open: words_in_order(&kings.open, &squares),
        counts: kings.counts,
        layout: kings.layout,
    }
}

impl Kings {
    fn new(layout: LaneLayout, exits: &Exits) -> Kings {
        let mut lanes = [0; SQUARES];
        for (lane, king) in layout.domain().iter().enumerate() {
            lanes[king.index()] = lane;
        }
        let planes = || BitPlanes::new(SQUARES);
        Kings {
            weights: layout.domain().iter().map(|&k| layout.weight(k)).collect(),
            exits: Exits {
                win: in_order(&exits.win, &lanes),
                at_once: words_in_order(&exits.at_once, &lanes),
                hold: in_order(&exits.hold, &lanes),
                forever: words_in_order(&exits.forever, &lanes),
                moves: words_in_order(&exits.moves, &lanes),
            },
            layout,
            open: [0; SQUARES],
            pending: [0; SQUARES],
            lost: [[0; SQUARES]; 2],
            winner_to_move: planes(),
            loser_to_move: planes(),
            counts: SolveCounts::default(),
        }
    }

    /// Finds the legal positions and the mates.
    fn start(&mut self) {
        let [fixed_attack, loser_bia_attack] = fixed_attacks(&self.layout);
        let losers = self.layout.bia().of(!self.layout.winner());
        let mut held = [0; SQUARES];
        self.exits.hold.above(0, 0, &mut held);
        for (lane, &king) in self.layout.domain().iter().enumerate() {
            if self.layout.fixed().contains(king) {
                continue;
            }
            let at = king.index();
            let near = attacks::king(king);
            let men = self.layout.fixed().with(king);
            let attacked = near | fixed_attack;
            let open = !attacked & !king.set() & !losers;
            let legal = match loser_bia_attack.contains(king) {
                true => SquareSet::EMPTY,
                false => !men & !near,
            };
            let at_once = self.exits.at_once[at];
            self.open[at] = open.0 & !at_once;
            let saved = held[at] | self.exits.forever[at];
            let lost = legal.0 & !king_steps(self.open[at]) & !saved;
            // A move that loses at once still prevents stalemate.
            let movers = king_steps(at_once) | self.exits.moves[at];
            self.pending[at] = legal.0 & !lost;
            self.lost[0][at] = lost & (attacked.0 | movers);
            self.counts.winner_legal += self.weights[lane] * (open & !men).len() as u64;
            self.counts.loser_legal += self.weights[lane] * legal.len() as u64;
        }
        mark(&mut self.loser_to_move, 1, &self.lost[0]);
        self.counts.steps.push(StepCounts {
            wins: Counted::default(),
            losses: self.count(&self.lost[0]),
        });
    }

    fn by_moves(&mut self, last_exit: u16) {
        loop {
            let moves = self.counts.steps.len() as u16 - 1;
            if !self.has_lost(0) && moves >= last_exit {
                return;
            }
            self.step(self.lost[0], moves + 1, Some(moves + 1));
        }
    }

    /// Runs a solve by plies. A step finds the wins in n plies and the losses in n + 1 plies.
    fn by_plies(&mut self, limit: u16, last_exit: u16) {
        loop {
            let plies = self.counts.steps.len() as u16 - 1;
            let has_exits = plies <= last_exit;
            if plies > limit || !(self.has_lost(0) || self.has_lost(1) || has_exits) {
                break;
            }
            let lost = Some(plies + 1).filter(|&lost| lost <= limit);
            self.step(self.lost[1], plies, lost);
        }
        self.counts.take_wins_a_step_back();
    }

    /// True if a recent step found losses: the last step if `steps_back` is 0, the step before it
    /// if `steps_back` is 1.
    fn has_lost(&self, steps_back: usize) -> bool {
        let step = self.counts.steps.iter().rev().nth(steps_back);
        step.is_some_and(|step| step.losses.positions > 0)
    }

    /// Does one step, which finds the wins at distance `won`, by moves to the losses `from` or by
    /// exits, and the losses at distance `lost`.
    fn step(&mut self, from: Words, won: u16, lost: Option<u16>) {
        let mut moves = around(&from);
        let (mut exits, mut captures) = ([0; SQUARES], [0; SQUARES]);
        if won > 0 {
            self.exits.win.level(won, 0, &mut exits);
        }
        if let Some(lost) = lost {
            self.exits.win.level(lost, 0, &mut captures);
        }
        let fixed_of_winner = self.layout.fixed_of_winner().0;
        let fixed = self.layout.fixed().0;
        let mut newly = [0; SQUARES];
        for king in 0..SQUARES {
            let open = &mut self.open[king];
            moves[king] = (moves[king] | exits[king]) & *open & !(fixed | 1 << king);
            newly[king] = moves[king] | captures[king] & fixed_of_winner & *open;
            *open &= !newly[king];
        }
        mark(&mut self.winner_to_move, won, &newly);
        let wins = self.count(&moves);
        let mut losses = [0; SQUARES];
        if let Some(lost) = lost {
            let mut held = [0; SQUARES];
            self.exits.hold.above(lost, 0, &mut held);
            for king in 0..SQUARES {
                let saved = king_steps(self.open[king]) | held[king] | self.exits.forever[king];
                losses[king] = self.pending[king] & !saved;
                self.pending[king] ^= losses[king];
            }
            mark(&mut self.loser_to_move, lost + 1, &losses);
        }
        let losses_found = self.count(&losses);
        self.counts.steps.push(StepCounts {
            wins,
            losses: losses_found,
        });
        self.lost = [losses, self.lost[0]];
    }

    /// Counts positions on the whole board. The example is the first of them in the order of lanes.
    fn count(&self, words: &Words) -> Counted {
        let mut counted = Counted::default();
        for (lane, (king, weight)) in self.layout.domain().iter().zip(&self.weights).enumerate() {
            let word = words[king.index()];
            counted.positions += weight * u64::from(word.count_ones());
            if word != 0 && counted.example.is_none() {
                counted.example = Some((lane * SQUARES) as u64 + u64::from(word.trailing_zeros()));
            }
        }
        counted
    }
}

/// For each square of a king, the positions from which its steps lead to the given ones.
fn around(words: &Words) -> Words {
    let (mut sides, mut all, mut around) = ([0; SQUARES], [0; SQUARES], [0; SQUARES]);
    for king in 0..SQUARES {
        let left = if king % 8 > 0 { words[king - 1] } else { 0 };
        let right = if king % 8 < 7 { words[king + 1] } else { 0 };
        sides[king] = left | right;
        all[king] = sides[king] | words[king];
    }
    for king in 0..SQUARES {
        let below = if king >= 8 { all[king - 8] } else { 0 };
        let above = if king < 56 { all[king + 8] } else { 0 };
        around[king] = sides[king] | below | above;
    }
    around
}

/// Gives the positions in `words`, whose numbers are 0, the number `value`.
fn mark(planes: &mut BitPlanes, value: u16, words: &Words) {
    planes.make_room(value);
    for plane in planes.of_value_mut(value) {
        for (plane, word) in plane.iter_mut().zip(words) {
            *plane |= word;
        }
    }
}

/// The numbers of the given lanes, in order; all 0 if there are no numbers.
fn in_order(planes: &BitPlanes, lanes: &[usize]) -> BitPlanes {
    let mut ordered = BitPlanes::new(lanes.len());
    if planes.lanes() > 0 {
        ordered.make_room(planes.limit());
        for (out, words) in ordered
            .parts_mut(SQUARES)
            .into_iter()
            .flatten()
            .zip(planes.words())
        {
            for (out, &lane) in out.iter_mut().zip(lanes) {
                *out = words[lane];
            }
        }
    }
    ordered
}

/// The words of the given lanes, in order; all 0 if there are no words.
fn words_in_order(words: &[u64], lanes: &[usize]) -> LaneWords {
    let mut ordered = LaneWords::zeroed(lanes.len());
    if !words.is_empty() {
        for (out, &lane) in ordered.iter_mut().zip(lanes) {
            *out = words[lane];
        }
    }
    ordered
}
