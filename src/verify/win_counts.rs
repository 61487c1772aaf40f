//! Counting wins, to compare them with the statistics in the header.

use super::grid::{Config, Distance, Grid, NEVER};
use crate::board::Color;

/// For each distance in moves the wins, as positions of the whole board.
pub type WinCounts = Vec<u64>;

/// Adds the wins of a lane of distances.
pub fn add_wins(wins: &mut WinCounts, lane: &[Distance; 64], weight: u64, winner_moves: bool) {
    for &distance in lane {
        if distance == NEVER || (distance == 0 && winner_moves) {
            continue;
        }
        let distance = usize::from(distance);
        if wins.len() <= distance {
            wins.resize(distance + 1, 0);
        }
        wins[distance] += weight;
    }
}

/// Adds two lists of wins.
pub fn sum_wins(mut a: WinCounts, mut b: WinCounts) -> WinCounts {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
}

/// What was counted of one side's wins with one side to move.
#[derive(Clone, Default)]
pub struct Counted {
    /// The wins.
    pub wins: WinCounts,
    /// Legal positions, and those of the whole board they stand for.
    pub legal: (u64, u64),
}

impl Counted {
    /// Counts a configuration, of which `lane` has the distances of `winner`'s wins.
    pub fn add(
        &mut self,
        grid: &Grid,
        config: &Config,
        (turn, winner): (Color, Color),
        lane: &[Distance; 64],
    ) {
        let weight = grid.weight(config);
        let legal = grid.legal(config, turn).len() as u64;
        self.legal.0 += legal;
        self.legal.1 += legal * weight;
        add_wins(&mut self.wins, lane, weight, winner == turn);
    }

    /// What was counted in two parts together.
    pub fn sum(self, other: Counted) -> Counted {
        Counted {
            wins: sum_wins(self.wins, other.wins),
            legal: (self.legal.0 + other.legal.0, self.legal.1 + other.legal.1),
        }
    }
}

/// Lists that are equal but for zeros at the end.
pub fn agree(a: &[u64], b: &[u64]) -> bool {
    let n = a.len().max(b.len());
    (0..n).all(|i| a.get(i).copied().unwrap_or(0) == b.get(i).copied().unwrap_or(0))
}
