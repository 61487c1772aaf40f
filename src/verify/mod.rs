//! Verifying a table: every position against the rules by one ply of look-up.
//!
//! The verifier reads the file as written, decodes every cell, and asks of each position whether
//! its value follows from those after its moves. It shares with the solver nothing but the board
//! and the numbering: it works with distances in bytes and words where the solver works with bits
//! and levels, and with the rules of [`crate::board::attacks`] where the solver has graphs.
//!
//! Only one side to move is stored. The distances of the other side are worked out from the file
//! by one ply, and those of the stored side must come out again from them by another. What comes
//! out is also counted and compared with the statistics in the header.

mod by_slab;
mod distances;
mod grid;
mod load;
mod ply;
mod sample;
mod smaller;
mod stored;

use rayon::prelude::*;
use thiserror::Error;

use crate::board::{Color, SquareSet};
use crate::material::CanonicalMaterial;
use crate::probe::ProbeError;
use crate::rules::RuleSet;
use crate::stats::{Counts, Example};
use crate::table::{Metric, TableError, TableFile};
use by_slab::Sweep;
use distances::{DistanceList, Lanes};
use grid::{Distance, Grid, NEVER};
use ply::ply;
pub use sample::verify_sample;
use smaller::Smaller;
use stored::stored;

/// Where the verifier gets tables from.
pub trait Source {
    /// Opens the table of a material.
    ///
    /// # Errors
    ///
    /// If it is missing, unreadable, or not the table of this material.
    fn open(&self, material: CanonicalMaterial) -> Result<TableFile, TableError>;
}

impl<F: Fn(CanonicalMaterial) -> Result<TableFile, TableError>> Source for F {
    fn open(&self, material: CanonicalMaterial) -> Result<TableFile, TableError> {
        self(material)
    }
}

/// Why a table could not be verified: it may be right or wrong.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table could not be found or probed.
    #[error(transparent)]
    Probe(ProbeError),
}

/// A position whose value in the table is not the one that follows from its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The metric.
    pub metric: Metric,
    /// The squares of its men.
    pub position: Example,
    /// The side to move.
    pub turn: Color,
    /// The winner in question.
    pub winner: Color,
    /// The winner's moves that the table says; none if it does not win.
    pub found: Option<u16>,
    /// The winner's moves that follow from the positions one ply on.
    pub expected: Option<u16>,
}

/// What verifying a table found.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// The legal positions compared, both sides to move, under every metric, with the symmetries
    /// taken out.
    pub positions: u64,
    /// How many differ.
    pub differences: u64,
    /// The first of them.
    pub first: Option<Difference>,
    /// Whether the statistics in the header are those of the positions.
    pub statistics_agree: bool,
}

impl Verdict {
    /// True if nothing wrong was found.
    pub fn is_right(&self) -> bool {
        self.differences == 0 && self.statistics_agree
    }
}

/// The metrics of a material.
fn metrics(material: CanonicalMaterial) -> Vec<Metric> {
    let mut metrics = vec![Metric::Dtm];
    if !material.is_bare() {
        metrics.extend(RuleSet::ALL.map(Metric::Dth));
    }
    metrics
}

/// Verifies every position of a table.
///
/// # Errors
///
/// If the table, or one of a smaller ending, is missing or damaged.
pub fn verify_table(
    material: CanonicalMaterial,
    source: &dyn Source,
) -> Result<Verdict, VerifyError> {
    let table = source.open(material)?;
    let mut verdict = Verdict {
        statistics_agree: true,
        ..Verdict::default()
    };
    if let Some(sweep) = Sweep::of(&table) {
        sweep.verify(source, &mut verdict)?;
        return Ok(verdict);
    }
    for metric in metrics(material) {
        verify_metric(&table, metric, source, &mut verdict)?;
    }
    Ok(verdict)
}

fn verify_metric(
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
    for (turn, counted) in Color::ALL.into_iter().zip(&counts) {
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

/// Lists that are equal but for zeros at the end.
fn agree(a: &[u64], b: &[u64]) -> bool {
    let n = a.len().max(b.len());
    (0..n).all(|i| a.get(i).copied().unwrap_or(0) == b.get(i).copied().unwrap_or(0))
}

/// The distances of one side's wins with one side to move, under one metric.
struct Comparison<'a> {
    grid: &'a Grid,
    metric: Metric,
    turn: Color,
    winner: Color,
}

impl Comparison<'_> {
    /// Compares all distances found with those expected.
    fn compare(&self, found: &DistanceList, expected: &DistanceList, verdict: &mut Verdict) {
        let differ = |number: &usize| found.lane(*number) != expected.lane(*number);
        let different: Vec<usize> = (0..found.configs())
            .into_par_iter()
            .filter(differ)
            .collect();
        for number in different {
            let (found, expected) = (found.lane(number), expected.lane(number));
            self.note(number, &found, &expected, verdict);
        }
    }

    /// Notes what differs in a configuration.
    fn note(
        &self,
        number: usize,
        found: &[Distance; 64],
        expected: &[Distance; 64],
        verdict: &mut Verdict,
    ) {
        let moves = |distance: Distance| (distance != NEVER).then_some(distance);
        for square in (0..64).filter(|&square| found[square] != expected[square]) {
            verdict.differences += 1;
            verdict.first.get_or_insert_with(|| Difference {
                metric: self.metric,
                position: example(self.grid, number, square),
                turn: self.turn,
                winner: self.winner,
                found: moves(found[square]),
                expected: moves(expected[square]),
            });
        }
    }
}

/// The position of a configuration with Black's king on a square.
fn example(grid: &Grid, number: usize, square: usize) -> Example {
    let mut config = grid.room();
    grid.config(number, &mut config);
    let mut position = vec![config.king.index() as u8];
    for color in Color::ALL {
        if color == Color::Black {
            position.push(square as u8);
        }
        for (group, men) in grid.groups().iter().zip(&config.men) {
            if group.color == color {
                position.extend(men.map(|s| s.index() as u8));
            }
        }
    }
    Example::new(position)
}

/// WinCounts by distance, each as many as the positions of the whole board it stands for.
type WinCounts = Vec<u64>;

/// Adds the wins of a lane of distances.
fn add_wins(wins: &mut WinCounts, lane: &[Distance; 64], weight: u64, winner_moves: bool) {
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
fn sum_wins(mut a: WinCounts, mut b: WinCounts) -> WinCounts {
    if a.len() < b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    for (a, b) in a.iter_mut().zip(b) {
        *a += b;
    }
    a
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
