//! Verifying a table metric by metric, each in memory as a whole.

use rayon::prelude::*;

use super::distances::{DistanceList, Lanes};
use super::grid::Grid;
use super::ply::ply;
use super::smaller::Smaller;
use super::source::{Source, VerifyError};
use super::stored::stored;
use super::verdict::{Comparison, Verdict};
use super::win_counts::{WinCounts, add_wins, agree, sum_wins};
use crate::board::{Color, SquareSet};
use crate::stats::{Counts, Statistics};
use crate::table::{Metric, TableFile};

/// Verifies the distances under one metric.
pub fn verify_metric(
    table: &TableFile,
    metric: Metric,
    source: &dyn Source,
    verdict: &mut Verdict,
) -> Result<(), VerifyError> {
    let material = table.material();
    // Against a bare king only Black captures, and then White is to move.
    let sides: &[Color] = if material.is_bare() {
        &[Color::White]
    } else {
        &Color::ALL
    };
    let stored = stored(table, metric, sides)?;
    let smaller = Smaller::read(material, metric, sides, sides, source)?;
    let grid = &stored.grid;
    let other_side = !stored.side;
    let mut counts = [Counts::default(), Counts::default()];
    for &winner in sides {
        let list = &stored.distances[winner.index()];
        let other = ply(grid, other_side, winner, list, &smaller);
        let again = ply(grid, stored.side, winner, &other, &smaller);
        let comparison = Comparison {
            grid,
            metric,
            turn: stored.side,
            winner,
        };
        comparison.compare(list, &again, verdict);
        count(
            grid,
            stored.side,
            winner,
            list,
            &mut counts[stored.side.index()],
        );
        count(
            grid,
            other_side,
            winner,
            &other,
            &mut counts[other_side.index()],
        );
    }
    let [white_to_move, black_to_move] = counts;
    let mut counted = Statistics {
        white_to_move,
        black_to_move,
    };
    if metric.counts_plies(material) {
        counted = counted.plies_to_moves();
    }
    for turn in Color::ALL {
        let counted = counted.to_move(turn);
        let legal = legal_positions(grid, turn);
        verdict.positions += legal.0;
        // A metric that equals its base has no section, and no statistics of its own.
        if let Some(section) = table.section(metric) {
            let stated = section.header().info.statistics.to_move(turn);
            verdict.statistics_agree &= agree(&stated.white_wins, &counted.white_wins)
                && agree(&stated.black_wins, &counted.black_wins)
                && stated.legal() == legal.1;
        }
    }
    Ok(())
}

/// Adds the wins of a list to the counts of its side to move, on the whole board.
fn count(grid: &Grid, turn: Color, winner: Color, list: &DistanceList, counts: &mut Counts) {
    let wins = (0..list.configs())
        .into_par_iter()
        .fold(
            || (grid.room(), WinCounts::new()),
            |(mut config, mut wins), number| {
                if grid.config(number, &mut config) {
                    let weight = grid.weight(&config);
                    add_wins(&mut wins, &list.lane(number), weight, turn == winner);
                }
                (config, wins)
            },
        )
        .map(|(_, wins)| wins)
        .reduce(WinCounts::new, sum_wins);
    match winner {
        Color::White => counts.white_wins = wins,
        Color::Black => counts.black_wins = wins,
    }
}

/// The legal positions with this side to move: once with the symmetries taken out, once on the
/// whole board.
fn legal_positions(grid: &Grid, turn: Color) -> (u64, u64) {
    (0..grid.configs())
        .into_par_iter()
        .fold(
            || (grid.room(), (0, 0)),
            |(mut config, (single, whole)), number| {
                let legal = if grid.config(number, &mut config) {
                    grid.legal(&config, turn)
                } else {
                    SquareSet::EMPTY
                };
                let n = legal.len() as u64;
                let weight = grid.weight(&config);
                (config, (single + n, whole + n * weight))
            },
        )
        .map(|(_, sums)| sums)
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}
