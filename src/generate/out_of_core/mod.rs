//! Bare-king endings whose distances do not stay in memory: each step's wins are kept as a
//! checkpoint on disk, and the cells are assembled from the checkpoints, slab by slab.

mod assemble;
mod checkpoint;
mod slab_cells;

use std::path::{Path, PathBuf};

use self::assemble::{LARGEST, SolvedSlice, SolvedSlices};
use self::checkpoint::{CheckpointFiles, SliceCounts};
use self::slab_cells::SlicedCells;
use super::choose_order::best_order;
use super::coded_cells::{CodedCells, white_codes};
use super::context::Context;
use super::goal::Goal;
use super::method::Slices;
use super::phases::Phase;
use super::report::Progress;
use super::section::{SectionCells, write_section as write};
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::solve::{Counted, LaneLayout, Leaf, Simd, SolveCounts, StepDone, solve_checkpointed};
use crate::stats::{Counts, Example, Statistics};
use crate::table::{
    CellSource, Code, Metric, Packing, SectionInfo, TableError, TableErrorKind, TableWriter,
    WriteOptions,
};

/// Solves an ending out of core and writes its one section.
///
/// # Errors
///
/// If the checkpoints cannot be read or written, or the table cannot be written.
pub fn write_section(
    slices: Slices,
    context: &mut Context<'_>,
    writer: &mut TableWriter,
) -> Result<(), TableError> {
    let material = context.material;
    let solved = solve_slices(slices, context)?;
    let steps = solved.iter().map(|slice| slice.checkpoints.steps()).max();
    if let Some(longest) = steps.filter(|&longest| longest > LARGEST) {
        let kind = TableErrorKind::BadInput(format!("a win in {longest} moves"));
        return Err(TableError::new(None, Some(material), kind));
    }
    let statistics = statistics(&solved);
    context.report.statistics = statistics.clone();
    let layout = LaneLayout::new(material.material(), Color::White);
    match slices {
        Slices::ByColor => {
            let longest = statistics.white_to_move.white_wins.len().saturating_sub(1);
            let cells = SlicedCells {
                slices: SolvedSlices::new(layout, solved),
                codes: white_codes(longest as u16),
            };
            write(context, writer, Metric::Dtm, statistics, &cells)
        }
        Slices::Whole => {
            // As in memory, where what the lane's king may take is counted as well.
            let longest = solved
                .iter()
                .map(|slice| slice.checkpoints.last_win())
                .max();
            let codes = white_codes(longest.unwrap_or(0));
            let slices = SolvedSlices::new(layout.clone(), solved);
            let cells = context.measure(Phase::Collecting, || slices.all_cells())?;
            let cells = InLittleMemory(CodedCells::of_bytes(layout, codes, cells));
            write(context, writer, Metric::Dtm, statistics, &cells)
        }
    }
}

/// Cells that are permuted when they are read, since memory is short.
struct InLittleMemory(CodedCells);

impl SectionCells for InLittleMemory {
    fn codes(&self) -> &[Code] {
        self.0.codes()
    }

    fn best_order(
        &self,
        material: CanonicalMaterial,
        info: &SectionInfo,
        options: &WriteOptions,
    ) -> Result<(Layout, Packing), TableError> {
        let in_order = |layout: &Layout| self.0.permuted_when_read(layout);
        Ok(best_order(material, info, in_order, options))
    }

    fn in_order(&self, layout: &Layout) -> Box<dyn CellSource + '_> {
        Box::new(self.0.permuted_when_read(layout))
    }
}

/// Solves the slices of an ending one by one, each from where its checkpoints end.
fn solve_slices(slices: Slices, context: &mut Context<'_>) -> Result<Vec<SolvedSlice>, TableError> {
    let directory = checkpoint_directory(context.directory, context.material);
    let slices = slices.of(context.material);
    let total = slices.len() as u16;
    let mut solved = Vec::new();
    for (number, (slice, lane_layout)) in slices.into_iter().enumerate() {
        (context.progress)(Progress::Slice(number as u16 + 1, total));
        let mut checkpoints =
            CheckpointFiles::open(&directory, context.material, number, &lane_layout)?;
        if checkpoints.discarded() {
            (context.progress)(Progress::Discarded);
        }
        if checkpoints.done().is_none() {
            let leaves = context.leaves(&lane_layout, Goal::Mate, |leaves| leaves);
            solve_slice(context, &lane_layout, leaves, &mut checkpoints)?;
        }
        context.report.cells += lane_layout.lanes() as u64 * 64 * 2;
        context.report.work_bytes += checkpoints.bytes();
        solved.push(SolvedSlice {
            slice,
            lane_layout,
            checkpoints,
        });
    }
    Ok(solved)
}

/// Solves a slice from where its checkpoints end.
fn solve_slice(
    context: &mut Context<'_>,
    lane_layout: &LaneLayout,
    leaves: Vec<Leaf>,
    checkpoints: &mut CheckpointFiles,
) -> Result<(), TableError> {
    let progress = context.progress;
    let counts = context.measure(Phase::Solving, || {
        let watch = &mut |step: StepDone| progress(Progress::Solved(step.moves));
        solve_checkpointed(
            lane_layout.clone(),
            leaves,
            Simd::detect(),
            checkpoints,
            watch,
        )
    });
    match counts {
        Ok(counts) => checkpoints.finish_slice(SliceCounts::from(counts)),
        Err(_) => Err(checkpoints.take_error()),
    }
}

/// The directory of an ending's checkpoints.
fn checkpoint_directory(directory: &Path, material: CanonicalMaterial) -> PathBuf {
    directory.join(format!("{material}.work"))
}

/// Removes an ending's checkpoints.
///
/// # Errors
///
/// If a file cannot be removed. A directory that is not there is no error.
pub fn remove_checkpoints(directory: &Path, material: CanonicalMaterial) -> Result<(), TableError> {
    checkpoint::remove_work(&checkpoint_directory(directory, material))
}

impl From<SolveCounts> for SliceCounts {
    fn from(counts: SolveCounts) -> SliceCounts {
        SliceCounts {
            legal: (counts.winner_legal, counts.loser_legal),
            wins: counts.steps.iter().map(|step| step.wins).collect(),
            losses: counts.steps.iter().map(|step| step.losses).collect(),
        }
    }
}

/// The statistics of all slices together.
fn statistics(slices: &[SolvedSlice]) -> Statistics {
    Statistics {
        white_to_move: counts(slices, |counts| counts.legal.0, |counts| &counts.wins),
        black_to_move: counts(slices, |counts| counts.legal.1, |counts| &counts.losses),
    }
}

/// The counts for one side to move. The example of a distance is that of the first slice that has
/// one.
fn counts(
    slices: &[SolvedSlice],
    legal: impl Fn(&SliceCounts) -> u64,
    by_distance: impl Fn(&SliceCounts) -> &[Counted],
) -> Counts {
    let mut draws = 0;
    let mut white_wins = Vec::new();
    let mut white_examples: Vec<Option<Example>> = Vec::new();
    for slice in slices {
        let Some(counts) = slice.checkpoints.done() else {
            continue;
        };
        let wins = by_distance(counts);
        white_wins.resize(white_wins.len().max(wins.len()), 0);
        white_examples.resize(white_wins.len(), None);
        draws += legal(counts);
        for (distance, win) in wins.iter().enumerate() {
            white_wins[distance] += win.positions;
            if white_examples[distance].is_none() {
                let example = win.example.map(|number| slice.lane_layout.example(number));
                white_examples[distance] = example;
            }
        }
    }
    let last = white_wins.iter().rposition(|&wins| wins > 0).unwrap_or(0);
    white_wins.truncate(last + 1);
    white_examples.truncate(last + 1);
    Counts {
        draws: draws - white_wins.iter().sum::<u64>(),
        white_wins,
        white_examples,
        ..Counts::default()
    }
}
