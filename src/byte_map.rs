//! Maps bytes to bytes by a table, many at a time.
//!
//! The tables here renumber codes, which keeps most neighbouring codes neighbours: such a table is
//! a few straight *pieces*, and a piece maps a whole vector of bytes in a few instructions.

use crate::simd::{Simd, for_each_level};

/// A map from bytes to bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteMap {
    table: [u8; 256],
    /// The pieces of the table. A byte in none of them maps to 255. `None` if there are so many
    /// that looking bytes up one by one is faster.
    pieces: Option<Vec<Piece>>,
}

/// Consecutive bytes that map to equal, rising or falling bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    first: u8,
    /// The last byte minus the first.
    span: u8,
    /// Applied to the distance of a byte from the first: 0 for equal bytes, otherwise 255.
    keep: u8,
    /// Applied to the distance after that: 255 for falling bytes, otherwise 0.
    flip: u8,
    /// Added to the result.
    add: u8,
}

/// The number of pieces up to which mapping by pieces is faster than by the table.
const MOST_PIECES: usize = 12;

/// The number of bytes that are mapped at once.
const CHUNK: usize = 64;

impl ByteMap {
    /// The map that `table` lists.
    pub fn new(table: [u8; 256]) -> ByteMap {
        let mut pieces = Vec::new();
        let mut first = 0;
        while first < table.len() {
            let step = |at: usize| table[at + 1].wrapping_sub(table[at]);
            let mut last = first;
            if first < 255 && matches!(step(first), 0 | 1 | 255) {
                while last < 255 && step(last) == step(first) {
                    last += 1;
                }
            }
            let (keep, flip) = match last > first {
                true if step(first) == 1 => (255, 0),
                true if step(first) == 255 => (255, 255),
                _ => (0, 0),
            };
            if (keep, table[first]) != (0, 255) {
                pieces.push(Piece {
                    first: first as u8,
                    span: (last - first) as u8,
                    keep,
                    flip,
                    add: table[first].wrapping_sub(flip),
                });
            }
            first = last + 1;
        }
        ByteMap {
            pieces: (pieces.len() <= MOST_PIECES).then_some(pieces),
            table,
        }
    }

    /// The byte to which a byte maps.
    #[inline(always)]
    pub fn of(&self, byte: u8) -> u8 {
        self.table[usize::from(byte)]
    }

    /// True if some byte maps to this byte.
    pub fn has(&self, byte: u8) -> bool {
        self.table.contains(&byte)
    }

    /// Replaces each of `bytes` with the byte to which it maps.
    pub fn apply(&self, bytes: &mut [u8]) {
        self.apply_with(Simd::detect(), bytes);
    }

    fn apply_with(&self, simd: Simd, bytes: &mut [u8]) {
        let mut rest = bytes;
        if let Some(pieces) = &self.pieces {
            let (chunks, others) = rest.as_chunks_mut();
            map_chunks(simd, pieces, chunks);
            rest = others;
        }
        for byte in rest {
            *byte = self.of(*byte);
        }
    }
}

for_each_level! {
    fn map_chunks(pieces: &[Piece], chunks: &mut [[u8; CHUNK]]) = map_body;
}

#[inline(always)]
fn map_body(pieces: &[Piece], chunks: &mut [[u8; CHUNK]]) {
    for chunk in chunks {
        let mut mapped = [255; CHUNK];
        for piece in pieces {
            for i in 0..CHUNK {
                let distance = chunk[i].wrapping_sub(piece.first);
                let value = (distance & piece.keep ^ piece.flip).wrapping_add(piece.add);
                mapped[i] = if distance <= piece.span {
                    value
                } else {
                    mapped[i]
                };
            }
        }
        *chunk = mapped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tables of a few straight pieces, or of many.
    fn table() -> impl Strategy<Value = [u8; 256]> {
        let piece = (any::<u8>(), 0..4u8, 1..90usize);
        let pieces = prop::collection::vec(piece, 3..200);
        pieces.prop_map(|pieces| {
            let bytes = pieces.into_iter().cycle().flat_map(|(start, step, n)| {
                let step = [0u8, 1, 255, 7][usize::from(step)];
                (0..n).map(move |i| start.wrapping_add(step.wrapping_mul(i as u8)))
            });
            let mut table = [255; 256];
            table
                .iter_mut()
                .zip(bytes)
                .for_each(|(own, byte)| *own = byte);
            table
        })
    }

    proptest! {
        #[test]
        fn bytes_are_mapped_as_the_table_lists(table in table(), bytes: Vec<u8>) {
            let map = ByteMap::new(table);
            let all = (0..=255).chain(bytes).collect::<Vec<u8>>();
            let one_by_one: Vec<u8> = all.iter().map(|&byte| table[usize::from(byte)]).collect();
            for simd in Simd::available() {
                let mut mapped = all.clone();
                map.apply_with(simd, &mut mapped);
                prop_assert_eq!(&mapped, &one_by_one);
            }
        }
    }

    #[test]
    fn renumbered_codes_take_few_pieces() {
        // A draw, 60 wins of one side and 20 of the other, sorted from best to worst.
        let table = std::array::from_fn(|code| match code as u8 {
            0 => 60,
            code @ 1..=60 => code - 1,
            code @ 61..=80 => 81 - (code - 60),
            _ => 255,
        });
        let map = ByteMap::new(table);
        assert_eq!(map.pieces.map(|pieces| pieces.len()), Some(3));
    }
}
