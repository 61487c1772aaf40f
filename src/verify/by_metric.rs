//! Verifies a table metric by metric, with all distances of a metric in memory.

use rayon::prelude::*;

use super::distances::{DistanceList, Lanes};
use super::grid::Grid;
use super::ply::ply;
use super::smaller::Smaller;
use super::source::{TableSource, VerifyError};
use super::stored::stored;
use super::verdict::{Comparison, Verdict};
use super::win_counts::{Counted, Tally};
use crate::board::Color;
use crate::table::{Metric, TableFile};

/// Verifies the distances under one metric.
pub fn verify_metric(
    table: &TableFile,
    metric: Metric,
    source: &dyn TableSource,
    verdict: &mut Verdict,
) -> Result<(), VerifyError> {
    let material = table.material();
    // Against a bare king only Black can capture, so only positions with White to move are needed.
    let sides: &[Color] = if material.is_bare() {
        &[Color::White]
    } else {
        &Color::ALL
    };
    let stored = stored(table, metric, sides)?;
    // If White has bia, these may capture and promote, so both sides to move are needed.
    let turns = match material.is_pawnless() {
        true => sides,
        false => &Color::ALL,
    };
    let smaller = Smaller::read(material, metric, turns, sides, source)?;
    let grid = &stored.grid;
    let other_side = !stored.side;
    let mut tally = Tally::default();
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
        let lists = match stored.side {
            Color::White => [list, &other],
            Color::Black => [&other, list],
        };
        tally.add(
            winner,
            Color::ALL.map(|turn| count(grid, turn, lists[turn.index()])),
        );
    }
    tally.compare(table, metric, verdict);
    Ok(())
}

/// Counts the wins in a list by distance, and the legal positions.
fn count(grid: &Grid, turn: Color, list: &DistanceList) -> Counted {
    (0..list.configs())
        .into_par_iter()
        .fold(
            || (grid.room(), Counted::default()),
            |(mut config, mut counted), number| {
                if grid.config(number, &mut config) {
                    let legal = grid.legal(&config, turn);
                    counted.add(grid.weight(&config), legal, &list.lane(number));
                }
                (config, counted)
            },
        )
        .map(|(_, counted)| counted)
        .reduce(Counted::default, Counted::sum)
}
