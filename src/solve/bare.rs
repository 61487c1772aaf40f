//! Bare-king endings: one fused pass a step.
//!
//! For each lane there are two words. `open`: White to move, the king may stand there (or takes a
//! man there) and White has not won yet: *a king move to the square does Black some good*.
//! `pending`: Black to move, legal, not stalemate, not lost yet. A step k takes, for every row,
//! the positions that a White move turns into one lost at k − 1 out of `open`, and then the
//! positions all of whose king moves leave `open` out of `pending`. The king's moves stay within
//! the lane, so both halves of a step are done while the row is at hand.

use rayon::prelude::*;

use super::capture::{Feed, Leaf};
use super::frame::Frame;
use super::gather::{Place, Scratch};
use super::geometry::{Geometry, Ghost};
use super::lane::king_steps;
use super::planes::Planes;
use super::rows::Rows;
use super::simd::{Simd, for_each_level};
use super::tally::{Found, Tally};
use crate::board::{Square, SquareSet, attacks};

/// A step that was taken, for those who watch.
#[derive(Clone, Copy, Debug)]
pub struct StepDone {
    /// The step: the distance in moves that it settled.
    pub moves: u16,
}

/// A solved ending.
#[derive(Debug)]
pub struct Solution {
    /// The order of the lanes.
    pub frame: Frame,
    /// Moves to mate with the winner to move; 0 where it does not win. Bits on squares of the
    /// lane's own men mean nothing.
    pub winner_to_move: Planes,
    /// The bits, winner to move, that were never won; the lane's own men's squares mean nothing.
    pub open: Vec<u64>,
    /// Counts on the whole board and an example for each distance.
    pub tally: Tally,
    /// Steps taken, the mates at the start included.
    pub steps: u16,
}

struct Arrays {
    open: Vec<u64>,
    pending: Vec<u64>,
    /// Lost at the last step, with the ghost slabs behind the domain's.
    lost: Rows,
    next: Rows,
    planes: Planes,
}

/// A part of the arrays that one task owns during a step: rows of one slab.
struct Chunk<'a> {
    slab: usize,
    first_row: usize,
    open: &'a mut [u64],
    pending: &'a mut [u64],
    next: &'a mut [u64],
    full: &'a mut [u8],
    planes: Vec<&'a mut [u64]>,
}

impl Arrays {
    fn chunks<'a>(&'a mut self, geometry: &Geometry, step: u16) -> (&'a Rows, Vec<Chunk<'a>>) {
        let rows = geometry.chunk_rows;
        let lanes = rows * geometry.row_lanes;
        self.planes.make_room(step);
        let mut planes: Vec<_> = self
            .planes
            .of_value_mut(step)
            .map(|plane| plane.chunks_mut(lanes))
            .collect();
        let per_slab = geometry.slab_rows / rows;
        let chunks = self
            .open
            .chunks_mut(lanes)
            .zip(self.pending.chunks_mut(lanes))
            .zip(self.next.words.chunks_mut(lanes))
            .zip(self.next.full.chunks_mut(rows))
            .enumerate()
            .map(|(i, (((open, pending), next), full))| Chunk {
                slab: i / per_slab,
                first_row: i % per_slab * rows,
                open,
                pending,
                next,
                full,
                planes: planes.iter_mut().filter_map(Iterator::next).collect(),
            })
            .collect();
        (&self.lost, chunks)
    }
}

/// Solves a bare-king ending. `leaves` are the endings after a capture in which the winner can
/// still win; what is not among them counts as drawn. Runs on the current rayon pool.
pub fn solve(
    frame: Frame,
    leaves: Vec<Leaf>,
    simd: Simd,
    watch: &mut dyn FnMut(StepDone),
) -> Solution {
    let geometry = Geometry::new(frame);
    let mut feeds: Vec<Feed> = leaves
        .into_iter()
        .map(|leaf| Feed::new(&geometry.frame, leaf))
        .collect();
    let last_feed = feeds.iter().map(Feed::largest).max().unwrap_or(0);
    let lanes = geometry.frame.lanes();
    let slabs = geometry.slabs() + geometry.ghosts.len();
    let mut arrays = Arrays {
        open: vec![0; lanes],
        pending: vec![0; lanes],
        lost: Rows::new(slabs * geometry.slab_rows, geometry.row_lanes),
        next: Rows::new(slabs * geometry.slab_rows, geometry.row_lanes),
        planes: Planes::new(lanes),
    };
    let mut tally = Tally::default();

    let (_, chunks) = arrays.chunks(&geometry, 0);
    let found: Vec<Found> = chunks
        .into_par_iter()
        .map_init(
            || Scratch::new(&geometry),
            |scratch, chunk| start(simd, &geometry, scratch, chunk),
        )
        .collect();
    let mut any = tally.start(&geometry, &found);
    let mut step = 0;
    loop {
        fill_ghosts(simd, &geometry, &mut arrays.next);
        std::mem::swap(&mut arrays.lost, &mut arrays.next);
        watch(StepDone { moves: step });
        if !any && step >= last_feed {
            break;
        }
        step += 1;
        for feed in &mut feeds {
            feed.raise(step);
        }
        let (lost, chunks) = arrays.chunks(&geometry, step);
        let found: Vec<Found> = chunks
            .into_par_iter()
            .map_init(
                || Scratch::new(&geometry),
                |scratch, chunk| advance(simd, &geometry, lost, &feeds, scratch, chunk),
            )
            .collect();
        any = tally.step(&geometry, &found);
    }
    Solution {
        frame: geometry.frame,
        winner_to_move: arrays.planes,
        open: arrays.open,
        tally,
        steps: step,
    }
}

for_each_level! {
    /// Sets up a chunk: who may stand where, the mates, the stalemates.
    fn start(geometry: &Geometry, scratch: &mut Scratch, chunk: Chunk<'_>) -> Found = start_chunk;
}

#[inline(always)]
fn start_chunk(geometry: &Geometry, scratch: &mut Scratch, chunk: Chunk<'_>) -> Found {
    let mut found = Found::default();
    let len = geometry.row_lanes;
    for local in 0..chunk.full.len() {
        let slab_row = chunk.first_row + local;
        geometry.digits(slab_row, &mut scratch.digits);
        let Some(occupied) = geometry.occupied(chunk.slab, &scratch.digits) else {
            continue;
        };
        let at = local * len;
        let row = &mut chunk.next[at..at + len];
        let mut any = 0;
        for (lane, lost) in row.iter_mut().enumerate() {
            let inner = geometry.inner_squares[lane];
            if inner & occupied.0 != 0 {
                *lost = 0;
                continue;
            }
            let king = geometry.frame.domain()[chunk.slab];
            let near = attacks::king(king);
            let men = occupied | SquareSet(inner);
            let attacked = attacked(geometry, &scratch.digits, lane, men) | near;
            let open = !attacked.0 & !king.set().0;
            let legal = !men.0 & !near.0;
            let stuck = legal & !king_steps(open);
            *lost = stuck & attacked.0;
            any |= *lost;
            chunk.open[at + lane] = open;
            chunk.pending[at + lane] = legal & !stuck;
            found.winner_legal += u64::from((open & !men.0).count_ones());
            found.loser_legal += u64::from(legal.count_ones());
            let first = (chunk.slab * geometry.slab_rows + slab_row) * len + lane;
            found.lost(first, *lost);
        }
        chunk.full[local] = u8::from(any != 0);
    }
    found
}

/// The squares that the winner's men, without its king, attack; the lane's king is not in the way.
#[inline(always)]
fn attacked(geometry: &Geometry, digits: &[usize], inner: usize, men: SquareSet) -> SquareSet {
    let mut attacked = SquareSet::EMPTY;
    for (group, graph) in geometry.graphs.iter().enumerate() {
        let placement = digits.get(group).copied().unwrap_or(inner);
        let kind = geometry.frame.groups()[group];
        for square in graph.squares(placement) {
            attacked |= attacks::attacks(kind.role, kind.color, square, men);
        }
    }
    attacked
}

for_each_level! {
    /// One step of a chunk.
    fn advance(
        geometry: &Geometry,
        lost: &Rows,
        feeds: &[Feed],
        scratch: &mut Scratch,
        chunk: Chunk<'_>,
    ) -> Found = advance_chunk;
}

#[inline(always)]
fn advance_chunk(
    geometry: &Geometry,
    lost: &Rows,
    feeds: &[Feed],
    scratch: &mut Scratch,
    mut chunk: Chunk<'_>,
) -> Found {
    let mut found = Found::default();
    let len = geometry.row_lanes;
    let mut digits = std::mem::take(&mut scratch.digits);
    for local in 0..chunk.full.len() {
        chunk.full[local] = 0;
        let slab_row = chunk.first_row + local;
        geometry.digits(slab_row, &mut digits);
        let Some(occupied) = geometry.occupied(chunk.slab, &digits) else {
            continue;
        };
        let place = Place {
            slab: chunk.slab,
            slab_row,
            digits: &digits,
            occupied: occupied.0,
        };
        let moved = scratch.gather_moves(geometry, geometry.frame.winner(), lost, place);
        let mut captured = false;
        for feed in feeds {
            if !captured {
                scratch.captures.fill(0);
            }
            captured |= feed.gather(geometry, place, &mut scratch.captures);
        }
        if !moved && !captured {
            continue;
        }
        let at = local * len;
        let first = (chunk.slab * geometry.slab_rows + slab_row) * len;
        let open = &mut chunk.open[at..at + len];
        let (wins, first_win) = close(
            open,
            &scratch.moves,
            captured.then_some(&scratch.captures),
            &geometry.inner_squares,
            occupied.0,
            &mut scratch.newly,
        );
        found.winner_wins += wins;
        if let Some((lane, bit)) = first_win {
            found.win(first + lane, bit);
        }
        if scratch.newly.iter().all(|&word| word == 0) {
            continue;
        }
        for plane in &mut chunk.planes {
            super::rows::or_into(&mut plane[at..at + len], &scratch.newly);
        }
        let pending = &mut chunk.pending[at..at + len];
        let next = &mut chunk.next[at..at + len];
        let mut any = 0;
        let mut losses = 0;
        for i in 0..len {
            let lost = pending[i] & !king_steps(open[i]);
            pending[i] ^= lost;
            next[i] = lost;
            any |= lost;
            losses += u64::from(lost.count_ones());
        }
        chunk.full[local] = u8::from(any != 0);
        found.loser_losses += losses;
        if any != 0 && found.first_loss.is_none() {
            for (lane, &lost) in next.iter().enumerate() {
                found.first_lost(first + lane, lost);
            }
        }
    }
    scratch.digits = digits;
    found
}

/// Takes the gathered bits out of `open`; what goes is left in `newly`. Returns how many of them
/// are positions won by a move (rather than the king's captures), and the first such one.
#[inline(always)]
fn close(
    open: &mut [u64],
    moves: &[u64],
    captures: Option<&Vec<u64>>,
    inner_squares: &[u64],
    occupied: u64,
    newly: &mut [u64],
) -> (u64, Option<(usize, u64)>) {
    let len = open.len();
    let (moves, inner_squares, newly) = (&moves[..len], &inner_squares[..len], &mut newly[..len]);
    let mut wins = 0;
    for i in 0..len {
        let won = moves[i] & open[i] & !(occupied | inner_squares[i]);
        newly[i] = won;
        wins += u64::from(won.count_ones());
    }
    let first = if wins == 0 {
        None
    } else {
        newly
            .iter()
            .position(|&w| w != 0)
            .map(|lane| (lane, newly[lane]))
    };
    if let Some(captures) = captures {
        let captures = &captures[..len];
        for i in 0..len {
            newly[i] |= captures[i] & open[i];
        }
    }
    for i in 0..len {
        open[i] &= !newly[i];
    }
    (wins, first)
}

/// Fills the slabs outside the domain with the images of those inside.
fn fill_ghosts(simd: Simd, geometry: &Geometry, rows: &mut Rows) {
    let real_rows = geometry.slabs() * geometry.slab_rows;
    let len = geometry.row_lanes;
    let (words, ghost_words) = rows.words.split_at_mut(real_rows * len);
    let (full, ghost_full) = rows.full.split_at_mut(real_rows);
    let chunk = geometry.chunk_rows;
    let per_slab = geometry.slab_rows / chunk;
    ghost_words
        .par_chunks_mut(chunk * len)
        .zip(ghost_full.par_chunks_mut(chunk))
        .enumerate()
        .for_each(|(i, (ghost_words, ghost_full))| {
            let ghost = &geometry.ghosts[i / per_slab];
            let first_row = i % per_slab * chunk;
            reflect(
                simd,
                geometry,
                ghost,
                first_row,
                words,
                full,
                ghost_words,
                ghost_full,
            );
        });
}

for_each_level! {
    /// Fills some rows of a ghost slab.
    fn reflect(
        geometry: &Geometry,
        ghost: &Ghost,
        first_row: usize,
        words: &[u64],
        full: &[u8],
        ghost_words: &mut [u64],
        ghost_full: &mut [u8],
    ) = reflect_rows;
}

#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn reflect_rows(
    geometry: &Geometry,
    ghost: &Ghost,
    first_row: usize,
    words: &[u64],
    full: &[u8],
    ghost_words: &mut [u64],
    ghost_full: &mut [u8],
) {
    let len = geometry.row_lanes;
    for (local, ghost_full) in ghost_full.iter_mut().enumerate() {
        let mut rest = first_row + local;
        let mut row = ghost.source * geometry.slab_rows;
        for (images, &stride) in ghost.images.iter().zip(&geometry.row_strides) {
            row += images[rest / stride] as usize * stride;
            rest %= stride;
        }
        *ghost_full = full[row];
        if full[row] == 0 {
            continue;
        }
        let source = &words[row * len..][..len];
        let ghost_row = &mut ghost_words[local * len..][..len];
        match ghost.images.last() {
            Some(images) => {
                for (word, &image) in ghost_row.iter_mut().zip(images) {
                    *word = ghost.back.set(SquareSet(source[image as usize])).0;
                }
            }
            None => ghost_row[0] = ghost.back.set(SquareSet(source[0])).0,
        }
    }
}

/// The lowest square of a word that is not zero.
pub(super) fn lowest(word: u64) -> usize {
    Square::wrapping(word.trailing_zeros() as usize).index()
}
