//! The solver with men on both sides. Each step needs two passes.
//!
//! The loser's men move from lane to lane, so the winner's half of a step must be complete before
//! the loser's half begins. The winner's half follows moves to lost positions. In the same way, the
//! loser's half follows moves to open positions: a position stays pending as long as the loser has
//! such a move.

use std::ops::Range;

use rayon::prelude::*;

use super::arrays::{Arrays, LoserPart, Span, WinnerPart, of_run};
use super::bare::{Distances, Feed, close, gather_captures};
use super::capture::strikes;
use super::exits::ReadyExits;
use super::gather::{Record, Scratch};
use super::geometry::{Geometry, Place};
use super::lane::king_steps;
use super::leaf::{Levels, Shape};
use super::rows::Rows;
use super::start::lane_start;
use super::step_counts::TaskCounts;
use crate::parallel::ForkedByOneFunction;
use crate::simd::{Simd, for_each_level};

/// The distances of the positions that captures and exits lead to.
pub(super) struct Feeds {
    /// The distances after captures by the loser, with its king or its other men.
    pub after_loser_captures: Vec<Feed>,
    /// For each group of the winner: the legal, not yet won positions after the capture of one of
    /// its men, with the winner to move.
    open: Vec<(Shape, Rows)>,
    /// The distances after captures by the winner.
    pub after_winner_captures: Vec<Feed>,
    /// The exits from a slice of an ending with bia.
    exits: ReadyExits,
}

impl Feeds {
    /// Prepares the distances after captures and exits for the steps.
    pub fn new(
        geometry: &Geometry,
        after_loser_captures: Vec<Feed>,
        after_winner_captures: Vec<Feed>,
        exits: ReadyExits,
    ) -> Feeds {
        let groups = geometry.layout.groups().iter().enumerate();
        let winners = groups.filter(|(_, g)| g.color == geometry.layout.winner());
        Feeds {
            open: winners
                .map(|(group, _)| {
                    let shape = Shape::new(&geometry.layout, group);
                    let rows = legal_rows(geometry, &shape);
                    (shape, rows)
                })
                .collect(),
            after_loser_captures,
            after_winner_captures,
            exits,
        }
    }

    /// The last step at which a capture or an exit can make a position won or lost.
    pub fn last(&self) -> u16 {
        let feeds = self
            .after_loser_captures
            .iter()
            .chain(&self.after_winner_captures);
        let last = feeds.map(|feed| feed.levels.largest()).max().unwrap_or(0);
        last.max(self.exits.last())
    }

    /// Loads the positions at distance `won` after captures by the winner, and those at distance
    /// `lost` after captures by the loser. Removes the latter from `open`.
    fn raise(&mut self, won: u16, lost: u16) {
        for feed in &mut self.after_winner_captures {
            feed.levels.raise(won);
        }
        for feed in &mut self.after_loser_captures {
            feed.levels.raise(lost);
        }
        for (shape, open) in &mut self.open {
            let after_loser_captures = self
                .after_loser_captures
                .iter()
                .find(|f| f.shape.group == shape.group);
            if let Some(Levels {
                level, any: true, ..
            }) = after_loser_captures.map(|feed| &feed.levels)
            {
                let won = level.words.par_chunks(4096);
                open.words
                    .par_chunks_mut(4096)
                    .zip(won)
                    .erased()
                    .for_each(|(open, won)| {
                        for (open, won) in open.iter_mut().zip(won) {
                            *open &= !won;
                        }
                    });
            }
        }
    }
}

/// The legal positions of a leaf with the winner to move.
fn legal_rows(geometry: &Geometry, shape: &Shape) -> Rows {
    let rest = Geometry::new(geometry.layout.without(shape.group));
    let mut rows = Rows::new(shape.rows(), shape.row_lanes);
    // If the innermost group has lost its only man, the rows of `rest` are longer than those of the
    // leaf, but the order of the lanes is the same.
    rows.words
        .par_chunks_mut(rest.row_lanes)
        .enumerate()
        .erased()
        .for_each(|(row, words)| {
            let (slab, slab_row) = (row / rest.slab_rows, row % rest.slab_rows);
            let mut digits = vec![0; rest.row_strides.len()];
            rest.digits(slab_row, &mut digits);
            let Some(occupied) = rest.occupied(slab, &digits) else {
                return;
            };
            for (lane, word) in words.iter_mut().enumerate() {
                if let Some(start) = lane_start(&rest, slab, &digits, occupied, lane) {
                    *word = start.open & !start.men;
                }
            }
        });
    rows.full.fill(1);
    rows
}

/// Fills the arrays with the legal positions and the mates. Passes the mates to `record` as the
/// losses of a step.
pub(super) fn start(
    simd: Simd,
    geometry: &Geometry,
    arrays: &mut Arrays,
    feeds: &Feeds,
    record: Option<&Record<'_>>,
) -> Vec<TaskCounts> {
    let runs = arrays.runs(geometry);
    let part_count = runs.iter().map(Range::len).sum::<usize>();
    let mut found = Vec::new();
    for run in &runs {
        let (_, parts) = arrays.parts(geometry, (0, 0));
        let parts = of_run(parts, run).into_par_iter().erased();
        found.par_extend(parts.map_init(
            || Scratch::new(geometry),
            |scratch, part| start_part(simd, geometry, &feeds.exits, scratch, part),
        ));
        arrays.release();
    }
    let mut mates = Vec::new();
    for run in &runs {
        let (open, _, parts) = arrays.loser_parts(geometry, 0);
        let parts = of_run(parts, run).into_par_iter().enumerate().erased();
        mates.par_extend(parts.map_init(
            || Scratch::recording(geometry, record),
            |scratch, (i, (span, part))| {
                let found = mate_part(simd, geometry, open, feeds, scratch, span, part);
                scratch.hand_on(record, part_count + run.start + i);
                found
            },
        ));
        arrays.release();
    }
    for (found, mates) in found.iter_mut().zip(mates) {
        found.add_losses(&mates);
    }
    found
}

/// Does one step, which finds the wins at distance `won` and the losses at distance `lost`. In a
/// solve by moves, the distances are equal. In a solve by plies, `lost` is one ply more, or `None`
/// if losses are not sought.
///
/// Passes the positions found to `record`: first the wins of all parts, then the losses. The
/// indices of the parts with losses follow those of the parts with wins.
pub(super) fn step(
    simd: Simd,
    geometry: &Geometry,
    arrays: &mut Arrays,
    feeds: &mut Feeds,
    won: u16,
    lost: Option<u16>,
    record: Option<&Record<'_>>,
) -> Vec<TaskCounts> {
    let scratch = || Scratch::recording(geometry, record);
    feeds.raise(won, lost.unwrap_or(0));
    let feeds = &*feeds;
    let runs = arrays.runs(geometry);
    let part_count = runs.iter().map(Range::len).sum::<usize>();
    let mut found = Vec::new();
    for run in &runs {
        let (lost_before, parts) = arrays.winner_parts(geometry, won);
        let parts = of_run(parts, run).into_par_iter().enumerate().erased();
        found.par_extend(parts.map_init(scratch, |scratch, (i, (span, part))| {
            let found = win_part(
                simd,
                geometry,
                lost_before,
                (feeds, (won, lost)),
                scratch,
                span,
                part,
            );
            scratch.hand_on(record, run.start + i);
            found
        }));
        arrays.release();
    }
    let Some(lost) = lost else {
        return found;
    };
    let mut losses = Vec::new();
    for run in &runs {
        let (open, changed, parts) = arrays.loser_parts(geometry, lost);
        let parts = of_run(parts, run).into_par_iter().enumerate().erased();
        losses.par_extend(parts.map_init(scratch, |scratch, (i, (span, part))| {
            let found = lose_part(
                simd,
                geometry,
                open,
                changed,
                (feeds, lost),
                scratch,
                span,
                part,
            );
            scratch.hand_on(record, part_count + run.start + i);
            found
        }));
        arrays.release();
    }
    for (found, losses) in found.iter_mut().zip(losses) {
        found.add_losses(&losses);
    }
    found
}

for_each_level! {
    fn start_part(
        geometry: &Geometry,
        exits: &ReadyExits,
        scratch: &mut Scratch,
        part: (Span, WinnerPart<'_>, LoserPart<'_>),
    ) -> TaskCounts = start_rows;
}

/// Finds the legal positions, and stores the winner's attacks in `next` for [`mate_rows`].
#[inline(always)]
fn start_rows(
    geometry: &Geometry,
    exits: &ReadyExits,
    scratch: &mut Scratch,
    part: (Span, WinnerPart<'_>, LoserPart<'_>),
) -> TaskCounts {
    let (span, winner, loser) = part;
    let mut found = TaskCounts::default();
    let len = geometry.row_lanes;
    for local in 0..span.rows {
        geometry.digits(span.first_row + local, &mut scratch.digits);
        let Some(occupied) = geometry.occupied(span.slab, &scratch.digits) else {
            continue;
        };
        winner.full[local] = 1;
        let first_lane = (span.slab * geometry.slab_rows + span.first_row + local) * len;
        for lane in 0..len {
            let digits = &scratch.digits;
            let Some(start) = lane_start(geometry, span.slab, digits, occupied, lane) else {
                continue;
            };
            let at = local * len + lane;
            winner.open[at] = start.open & !exits.at_once(first_lane + lane);
            loser.pending[at] = start.legal;
            loser.next[at] = start.attacked;
            found.winner_legal += u64::from((start.open & !start.men).count_ones());
            found.loser_legal += u64::from(start.legal.count_ones());
        }
    }
    found
}

for_each_level! {
    fn mate_part(
        geometry: &Geometry,
        open: &Rows,
        feeds: &Feeds,
        scratch: &mut Scratch,
        span: Span,
        part: LoserPart<'_>,
    ) -> TaskCounts = mate_rows;
}

/// Finds the mates, the stalemates, and the positions in which every move of the loser is an exit
/// from the slice that loses at once.
#[inline(always)]
fn mate_rows(
    geometry: &Geometry,
    open: &Rows,
    feeds: &Feeds,
    scratch: &mut Scratch,
    span: Span,
    mut part: LoserPart<'_>,
) -> TaskCounts {
    let mut found = TaskCounts::default();
    let len = geometry.row_lanes;
    let mut digits = std::mem::take(&mut scratch.digits);
    for local in 0..span.rows {
        let Some(place) = geometry.place(span.slab, span.first_row + local, &mut digits) else {
            continue;
        };
        gather_escapes(geometry, open, feeds, place, scratch);
        let row = place.row;
        let at = local * len;
        let open = &open.words[row * len..][..len];
        let pending = &mut part.pending[at..at + len];
        let next = &mut part.next[at..at + len];
        let mut losses = 0;
        let lost = &mut scratch.newly[..len];
        for i in 0..len {
            lost[i] = pending[i] & !king_steps(open[i]) & !scratch.moves[i];
        }
        feeds
            .exits
            .remove_saved(0, row * len, lost, &mut scratch.exits[..len]);
        for i in 0..len {
            let lane = row * len + i;
            // A move that loses at once still prevents stalemate.
            let movers = king_steps(feeds.exits.at_once(lane)) | feeds.exits.moves(lane);
            pending[i] &= !lost[i];
            next[i] = lost[i] & (next[i] | movers);
            losses += u64::from(next[i].count_ones());
        }
        if let Some(lost) = &mut scratch.found {
            lost.row(local, next);
        }
        part.lose(local, row * len, losses, &mut found);
    }
    scratch.digits = digits;
    found
}

/// Finds the positions in which a man of the loser, other than its king, can move to an open
/// position. Writes them to `scratch.moves`.
#[inline(always)]
fn gather_escapes(
    geometry: &Geometry,
    open: &Rows,
    feeds: &Feeds,
    place: Place,
    scratch: &mut Scratch,
) {
    let loser = !geometry.layout.winner();
    scratch.gather_moves(geometry, loser, open, place);
    for (shape, rows) in &feeds.open {
        strikes(geometry, shape, loser, place, |strike| {
            strike.gather(geometry, rows, place, &mut scratch.moves);
            false
        });
    }
}

for_each_level! {
    fn win_part(
        geometry: &Geometry,
        lost: &Rows,
        feeds: (&Feeds, Distances),
        scratch: &mut Scratch,
        span: Span,
        part: WinnerPart<'_>,
    ) -> TaskCounts = win_rows;
}

/// Does the winner's half of a step, which finds the wins.
#[inline(always)]
fn win_rows(
    geometry: &Geometry,
    lost: &Rows,
    (feeds, distances): (&Feeds, Distances),
    scratch: &mut Scratch,
    span: Span,
    mut part: WinnerPart<'_>,
) -> TaskCounts {
    let mut found = TaskCounts::default();
    let len = geometry.row_lanes;
    let winner = geometry.layout.winner();
    let mut digits = std::mem::take(&mut scratch.digits);
    for local in 0..span.rows {
        part.changed[local] = 0;
        let Some(place) = geometry.place(span.slab, span.first_row + local, &mut digits) else {
            continue;
        };
        let mut moved = scratch.gather_moves(geometry, winner, lost, place);
        for feed in feeds
            .after_winner_captures
            .iter()
            .filter(|feed| feed.levels.any)
        {
            strikes(geometry, &feed.shape, winner, place, |strike| {
                let level = &feed.levels.level;
                moved |= strike.gather(geometry, level, place, &mut scratch.moves);
                false
            });
        }
        let mut captured = gather_captures(geometry, &feeds.after_loser_captures, place, scratch);
        let exits = &feeds.exits;
        moved |= exits.gather_wins(geometry, distances, place.row, scratch, &mut captured);
        if !moved && !captured {
            continue;
        }
        let at = local * len;
        let first = place.row * len;
        found.words += len as u64;
        let open = &mut part.open[at..at + len];
        if close(geometry, open, captured, place, first, scratch, &mut found) {
            part.win(local, &scratch.newly, &mut found);
            if let Some(won) = &mut scratch.found {
                won.row(local, &scratch.newly);
            }
        }
    }
    scratch.digits = digits;
    found
}

for_each_level! {
    fn lose_part(
        geometry: &Geometry,
        open: &Rows,
        changed: &[u8],
        feeds: (&Feeds, u16),
        scratch: &mut Scratch,
        span: Span,
        part: LoserPart<'_>,
    ) -> TaskCounts = lose_rows;
}

/// Does the loser's half of a step, which finds the losses.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn lose_rows(
    geometry: &Geometry,
    open: &Rows,
    changed: &[u8],
    (feeds, step): (&Feeds, u16),
    scratch: &mut Scratch,
    span: Span,
    mut part: LoserPart<'_>,
) -> TaskCounts {
    let mut found = TaskCounts::default();
    let len = geometry.row_lanes;
    let mut digits = std::mem::take(&mut scratch.digits);
    for local in 0..span.rows {
        part.full[local] = 0;
        let Some(place) = geometry.place(span.slab, span.first_row + local, &mut digits) else {
            continue;
        };
        let row = place.row;
        let released = &mut scratch.exits[..len];
        let released = feeds.exits.releases(step, row * len, released);
        if !released && !may_lose(geometry, changed, feeds, place) {
            continue;
        }
        let at = local * len;
        let own = &open.words[row * len..][..len];
        let pending = &mut part.pending[at..at + len];
        let next = &mut part.next[at..at + len];
        found.words += 2 * len as u64;
        let mut any = 0;
        for i in 0..len {
            next[i] = pending[i] & !king_steps(own[i]);
            any |= next[i];
        }
        if any == 0 {
            continue;
        }
        let held = &mut scratch.exits[..len];
        feeds.exits.remove_saved(step, row * len, next, held);
        gather_escapes(geometry, open, feeds, place, scratch);
        let escapes = &scratch.moves[..len];
        let mut losses = 0;
        for i in 0..len {
            let lost = next[i] & !escapes[i];
            next[i] = lost;
            pending[i] ^= lost;
            losses += u64::from(lost.count_ones());
        }
        if let Some(lost) = &mut scratch.found {
            lost.row(local, next);
        }
        part.lose(local, row * len, losses, &mut found);
    }
    scratch.digits = digits;
    found
}

/// True if this step changed a position in the row at `place` or in a row that a move of the loser
/// leads to. Otherwise no position in the row is a new loss.
#[inline(always)]
fn may_lose(geometry: &Geometry, changed: &[u8], feeds: &Feeds, place: Place) -> bool {
    let row = place.row;
    if changed[row] != 0 {
        return true;
    }
    let loser = !geometry.layout.winner();
    let groups = geometry.layout.groups();
    for (group, (&digit, &stride)) in place.digits.iter().zip(&geometry.row_strides).enumerate() {
        if groups[group].color != loser {
            continue;
        }
        let base = row - digit * stride;
        let mut moves = geometry.graphs[group].moves(digit).iter();
        if moves.any(|step| changed[base + step.to as usize * stride] != 0) {
            return true;
        }
    }
    feeds
        .after_loser_captures
        .iter()
        .filter(|feed| feed.levels.any)
        .any(|feed| {
            strikes(geometry, &feed.shape, loser, place, |strike| {
                feed.levels.level.full[strike.row()] != 0
            })
        })
}
