//! Counts wins by distance, and compares the numbers with the header's statistics.

use super::distances::Element;
use super::verdict::Verdict;
use crate::board::{Color, SquareSet};
use crate::stats::{Counts, Statistics};
use crate::table::{Metric, TableFile};

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
    pub fn compare(self, table: &TableFile, metric: Metric, verdict: &mut Verdict) {
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
