//! The solver against a bare king. Each step needs only one pass for both sides.
//!
//! The king's moves stay within a lane. So a step can do the winner's half and then the loser's
//! half of a row while the row is in the cache.

use rayon::prelude::*;

use super::arrays::{Arrays, LoserPart, Span, WinnerPart, of_run};
use super::capture::by_lane_king;
use super::exits::ReadyExits;
use super::gather::{Record, Scratch};
use super::geometry::{Geometry, Place};
use super::lane::king_steps;
use super::leaf::{Levels, Shape};
use super::rows::Rows;
use super::start::lane_start;
use super::step_counts::{Counted, TaskCounts};
use crate::board::attacks;
use crate::parallel::ForkedByOneFunction;
use crate::simd::{Simd, for_each_level};

/// The rows of one task, with the arrays of both sides.
type Part<'a> = (Span, WinnerPart<'a>, LoserPart<'a>);

/// The distances of the wins and of the losses that a step finds. In a solve by moves, they are
/// equal. In a solve by plies, that of the losses is one more, or `None` if losses are not sought.
pub(super) type Distances = (u16, Option<u16>);

/// A subending after a capture: its shape, and its positions at one distance.
pub(super) struct Feed {
    pub shape: Shape,
    pub levels: Levels,
}

/// Fills the arrays with the legal positions and the mates.
pub(super) fn start(
    simd: Simd,
    geometry: &Geometry,
    arrays: &mut Arrays,
    exits: &ReadyExits,
) -> Vec<TaskCounts> {
    let mut found = Vec::new();
    for run in arrays.runs(geometry) {
        let (_, parts) = arrays.parts(geometry, (0, 0));
        let parts = of_run(parts, &run).into_par_iter().erased();
        found.par_extend(parts.map_init(
            || Scratch::new(geometry),
            |scratch, part| start_part(simd, geometry, exits, scratch, part),
        ));
        arrays.release();
    }
    found
}

/// Does one step, which finds the wins at distance `won` and the losses at distance `lost`. Passes
/// the wins to `record`, part by part.
pub(super) fn step(
    simd: Simd,
    geometry: &Geometry,
    arrays: &mut Arrays,
    (feeds, exits): (&mut [Feed], &ReadyExits),
    (won, lost): Distances,
    record: Option<&Record<'_>>,
) -> Vec<TaskCounts> {
    for feed in &mut *feeds {
        feed.levels.raise(lost.unwrap_or(0));
    }
    let feeds = (&*feeds, exits, (won, lost));
    let mut found = Vec::new();
    for run in arrays.runs(geometry) {
        let (lost_before, parts) = arrays.parts(geometry, (won, lost.unwrap_or(won)));
        let parts = of_run(parts, &run).into_par_iter().enumerate().erased();
        found.par_extend(parts.map_init(
            || Scratch::recording(geometry, record),
            |scratch, (i, part)| {
                let found = advance_part(simd, geometry, lost_before, feeds, scratch, part);
                scratch.hand_on(record, run.start + i);
                found
            },
        ));
        arrays.release();
    }
    if lost.is_none() {
        for task in &mut found {
            task.losses = Counted::default();
        }
    }
    found
}

for_each_level! {
    fn start_part(
        geometry: &Geometry,
        exits: &ReadyExits,
        scratch: &mut Scratch,
        part: Part<'_>,
    ) -> TaskCounts = start_rows;
}

#[inline(always)]
fn start_rows(
    geometry: &Geometry,
    exits: &ReadyExits,
    scratch: &mut Scratch,
    part: Part<'_>,
) -> TaskCounts {
    let mut found = TaskCounts::default();
    let (span, winner, mut loser) = part;
    let len = geometry.row_lanes;
    for local in 0..span.rows {
        let slab_row = span.first_row + local;
        geometry.digits(slab_row, &mut scratch.digits);
        let Some(occupied) = geometry.occupied(span.slab, &scratch.digits) else {
            continue;
        };
        let at = local * len;
        let first_lane = (span.slab * geometry.slab_rows + slab_row) * len;
        let mut losses = 0;
        for lane in 0..len {
            let digits = &scratch.digits;
            let Some(start) = lane_start(geometry, span.slab, digits, occupied, lane) else {
                continue;
            };
            let stuck = start.legal & !king_steps(start.open);
            let open = start.open & !exits.at_once(first_lane + lane);
            // The king is mated, or each of its moves captures a bia and loses at once.
            let lost = start.legal & !king_steps(open) & (start.attacked | !stuck);
            winner.open[at + lane] = open;
            loser.next[at + lane] = lost;
            losses += u64::from(lost.count_ones());
            found.winner_legal += u64::from((start.open & !start.men).count_ones());
            found.loser_legal += u64::from(start.legal.count_ones());
        }
        winner.full[local] = 1;
        loser.lose(local, first_lane, losses, &mut found);
    }
    found
}

for_each_level! {
    fn advance_part(
        geometry: &Geometry,
        lost: &Rows,
        feeds: (&[Feed], &ReadyExits, Distances),
        scratch: &mut Scratch,
        part: Part<'_>,
    ) -> TaskCounts = advance_rows;
}

#[inline(always)]
fn advance_rows(
    geometry: &Geometry,
    lost: &Rows,
    (feeds, exits, distances): (&[Feed], &ReadyExits, Distances),
    scratch: &mut Scratch,
    part: Part<'_>,
) -> TaskCounts {
    let mut found = TaskCounts::default();
    let (span, mut winner, mut loser) = part;
    let len = geometry.row_lanes;
    let near = attacks::king(geometry.layout.domain()[span.slab]).0;
    let mut digits = std::mem::take(&mut scratch.digits);
    for local in 0..span.rows {
        loser.full[local] = 0;
        let Some(place) = geometry.place(span.slab, span.first_row + local, &mut digits) else {
            continue;
        };
        let mut moved = scratch.gather_moves(geometry, geometry.layout.winner(), lost, place);
        let mut captured = gather_captures(geometry, feeds, place, scratch);
        moved |= exits.gather_wins(geometry, distances, place.row, scratch, &mut captured);
        if !moved && !captured {
            continue;
        }
        let at = local * len;
        let first = place.row * len;
        found.words += len as u64;
        let open = &mut winner.open[at..at + len];
        if !close(geometry, open, captured, place, first, scratch, &mut found) {
            continue;
        }
        let open = &winner.open[at..at + len];
        let next = &mut loser.next[at..at + len];
        let newly = &scratch.newly[..len];
        let inner_squares = &geometry.inner_squares[..len];
        let closed = place.occupied | near;
        let mut losses = 0;
        for i in 0..len {
            let lost = lost_now(open[i], newly[i], closed | inner_squares[i]);
            next[i] = lost;
            losses += u64::from(lost.count_ones());
        }
        winner.win(local, newly, &mut found);
        if let Some(won) = &mut scratch.found {
            won.row(local, newly);
        }
        loser.lose(local, first, losses, &mut found);
    }
    scratch.digits = digits;
    found
}

/// The squares on which the lane's king becomes lost in this step: before the step, it could move
/// to an open position, and now it cannot. `newly` contains the bits that the step removed from
/// `open`. The king cannot stand on the squares of `closed`.
///
/// The losses of earlier steps need not be known: a king that was already lost, mated or stalemated
/// could not move to an open position before this step either.
#[inline(always)]
pub(super) fn lost_now(open: u64, newly: u64, closed: u64) -> u64 {
    king_steps(open | newly) & !king_steps(open) & !closed
}

/// Collects in `scratch.captures` the captures by the lane's king that lead to a position in one of
/// the feeds. Returns false if there are none; then `scratch.captures` is undefined.
#[inline(always)]
pub(super) fn gather_captures(
    geometry: &Geometry,
    feeds: &[Feed],
    place: Place,
    scratch: &mut Scratch,
) -> bool {
    let mut captured = false;
    for feed in feeds.iter().filter(|feed| feed.levels.any) {
        if !captured {
            scratch.captures.fill(0);
        }
        let sum = &mut scratch.captures;
        captured |= by_lane_king(geometry, &feed.shape, &feed.levels.level, place, sum);
    }
    captured
}

/// Removes the positions in `scratch.moves` and `scratch.captures` from `open`, and writes the
/// removed bits to `scratch.newly`. Counts the positions won by a move of the winner, but not those
/// just after a capture by the king. Returns true if any bit was removed.
#[inline(always)]
pub(super) fn close(
    geometry: &Geometry,
    open: &mut [u64],
    captured: bool,
    place: Place,
    first_lane: usize,
    scratch: &mut Scratch,
    found: &mut TaskCounts,
) -> bool {
    let len = open.len();
    let moves = &scratch.moves[..len];
    let inner_squares = &geometry.inner_squares[..len];
    let newly = &mut scratch.newly[..len];
    let mut wins = 0;
    for i in 0..len {
        let won = moves[i] & open[i] & !(place.occupied | inner_squares[i]);
        newly[i] = won;
        wins += u64::from(won.count_ones());
    }
    found.wins.add_row(wins, first_lane, newly);
    let mut any = wins;
    if captured {
        let captures = &scratch.captures[..len];
        for i in 0..len {
            newly[i] |= captures[i] & open[i];
            any |= newly[i];
        }
    }
    if any == 0 {
        return false;
    }
    for i in 0..len {
        open[i] &= !newly[i];
    }
    true
}
