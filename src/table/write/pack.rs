//! Writing blocks packed as ranks.

use super::census::{Census, symbol_of};
use crate::table::code::Code;
use crate::table::lattice::{Lane, UNKNOWN, Visit, each};
use crate::table::model::{CLASSES, Model, SYMBOLS, value_of};
use crate::table::ranks::{ESCAPE, Frame, LARGEST, MOST_CELLS, SHIFTS};

impl Frame {
    /// The cells of a block: as many planes as come to this number of cells or less, but at least
    /// one, and none left over in the section.
    pub fn block_cells(&self, most: usize) -> usize {
        let plane = self.plane();
        let most = most.min(MOST_CELLS);
        let planes = self.cells() / plane as u64;
        let mut n = (most / plane).max(1).next_power_of_two();
        while n > 1 && (n * plane > most || !planes.is_multiple_of(n as u64)) {
            n /= 2;
        }
        n * plane
    }
}

/// What is used again from block to block.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    legal: Vec<u64>,
    known: Vec<u8>,
    lists: [Vec<u8>; CLASSES],
}

/// Counts a block for the model. `cells` are codes, [`UNKNOWN`] where there is none.
pub(super) fn count<'a>(
    frame: &Frame,
    first: u64,
    cells: &'a [u8],
    census: Census<'_>,
    scratch: &mut Scratch,
) -> Census<'a> {
    let mut census = census.of(cells);
    frame.legal(first, cells.len(), &mut scratch.legal);
    scratch.known.clear();
    scratch.known.resize(cells.len(), UNKNOWN);
    let _ = frame
        .lattice
        .walk(&scratch.legal, frame.draw, &mut scratch.known, &mut census);
    census
}

struct Write<'a> {
    codes: usize,
    draw: u8,
    model: &'a Model,
    cells: &'a [u8],
    lists: &'a mut [Vec<u8>; CLASSES],
}

impl Write<'_> {
    fn put(&mut self, class: usize, rank: u8) {
        let largest = LARGEST[class];
        self.lists[class].push(rank.min(largest));
        if class > 0 && rank >= largest {
            self.lists[0].push(rank - largest);
        }
    }
}

impl Write<'_> {
    /// Puts the rank of a cell, and tells the value that is read from it.
    fn cell(&mut self, value: u8, context: u16, reference: u8) -> u8 {
        let (class, list) = self.model.lists().look_up(context);
        let (symbols, class) = (&list[..SYMBOLS], usize::from(class));
        let draw = self.draw;
        let rank = match value {
            // It may be anything: what is cheapest and a code.
            UNKNOWN => symbols
                .iter()
                .position(|&s| usize::from(value_of(s, reference, draw)) < self.codes),
            _ => symbol_of(value, reference, draw)
                .and_then(|symbol| symbols.iter().position(|&s| s == symbol)),
        };
        match rank {
            Some(rank) => {
                self.put(class, rank as u8);
                value_of(symbols[rank], reference, draw)
            }
            None => {
                let value = if value == UNKNOWN { 0 } else { value };
                self.put(class, ESCAPE);
                self.lists[0].extend([value >> 4, value & 15]);
                value
            }
        }
    }
}

impl Visit for Write<'_> {
    fn cells(
        &mut self,
        first: usize,
        squares: u64,
        contexts: &Lane<u16>,
        references: &mut Lane<u8>,
        values: &mut Lane<u8>,
    ) -> Option<()> {
        for i in each(squares) {
            values[i] = self.cell(self.cells[first + i], contexts[i], references[i]);
        }
        Some(())
    }
}

/// Packs a block into `out`. `cells` are codes, of which there are so many, [`UNKNOWN`] where there is
/// none.
pub(super) fn pack(
    frame: &Frame,
    codes: usize,
    model: &Model,
    first: u64,
    cells: &[u8],
    scratch: &mut Scratch,
    out: &mut Vec<u8>,
) {
    frame.legal(first, cells.len(), &mut scratch.legal);
    scratch.known.clear();
    scratch.known.resize(cells.len(), UNKNOWN);
    scratch.lists.iter_mut().for_each(Vec::clear);
    let mut write = Write {
        codes,
        draw: frame.draw,
        model,
        cells,
        lists: &mut scratch.lists,
    };
    let _ = frame
        .lattice
        .walk(&scratch.legal, frame.draw, &mut scratch.known, &mut write);
    let lists = &scratch.lists;
    out.clear();
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    out.extend((0..longest).map(|i| {
        (0..CLASSES).fold(0, |byte, class| {
            byte | lists[class].get(i).copied().unwrap_or(0) << SHIFTS[class]
        })
    }));
}

/// The places of codes as ranks want them, the best for White first, and where each has gone.
pub(super) fn in_line(codes: &[Code]) -> (Vec<Code>, Vec<u16>) {
    let mut sorted: Vec<(usize, Code)> = codes.iter().copied().enumerate().collect();
    sorted.sort_by_key(|&(at, code)| match code {
        Code::WhiteWins(moves) => (0, u32::from(moves), at),
        Code::Draw => (1, 0, at),
        Code::Base => (1, 1, at),
        Code::BlackWins(moves) => (2, u32::from(u16::MAX - moves), at),
    });
    let mut places = vec![0; codes.len()];
    for (new, &(old, _)) in sorted.iter().enumerate() {
        places[old] = new as u16;
    }
    (sorted.into_iter().map(|(_, code)| code).collect(), places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::simd::Simd;
    use crate::stats::Statistics;
    use crate::table::header::{Metric, SectionInfo};
    use crate::table::ranks::{self, unpack_with};

    #[test]
    fn damaged_bytes_are_refused_or_unpacked_alike_by_all_vectors_but_never_a_panic() {
        let info = SectionInfo {
            metric: Metric::Dtm,
            side: Color::White,
            symmetry: 2,
            order: vec![2, 0, 1],
            codes: (0..30).map(Code::WhiteWins).collect(),
            statistics: Statistics::default(),
        };
        let frame = Frame::new("KRvK".parse().unwrap(), &info).unwrap();
        let n = frame.block_cells(5120);
        let cells: Vec<u8> = (0..n).map(|i| (i / 64 % 8 + i % 8) as u8).collect();
        let mut scratch = Scratch::default();
        let census = count(&frame, 0, &cells, Census::new(frame.draw), &mut scratch);
        let model = census.model(8);
        let mut good = Vec::new();
        pack(&frame, 30, &model, 0, &cells, &mut scratch, &mut good);
        let (mut reading, mut out) = (ranks::Scratch::default(), vec![0; n]);
        let unpack = |bytes: &[u8], scratch: &mut ranks::Scratch, out: &mut [u8]| {
            let levels = Simd::available().into_iter();
            let results: Vec<(bool, Vec<u8>)> = levels
                .map(|simd| {
                    out.fill(7);
                    let good = unpack_with(simd, &frame, &model, 0, bytes, scratch, out);
                    (good, out.to_vec())
                })
                .collect();
            assert!(results.iter().all(|result| *result == results[0]));
            results[0].0
        };
        assert!(unpack(&good, &mut reading, &mut out));
        let legal = scratch
            .legal
            .iter()
            .map(|lane| lane.count_ones())
            .sum::<u32>();
        let same = out.iter().zip(&cells).filter(|(a, b)| a == b).count();
        assert!(same >= legal as usize);
        let mut state = 1u64;
        for i in 0..good.len() {
            assert!(!unpack(&good[..i], &mut reading, &mut out));
            let mut bytes = good.clone();
            for byte in &mut bytes[i..] {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                *byte = (state >> 40) as u8;
            }
            unpack(&bytes, &mut reading, &mut out);
        }
        good.push(0);
        assert!(!unpack(&good, &mut reading, &mut out));
    }

    #[test]
    fn codes_lie_in_line_from_the_best_for_white_to_the_worst() {
        let codes = [
            Code::Base,
            Code::BlackWins(2),
            Code::Draw,
            Code::WhiteWins(4),
            Code::BlackWins(5),
            Code::WhiteWins(3),
        ];
        let (line, places) = in_line(&codes);
        let best_first = [5, 3, 2, 0, 4, 1].map(|i: usize| codes[i]);
        assert_eq!(line, best_first);
        for (code, place) in codes.iter().zip(places) {
            assert_eq!(line[usize::from(place)], *code);
        }
    }
}
