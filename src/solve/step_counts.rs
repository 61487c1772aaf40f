//! Counts the positions of the whole board by distance during a solve, and collects examples.

use serde::{Deserialize, Serialize};

use super::geometry::Geometry;

/// Counts of the positions that one task finds in one step, all in one slab.
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskCounts {
    /// The number of legal positions with the winner to move; 0 except at the start of a solve.
    pub winner_legal: u64,
    /// The number of legal positions with the loser to move; 0 except at the start of a solve.
    pub loser_legal: u64,
    /// The number of positions found won, with the winner to move, and an example.
    pub wins: Counted,
    /// The number of positions found lost, with the loser to move, and an example.
    pub losses: Counted,
    /// The number of array words read or written. A word that is read and written counts twice.
    /// Repeated reads of a neighbouring row come from the processor's caches and are not counted.
    pub words: u64,
}

/// The number of positions of one kind, with an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, Option<u64>)", into = "(u64, Option<u64>)")]
pub struct Counted {
    /// The number of positions.
    pub positions: u64,
    /// The index of the first position counted, in the lane layout: 64 times the lane plus the bit.
    pub example: Option<u64>,
}

impl From<(u64, Option<u64>)> for Counted {
    fn from((positions, example): (u64, Option<u64>)) -> Counted {
        Counted { positions, example }
    }
}

impl From<Counted> for (u64, Option<u64>) {
    fn from(counted: Counted) -> (u64, Option<u64>) {
        (counted.positions, counted.example)
    }
}

impl Counted {
    /// Adds the bits of a row whose first lane has the index `first_lane`. `positions` is the
    /// number of bits. The first position ever added becomes the example.
    #[inline(always)]
    pub fn add_row(&mut self, positions: u64, first_lane: usize, row: &[u64]) {
        self.positions += positions;
        if positions != 0 && self.example.is_none() {
            self.example = first(first_lane, row);
        }
    }

    /// Adds the positions of a later task. Each position counts `weight` times.
    fn add(&mut self, other: Counted, weight: u64) {
        self.positions += weight * other.positions;
        self.example = self.example.or(other.example);
    }
}

/// The index of a row's first position: 64 times the lane plus the bit.
fn first(first_lane: usize, row: &[u64]) -> Option<u64> {
    let lane = row.iter().position(|&word| word != 0)?;
    Some((first_lane + lane) as u64 * 64 + u64::from(row[lane].trailing_zeros()))
}

impl TaskCounts {
    /// Adds the losses that the same task found in a separate pass.
    pub fn add_losses(&mut self, pass: &TaskCounts) {
        self.losses = pass.losses;
        self.words += pass.words;
    }
}

/// Counts of the positions that a step finds, on the whole board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// The number of positions won, with the winner to move, and an example.
    pub wins: Counted,
    /// The number of positions lost, with the loser to move, and an example.
    pub losses: Counted,
}

/// The position counts for the whole board, by distance.
#[derive(Clone, Debug, Default)]
pub struct SolveCounts {
    /// The number of legal positions with the winner to move.
    pub winner_legal: u64,
    /// The number of legal positions with the loser to move.
    pub loser_legal: u64,
    /// The position counts by distance: entry n is for the positions with distance n.
    pub steps: Vec<StepCounts>,
    /// The number of bytes moved between memory and processor in all steps: 8 for each array word
    /// read or written. A word that is read and written counts twice.
    pub bytes_moved: u64,
}

impl SolveCounts {
    /// Adds the counts of step 0. Returns true if it found a mate.
    pub fn start(&mut self, geometry: &Geometry, tasks: &[TaskCounts]) -> bool {
        for (slab_weight, task) in weighted(geometry, tasks) {
            self.winner_legal += slab_weight * task.winner_legal;
            self.loser_legal += slab_weight * task.loser_legal;
        }
        self.step(geometry, tasks)
    }

    /// Adds the counts of a step's tasks, given in order. Returns true if the step found a lost
    /// position.
    pub fn step(&mut self, geometry: &Geometry, tasks: &[TaskCounts]) -> bool {
        let mut step = StepCounts::default();
        for (slab_weight, task) in weighted(geometry, tasks) {
            step.wins.add(task.wins, slab_weight);
            step.losses.add(task.losses, slab_weight);
            self.bytes_moved += task.words * 8;
        }
        self.steps.push(step);
        step.losses.positions > 0
    }

    /// Moves the wins of each step to the previous entry. In a solve by plies, the step counted in
    /// entry n + 1 finds the wins in n plies and the losses in n + 1 plies.
    pub fn take_wins_a_step_back(&mut self) {
        for distance in 0..self.steps.len() {
            let next = self.steps.get(distance + 1);
            self.steps[distance].wins = next.map_or(Counted::default(), |next| next.wins);
        }
    }
}

/// Pairs the counts of each task with the weight of its slab: the number of positions on the whole
/// board that each position of the slab represents.
fn weighted<'a>(
    geometry: &Geometry,
    tasks: &'a [TaskCounts],
) -> impl Iterator<Item = (u64, &'a TaskCounts)> {
    let per_slab = tasks.len() / geometry.slabs();
    let layout = &geometry.layout;
    let domain = layout.domain();
    tasks
        .iter()
        .enumerate()
        .map(move |(i, task)| (layout.weight(domain[i / per_slab]), task))
}
