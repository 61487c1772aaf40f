//! The result of verifying a table: the comparison of distances, and of the numbers of wins with the
//! header's statistics.

use rayon::prelude::*;

use super::distances::{DistanceList, Element, Lanes};
use super::grid::Grid;
use crate::board::{Color, Square, SquareSet};
use crate::index::example;
use crate::parallel::ForkedByOneFunction;
use crate::statistics::{Counts, Example, Statistics};
use crate::table::{Metric, TableFile};

/// A position whose distance in the table differs from the distance that follows from its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The metric of the distances.
    pub metric: Metric,
    /// The squares of the position's men.
    pub position: Example,
    /// The side to move.
    pub turn: Color,
    /// The side whose wins the distances measure.
    pub winner: Color,
    /// The distance in the table: the winner's moves, or plies if the metric counts them. `None` if
    /// the table has no win of that side.
    pub found: Option<u16>,
    /// The distance that follows from the positions after each move. `None` if that side cannot
    /// win.
    pub expected: Option<u16>,
}

/// The result of verifying a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The number of legal positions compared, with either side to move and under all metrics.
    /// Positions that symmetry makes equal are counted once.
    pub positions: u64,
    /// The number of distances in the table that differ from the expected ones.
    pub differences: u64,
    /// The first difference, as an example.
    pub first: Option<Difference>,
    /// True if the header's statistics agree with the positions.
    pub statistics_agree: bool,
}

impl Verification {
    /// True if the table has no error.
    pub fn is_right(&self) -> bool {
        self.differences == 0 && self.statistics_agree
    }
}

/// Compares the stored and the computed distances of one side's wins, with one side to move, under
/// one metric.
pub struct Comparison<'a> {
    pub grid: &'a Grid,
    pub metric: Metric,
    pub turn: Color,
    pub winner: Color,
}

impl Comparison<'_> {
    /// Compares all stored distances (`found`) with the computed ones (`expected`).
    pub fn compare(
        &self,
        found: &DistanceList,
        expected: &DistanceList,
        verdict: &mut Verification,
    ) {
        let differ = |number: &usize| found.lane(*number) != expected.lane(*number);
        let different: Vec<usize> = (0..found.configs())
            .into_par_iter()
            .erased()
            .filter(differ)
            .collect();
        for number in different {
            let (found, expected) = (found.lane(number), expected.lane(number));
            self.record_differences(number, &found, &expected, verdict);
        }
    }

    /// Records the differences in the lane of one configuration.
    pub fn record_differences<E: Element>(
        &self,
        number: usize,
        found: &[E; 64],
        expected: &[E; 64],
        verdict: &mut Verification,
    ) {
        let moves = |distance: E| (distance != E::NEVER).then_some(distance.distance());
        for square in (0..64).filter(|&square| found[square] != expected[square]) {
            verdict.differences += 1;
            verdict.first.get_or_insert_with(|| Difference {
                metric: self.metric,
                position: position(self.grid, number, square),
                turn: self.turn,
                winner: self.winner,
                found: moves(found[square]),
                expected: moves(expected[square]),
            });
        }
    }
}

/// The position with the men of a configuration and Black's king on a square.
fn position(grid: &Grid, number: usize, square: usize) -> Example {
    let mut config = grid.scratch();
    grid.config(number, &mut config);
    let kings = [config.king, Square::wrapping(square)];
    example(grid.groups(), config.bia, kings, &config.men)
}

/// The number of wins on the whole board, indexed by distance.
type WinCounts = Vec<u64>;

/// Adds up two lists of wins by distance.
fn sum_wins(mut a: WinCounts, mut b: WinCounts) -> WinCounts {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
}

/// The numbers of one side's wins and of all legal positions, with one side to move.
#[derive(Clone, Default)]
pub struct Counted {
    /// The wins by distance.
    pub wins: WinCounts,
    /// The number of legal positions: first with those that symmetry makes equal counted once, then
    /// on the whole board.
    pub legal: (u64, u64),
}

impl Counted {
    /// Adds the wins and the legal positions of one lane. Symmetry makes each position equal to
    /// `weight` positions of the whole board, itself included.
    pub fn add<E: Element>(&mut self, weight: u64, legal: SquareSet, lane: &[E; 64]) {
        self.legal.0 += legal.len() as u64;
        self.legal.1 += legal.len() as u64 * weight;
        // A shortcut, since lanes without a win are frequent.
        if lane.iter().all(|&distance| distance == E::NEVER) {
            return;
        }
        for square in legal {
            let distance = lane[square.index()];
            if distance == E::NEVER {
                continue;
            }
            let distance = usize::from(distance.distance());
            if self.wins.len() <= distance {
                self.wins.resize(distance + 1, 0);
            }
            self.wins[distance] += weight;
        }
    }

    /// Adds up two results.
    pub fn sum(self, other: Counted) -> Counted {
        Counted {
            wins: sum_wins(self.wins, other.wins),
            legal: (self.legal.0 + other.legal.0, self.legal.1 + other.legal.1),
        }
    }
}

/// The numbers of wins and of legal positions under one metric.
#[derive(Default)]
pub struct Tally {
    /// The numbers of wins, by side to move.
    counts: [Counts; 2],
    /// The numbers of legal positions, by side to move: see [`Counted::legal`].
    legal: [(u64, u64); 2],
}

impl Tally {
    /// Adds one side's wins, with White to move and with Black to move.
    pub fn add(&mut self, winner: Color, counted: [Counted; 2]) {
        for (turn, counted) in counted.into_iter().enumerate() {
            let counts = &mut self.counts[turn];
            match winner {
                Color::White => counts.white_wins = counted.wins,
                Color::Black => counts.black_wins = counted.wins,
            }
            self.legal[turn] = counted.legal;
        }
    }

    /// Compares the numbers with the statistics in a table's header, and adds the legal positions
    /// to the verdict.
    pub fn compare(self, table: &TableFile, metric: Metric, verdict: &mut Verification) {
        let [white_to_move, black_to_move] = self.counts;
        let mut counted = Statistics {
            white_to_move,
            black_to_move,
        };
        if metric.counts_plies(table.material()) {
            counted = counted.plies_to_moves();
        }
        for turn in Color::ALL {
            let (single, whole) = self.legal[turn.index()];
            verdict.positions += single;
            // A metric that equals its base has no section, and no statistics of its own.
            if let Some(section) = table.section(metric) {
                let stated = section.header().info.statistics.to_move(turn);
                let counted = counted.to_move(turn);
                verdict.statistics_agree &= agree(&stated.white_wins, &counted.white_wins)
                    && agree(&stated.black_wins, &counted.black_wins)
                    && stated.legal() == whole;
            }
        }
    }
}

/// True if two lists are equal except for zeros at the end.
fn agree(a: &[u64], b: &[u64]) -> bool {
    let n = a.len().max(b.len());
    (0..n).all(|i| a.get(i).copied().unwrap_or(0) == b.get(i).copied().unwrap_or(0))
}
