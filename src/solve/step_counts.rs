//! Counting as the solve goes: positions of the whole board for each distance, and an example.

use super::geometry::Geometry;

/// What one task found in one step, in its slab.
#[derive(Clone, Copy, Debug, Default)]
pub struct TaskCounts {
    /// Legal positions with the winner to move (only at the start).
    pub winner_legal: u64,
    /// Legal positions with the loser to move (only at the start).
    pub loser_legal: u64,
    /// Positions newly won, winner to move.
    pub winner_wins: u64,
    /// Positions newly lost, loser to move.
    pub loser_losses: u64,
    /// The first of the newly won: its number in the layout, 64 times the lane plus the bit.
    pub first_win: Option<u64>,
    /// The first of the newly lost.
    pub first_loss: Option<u64>,
    /// LaneWords of the arrays that were read or written, each once for reading and once for writing:
    /// what a neighbour's row is read again for is left to the caches and not counted.
    pub words: u64,
}

impl TaskCounts {
    /// Takes in the newly won positions of a row; the first of them all is kept as an example.
    #[inline(always)]
    pub fn win(&mut self, wins: u64, first_lane: usize, row: &[u64]) {
        self.winner_wins += wins;
        if wins != 0 && self.first_win.is_none() {
            self.first_win = first(first_lane, row);
        }
    }

    /// Takes in the newly lost positions of a row, likewise.
    #[inline(always)]
    pub fn lose(&mut self, losses: u64, first_lane: usize, row: &[u64]) {
        self.loser_losses += losses;
        if losses != 0 && self.first_loss.is_none() {
            self.first_loss = first(first_lane, row);
        }
    }
}

/// The number of the first position of a row: 64 times the lane plus the bit.
fn first(first_lane: usize, row: &[u64]) -> Option<u64> {
    let lane = row.iter().position(|&word| word != 0)?;
    Some((first_lane + lane) as u64 * 64 + u64::from(row[lane].trailing_zeros()))
}

/// How many positions of the whole board there are at each distance.
#[derive(Clone, Debug, Default)]
pub struct SolveCounts {
    /// Legal positions, winner to move.
    pub winner_legal: u64,
    /// Legal positions, loser to move.
    pub loser_legal: u64,
    /// Won positions with the winner to move, by its moves to mate, each with an example's
    /// number in the layout.
    pub winner_wins: Vec<(u64, Option<u64>)>,
    /// Lost positions with the loser to move, by the winner's moves to mate.
    pub loser_losses: Vec<(u64, Option<u64>)>,
    /// Bytes that all steps together have to move between memory and processor: each array's
    /// words read once and written once for each step that needs them.
    pub bytes_moved: u64,
}

impl SolveCounts {
    /// Takes in the start. Returns whether there was any mate.
    pub fn start(&mut self, geometry: &Geometry, found: &[TaskCounts]) -> bool {
        for (slab_weight, found) in weighted(geometry, found) {
            self.winner_legal += slab_weight * found.winner_legal;
            self.loser_legal += slab_weight * found.loser_legal;
        }
        self.step(geometry, found)
    }

    /// Takes in a step, the tasks in their order. Returns whether any position was lost in it.
    pub fn step(&mut self, geometry: &Geometry, found: &[TaskCounts]) -> bool {
        let mut wins = (0, None);
        let mut losses = (0, None);
        for (slab_weight, found) in weighted(geometry, found) {
            wins.0 += slab_weight * found.winner_wins;
            losses.0 += slab_weight * found.loser_losses;
            wins.1 = wins.1.or(found.first_win);
            losses.1 = losses.1.or(found.first_loss);
            self.bytes_moved += found.words * 8;
        }
        self.winner_wins.push(wins);
        self.loser_losses.push(losses);
        losses.0 > 0
    }
}

fn weighted<'a>(
    geometry: &Geometry,
    found: &'a [TaskCounts],
) -> impl Iterator<Item = (u64, &'a TaskCounts)> {
    let per_slab = found.len() / geometry.slabs();
    let layout = &geometry.layout;
    let domain = layout.domain();
    found
        .iter()
        .enumerate()
        .map(move |(i, found)| (layout.weight(domain[i / per_slab]), found))
}
