//! Solves, slice by slice, endings with bia against a bare king that are too large for memory.
//! Finished slices are stored in files.
//!
//! A slice's distances with White to move are written to a file in the work directory; at the end,
//! the table's cells are read from these files. If later slices need the distances with the bare
//! king to move, these are written to another file, and also stay in memory as long as they are
//! needed. After an interruption, only slices with missing files are solved.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::exit::Destination;
use super::planes_file::{PlanesFile, PlanesFileId, Solved};
use super::promoted::{Promotions, goal_name};
use super::slice_exits::{combine_exits, list_exits};
use super::subendings::{Subendings, material_after};
use crate::board::{Color, attacks};
use crate::generate::coded_cells::white_codes;
use crate::generate::goal::Goal;
use crate::generate::occupied_squares::OccupiedSquares;
use crate::generate::out_of_core::assemble::{LARGEST, Slabs};
use crate::generate::out_of_core::checkpoint::SliceCounts;
use crate::generate::out_of_core::slab_cells::SlicedCells;
use crate::generate::out_of_core::statistics::counts;
use crate::generate::out_of_core::work_file::{refuse_later_versions, work_directory};
use crate::generate::phases::Phase;
use crate::generate::report::Progress;
use crate::generate::section::write_section;
use crate::generate::table_job::TableJob;
use crate::index::{BiaPlacements, Component};
use crate::material::{CanonicalMaterial, Material};
use crate::parallel::ForkedByOneFunction;
use crate::solve::{BitPlanes, Keep, LaneBytes, LaneLayout, Simd, Solution, Unit, solve_slice};
use crate::statistics::Statistics;
use crate::table::{IoAction, Metric, TableError, TableErrorKind, TableWriter};

/// The side with men. The other side has a bare king.
const WINNER: Color = Color::White;

/// Solves an ending once for each goal, and writes one section of the table for each solve.
///
/// # Errors
///
/// If the table of an ending after a promotion is missing or corrupt, a file of the work directory
/// cannot be read or written, or the table cannot be written.
pub fn write_sections(job: &mut TableJob<'_>, writer: &mut TableWriter) -> Result<(), TableError> {
    let material = job.material;
    let directory = work_directory(job.directory, material);
    refuse_later_versions(&directory)?;
    std::fs::create_dir_all(&directory)
        .map_err(|error| TableError::io(&directory, IoAction::Write, error))?;
    for metric in Metric::all_of(material, job.options.rules) {
        let slices = solve(job, &directory, Goal::of(metric, material))?;
        let statistics = slices.statistics();
        let longest = slices.files.iter().map(|file| file.solved().largest);
        // As in a solve in memory, the wins after captures by the lane's king count too.
        let longest = longest.max().unwrap_or(0);
        if longest > LARGEST {
            let kind = TableErrorKind::BadInput(format!(
                "the longest win has {longest} moves, more than {LARGEST}"
            ));
            return Err(TableError::new(None, Some(material), kind));
        }
        if metric == Metric::Dtm {
            job.report.statistics = statistics.clone();
        }
        let cells = SlicedCells {
            slices,
            codes: white_codes(longest),
        };
        write_section(job, writer, metric, statistics, &cells, None)?;
    }
    Ok(())
}

/// Solves those slices of an ending that have no file yet, and opens the files of all slices.
fn solve(job: &mut TableJob<'_>, directory: &Path, goal: Goal) -> Result<SolvedSlices, TableError> {
    let material = job.material;
    let placements = BiaPlacements::of(material.material());
    let order = Order::of(&placements);
    let file = |number: usize| file_of(directory, material, (goal, ""), &placements, number);
    let lost =
        |number: usize| file_of(directory, material, (goal, "_waiting"), &placements, number);
    let (mut has_file, mut has_lost_file) = (Vec::new(), Vec::new());
    for number in 0..placements.len() {
        has_file.push(file(number).open()?.is_some());
        has_lost_file.push(lost(number).open()?.is_some());
    }
    let wanted = order.wanted(&has_file, &has_lost_file);
    if !wanted.is_empty() {
        (job.progress)(Progress::Reading);
        let promotions = Promotions::of(material, goal, directory);
        promotions.make(job)?;
        let mut solver = Solver::new(job, goal, &placements, &promotions);
        for (at, &number) in wanted.iter().enumerate() {
            (job.progress)(Progress::Slice(number as u32 + 1, placements.len() as u32));
            let later = &wanted[at + 1..];
            for &before in &order.needs[number] {
                job.measure(Phase::Solving, || solver.require(before, &lost(before)))?;
            }
            let slice = job.measure(Phase::Solving, || {
                solver.slice(number, |before| order.is_needed(before, later))
            })?;
            job.report.cells += slice.layout.lanes() as u64 * 64 * 2;
            let is_needed = order.is_needed(number, later);
            job.measure(Phase::Collecting, || {
                if is_needed {
                    write_lost(&lost(number), &slice)?;
                }
                write_slice(&file(number), &slice)
            })?;
            if is_needed {
                solver.keep(number, slice);
            }
        }
        (0..placements.len()).try_for_each(|number| lost(number).remove())?;
    }
    let files = (0..placements.len()).map(|number| {
        let opened = file(number).open()?;
        opened.ok_or_else(|| {
            let gone = std::io::Error::from(std::io::ErrorKind::NotFound);
            TableError::io(directory, IoAction::Read, gone)
        })
    });
    let files = files.collect::<Result<_, _>>()?;
    Ok(SolvedSlices {
        whole: layout(material.material(), &placements, 0),
        files,
        placements,
    })
}

fn layout(material: Material, placements: &BiaPlacements, number: usize) -> LaneLayout {
    LaneLayout::of_bia(material, WINNER, placements.bia(number))
}

/// The file of a solved slice. No file of [`Promotions`] has the same name.
fn file_of(
    directory: &Path,
    material: CanonicalMaterial,
    (goal, suffix): (Goal, &str),
    placements: &BiaPlacements,
    number: usize,
) -> PlanesFileId {
    let name = format!("{}{suffix}-white-{number}", goal_name(goal));
    let layout = layout(material.material(), placements, number);
    PlanesFileId::new(directory, material, &name, &layout)
}

/// Writes a solved slice to its file. The first column of words is the set of positions with White
/// to move that White does not win; the other columns are the bit planes of White's distances.
fn write_slice(file: &PlanesFileId, slice: &Solution) -> Result<(), TableError> {
    let mut columns: Vec<&[u64]> = vec![&slice.open];
    columns.extend(slice.winner_to_move.used());
    let writer = file.clone().create()?;
    writer.put_columns(&columns);
    let solved = Solved {
        largest: slice.winner_to_move.largest(),
        counts: SliceCounts::from(slice.counts.clone()),
    };
    writer.finish(columns.len(), solved)
}

/// Writes a slice's distances with the bare king to move to a file of their own.
fn write_lost(file: &PlanesFileId, slice: &Solution) -> Result<(), TableError> {
    let lost = slice.loser_to_move.iter();
    let columns: Vec<&[u64]> = lost.flat_map(BitPlanes::used).collect();
    let writer = file.clone().create()?;
    writer.put_columns(&columns);
    writer.finish(columns.len(), Solved::default())
}

/// The order in which slices are solved.
struct Order {
    /// The numbers of the slices, in the order in which they are solved.
    numbers: Vec<usize>,
    /// For each slice, the numbers of the slices that one step of a bia leads to.
    needs: Vec<Vec<usize>>,
}

impl Order {
    /// Orders the slices of these placements. With one bia, they are ordered by the bia's file, so
    /// that only one solved slice at a time is kept in memory. With several bia, they are in the
    /// order of their numbers.
    fn of(placements: &BiaPlacements) -> Order {
        let needs = (0..placements.len()).map(|number| {
            let bia = placements.bia(number);
            let steps = bia.of(WINNER).flat_map(|from| {
                let steps = attacks::bia_step(WINNER, from) & !bia.all();
                steps.map(move |to| bia.without(from).with(WINNER, to))
            });
            let reached = steps.filter_map(|bia| placements.number(bia));
            reached.map(|(_, number)| number).collect()
        });
        let mut numbers: Vec<usize> = (0..placements.len()).collect();
        if let [1, 0] = placements.bia(0).counts() {
            let file = |&number: &usize| placements.bia(number).all().first().map(|s| s.file());
            numbers.sort_by_key(file);
        }
        Order {
            numbers,
            needs: needs.collect(),
        }
    }

    /// Lists the slices to solve: those without a file, and those whose distances with the bare
    /// king to move have no file although an unsolved slice needs them.
    fn wanted(&self, has_file: &[bool], has_lost_file: &[bool]) -> Vec<usize> {
        let mut wanted: Vec<usize> = Vec::new();
        for &number in self.numbers.iter().rev() {
            let is_needed = self.is_needed(number, &wanted);
            if !has_file[number] || is_needed && !has_lost_file[number] {
                wanted.push(number);
            }
        }
        wanted.reverse();
        wanted
    }

    /// True if one of `slices` needs the results of slice `number`.
    fn is_needed(&self, number: usize, slices: &[usize]) -> bool {
        let needs = |slice: &usize| self.needs[*slice].contains(&number);
        slices.iter().any(needs)
    }
}

/// Solves slices one after another, and keeps the distances that later slices need.
struct Solver<'a> {
    material: Material,
    placements: &'a BiaPlacements,
    promotions: &'a Promotions<'a>,
    subendings: Subendings,
    /// For each solved slice that later slices need: its distances with the bare king to move.
    kept: HashMap<usize, Solution>,
}

impl<'a> Solver<'a> {
    /// Prepares the solver, and solves the subendings.
    fn new(
        job: &mut TableJob<'_>,
        goal: Goal,
        placements: &'a BiaPlacements,
        promotions: &'a Promotions<'a>,
    ) -> Solver<'a> {
        let material = job.material.material();
        let subendings = job.measure_with(Phase::Smaller, |job| {
            let solved_endings = &mut *job.solved_endings;
            let has_fewer_men = |after: Material| after.men() < material.men();
            let subendings = Subendings::new(solved_endings, material, WINNER, goal, has_fewer_men);
            solved_endings.forget();
            subendings
        });
        Solver {
            material,
            placements,
            promotions,
            subendings,
            kept: HashMap::new(),
        }
    }

    /// Solves one slice, and drops the kept slices for which `is_needed` returns false.
    fn slice(
        &mut self,
        number: usize,
        is_needed: impl Fn(usize) -> bool,
    ) -> Result<Solution, TableError> {
        let layout = layout(self.material, self.placements, number);
        let leaves = self.subendings.leaves(self.material, &layout, number);
        let exits = {
            let promoted = self.promotions.load(layout.bia())?;
            let after = |change: &_| {
                let after = material_after(self.material, &layout, change)?;
                if after == self.material {
                    let (mirror, before) = self.placements.number(change.bia)?;
                    let before = self.kept.get(&before);
                    let before = before.expect("a step of a bia leads to a solved slice");
                    Some(Destination::new(before, mirror))
                } else if change.promoted.is_some() {
                    promoted.after(change.bia)
                } else {
                    self.subendings.after(after, change)
                }
            };
            combine_exits(&layout, &list_exits(self.material.game(), &layout, after))
        };
        self.kept.retain(|&before, _| is_needed(before));
        let mode = (Keep::Both, Unit::Moves);
        Ok(solve_slice(layout, leaves, exits, mode, Simd::detect()))
    }

    /// Keeps a slice's distances with the bare king to move in memory for later slices.
    fn keep(&mut self, number: usize, slice: Solution) {
        let lost = slice.loser_to_move.unwrap_or_default();
        self.kept
            .insert(number, Solution::of_lost(slice.layout, lost));
    }

    /// Reads the distances of a slice that an earlier run has solved, if they are not in memory.
    fn require(&mut self, number: usize, lost: &PlanesFileId) -> Result<(), TableError> {
        if !self.kept.contains_key(&number)
            && let Some(file) = lost.open()?
        {
            let layout = layout(self.material, self.placements, number);
            let solution = Solution::of_lost(layout, file.planes()?);
            self.kept.insert(number, solution);
        }
        Ok(())
    }
}

/// All slices of an ending, stored in files.
#[derive(Debug)]
struct SolvedSlices {
    /// The lane layout of the first slice.
    whole: LaneLayout,
    placements: BiaPlacements,
    files: Vec<PlanesFile>,
}

impl SolvedSlices {
    /// The statistics of all slices added up.
    fn statistics(&self) -> Statistics {
        let slices = self.files.iter().enumerate().map(|(number, file)| {
            let layout = self.whole.with_bia(self.placements.bia(number));
            (file.solved().counts.clone(), layout)
        });
        let slices: Vec<_> = slices.collect();
        Statistics {
            white_to_move: counts(
                &slices,
                |counts| counts.legal.0,
                |counts| &counts.wins,
                None,
            ),
            black_to_move: counts(
                &slices,
                |counts| counts.legal.1,
                |counts| &counts.losses,
                None,
            ),
        }
    }
}

impl Slabs for SolvedSlices {
    fn whole(&self) -> &LaneLayout {
        &self.whole
    }

    fn outermost(&self) -> Component {
        Component::Bia
    }

    fn slabs(&self) -> usize {
        self.files.len()
    }

    fn slab_lanes(&self) -> usize {
        self.whole.lanes()
    }

    fn slab(&self, slab: usize, cells: &mut [u8]) -> Result<(), TableError> {
        let file = &self.files[slab];
        let layout = self.whole.with_bia(self.placements.bia(slab));
        let occupied = OccupiedSquares::new(&layout);
        let lanes = file.slab_lanes();
        let kings = cells.par_chunks_mut(lanes * 64).enumerate().erased();
        kings.try_for_each(|(king, cells)| {
            let words = file.read(king)?;
            let mut odometer = occupied.digits(king * lanes);
            for (lane, cells) in cells.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                let (mut legal, mut numbers) = (words[lane], LaneBytes::default());
                for plane in 0..file.columns() - 1 {
                    let word = words[(plane + 1) * lanes + lane];
                    legal |= word;
                    numbers.add(word, plane);
                }
                numbers.kept(legal & !occupied.of(odometer.digits()), cells);
                odometer.advance();
            }
            Ok(())
        })
    }
}
