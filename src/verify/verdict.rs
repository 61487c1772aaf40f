//! The result of verifying a table, and the comparison of distances.

use rayon::prelude::*;

use super::distances::{DistanceList, Element, Lanes};
use super::grid::Grid;
use crate::board::{Color, Square};
use crate::index::example;
use crate::stats::Example;
use crate::table::Metric;

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
#[derive(Clone, Debug, Default)]
pub struct Verdict {
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

impl Verdict {
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
    pub fn compare(&self, found: &DistanceList, expected: &DistanceList, verdict: &mut Verdict) {
        let differ = |number: &usize| found.lane(*number) != expected.lane(*number);
        let different: Vec<usize> = (0..found.configs())
            .into_par_iter()
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
        verdict: &mut Verdict,
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
