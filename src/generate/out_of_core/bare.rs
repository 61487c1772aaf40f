//! Out-of-core generation against a bare king. The ending is solved as a whole or slice by slice.

use super::assemble::{LARGEST, Slabs, SolvedSlice, SolvedSlices};
use super::checkpoint::CheckpointFiles;
use super::in_little_memory::InLittleMemory;
use super::slab_cells::SlicedCells;
use super::solve_steps::solve_steps;
use super::statistics::counts;
use super::work_file::{refuse_later_versions, work_directory};
use crate::board::Color;
use crate::generate::coded_cells::{CodedCells, white_codes};
use crate::generate::goal::Goal;
use crate::generate::method::Slices;
use crate::generate::phases::Phase;
use crate::generate::report::Progress;
use crate::generate::section::write_section;
use crate::generate::table_job::TableJob;
use crate::solve::LaneLayout;
use crate::statistics::Statistics;
use crate::table::{Metric, TableError, TableErrorKind, TableWriter};

/// Solves an ending against a bare king, and writes its only section.
///
/// # Errors
///
/// If the checkpoints cannot be read or written, the table cannot be written, or a win is too long
/// for one-byte cells.
pub fn write_sections(
    (slices, in_files): (Slices, bool),
    job: &mut TableJob<'_>,
    writer: &mut TableWriter,
) -> Result<(), TableError> {
    let material = job.material;
    let solved = solve_slices((slices, in_files), job)?;
    let steps = solved.iter().map(|slice| slice.checkpoints.steps()).max();
    if let Some(longest) = steps.filter(|&longest| longest > LARGEST) {
        let kind = TableErrorKind::BadInput(format!(
            "the longest win has {longest} moves, more than {LARGEST}"
        ));
        return Err(TableError::new(None, Some(material), kind));
    }
    let statistics = statistics(&solved);
    job.report.statistics = statistics.clone();
    let layout = LaneLayout::new(material.material(), Color::White);
    match slices {
        Slices::ByColor => {
            let longest = statistics.white_to_move.white_wins.len().saturating_sub(1);
            let cells = SlicedCells {
                slices: SolvedSlices::new(layout, solved),
                codes: white_codes(longest as u16),
            };
            write_section(job, writer, Metric::Dtm, statistics, &cells, None)
        }
        Slices::Whole => {
            // As in a solve in memory, this includes wins just after a capture by the lane's king.
            let longest = solved
                .iter()
                .map(|slice| slice.checkpoints.last_win())
                .max();
            let codes = white_codes(longest.unwrap_or(0));
            let slices = SolvedSlices::new(layout.clone(), solved);
            let cells = job.measure(Phase::Collecting, || slices.all_cells())?;
            let cells = InLittleMemory(CodedCells::of_bytes(
                layout,
                codes,
                longest.unwrap_or(0),
                cells,
            ));
            write_section(job, writer, Metric::Dtm, statistics, &cells, None)
        }
    }
}

/// Solves the slices of an ending one by one. Each slice continues from its own checkpoints.
fn solve_slices(
    (slices, in_files): (Slices, bool),
    job: &mut TableJob<'_>,
) -> Result<Vec<SolvedSlice>, TableError> {
    let directory = work_directory(job.directory, job.material);
    refuse_later_versions(&directory)?;
    let slices = slices.of(job.material, Color::White);
    let total = slices.len() as u32;
    let mut solved = Vec::new();
    for (number, (slice, lane_layout)) in slices.into_iter().enumerate() {
        (job.progress)(Progress::Slice(number as u32 + 1, total));
        let mut checkpoints = CheckpointFiles::open(
            &directory,
            job.material,
            &format!("slice-{number}"),
            &lane_layout,
        )?;
        if checkpoints.discarded() {
            (job.progress)(Progress::Discarded);
        }
        if in_files {
            checkpoints.keep_arrays_in_files();
        }
        if checkpoints.done().is_none() {
            let leaves = job.leaves(&lane_layout, Goal::Mate, |leaves| leaves);
            let unit = Goal::Mate.unit();
            let counts = solve_steps(job, &lane_layout, leaves, unit, &mut checkpoints)?;
            checkpoints.finish_slice(counts)?;
            job.report.cells += lane_layout.lanes() as u64 * 64 * 2;
        }
        solved.push(SolvedSlice {
            slice,
            lane_layout,
            checkpoints,
        });
    }
    Ok(solved)
}

/// The combined statistics of all slices.
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
