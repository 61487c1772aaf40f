//! Endings whose distances do not stay in memory: each step's wins are kept as a
//! checkpoint on disk, and the cells are assembled from the checkpoints, slab by slab.

mod assemble;
mod checkpoint;
mod distances;
mod lane_men;
mod slab_cells;
mod statistics;
mod two_sided;
mod two_sided_cells;
mod work_file;

use std::path::{Path, PathBuf};

use self::assemble::{LARGEST, Slabs, SolvedSlice, SolvedSlices};
use self::checkpoint::{CheckpointFiles, SliceCounts};
use self::slab_cells::SlicedCells;
use self::statistics::counts;
use super::choose_order::best_order;
use super::coded_cells::{CodedCells, white_codes};
use super::context::Context;
use super::goal::Goal;
use super::method::Slices;
use super::phases::Phase;
use super::report::Progress;
use super::section::{SectionCells, write_section};
use crate::board::Color;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::solve::{LaneLayout, Leaf, Simd, StepDone, Unit, solve_checkpointed};
use crate::stats::Statistics;
use crate::table::{
    CellSource, Code, Metric, Packing, SectionInfo, TableError, TableErrorKind, TableWriter,
    WriteOptions,
};

/// Solves an ending out of core, its arrays in files or not, and writes its sections.
///
/// # Errors
///
/// If the checkpoints cannot be read or written, or the table cannot be written.
pub fn write_sections(
    slices: Slices,
    in_files: bool,
    context: &mut Context<'_>,
    writer: &mut TableWriter,
) -> Result<(), TableError> {
    if context.material.is_bare() {
        write_bare(slices, context, writer)
    } else {
        two_sided::write_sections((slices, in_files), context, writer)
    }
}

/// Solves a bare-king ending and writes its one section.
fn write_bare(
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
            write_section(context, writer, Metric::Dtm, statistics, &cells)
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
            let cells = InLittleMemory(CodedCells::of_bytes(
                layout,
                codes,
                longest.unwrap_or(0),
                cells,
            ));
            write_section(context, writer, Metric::Dtm, statistics, &cells)
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
    let slices = slices.of(context.material, Color::White);
    let total = slices.len() as u16;
    let mut solved = Vec::new();
    for (number, (slice, lane_layout)) in slices.into_iter().enumerate() {
        (context.progress)(Progress::Slice(number as u16 + 1, total));
        let mut checkpoints = CheckpointFiles::open(
            &directory,
            context.material,
            &format!("slice-{number}"),
            &lane_layout,
        )?;
        if checkpoints.discarded() {
            (context.progress)(Progress::Discarded);
        }
        if checkpoints.done().is_none() {
            let leaves = context.leaves(&lane_layout, Goal::Mate, |leaves| leaves);
            let unit = Goal::Mate.unit();
            let counts = solve_steps(context, &lane_layout, leaves, unit, &mut checkpoints)?;
            checkpoints.finish_slice(counts)?;
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

/// Solves one side's wins in a slice from where its checkpoints end.
fn solve_steps(
    context: &mut Context<'_>,
    lane_layout: &LaneLayout,
    leaves: Vec<Leaf>,
    unit: Unit,
    checkpoints: &mut CheckpointFiles,
) -> Result<SliceCounts, TableError> {
    let progress = context.progress;
    let counts = context.measure(Phase::Solving, || {
        let watch = &mut |step: StepDone| progress(Progress::Solved(step.moves));
        solve_checkpointed(
            lane_layout.clone(),
            leaves,
            unit,
            Simd::detect(),
            checkpoints,
            watch,
        )
    });
    counts
        .map(SliceCounts::from)
        .map_err(|_| checkpoints.take_error())
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
    work_file::remove_work(&checkpoint_directory(directory, material))
}

/// The statistics of all slices together.
fn statistics(slices: &[SolvedSlice]) -> Statistics {
    let done = slices.iter().filter_map(|slice| {
        let counts = slice.checkpoints.done()?.clone();
        Some((counts, slice.lane_layout.clone()))
    });
    let done: Vec<_> = done.collect();
    Statistics {
        white_to_move: counts(&done, |counts| counts.legal.0, |counts| &counts.wins, None),
        black_to_move: counts(
            &done,
            |counts| counts.legal.1,
            |counts| &counts.losses,
            None,
        ),
    }
}
