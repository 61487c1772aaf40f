//! Endings whose distances do not stay in memory: solved slice by slice into step logs, and put
//! together slab by slab.
//!
//! Which endings these are depends on the ending alone, and so do the order of their cells and
//! their bytes. Smaller bare-king endings may go through a log too, where memory is short: whole,
//! and to the same bytes as in memory.

use std::path::Path;

use super::encode::{Solved, orders};
use super::journal::{SliceTally, StepLog, work_directory};
use super::library::{Goal, Library};
use super::one::{Progress, Report};
use super::order::{best_order, smallest};
use super::phases::Phase;
use super::staged::{LARGEST, Slabs, SlabsInOrder, SolvedSlice, Staged};
use crate::board::Color;
use crate::index::{ColorSlice, Component, Layout};
use crate::material::CanonicalMaterial;
use crate::solve::{Frame, Simd, Tally, solve_recorded};
use crate::stats::{Counts, Example, Statistics};
use crate::table::{
    CellSource, Metric, SectionInfo, TableError, TableErrorKind, TableWriter, WriteOptions,
};

/// From this many lanes on an ending is large: its cells no longer fit into a gigabyte.
const LARGE_LANES: u64 = 1 << 24;

/// Whether an ending's cells are ordered, and its distances put together, slab by slab.
pub fn is_large(material: CanonicalMaterial) -> bool {
    let frame = Frame::new(material.material(), Color::White);
    let lanes = (0..frame.groups().len())
        .map(|group| frame.placements(group).len() as u64)
        .fold(frame.domain().len() as u64, u64::saturating_mul);
    material.is_bare() && lanes > LARGE_LANES
}

/// The slices in which an ending is solved through files.
pub fn slices(material: CanonicalMaterial, sliced: bool) -> Vec<(ColorSlice, Frame)> {
    let own = material.material();
    if !sliced {
        return vec![(ColorSlice::whole(), Frame::new(own, Color::White))];
    }
    ColorSlice::all(own)
        .into_iter()
        .map(|slice| {
            let frame = Frame::of_slice(own, Color::White, &slice);
            (slice, frame)
        })
        .collect()
}

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
    let mut tallies = Vec::new();
    let all = slices(material, sliced);
    for (number, (slice, frame)) in all.iter().enumerate() {
        progress(Progress::Slice(number as u16 + 1, all.len() as u16));
        let log = StepLog::open(&work, material, number, frame)?;
        if log.discarded() {
            progress(Progress::Discarded);
        }
        let log = solve_slice(material, frame, log, library, report, progress)?;
        tallies.push(log.done().cloned().unwrap_or_default());
        report.cells += frame.lanes() as u64 * 64 * 2;
        report.work_bytes += log.bytes();
        solved.push(SolvedSlice {
            slice: slice.clone(),
            frame: frame.clone(),
            log,
        });
    }
    let statistics = statistics(&solved, &tallies);
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
    let staged = Staged::new(Frame::new(material.material(), Color::White), solved);
    let codes = Staged::codes(longest);
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
            king_outermost(material, &Slabs::new(&staged), codes.len(), options)
        })?;
        let slabs = Slabs::laid_out(&staged, &layout);
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
        let cells = Solved::of_bytes(
            Frame::new(material.material(), Color::White),
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
    frame: &Frame,
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
        let leaves = library.leaves(material.material(), frame, Goal::Mate);
        // Their memory is needed now.
        library.forget();
        leaves
    });
    let solved = report.phases.measure(Phase::Solving, || {
        solve_recorded(
            frame.clone(),
            leaves,
            Simd::detect(),
            &mut log,
            &mut |step| {
                progress(Progress::Solved(step.moves));
            },
        )
    });
    let Ok(tally) = solved else {
        return Err(log.take_error());
    };
    log.finish_slice(SliceTally::from(tally))?;
    Ok(log)
}

impl From<Tally> for SliceTally {
    fn from(tally: Tally) -> SliceTally {
        SliceTally {
            legal: (tally.winner_legal, tally.loser_legal),
            wins: tally.winner_wins,
            losses: tally.loser_losses,
        }
    }
}

/// The statistics of all slices together. The example of a distance is that of the first slice
/// that has one.
fn statistics(slices: &[SolvedSlice], tallies: &[SliceTally]) -> Statistics {
    type List = Vec<(u64, Option<u64>)>;
    let counts = |legal: u64, list: &dyn Fn(&SliceTally) -> &List| {
        let length = tallies.iter().map(|tally| list(tally).len()).max();
        let mut wins: Vec<(u64, Option<Example>)> = vec![(0, None); length.unwrap_or(0)];
        for (slice, tally) in slices.iter().zip(tallies) {
            for (sum, (n, example)) in wins.iter_mut().zip(list(tally)) {
                sum.0 += n;
                let example = example.map(|number| slice.frame.example(number));
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
        white_to_move: counts(tallies.iter().map(|t| t.legal.0).sum(), &|t| &t.wins),
        black_to_move: counts(tallies.iter().map(|t| t.legal.1).sum(), &|t| &t.losses),
    }
}

/// The layout with White's king outermost whose sampled blocks compress best. The samples are
/// those of one slab, in the middle of the king's squares.
fn king_outermost(
    material: CanonicalMaterial,
    slabs: &Slabs<'_>,
    codes: usize,
    options: &WriteOptions,
) -> Result<Layout, TableError> {
    let symmetry = Layout::symmetry_of(material);
    let groups = Layout::groups_of(material).len();
    let mut inner = vec![Component::Lane];
    inner.extend((0..groups).map(Component::Group));
    let layouts = orders(&inner).into_iter().filter_map(|mut order| {
        order.insert(0, Component::Anchor);
        Layout::new(material, Color::White, symmetry, &order).ok()
    });
    let layouts: Vec<Layout> = layouts.collect();
    let slab = symmetry.domain().len() / 2;
    let first = slabs.in_order(&layouts[0]);
    first.prepare(first.cells_of(slab))?;
    let source = |layout: &Layout| -> SlabsInOrder<'_> { slabs.in_order(layout) };
    let blocks = first.cells_of(slab);
    let size = u64::from(options.block_cells);
    // Whole blocks of the slab alone.
    let blocks = blocks.start.div_ceil(size)..(blocks.end / size).max(blocks.start.div_ceil(size));
    Ok(smallest(layouts, codes, options, blocks, &source))
}
