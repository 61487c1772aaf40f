//! Runs a solve, from the mates to the longest distance.

use super::arrays::{Arrays, Keep};
use super::bare::{self, Feed};
use super::bit_planes::BitPlanes;
use super::checkpointed::{CheckpointFailed, Checkpoints, replay};
use super::exits::{Exits, ReadyExits};
use super::gather::Record;
use super::geometry::Geometry;
use super::ghosts::fill_ghosts;
use super::lane::LaneWords;
use super::lane_layout::LaneLayout;
use super::leaf::{Leaf, Levels, Shape, leaf_bytes};
use super::step_counts::{SolveCounts, TaskCounts};
use super::two_sided::{self, Feeds};
use crate::simd::Simd;

/// A progress report, sent when a step is finished.
#[derive(Clone, Copy, Debug)]
pub struct StepDone {
    /// The distance, in moves, of the positions that the step found.
    pub moves: u16,
}

/// The result of a solve: the distances of an ending, and counts.
#[derive(Debug)]
pub struct Solution {
    /// The order of the lanes.
    pub layout: LaneLayout,
    /// The distance to the win with the winner to move; 0 for positions that are not won. Empty if
    /// these distances are not kept. Undefined where the lane's king shares a square with another
    /// man.
    pub winner_to_move: BitPlanes,
    /// The distance to the winner's win plus one, with the loser to move; 0 for positions that are
    /// not lost. `None` if these distances are not kept.
    pub loser_to_move: Option<BitPlanes>,
    /// The positions with the winner to move that are not won. Undefined where the lane's king
    /// shares a square with another man.
    pub open: LaneWords,
    /// The position counts for the whole board, with an example for each distance.
    pub counts: SolveCounts,
}

impl Solution {
    /// Makes a solution with only the distances of lost positions, with the loser to move.
    pub fn of_lost(layout: LaneLayout, lost: BitPlanes) -> Solution {
        Solution {
            layout,
            winner_to_move: BitPlanes::new(0),
            loser_to_move: Some(lost),
            open: LaneWords::zeroed(0),
            counts: SolveCounts::default(),
        }
    }

    /// Makes a solution with only the distances of won positions, with the winner to move, and the
    /// positions that are not won.
    pub fn of_won(layout: LaneLayout, won: BitPlanes, open: LaneWords) -> Solution {
        Solution {
            layout,
            winner_to_move: won,
            loser_to_move: None,
            open,
            counts: SolveCounts::default(),
        }
    }

    /// The memory of the solution in bytes.
    pub fn memory_bytes(&self) -> usize {
        let loser = self
            .loser_to_move
            .as_ref()
            .map_or(0, BitPlanes::memory_bytes);
        self.open.len() * 8 + self.winner_to_move.memory_bytes() + loser
    }
}

/// The peak memory of a solve, in bytes, with `planes` bit planes for its distances and
/// `leaf_planes` for those of each leaf.
pub fn solve_bytes(layout: &LaneLayout, unit: Unit, planes: u64, leaf_planes: u64) -> u64 {
    array_bytes(layout, unit, planes)
        .saturating_add(leaf_bytes(layout, leaf_planes))
        .saturating_add(Geometry::bytes(layout))
}

/// The part of the peak memory that the arrays of lanes use, in bytes. The leaves are not included.
pub fn array_bytes(layout: &LaneLayout, unit: Unit, planes: u64) -> u64 {
    Arrays::bytes(layout, matches!(unit, Unit::Plies(_)), planes)
}

/// The solver in use, for a bare king or for men on both sides, with its input.
enum Kind {
    Bare(Vec<Feed>, ReadyExits),
    TwoSided(Box<Feeds>),
}

/// The unit of a solve's distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// The distances are in moves of the winner.
    Moves,
    /// The distances are in plies of both sides, up to this limit. A longer win counts as a draw.
    /// The distances in the leaves include the ply of the capture, but 0 still marks the positions
    /// that the winner does not win.
    Plies(u16),
}

/// Solves an ending for the wins of one side, on the current rayon pool. `leaves` are the
/// subendings that the winner can still win. All other subendings count as drawn. Keeps only the
/// distances selected by `keep` in memory.
pub fn solve(
    layout: LaneLayout,
    leaves: Vec<Leaf>,
    keep: Keep,
    unit: Unit,
    simd: Simd,
    watch: &mut dyn FnMut(StepDone),
) -> Solution {
    let leaves_and_exits = (leaves, Exits::default());
    solve_in_memory(layout, leaves_and_exits, (keep, unit), simd, watch)
}

/// Solves a slice of an ending with bia by the general solver: see
/// [`solve_slice`](super::solve_slice).
pub fn solve_slice_generally(
    layout: LaneLayout,
    leaves: Vec<Leaf>,
    exits: Exits,
    mode: (Keep, Unit),
    simd: Simd,
) -> Solution {
    solve_in_memory(layout, (leaves, exits), mode, simd, &mut |_| {})
}

fn solve_in_memory(
    layout: LaneLayout,
    leaves_and_exits: (Vec<Leaf>, Exits),
    mode: (Keep, Unit),
    simd: Simd,
    watch: &mut dyn FnMut(StepDone),
) -> Solution {
    let mut run =
        Run::new(layout, leaves_and_exits, mode, simd, &None).expect("only checkpoints can fail");
    run.solve(&mut None, watch)
        .expect("only checkpoints can fail");
    let Run {
        geometry,
        arrays,
        counts,
        ..
    } = run;
    Solution {
        layout: geometry.layout,
        winner_to_move: arrays.winner_to_move,
        loser_to_move: arrays.loser_to_move,
        open: arrays.open.words,
        counts,
    }
}

/// Solves an ending or a slice on the current rayon pool, resuming after the last checkpoint if
/// there are any. Stores the distances only in the checkpoints.
///
/// # Errors
///
/// If a checkpoint cannot be read or written.
pub fn solve_checkpointed(
    layout: LaneLayout,
    leaves: Vec<Leaf>,
    unit: Unit,
    simd: Simd,
    checkpoints: &mut dyn Checkpoints,
    watch: &mut dyn FnMut(StepDone),
) -> Result<SolveCounts, CheckpointFailed> {
    let mut checkpoints = Some(checkpoints);
    let leaves_and_exits = (leaves, Exits::default());
    let mut run = Run::new(
        layout,
        leaves_and_exits,
        (Keep::Open, unit),
        simd,
        &checkpoints,
    )?;
    run.solve(&mut checkpoints, watch)?;
    Ok(run.counts)
}

/// The state of a solve.
struct Run {
    geometry: Geometry,
    kind: Kind,
    arrays: Arrays,
    unit: Unit,
    simd: Simd,
    counts: SolveCounts,
}

impl Run {
    fn new(
        layout: LaneLayout,
        (leaves, exits): (Vec<Leaf>, Exits),
        (keep, unit): (Keep, Unit),
        simd: Simd,
        checkpoints: &Option<&mut dyn Checkpoints>,
    ) -> Result<Run, CheckpointFailed> {
        let geometry = Geometry::new(layout);
        let winner = geometry.layout.winner();
        let groups = geometry.layout.groups();
        let (after_loser_captures, after_winner_captures): (Vec<Leaf>, Vec<Leaf>) = leaves
            .into_iter()
            .partition(|leaf| groups[leaf.group].color == winner);
        let feeds = |leaves: Vec<Leaf>| {
            let feed = |leaf: Leaf| {
                let shape = Shape::new(&geometry.layout, leaf.group);
                let levels = Levels::new(&shape, leaf.planes);
                Feed { shape, levels }
            };
            leaves.into_iter().map(feed).collect::<Vec<Feed>>()
        };
        let (after_loser_captures, after_winner_captures) =
            (feeds(after_loser_captures), feeds(after_winner_captures));
        let exits = ReadyExits::new(exits);
        let kind = if geometry.layout.is_bare() {
            Kind::Bare(after_loser_captures, exits)
        } else {
            Kind::TwoSided(Box::new(Feeds::new(
                &geometry,
                after_loser_captures,
                after_winner_captures,
                exits,
            )))
        };
        let by_plies = matches!(unit, Unit::Plies(_));
        let lanes_of = |lanes| match checkpoints {
            Some(checkpoints) => checkpoints.lanes(lanes),
            None => Ok(LaneWords::zeroed(lanes)),
        };
        Ok(Run {
            arrays: Arrays::new(&geometry, keep, by_plies, lanes_of)?,
            geometry,
            kind,
            unit,
            simd,
            counts: SolveCounts::default(),
        })
    }

    fn solve(
        &mut self,
        checkpoints: &mut Option<&mut dyn Checkpoints>,
        watch: &mut dyn FnMut(StepDone),
    ) -> Result<(), CheckpointFailed> {
        let finished = match checkpoints {
            Some(checkpoints) => checkpoints.finished(),
            None => Vec::new(),
        };
        if finished.is_empty() {
            self.start(checkpoints)?;
        } else {
            self.start(&mut None)?;
        }
        if let (Some(checkpoints), Some(_)) = (checkpoints.as_deref(), finished.last()) {
            let (geometry, arrays) = (&self.geometry, &mut self.arrays);
            let last = finished.len() as u16;
            replay(self.simd, geometry, arrays, checkpoints, last)?;
            self.counts.steps.truncate(usize::from(self.first_kept()));
            self.counts.steps.extend(finished);
        }
        match self.unit {
            Unit::Moves => self.by_moves(checkpoints, watch),
            Unit::Plies(limit) => self.by_plies(limit, checkpoints, watch),
        }
    }

    /// The index of the first step with a checkpoint: 1 against a bare king, otherwise 0, the index
    /// of the step that finds the mates.
    fn first_kept(&self) -> u16 {
        match self.kind {
            Kind::Bare(..) => 1,
            Kind::TwoSided(_) => 0,
        }
    }

    fn start(
        &mut self,
        checkpoints: &mut Option<&mut dyn Checkpoints>,
    ) -> Result<(), CheckpointFailed> {
        let mut kept = checkpoints
            .as_deref_mut()
            .filter(|_| self.first_kept() == 0);
        if let Some(checkpoints) = &mut kept {
            checkpoints.begin(1)?;
        }
        let (geometry, arrays) = (&self.geometry, &mut self.arrays);
        let found: Vec<TaskCounts> = match &self.kind {
            Kind::Bare(_, exits) => bare::start(self.simd, geometry, arrays, exits),
            Kind::TwoSided(feeds) => {
                let write = write(kept.as_deref());
                let record = write.as_ref().map(|write| write as &Record<'_>);
                two_sided::start(self.simd, geometry, arrays, feeds, record)
            }
        };
        self.counts.start(geometry, &found);
        match (kept, self.counts.steps.last()) {
            (Some(checkpoints), Some(&counts)) => checkpoints.finish(counts),
            _ => Ok(()),
        }
    }

    fn by_moves(
        &mut self,
        checkpoints: &mut Option<&mut dyn Checkpoints>,
        watch: &mut dyn FnMut(StepDone),
    ) -> Result<(), CheckpointFailed> {
        let last_feed = self.last_feed();
        loop {
            let moves = self.end_step();
            watch(StepDone { moves });
            if !self.has_lost(0) && moves >= last_feed {
                return Ok(());
            }
            self.step(Some((moves + 1, Some(moves + 1))), checkpoints)?;
        }
    }

    /// Runs a solve by plies. A step finds the wins in n plies and the losses in n + 1 plies. The
    /// step after the next one finds the positions with a move to these losses, as wins in n + 2
    /// plies. The first step finds only losses by captures.
    fn by_plies(
        &mut self,
        limit: u16,
        checkpoints: &mut Option<&mut dyn Checkpoints>,
        watch: &mut dyn FnMut(StepDone),
    ) -> Result<(), CheckpointFailed> {
        let last_feed = self.last_feed();
        loop {
            let plies = self.end_step();
            watch(StepDone { moves: plies / 2 });
            let feeding = plies <= last_feed;
            if plies > limit || !(self.has_lost(0) || self.has_lost(1) || feeding) {
                break;
            }
            let lost = Some(plies + 1).filter(|&lost| lost <= limit);
            let distances = (self.has_lost(1) || feeding).then_some((plies, lost));
            self.step(distances, checkpoints)?;
        }
        self.counts.take_wins_a_step_back();
        Ok(())
    }

    /// The last step at which a capture or an exit can make a position won or lost.
    fn last_feed(&self) -> u16 {
        match &self.kind {
            Kind::Bare(feeds, exits) => {
                let feeds = feeds.iter().map(|feed| feed.levels.largest());
                feeds.max().unwrap_or(0).max(exits.last())
            }
            Kind::TwoSided(feeds) => feeds.last(),
        }
    }

    /// Ends a step, and prepares the losses from which the next step starts. Returns the index of
    /// the ended step.
    fn end_step(&mut self) -> u16 {
        fill_ghosts(self.simd, &self.geometry, &mut self.arrays.next);
        self.arrays.release();
        self.arrays.end_step();
        self.counts.steps.len() as u16 - 1
    }

    /// True if a recent step found losses: the last step if `steps_back` is 0, the step before it
    /// if `steps_back` is 1.
    fn has_lost(&self, steps_back: usize) -> bool {
        let step = self.counts.steps.iter().rev().nth(steps_back);
        step.is_some_and(|step| step.losses.positions > 0)
    }

    /// Does a step. `distances` are those of the wins and of the losses to find, or `None` if the
    /// step cannot find any positions.
    fn step(
        &mut self,
        distances: Option<(u16, Option<u16>)>,
        checkpoints: &mut Option<&mut dyn Checkpoints>,
    ) -> Result<(), CheckpointFailed> {
        let first_kept = self.first_kept();
        if let Some(checkpoints) = checkpoints {
            checkpoints.begin(self.counts.steps.len() as u16 + 1 - first_kept)?;
        }
        let found = {
            let write = write(checkpoints.as_deref());
            let record = write.as_ref().map(|write| write as &Record<'_>);
            let (simd, geometry, arrays) = (self.simd, &self.geometry, &mut self.arrays);
            match (distances, &mut self.kind) {
                (Some((won, lost)), Kind::Bare(feeds, exits)) => {
                    let feeds_and_exits = (&mut feeds[..], &*exits);
                    bare::step(simd, geometry, arrays, feeds_and_exits, (won, lost), record)
                }
                (Some((won, lost)), Kind::TwoSided(feeds)) => {
                    two_sided::step(simd, geometry, arrays, feeds, won, lost, record)
                }
                (None, _) => {
                    arrays.next.full.fill(0);
                    Vec::new()
                }
            }
        };
        self.counts.step(&self.geometry, &found);
        match (checkpoints, self.counts.steps.last()) {
            (Some(checkpoints), Some(&counts)) => checkpoints.finish(counts),
            _ => Ok(()),
        }
    }
}

/// Returns a function that stores the packed positions of a part in the current checkpoint. Returns
/// `None` if the solve has no checkpoints.
fn write<'a>(
    checkpoints: Option<&'a (dyn Checkpoints + 'a)>,
) -> Option<impl Fn(usize, &[u8]) + Sync + 'a> {
    checkpoints.map(|checkpoints| move |part: usize, packed: &[u8]| checkpoints.write(part, packed))
}
