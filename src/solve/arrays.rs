//! The arrays of a solve, and their division into parts: during a step, each task owns one part.

use std::ops::Range;

use super::bit_planes::BitPlanes;
use super::geometry::Geometry;
use super::lane::LaneWords;
use super::lane_layout::LaneLayout;
use super::rows::{Rows, or_into};
use super::step_counts::TaskCounts;

/// The arrays of a solve, indexed by lane or by row.
#[derive(Debug)]
pub struct Arrays {
    /// With the winner to move: the legal positions not yet won, including those just after a
    /// capture by the lane's king. As long as this king can move to one of them, it is not lost.
    pub open: Rows,
    /// For each row, 1 if the winner's half of this step changed its `open` words, otherwise 0.
    pub changed: Vec<u8>,
    /// With the loser to move: the legal positions not yet lost, except stalemates. Empty against a
    /// bare king, since `open` determines which positions are lost.
    pub pending: LaneWords,
    /// Against a bare king: the losses that this step starts from. The ghost slabs follow the slabs
    /// of the domain. Empty with men on both sides, where `next` contains these losses during the
    /// winner's half of the step.
    lost: Rows,
    /// The losses of this step. The ghost slabs follow the slabs of the domain. With men on both
    /// sides, this array contains the losses that the step starts from until its loser's half
    /// begins.
    pub next: Rows,
    /// In a solve by plies: during a step, the losses of the previous step, from which the next
    /// step starts.
    pub between: Option<Rows>,
    /// For each position with the winner to move, the distance to the win.
    pub winner_to_move: BitPlanes,
    /// For each position with the loser to move, one more than the distance to the winner's win.
    /// `None` if these distances are not kept.
    pub loser_to_move: Option<BitPlanes>,
}

/// Consecutive rows of one slab.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The index of the slab.
    pub slab: usize,
    /// The index of the first row in its slab.
    pub first_row: usize,
    /// The number of rows.
    pub rows: usize,
}

/// The arrays of a span of rows, with the winner to move.
pub struct WinnerPart<'a> {
    /// The positions that are not won yet.
    pub open: &'a mut [u64],
    /// For each row, 1 if its `open` words may be nonzero, otherwise 0.
    pub full: &'a mut [u8],
    /// For each row, 1 if this step changes its `open` words, otherwise 0.
    pub changed: &'a mut [u8],
    /// The bit planes to set: one for each 1 bit in the distance that this step assigns.
    pub planes: Vec<&'a mut [u64]>,
}

/// The arrays of a span of rows, with the loser to move.
pub struct LoserPart<'a> {
    /// The legal positions that are not lost yet, except stalemates. Empty against a bare king.
    pub pending: &'a mut [u64],
    /// The positions that this step finds lost.
    pub next: &'a mut [u64],
    /// For each row, 1 if its `next` words may be nonzero, otherwise 0.
    pub full: &'a mut [u8],
    /// The bit planes to set: one for each 1 bit in the distance that this step assigns.
    pub planes: Vec<&'a mut [u64]>,
}

/// The distances that a solve keeps in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// No distances. The positions that a step finds are stored in its checkpoint instead.
    Open,
    /// The distances with the winner to move.
    Winner,
    /// The distances with the loser to move.
    Loser,
    /// The distances with either side to move.
    Both,
}

impl Arrays {
    /// Makes empty arrays. `lanes_of` allocates zeroed lanes, in memory or in a file.
    ///
    /// # Errors
    ///
    /// The errors of `lanes_of`.
    pub fn new<E>(
        geometry: &Geometry,
        keep: Keep,
        by_plies: bool,
        lanes_of: impl Fn(usize) -> Result<LaneWords, E>,
    ) -> Result<Arrays, E> {
        let lanes = geometry.layout.lanes();
        let lanes_if = |kept: bool| if kept { lanes } else { 0 };
        let rows = geometry.slabs() * geometry.slab_rows;
        let all_rows = rows + geometry.ghosts.len() * geometry.slab_rows;
        let row_lanes = geometry.row_lanes;
        let rows_of = |rows: usize| Ok(Rows::of(lanes_of(rows * row_lanes)?, row_lanes));
        Ok(Arrays {
            open: rows_of(rows)?,
            changed: vec![0; rows],
            pending: lanes_of(lanes_if(!geometry.layout.is_bare()))?,
            lost: match geometry.layout.is_bare() {
                true => rows_of(all_rows)?,
                false => Rows::default(),
            },
            next: rows_of(all_rows)?,
            between: by_plies.then(|| rows_of(all_rows)).transpose()?,
            winner_to_move: BitPlanes::new(lanes_if(matches!(keep, Keep::Winner | Keep::Both))),
            loser_to_move: matches!(keep, Keep::Loser | Keep::Both).then(|| BitPlanes::new(lanes)),
        })
    }

    /// Releases the arrays' pages from the process's memory, if the arrays are in files.
    pub fn release(&self) {
        let between = self.between.iter().map(|rows| &rows.words);
        let words = [
            &self.open.words,
            &self.pending,
            &self.lost.words,
            &self.next.words,
        ];
        words
            .into_iter()
            .chain(between)
            .for_each(LaneWords::release);
    }

    /// The ranges of parts, to be processed in order. If the arrays are in memory, one range covers
    /// all parts. If they are in files, there is one range for each slab, and the solver calls
    /// [`Arrays::release`] after each range.
    pub fn runs(&self, geometry: &Geometry) -> Vec<Range<usize>> {
        let per_slab = geometry.slab_rows / geometry.chunk_rows;
        let slabs = geometry.slabs();
        match self.open.words.is_in_file() {
            true => (0..slabs)
                .map(|s| s * per_slab..(s + 1) * per_slab)
                .collect(),
            false => std::iter::once(0..slabs * per_slab).collect(),
        }
    }

    /// Ends a step. The next step starts from the losses of the ended step or, in a solve by plies,
    /// from the losses of the step before that.
    pub fn end_step(&mut self) {
        let bare = !self.lost.full.is_empty();
        if bare {
            std::mem::swap(&mut self.lost, &mut self.next);
        }
        if let Some(between) = &mut self.between {
            let lost = if bare { &mut self.lost } else { &mut self.next };
            std::mem::swap(lost, between);
        }
    }

    /// The memory used by the arrays, in bytes. `planes` is the number of bit planes of distances:
    /// 0 in a checkpointed solve. A solve by plies keeps the losses of one more step.
    pub fn bytes(layout: &LaneLayout, by_plies: bool, planes: u64) -> u64 {
        let lanes = layout.lane_count();
        let slabs = layout.domain().len() as u64;
        let ghosts = lanes / slabs * layout.ghosts().len() as u64;
        // Against a bare king, there are two arrays of losses. Otherwise, there is one, and the
        // pending positions.
        let (pending, lost) = if layout.is_bare() { (0, 2) } else { (1, 1) };
        let word = size_of::<u64>() as u64;
        let open_and_planes = lanes.saturating_mul((1 + pending + planes) * word);
        let all_lost = lanes
            .saturating_add(ghosts)
            .saturating_mul((lost + u64::from(by_plies)) * word);
        open_and_planes.saturating_add(all_lost)
    }

    /// Against a bare king: the losses that the step starts from, and each part's arrays for both
    /// sides. The step assigns the distances `won` and `lost`.
    pub fn parts<'a>(
        &'a mut self,
        geometry: &Geometry,
        (won, lost): (u16, u16),
    ) -> (&'a Rows, Vec<(Span, WinnerPart<'a>, LoserPart<'a>)>) {
        let winner = winner_parts(
            geometry,
            &mut self.open,
            &mut self.changed,
            &mut self.winner_to_move,
            won,
        );
        let loser = loser_parts(
            geometry,
            &mut self.pending,
            &mut self.next,
            self.loser_to_move.as_mut(),
            lost,
        );
        let parts = winner.into_iter().zip(loser).enumerate();
        let parts = parts.map(|(i, (winner, loser))| (span(geometry, i), winner, loser));
        (&self.lost, parts.collect())
    }

    /// With men on both sides: the losses that the step starts from, and each part's arrays for the
    /// winner's half.
    pub fn winner_parts<'a>(
        &'a mut self,
        geometry: &Geometry,
        step: u16,
    ) -> (&'a Rows, Vec<(Span, WinnerPart<'a>)>) {
        let parts = winner_parts(
            geometry,
            &mut self.open,
            &mut self.changed,
            &mut self.winner_to_move,
            step,
        );
        let parts = parts.into_iter().enumerate();
        let parts = parts.map(|(i, part)| (span(geometry, i), part));
        (&self.next, parts.collect())
    }

    /// With men on both sides: the open positions, the flags of changed rows, and each part's
    /// arrays for the loser's half of the step.
    pub fn loser_parts<'a>(
        &'a mut self,
        geometry: &Geometry,
        step: u16,
    ) -> (&'a Rows, &'a [u8], Vec<(Span, LoserPart<'a>)>) {
        let parts = loser_parts(
            geometry,
            &mut self.pending,
            &mut self.next,
            self.loser_to_move.as_mut(),
            step,
        );
        let parts = parts.into_iter().enumerate();
        let parts = parts.map(|(i, part)| (span(geometry, i), part));
        (&self.open, &self.changed, parts.collect())
    }
}

/// Selects the parts whose indices are in `run`, a range from [`Arrays::runs`].
pub fn of_run<P>(mut parts: Vec<P>, run: &Range<usize>) -> Vec<P> {
    parts.truncate(run.end);
    parts.split_off(run.start)
}

fn span(geometry: &Geometry, part: usize) -> Span {
    let per_slab = geometry.slab_rows / geometry.chunk_rows;
    Span {
        slab: part / per_slab,
        first_row: part % per_slab * geometry.chunk_rows,
        rows: geometry.chunk_rows,
    }
}

fn winner_parts<'a>(
    geometry: &Geometry,
    open: &'a mut Rows,
    changed: &'a mut [u8],
    planes: &'a mut BitPlanes,
    step: u16,
) -> Vec<WinnerPart<'a>> {
    let rows = geometry.chunk_rows;
    let lanes = rows * geometry.row_lanes;
    planes.make_room(step);
    let mut planes: Vec<_> = planes
        .of_value_mut(step)
        .map(|plane| plane.chunks_mut(lanes))
        .collect();
    open.words
        .chunks_mut(lanes)
        .zip(open.full.chunks_mut(rows))
        .zip(changed.chunks_mut(rows))
        .map(|((open, full), changed)| WinnerPart {
            open,
            full,
            changed,
            planes: planes.iter_mut().filter_map(Iterator::next).collect(),
        })
        .collect()
}

fn loser_parts<'a>(
    geometry: &Geometry,
    pending: &'a mut [u64],
    next: &'a mut Rows,
    planes: Option<&'a mut BitPlanes>,
    step: u16,
) -> Vec<LoserPart<'a>> {
    let rows = geometry.chunk_rows;
    let lanes = rows * geometry.row_lanes;
    let mut chunks = Vec::new();
    if let Some(planes) = planes {
        planes.make_room(step + 1);
        let planes = planes.of_value_mut(step + 1);
        chunks.extend(planes.map(|plane| plane.chunks_mut(lanes)));
    }
    let mut pending = pending.chunks_mut(lanes);
    // Ghost slabs have no parts.
    let parts = geometry.slabs() * geometry.slab_rows / rows;
    next.words
        .chunks_mut(lanes)
        .zip(next.full.chunks_mut(rows))
        .take(parts)
        .map(|(next, full)| LoserPart {
            pending: pending.next().unwrap_or_default(),
            next,
            full,
            planes: chunks.iter_mut().filter_map(Iterator::next).collect(),
        })
        .collect()
}

impl WinnerPart<'_> {
    /// Records the won positions of a row, which are the bits of `newly`. `local` is the index of
    /// the row in this part.
    #[inline(always)]
    pub fn win(&mut self, local: usize, newly: &[u64], found: &mut TaskCounts) {
        let at = local * newly.len();
        self.changed[local] = 1;
        // Words accessed: `open` is written; each plane is read and written.
        found.words += ((1 + 2 * self.planes.len()) * newly.len()) as u64;
        for plane in &mut self.planes {
            or_into(&mut plane[at..], newly);
        }
    }
}

impl LoserPart<'_> {
    /// Records the lost positions of a row, which are the bits of its `next` words. `local` is the
    /// index of the row in this part, `first_lane` is the index of the row's first lane, and
    /// `losses` is the number of lost positions.
    #[inline(always)]
    pub fn lose(&mut self, local: usize, first_lane: usize, losses: u64, found: &mut TaskCounts) {
        self.full[local] = u8::from(losses != 0);
        if losses == 0 {
            return;
        }
        let len = self.next.len() / self.full.len();
        // Words accessed: `next`, which the next step reads, and `pending`, if there is one, are
        // written; each plane is read and written.
        let kept = usize::from(!self.pending.is_empty());
        found.words += ((2 + kept + 2 * self.planes.len()) * len) as u64;
        let row = &self.next[local * len..][..len];
        for plane in &mut self.planes {
            or_into(&mut plane[local * len..], row);
        }
        found.losses.add_row(losses, first_lane, row);
    }
}
