//! Ghosts: the slabs of lanes in which the winner's king is just outside the domain. The domain
//! consists of the squares to which symmetry maps this king.

use std::ops::Range;

use rayon::prelude::*;

use super::geometry::{Geometry, Ghost};
use super::rows::Rows;
use crate::board::SquareSet;
use crate::parallel::ForkedByOneFunction;
use crate::simd::{Simd, for_each_level};

/// Fills the slabs outside the domain with images of the slabs inside. If the rows are in a file,
/// fills one slab at a time, and releases the file's pages from memory after each.
pub fn fill_ghosts(simd: Simd, geometry: &Geometry, rows: &mut Rows) {
    let ghosts = geometry.ghosts.len();
    if rows.words.is_in_file() {
        for ghost in 0..ghosts {
            fill(simd, geometry, rows, ghost..ghost + 1);
            rows.words.release();
        }
    } else {
        fill(simd, geometry, rows, 0..ghosts);
    }
}

fn fill(simd: Simd, geometry: &Geometry, rows: &mut Rows, ghosts: Range<usize>) {
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
        .skip(ghosts.start * per_slab)
        .take(ghosts.len() * per_slab)
        .erased()
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
    let inner = ghost.partners.len().saturating_sub(1);
    if ghost.partners.get(inner).is_some_and(|&p| p != inner) {
        reflect_lanes(
            geometry,
            ghost,
            first_row,
            words,
            full,
            ghost_words,
            ghost_full,
        );
        return;
    }
    for (local, ghost_full) in ghost_full.iter_mut().enumerate() {
        let mut rest = first_row + local;
        let mut row = ghost.source * geometry.slab_rows;
        for (group, &stride) in geometry.row_strides.iter().enumerate() {
            let image = ghost.images[group][rest / stride] as usize;
            row += image * geometry.row_strides[ghost.partners[group]];
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

/// Does the work of [`reflect_rows`] if the transform exchanges the innermost group with an outer
/// group. Then the lanes of a ghost's row come from many rows.
fn reflect_lanes(
    geometry: &Geometry,
    ghost: &Ghost,
    first_row: usize,
    words: &[u64],
    full: &[u8],
    ghost_words: &mut [u64],
    ghost_full: &mut [u8],
) {
    let len = geometry.row_lanes;
    let inner = geometry.row_strides.len();
    let inner_stride = geometry.row_strides[ghost.partners[inner]];
    for (local, ghost_full) in ghost_full.iter_mut().enumerate() {
        let mut rest = first_row + local;
        let mut first = ghost.source * geometry.slab_rows;
        let mut lane = 0;
        for (group, &stride) in geometry.row_strides.iter().enumerate() {
            let image = ghost.images[group][rest / stride] as usize;
            match ghost.partners[group] {
                partner if partner == inner => lane = image,
                partner => first += image * geometry.row_strides[partner],
            }
            rest %= stride;
        }
        let mut any = 0;
        let ghost_row = &mut ghost_words[local * len..][..len];
        for (word, &image) in ghost_row.iter_mut().zip(&ghost.images[inner]) {
            let row = first + image as usize * inner_stride;
            *word = match full[row] {
                0 => 0,
                _ => ghost.back.set(SquareSet(words[row * len + lane])).0,
            };
            any |= *word;
        }
        *ghost_full = u8::from(any != 0);
    }
}
