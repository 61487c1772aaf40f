//! Verifies one metric of a table, with all distances of the metric in memory.

use rayon::prelude::*;

use super::distances::{DistanceList, Lanes};
use super::grid::Grid;
use super::ply::ply;
use super::source::{TableSource, VerifyError};
use super::stored::stored;
use super::subendings::Subendings;
use super::verdict_table::VerdictComparison;
use super::verification::{Comparison, Counted, Tally, Verification};
use crate::board::Color;
use crate::parallel::ForkedByOneFunction;
use crate::table::{Metric, TableFile};

/// Verifies the distances under one metric. Also compares the verdicts that follow from them, if
/// there is a verdict table.
pub fn verify_metric(
    table: &TableFile,
    metric: Metric,
    source: &dyn TableSource,
    verdict: &mut Verification,
    mut verdicts: Option<&mut VerdictComparison<'_>>,
) -> Result<(), VerifyError> {
    let material = table.material();
    // Against a bare king only White can win, and only Black can capture, so White is to move after
    // a capture.
    let sides: &[Color] = if material.is_bare() {
        &[Color::White]
    } else {
        &Color::ALL
    };
    let stored = stored(table, metric, sides, None)?;
    // White's bia may also capture and promote, after which Black is to move.
    let turns = match material.is_pawnless() {
        true => sides,
        false => &Color::ALL,
    };
    let subendings = Subendings::read(material, metric, turns, sides, source)?;
    let grid = &stored.grid;
    let other_side = !stored.side;
    let mut tally = Tally::default();
    for &winner in sides {
        let list = &stored.distances[winner.index()];
        let other = ply(grid, (other_side, winner), (list, &subendings), None);
        let lists = match stored.side {
            Color::White => [list, &other],
            Color::Black => [&other, list],
        };
        if let Some(verdicts) = &mut verdicts {
            verdicts.add(grid, metric, winner, lists);
        }
        let own = (stored.side, winner);
        let expected = ply(grid, own, (&other, &subendings), None);
        let comparison = Comparison {
            grid,
            metric,
            turn: stored.side,
            winner,
        };
        comparison.compare(list, &expected, verdict);
        tally.add(
            winner,
            Color::ALL.map(|turn| count(grid, turn, lists[turn.index()])),
        );
    }
    tally.compare(table, metric, verdict);
    Ok(())
}

/// Counts the wins in a list by distance, and the legal positions with `turn` to move.
fn count(grid: &Grid, turn: Color, list: &DistanceList) -> Counted {
    (0..list.configs())
        .into_par_iter()
        .erased()
        .fold(
            || (grid.scratch(), Counted::default()),
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
