//! One side's wins by distance, over all slices of an ending.

use crate::solve::{Counted, LaneLayout, Solution};
use crate::statistics::Wins;

/// Counts of the positions that one side wins, by distance, with either side to move. Positions
/// that the layout omits because of symmetry are counted too.
#[derive(Clone, Default)]
pub struct SideCounts {
    /// The number of legal positions with the winner to move.
    pub winner_legal: u64,
    /// The number of legal positions with the loser to move.
    pub loser_legal: u64,
    /// For each number of the winner's moves to the goal: the number of positions won with the
    /// winner to move, and an example.
    pub wins: Wins,
    /// For each number of the winner's moves to the goal: the number of positions lost with the
    /// loser to move, and an example.
    pub losses: Wins,
}

impl SideCounts {
    /// Adds the counts of a solved ending or slice.
    pub fn add(&mut self, solution: &Solution) {
        let (layout, counts) = (&solution.layout, &solution.counts);
        self.winner_legal += counts.winner_legal;
        self.loser_legal += counts.loser_legal;
        for (moves, step) in counts.steps.iter().enumerate() {
            add(&mut self.wins, moves, step.wins, layout);
            add(&mut self.losses, moves, step.losses, layout);
        }
    }
}

/// Adds the positions of one distance. Keeps the first example position of each distance.
fn add((sums, examples): &mut Wins, moves: usize, found: Counted, layout: &LaneLayout) {
    if sums.len() <= moves {
        sums.resize(moves + 1, 0);
        examples.resize(moves + 1, None);
    }
    sums[moves] += found.positions;
    if examples[moves].is_none() {
        examples[moves] = found.example.map(|number| layout.example(number));
    }
}
