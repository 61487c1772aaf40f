//! Counting wins, to compare them with the statistics in the header.

use super::grid::{Distance, NEVER};

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

/// Lists that are equal but for zeros at the end.
pub fn agree(a: &[u64], b: &[u64]) -> bool {
    let n = a.len().max(b.len());
    (0..n).all(|i| a.get(i).copied().unwrap_or(0) == b.get(i).copied().unwrap_or(0))
}
