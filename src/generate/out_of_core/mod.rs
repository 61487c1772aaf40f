//! Endings whose distances do not stay in memory: solved slice by slice into step logs, and put
//! together slab by slab.
//!
//! Which endings these are depends on the ending alone, and so do the order of their cells and
//! their bytes. Smaller bare-king endings may go through a log too, where memory is short: whole,
//! and to the same bytes as in memory.

mod assemble;
mod step_log;

pub use step_log::{remove_work, work_directory};

use std::path::Path;

use self::assemble::{LARGEST, SlabCells, SlabWindow, SolvedSlice, SolvedSlices};
use self::step_log::{SliceCounts, StepLog};
use crate::board::Color;
use crate::generate::choose_order::{best_order, orders, smallest};
use crate::generate::encode::CodedCells;
use crate::generate::library::{Goal, Library};
use crate::generate::method::slices;
use crate::generate::phases::Phase;
use crate::generate::report::{Progress, Report};
use crate::index::{Component, Layout};
use crate::material::CanonicalMaterial;
use crate::solve::{LaneLayout, Simd, SolveCounts, solve_checkpointed};
use crate::stats::{Counts, Example, Statistics};
use crate::table::{
    CellSource, Metric, SectionInfo, TableError, TableErrorKind, TableWriter, WriteOptions,
};

/// Solves a bare-king ending through files and writes its one section.
pub fn write_through_files(
    material: CanonicalMaterial,
    directory: &Path,
    sliced: bool,
    library: &mut Library,
    options: &WriteOptions,
    (writer, report): (&mut TableWriter, &mut Report),
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(), TableError> {
    let work = work_directory(directory, material);
    let mut solved = Vec::new();
    let mut all_counts = Vec::new();
    let all = slices(material, sliced);
    for (number, (slice, lane_layout)) in all.iter().enumerate() {
        progress(Progress::Slice(number as u16 + 1, all.len() as u16));
        let log = StepLog::open(&work, material, number, lane_layout)?;
        if log.discarded() {
            progress(Progress::Discarded);
        }
        let log = solve_slice(material, lane_layout, log, library, report, progress)?;
        all_counts.push(log.done().cloned().unwrap_or_default());
        report.cells += lane_layout.lanes() as u64 * 64 * 2;
        report.work_bytes += log.bytes();
        solved.push(SolvedSlice {
            slice: slice.clone(),
            lane_layout: lane_layout.clone(),
            log,
        });
    }
    let statistics = statistics(&solved, &all_counts);
    report.statistics = statistics.clone();
    let longest = solved.iter().map(|s| s.log.steps()).max().unwrap_or(0);
    if longest > LARGEST {
        let kind = TableErrorKind::BadInput(format!("a win in {longest} moves"));
        return Err(TableError::new(None, Some(material), kind));
    }
    let longest = match sliced {
        true => statistics.white_to_move.white_wins.len().saturating_sub(1) as u16,
        // As in memory, where what the lane's king may take is counted as well.
        false => solved.iter().map(|s| s.log.last_win()).max().unwrap_or(0),
    };
    let staged = SolvedSlices::new(LaneLayout::new(material.material(), Color::White), solved);
    let codes = SolvedSlices::codes(longest);
    let phases = &mut report.phases;
    let mut info = SectionInfo {
        metric: Metric::Dtm,
        side: Color::White,
        symmetry: Layout::symmetry_of(material).id(),
        order: Vec::new(),
        codes: codes.clone(),
        statistics,
    };
    progress(Progress::Choosing);
    if sliced {
        let layout = phases.measure(Phase::Choosing, || {
            king_outermost(material, &SlabWindow::new(&staged), codes.len(), options)
        })?;
        let slabs = SlabWindow::laid_out(&staged, &layout);
        let cells = slabs.in_order(&layout);
        info.order = layout.order_bytes();
        let all = layout.cells();
        phases.measure(Phase::Writing, || {
            writer.add_section(info, &cells, &|done| {
                progress(Progress::Written(done, all));
            })
        })?;
    } else {
        let cells = phases.measure(Phase::Collecting, || staged.all_cells())?;
        let cells = CodedCells::of_bytes(
            LaneLayout::new(material.material(), Color::White),
            codes.clone(),
            cells,
        );
        let in_order = |layout: &Layout| cells.in_order(layout);
        let (layout, packing) = phases.measure(Phase::Choosing, || {
            best_order(material, &info, in_order, options)
        });
        info.order = layout.order_bytes();
        let all = layout.cells();
        phases.measure(Phase::Writing, || {
            writer.add_packed(info, packing, &cells.in_order(&layout), &|done| {
                progress(Progress::Written(done, all));
            })
        })?;
    }
    Ok(())
}

/// Solves a slice, from where its log ends.
fn solve_slice(
    material: CanonicalMaterial,
    lane_layout: &LaneLayout,
    mut log: StepLog,
    library: &mut Library,
    report: &mut Report,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<StepLog, TableError> {
    if log.done().is_some() {
        return Ok(log);
    }
    progress(Progress::Reading);
    let leaves = report.phases.measure(Phase::Smaller, || {
        let leaves = library.leaves(material.material(), lane_layout, Goal::Mate);
        // Their memory is needed now.
        library.forget();
        leaves
    });
    let solved = report.phases.measure(Phase::Solving, || {
        solve_checkpointed(
            lane_layout.clone(),
            leaves,
            Simd::detect(),
            &mut log,
            &mut |step| {
                progress(Progress::Solved(step.moves));
            },
        )
    });
    let Ok(counts) = solved else {
        return Err(log.take_error());
    };
    log.finish_slice(SliceCounts::from(counts))?;
    Ok(log)
}

impl From<SolveCounts> for SliceCounts {
    fn from(counts: SolveCounts) -> SliceCounts {
        SliceCounts {
            legal: (counts.winner_legal, counts.loser_legal),
            wins: counts.winner_wins,
            losses: counts.loser_losses,
        }
    }
}

/// The statistics of all slices together. The example of a distance is that of the first slice
/// that has one.
fn statistics(slices: &[SolvedSlice], all_counts: &[SliceCounts]) -> Statistics {
    type List = Vec<(u64, Option<u64>)>;
    let counts = |legal: u64, list: &dyn Fn(&SliceCounts) -> &List| {
        let length = all_counts.iter().map(|counts| list(counts).len()).max();
        let mut wins: Vec<(u64, Option<Example>)> = vec![(0, None); length.unwrap_or(0)];
        for (slice, counts) in slices.iter().zip(all_counts) {
            for (sum, (n, example)) in wins.iter_mut().zip(list(counts)) {
                sum.0 += n;
                let example = example.map(|number| slice.lane_layout.example(number));
                sum.1 = sum.1.take().or(example);
            }
        }
        let last = wins.iter().rposition(|(n, _)| *n > 0).unwrap_or(0);
        wins.truncate(last + 1);
        let (white_wins, white_examples): (Vec<u64>, Vec<_>) = wins.into_iter().unzip();
        Counts {
            draws: legal - white_wins.iter().sum::<u64>(),
            white_wins,
            white_examples,
            ..Counts::default()
        }
    };
    Statistics {
        white_to_move: counts(all_counts.iter().map(|t| t.legal.0).sum(), &|t| &t.wins),
        black_to_move: counts(all_counts.iter().map(|t| t.legal.1).sum(), &|t| &t.losses),
    }
}

/// The layout with White's king outermost whose sampled blocks compress best. The samples are
/// those of one slab, in the middle of the king's squares.
fn king_outermost(
    material: CanonicalMaterial,
    slabs: &SlabWindow<'_>,
    codes: usize,
    options: &WriteOptions,
) -> Result<Layout, TableError> {
    let symmetry = Layout::symmetry_of(material);
    let groups = Layout::groups_of(material).len();
    let mut inner = vec![Component::Lane];
    inner.extend((0..groups).map(Component::Group));
    let layouts = orders(&inner).into_iter().filter_map(|mut order| {
        order.insert(0, Component::Anchor);
        Layout::new(material, symmetry, &order).ok()
    });
    let layouts: Vec<Layout> = layouts.collect();
    let slab = symmetry.domain().len() / 2;
    let first = slabs.in_order(&layouts[0]);
    first.prepare(first.cells_of(slab))?;
    let source = |layout: &Layout| -> SlabCells<'_> { slabs.in_order(layout) };
    let blocks = first.cells_of(slab);
    let size = u64::from(options.block_cells);
    // Whole blocks of the slab alone.
    let blocks = blocks.start.div_ceil(size)..(blocks.end / size).max(blocks.start.div_ceil(size));
    Ok(smallest(layouts, codes, options, blocks, &source))
}
