//! Out-of-core generation with men on both sides. Under each goal, each side's wins are solved
//! slice by slice, and the distances stay on disk until the table is written.

use std::path::Path;
use std::sync::Arc;

use super::assemble::Slabs;
use super::checkpoint::CheckpointFiles;
use super::distances::{Distances, Numbers};
use super::in_little_memory::InLittleMemory;
use super::slab_cells::SlicedCells;
use super::solve_steps::solve_steps;
use super::statistics::counts;
use super::two_sided_cells::{SideSlice, TwoSidedCells, used};
use super::work_file::{refuse_later_versions, remove_files, work_directory};
use crate::board::Color;
use crate::generate::code_set::keep_used;
use crate::generate::coded_cells::{CodedCells, both_codes, same_codes};
use crate::generate::goal::Goal;
use crate::generate::method::Slices;
use crate::generate::phases::Phase;
use crate::generate::report::Progress;
use crate::generate::section::write_section;
use crate::generate::table_job::TableJob;
use crate::solve::{LaneLayout, Unit, digest};
use crate::statistics::Statistics;
use crate::table::{Code, Metric, TableError, TableErrorKind, TableWriter};

/// An ending solved under one goal, with both sides' distances.
#[derive(Clone)]
struct Solved {
    unit: Unit,
    white: Vec<SideSlice>,
    black: Vec<SideSlice>,
}

/// Solves an ending under each goal and writes its sections.
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
    refuse_later_versions(&work_directory(job.directory, material))?;
    let metrics: Vec<Metric> = Metric::all_of(material, job.options.rules).collect();
    let mut solver = Solver {
        slices,
        in_files,
        done: 0,
        total: metrics.len() as u16 * 2 * slices.of(material, Color::White).len() as u16,
    };
    // Every goal is solved before anything is written: an interrupted run keeps the solves, but not
    // the written part of a table.
    let mut solved: Vec<(Metric, Option<Solved>)> = Vec::new();
    let mut known: Option<Solved> = None;
    for metric in metrics {
        let goal = Goal::of(metric, material);
        let found = solver.solve(job, goal, known.as_ref())?;
        if metric.base(material).is_none() {
            // Later goals are compared with these distances: first those to mate, then those to
            // makruk's honor.
            known = found.or(known);
            solved.push((metric, known.clone()));
        } else {
            solved.push((metric, found));
        }
    }
    let mut base: Option<(Solved, Option<CodedCells>)> = None;
    for (metric, solved) in solved {
        let Some(solved) = solved else {
            // A metric with the same results as its base has no section.
            continue;
        };
        let statistics = solved.statistics();
        if metric == Metric::Dtm {
            job.report.statistics = statistics.clone();
        }
        if metric.base(material).is_some() {
            write_based(job, writer, (slices, metric), solved, base.as_ref())?;
            continue;
        }
        drop(base.take());
        let cells = solved.cells(job);
        let codes = solved.codes(job, &cells)?;
        match slices {
            Slices::ByColor => {
                let cells = SlicedCells {
                    slices: cells,
                    codes,
                };
                write_section(job, writer, metric, statistics, &cells, None)?;
                base = Some((solved, None));
            }
            Slices::Whole => {
                let longest = cells.largest().0;
                let cells = job.measure(Phase::Collecting, || cells.all_cells())?;
                let cells = CodedCells::of_bytes(solved.whole(job), codes, longest, cells);
                let cells = InLittleMemory(cells);
                write_section(job, writer, metric, statistics, &cells, None)?;
                base = Some((solved, Some(cells.0)));
            }
        }
    }
    Ok(())
}

/// Writes the section of a metric as differences from its base section. Writes nothing if every
/// cell equals the corresponding cell of the base section, or if there is no base section.
fn write_based(
    job: &mut TableJob<'_>,
    writer: &mut TableWriter,
    (slices, metric): (Slices, Metric),
    solved: Solved,
    base: Option<&(Solved, Option<CodedCells>)>,
) -> Result<(), TableError> {
    let unit = solved.unit;
    let statistics = match unit {
        Unit::Plies(_) => solved.statistics().plies_to_moves(),
        Unit::Moves => solved.statistics(),
    };
    let mut cells = solved.cells(job);
    let codes = solved.codes(job, &cells)?;
    match (slices, base) {
        (Slices::Whole, Some((_, Some(base)))) => {
            let longest = cells.largest().0;
            let all = job.measure(Phase::Collecting, || cells.all_cells())?;
            let all = CodedCells::of_bytes(solved.whole(job), codes, longest, all);
            if let Some(all) = job.measure(Phase::Collecting, || all.based_on(base, unit)) {
                write_section(job, writer, metric, statistics, &InLittleMemory(all), None)?;
            }
            Ok(())
        }
        (_, Some((known, _))) => {
            let base_cells = known.cells(job);
            let base_codes = known.codes(job, &base_cells)?;
            let same = same_codes(&codes, &base_codes, unit);
            cells.based_on((known.white.clone(), known.black.clone()), same);
            let mut codes = codes;
            codes.insert(0, Code::Base);
            // In moves, the search may stop at the first difference. In plies, it must find all
            // used codes, since unused codes are removed.
            let by_moves = unit == Unit::Moves;
            let used = job.measure(Phase::Collecting, || {
                used(&cells, codes.len(), &|used| by_moves && used[1..].any())
            })?;
            if !used[1..].any() {
                return Ok(());
            }
            if !by_moves {
                let new_codes = keep_used(&mut codes, &used);
                cells.renumber(&new_codes);
            }
            let cells = SlicedCells {
                slices: cells,
                codes,
            };
            write_section(job, writer, metric, statistics, &cells, None)
        }
        (_, None) => Ok(()),
    }
}

impl Solved {
    /// The lane layout of the whole ending, from which the table's cells are read.
    fn whole(&self, job: &TableJob<'_>) -> LaneLayout {
        LaneLayout::new(job.material.material(), Color::White)
    }

    fn cells(&self, job: &TableJob<'_>) -> TwoSidedCells {
        let sides = (self.white.clone(), self.black.clone());
        TwoSidedCells::new(self.whole(job), sides)
    }

    /// The code for each value of a cell, indexed by the value.
    fn codes(&self, job: &TableJob<'_>, cells: &TwoSidedCells) -> Result<Vec<Code>, TableError> {
        let (white, black) = cells.largest();
        let codes = both_codes(white, black);
        // Of the 256 values, one is reserved for references to the base, and one for illegal
        // positions.
        if codes.len() > usize::from(u8::MAX) - 1 {
            let kind = TableErrorKind::BadInput(format!(
                "the ending has {} different results, more than the 254 that fit",
                codes.len()
            ));
            return Err(TableError::new(None, Some(job.material), kind));
        }
        Ok(codes)
    }

    fn statistics(&self) -> Statistics {
        let of = |slices: &'_ [SideSlice]| -> Vec<_> {
            let pair = |s: &SideSlice| (s.distances.counts().clone(), s.lane_layout.clone());
            slices.iter().map(pair).collect()
        };
        let (white, black) = (of(&self.white), of(&self.black));
        Statistics {
            white_to_move: counts(
                &white,
                |counts| counts.legal.0,
                |counts| &counts.wins,
                Some((&black, |counts| &counts.losses)),
            ),
            black_to_move: counts(
                &white,
                |counts| counts.legal.1,
                |counts| &counts.losses,
                Some((&black, |counts| &counts.wins)),
            ),
        }
    }
}

/// Solves the wins of one side and then those of the other, slice by slice.
struct Solver {
    slices: Slices,
    /// True if the arrays of a solve are in files.
    in_files: bool,
    /// The number of solves begun, out of `total`.
    done: u16,
    total: u16,
}

impl Solver {
    /// Solves an ending under a goal. `known` is the same ending, solved under an earlier goal. If
    /// the captures in a slice have the same values under both goals, the slice's wins are taken
    /// from `known`. Returns `None` if the wins of all slices are taken from `known`.
    fn solve(
        &mut self,
        job: &mut TableJob<'_>,
        goal: Goal,
        known: Option<&Solved>,
    ) -> Result<Option<Solved>, TableError> {
        // Distances in another unit (moves or plies) cannot be reused.
        let known = known.filter(|known| known.unit == goal.unit());
        let mut any = false;
        let mut side = |winner: Color| -> Result<Vec<SideSlice>, TableError> {
            let slices = self.slices.of(job.material, winner);
            let mut solved = Vec::new();
            for (number, (slice, lane_layout)) in slices.into_iter().enumerate() {
                self.done += 1;
                (job.progress)(Progress::Slice(self.done.into(), self.total.into()));
                let known = known.map(|known| match winner {
                    Color::White => &known.white[number].distances,
                    Color::Black => &known.black[number].distances,
                });
                let distances = distances(job, (goal, self.in_files), &lane_layout, number, known)?;
                any |= known.is_none_or(|known| !Arc::ptr_eq(known, &distances));
                solved.push(SideSlice {
                    slice,
                    lane_layout,
                    distances,
                });
            }
            Ok(solved)
        };
        let (white, black) = (side(Color::White)?, side(Color::Black)?);
        let unit = goal.unit();
        Ok(any.then_some(Solved { unit, white, black }))
    }
}

/// The prefix of a solve's file names, for example `mate-white-0`.
fn name(goal: Goal, winner: Color, slice: usize) -> String {
    let goal = match goal {
        Goal::Mate => "mate".to_string(),
        Goal::Honor(rules) => rules.to_string(),
        Goal::Zeroing => "zeroing".to_string(),
    };
    let winner = match winner {
        Color::White => "white",
        Color::Black => "black",
    };
    format!("{goal}-{winner}-{slice}")
}

/// Returns the distances of one side's wins in a slice. They are read from disk, taken from
/// `known`, or solved, continuing from the checkpoints.
fn distances(
    job: &mut TableJob<'_>,
    (goal, in_files): (Goal, bool),
    lane_layout: &LaneLayout,
    slice: usize,
    known: Option<&Arc<Distances>>,
) -> Result<Arc<Distances>, TableError> {
    let directory = work_directory(job.directory, job.material);
    let (material, unit) = (job.material, goal.unit());
    let name = name(goal, lane_layout.winner(), slice);
    if let Some(found) = Distances::open(&directory, material, &name, lane_layout)? {
        remove_steps(&directory, &name)?;
        return Ok(Arc::new(found));
    }
    let (leaves, captures) = job.leaves(lane_layout, goal, |leaves| {
        let digest = digest(&leaves);
        (leaves, digest)
    });
    if let Some(known) = known.filter(|known| known.have_captures(captures)) {
        return Ok(Arc::clone(known));
    }
    let mut steps = CheckpointFiles::open(&directory, material, &name, lane_layout)?;
    if steps.discarded() {
        (job.progress)(Progress::Discarded);
    }
    if in_files {
        steps.keep_arrays_in_files();
    }
    job.report.cells += lane_layout.lanes() as u64 * 64 * 2;
    let counts = solve_steps(job, lane_layout, leaves, unit, &mut steps)?;
    steps.join()?;
    let numbers = match lane_layout.winner() {
        Color::White => Numbers::Wins,
        Color::Black => Numbers::Losses,
    };
    let solved = job.measure(Phase::Collecting, || {
        Distances::collect(
            &directory,
            material,
            &name,
            lane_layout,
            &steps,
            (numbers, unit),
            (captures, counts),
        )
    })?;
    drop(steps);
    remove_steps(&directory, &name)?;
    Ok(Arc::new(solved))
}

/// Removes the checkpoints of a solve.
fn remove_steps(directory: &Path, solve: &str) -> Result<(), TableError> {
    let prefix = format!("{solve}.step-");
    remove_files(directory, &|name| name.starts_with(&prefix))
}
