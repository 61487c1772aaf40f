//! One table, from its material's name to the file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use rayon::prelude::*;

use super::encode::{MAX_MOVES, Solved, orders};
use super::leaves::{Smaller, material_without};
use super::plan::components;
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::solve::{Frame, Leaf, Simd, Solution, StepDone, Tally, solve};
use crate::stats::{Counts, Statistics};
use crate::table::{
    Access, CellSource, Code, Metric, SectionInfo, TableError, TableFile, TableWriter,
    WriteOptions, file_name, sample_bytes,
};

/// How far the making of a table is.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// The smaller endings are being read.
    Reading,
    /// This distance in moves has been settled.
    Solved(u16),
    /// Orders of the men are being tried.
    Choosing,
    /// So many cells of so many are written.
    Written(u64, u64),
}

/// What making a table took and gave.
#[derive(Clone, Debug)]
pub struct Report {
    /// The material.
    pub material: CanonicalMaterial,
    /// Entries solved, of both sides to move, legal or not.
    pub cells: u64,
    /// CPU time of the solve alone: not of reading the smaller endings, nor of writing.
    pub solve_cpu: Duration,
    /// Elapsed time of the solve alone.
    pub solve_elapsed: Duration,
    /// Elapsed time of everything.
    pub elapsed: Duration,
    /// The bytes of the file.
    pub bytes: u64,
    /// What becomes of the positions.
    pub statistics: Statistics,
}

impl Report {
    /// Entries solved in a second of CPU time.
    pub fn cells_per_cpu_second(&self) -> f64 {
        self.cells as f64 / self.solve_cpu.as_secs_f64().max(1e-9)
    }
}

/// Makes the table of a bare-king ending in a directory. `smaller` tells where the table of each
/// ending is that a capture leads to. Runs on the current rayon pool; the same bytes come out whatever its size.
///
/// # Errors
///
/// If a smaller table cannot be read, or this one not be written. What was under its name before
/// stays then.
pub fn generate_table(
    material: CanonicalMaterial,
    directory: &Path,
    smaller: &dyn Fn(CanonicalMaterial) -> PathBuf,
    options: &WriteOptions,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Report, TableError> {
    let started = Instant::now();
    // Opened before the work, so that a directory that can't be written is known at once.
    let mut writer = TableWriter::create(
        &directory.join(file_name(material)),
        material,
        options.clone(),
    )?;

    progress(Progress::Reading);
    let frame = Frame::new(material.material(), Color::White);
    let leaves = leaves(material, &frame, smaller)?;

    let solve_started = Instant::now();
    let cpu_started = ProcessTime::now();
    let solution = solve(
        frame,
        leaves,
        false,
        Simd::detect(),
        &mut |StepDone { moves }| {
            progress(Progress::Solved(moves));
        },
    );
    let solve_cpu = cpu_started.elapsed();
    let solve_elapsed = solve_started.elapsed();
    let cells = solution.frame.lanes() as u64 * 64 * 2;

    let statistics = statistics(material, &solution);
    let longest = solution.winner_to_move.largest();
    assert!(longest <= MAX_MOVES, "no ending of eight men takes so long");
    let Solution {
        frame,
        winner_to_move,
        open,
        ..
    } = solution;
    let solved = Solved::collect(frame, &winner_to_move, &open);
    drop((winner_to_move, open));

    progress(Progress::Choosing);
    let codes: Vec<Code> = std::iter::once(Code::Draw)
        .chain((1..=longest).map(Code::WhiteWins))
        .collect();
    let layout = best_layout(material, &solved, codes.len(), options);
    let cells_to_write = layout.cells();
    let info = SectionInfo {
        metric: Metric::Dtm,
        side: Color::White,
        symmetry: layout.symmetry().id(),
        order: layout.order_bytes(),
        codes,
        statistics: statistics.clone(),
    };
    writer.add_section(info, &solved.in_order(&layout), &|done| {
        progress(Progress::Written(done, cells_to_write));
    })?;
    let bytes = writer.finish()?;
    Ok(Report {
        material,
        cells,
        solve_cpu,
        solve_elapsed,
        elapsed: started.elapsed(),
        bytes,
        statistics,
    })
}

fn leaves(
    material: CanonicalMaterial,
    frame: &Frame,
    smaller: &dyn Fn(CanonicalMaterial) -> PathBuf,
) -> Result<Vec<Leaf>, TableError> {
    let mut leaves = Vec::new();
    for group in 0..frame.groups().len() {
        let Some(rest) = material_without(material, frame, group) else {
            continue;
        };
        let table = TableFile::open_as(&smaller(rest), rest, Access::Map)?;
        if let Some(smaller) = Smaller::read(&table, frame.winner())? {
            leaves.push(smaller.leaf(frame, group));
        }
    }
    Ok(leaves)
}

/// The statistics of a bare-king ending.
fn statistics(material: CanonicalMaterial, solution: &Solution) -> Statistics {
    let layout = solution.frame.layout(material);
    let counts = |legal: u64, wins: &[(u64, Option<u64>)]| {
        let last = wins.iter().rposition(|&(n, _)| n > 0).unwrap_or(0);
        let white_wins: Vec<u64> = wins[..=last].iter().map(|&(n, _)| n).collect();
        Counts {
            draws: legal - white_wins.iter().sum::<u64>(),
            white_examples: wins[..=last]
                .iter()
                .map(|&(_, example)| example.map(|number| layout.example(number)))
                .collect(),
            white_wins,
            ..Counts::default()
        }
    };
    let Tally {
        winner_legal,
        loser_legal,
        winner_wins,
        loser_losses,
    } = &solution.tally;
    Statistics {
        white_to_move: counts(*winner_legal, winner_wins),
        black_to_move: counts(*loser_legal, loser_losses),
    }
}

/// Blocks of each order that are compressed at first, quickly, and the level for it.
const FIRST_ROUND: (u64, i32) = (8, 3);
/// How many orders come into the second round, and the blocks of each, compressed as the file
/// will be.
const SECOND_ROUND: (usize, u64) = (4, 24);

/// The layout whose sampled blocks compress best. Equal ones are told apart by their order, so
/// that the choice is the same everywhere.
fn best_layout(
    material: CanonicalMaterial,
    solved: &Solved,
    codes: usize,
    options: &WriteOptions,
) -> Layout {
    let symmetry = Layout::symmetry_of(material);
    let size = |layout: &Layout, level: i32, blocks: u64| {
        let source = solved.in_order(layout);
        let options = WriteOptions {
            level,
            ..options.clone()
        };
        let all = source.cells().div_ceil(options.block_cells.into());
        let n = blocks.min(all);
        // Evenly spread, each in the middle of its share.
        let chosen: Vec<u64> = (0..n).map(|i| (2 * i + 1) * all / (2 * n)).collect();
        sample_bytes(&source, codes, &options, &chosen)
    };
    let round = |layouts: Vec<Layout>, level: i32, blocks: u64, keep: usize| {
        let mut sized: Vec<(u64, Layout)> = layouts
            .into_par_iter()
            .map(|layout| (size(&layout, level, blocks), layout))
            .collect();
        sized.sort_by_key(|(bytes, _)| *bytes);
        sized.truncate(keep);
        sized.into_iter().map(|(_, layout)| layout).collect()
    };
    let layouts: Vec<Layout> = orders(&components(material))
        .into_iter()
        .filter_map(|order| Layout::new(material, Color::White, symmetry, &order).ok())
        .collect();
    let (blocks, level) = FIRST_ROUND;
    let layouts = round(layouts, level, blocks, SECOND_ROUND.0);
    let mut best: Vec<Layout> = round(layouts, options.level, SECOND_ROUND.1, 1);
    best.remove(0)
}
