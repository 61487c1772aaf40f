//! Counts the positions of the whole board by distance during a solve, with examples.

use serde::{Deserialize, Serialize};

use super::geometry::Geometry;

/// The findings of one task in one step, within its slab.
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskCounts {
    /// The number of legal positions with the winner to move; counted only at the start.
    pub winner_legal: u64,
    /// The number of legal positions with the loser to move; counted only at the start.
    pub loser_legal: u64,
    /// Positions newly won, winner to move.
    pub wins: Counted,
    /// Positions newly lost, loser to move.
    pub losses: Counted,
    /// How many words of the arrays were read or written. A word that is read and written counts
    /// twice. Repeated reads of a neighbouring row come from the processor's caches and are not
    /// counted.
    pub words: u64,
}

/// The number of positions of one kind, with an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, Option<u64>)", into = "(u64, Option<u64>)")]
pub struct Counted {
    /// The number of positions.
    pub positions: u64,
    /// The index in the lane layout of the first such position: 64 times the lane plus the bit.
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
    /// Adds the positions of a row that starts at `first_lane`; there are `positions` of them. The
    /// example stays the first one found.
    #[inline(always)]
    pub fn add_row(&mut self, positions: u64, first_lane: usize, row: &[u64]) {
        self.positions += positions;
        if positions != 0 && self.example.is_none() {
            self.example = first(first_lane, row);
        }
    }

    /// Adds the findings of a later task, where each position counts `weight` times.
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

/// The findings of a step on the whole board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// Positions won with the winner to move.
    pub wins: Counted,
    /// Positions lost with the loser to move.
    pub losses: Counted,
}

/// The positions of the whole board by distance.
#[derive(Clone, Debug, Default)]
pub struct SolveCounts {
    /// Legal positions with the winner to move.
    pub winner_legal: u64,
    /// Legal positions with the loser to move.
    pub loser_legal: u64,
    /// By the winner's moves to mate, from 0.
    pub steps: Vec<StepCounts>,
    /// The bytes moved between memory and processor in all steps. In each step that needs an array,
    /// each of its words is counted once for reading and once for writing.
    pub bytes_moved: u64,
}

impl SolveCounts {
    /// Adds the findings at the start. Returns true if there was a mate.
    pub fn start(&mut self, geometry: &Geometry, tasks: &[TaskCounts]) -> bool {
        for (slab_weight, task) in weighted(geometry, tasks) {
            self.winner_legal += slab_weight * task.winner_legal;
            self.loser_legal += slab_weight * task.loser_legal;
        }
        self.step(geometry, tasks)
    }

    /// Adds the findings of a step, its tasks in order. Returns true if a position was lost.
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

    /// Moves the wins to the entries of their distances. This is needed after a solve by plies,
    /// whose steps find the wins of one distance and the losses of the next.
    pub fn take_wins_a_step_back(&mut self) {
        for distance in 0..self.steps.len() {
            let next = self.steps.get(distance + 1);
            self.steps[distance].wins = next.map_or(Counted::default(), |next| next.wins);
        }
    }
}

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
