//! Blocks packed as ranks: how far down the model's lists each cell is found.
//!
//! The ranks of the three classes are three lists. The bytes that zstd then compresses take one
//! of each at a time:
//!
//! ```text
//! bits   7 6        5 4        3 2 1 0
//!        class 2    class 1    class 0
//! ```
//!
//! Most are 0, and what the others are depends little on their neighbours in the byte, so that
//! one Huffman code serves all three classes well. A rank too large for its field is finished in
//! the list of class 0.

use super::code::Code;
use super::header::SectionInfo;
use super::lattice::{Lattice, UNKNOWN, Visit};
use super::legal::Planes;
use super::model::{CLASSES, Census, MAX_RANKED_CODES, Model, SYMBOLS, symbol_of, value_of};
use crate::material::CanonicalMaterial;

/// The most bytes that a cell is packed into, before zstd.
pub(super) const MOST_BYTES: usize = 4;

/// The rank that says: the value follows in two halves.
const ESCAPE: u8 = SYMBOLS as u8;
/// The first bit of each class's field.
const SHIFTS: [u8; CLASSES] = [0, 4, 6];
/// The largest number in each class's field: ranks from here on are finished in class 0.
const LARGEST: [u8; CLASSES] = [15, 3, 3];

/// What packing as ranks needs to know of a section, apart from the model.
#[derive(Debug)]
pub(super) struct Frame {
    planes: Planes,
    lattice: Lattice,
    draw: u8,
    codes: usize,
}

impl Frame {
    /// The frame of a section, if it can be packed as ranks.
    pub fn new(material: CanonicalMaterial, info: &SectionInfo) -> Option<Frame> {
        let planes = Planes::new(material, info.side, info.symmetry, &info.order)?;
        let codes = info.codes.len();
        if codes > MAX_RANKED_CODES {
            return None;
        }
        let draw = info.codes.iter().position(|&code| code == Code::Draw);
        Some(Frame {
            lattice: Lattice::new(planes.layout().domain()),
            planes,
            draw: draw.map_or(UNKNOWN - 1, |draw| draw as u8),
            codes,
        })
    }

    /// The cells of the section.
    pub fn cells(&self) -> u64 {
        self.planes.layout().cells()
    }

    /// The value of a draw.
    pub fn draw(&self) -> u8 {
        self.draw
    }

    /// The cells of a plane; blocks are of whole planes.
    pub fn plane(&self) -> usize {
        self.planes.cells()
    }

    /// The cells of a block: as many planes as come to this number of cells or less, but at least
    /// one, and none left over in the section.
    pub fn block_cells(&self, most: usize) -> usize {
        let plane = self.plane();
        let planes = self.cells() / plane as u64;
        let mut n = (most / plane).max(1).next_power_of_two();
        while n > 1 && (n * plane > most || !planes.is_multiple_of(n as u64)) {
            n /= 2;
        }
        n * plane
    }

    /// The legal squares of each lane of a block that begins with this cell.
    fn legal(&self, first: u64, cells: usize, out: &mut Vec<u64>) {
        let lanes = self.lattice.lanes();
        out.clear();
        out.resize(cells / 64, 0);
        for (plane, out) in out.chunks_exact_mut(lanes).enumerate() {
            self.planes
                .legal(first + (plane * self.plane()) as u64, out);
        }
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
    frame: &'a Frame,
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

impl Visit for Write<'_> {
    fn cell(&mut self, cell: usize, context: u16, reference: u8) -> Option<u8> {
        let list = self.model.list(context);
        let (symbols, class) = (&list[..SYMBOLS], usize::from(list[SYMBOLS]));
        let draw = self.frame.draw;
        let value = self.cells[cell];
        let rank = match value {
            // It may be anything: what is cheapest and a code.
            UNKNOWN => symbols
                .iter()
                .position(|&s| usize::from(value_of(s, reference, draw)) < self.frame.codes),
            _ => symbol_of(value, reference, draw)
                .and_then(|symbol| symbols.iter().position(|&s| s == symbol)),
        };
        Some(match rank {
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
        })
    }
}

/// Packs a block into `out`. `cells` are codes, [`UNKNOWN`] where there is none.
pub(super) fn pack(
    frame: &Frame,
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
        frame,
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

struct Read<'a> {
    model: &'a Model,
    draw: u8,
    bytes: &'a [u8],
    at: [usize; CLASSES],
}

impl Read<'_> {
    #[inline(always)]
    fn next(&mut self, class: usize) -> Option<u8> {
        let byte = *self.bytes.get(self.at[class])?;
        self.at[class] += 1;
        Some(byte >> SHIFTS[class] & LARGEST[class])
    }

    /// What follows a rank that its field cannot hold, or that is an escape.
    #[cold]
    fn rest(&mut self, class: usize, list: &[u8; SYMBOLS + 1], reference: u8) -> Option<u8> {
        let mut rank = LARGEST[class];
        if class > 0 {
            rank += self.next(0)?;
        }
        match rank {
            ESCAPE => Some(self.next(0)? << 4 | self.next(0)?),
            0..ESCAPE => Some(value_of(list[usize::from(rank)], reference, self.draw)),
            _ => None,
        }
    }
}

impl Visit for Read<'_> {
    #[inline(always)]
    fn cell(&mut self, _: usize, context: u16, reference: u8) -> Option<u8> {
        let model = self.model;
        let list = model.list(context);
        // A class is below CLASSES, which the reader of a model has checked.
        let class = usize::from(list[SYMBOLS]).min(CLASSES - 1);
        let rank = self.next(class)?;
        if rank == LARGEST[class] {
            return self.rest(class, list, reference);
        }
        Some(value_of(list[usize::from(rank)], reference, self.draw))
    }
}

/// Unpacks a block that begins with this cell into `cells`. Cells of no legal position become 0.
/// False if the bytes are none of such a block.
pub(super) fn unpack(
    frame: &Frame,
    model: &Model,
    first: u64,
    bytes: &[u8],
    scratch: &mut Scratch,
    cells: &mut [u8],
) -> bool {
    frame.legal(first, cells.len(), &mut scratch.legal);
    cells.fill(UNKNOWN);
    let mut read = Read {
        model,
        draw: frame.draw,
        bytes,
        at: [0; CLASSES],
    };
    let walked = frame
        .lattice
        .walk(&scratch.legal, frame.draw, cells, &mut read);
    let all = read.at.iter().max() == Some(&bytes.len());
    for cell in &mut *cells {
        *cell = if *cell == UNKNOWN { 0 } else { *cell };
    }
    walked.is_some() && all
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
    use crate::stats::Statistics;
    use crate::table::Metric;

    #[test]
    fn damaged_bytes_are_refused_or_unpacked_but_never_a_panic() {
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
        let census = count(&frame, 0, &cells, Census::new(frame.draw()), &mut scratch);
        let model = census.model(8);
        let mut good = Vec::new();
        pack(&frame, &model, 0, &cells, &mut scratch, &mut good);
        let mut out = vec![0; n];
        assert!(unpack(&frame, &model, 0, &good, &mut scratch, &mut out));
        let legal = scratch
            .legal
            .iter()
            .map(|lane| lane.count_ones())
            .sum::<u32>();
        let same = out.iter().zip(&cells).filter(|(a, b)| a == b).count();
        assert!(same >= legal as usize);
        let mut state = 1u64;
        for i in 0..good.len() {
            assert!(!unpack(
                &frame,
                &model,
                0,
                &good[..i],
                &mut scratch,
                &mut out
            ));
            let mut bytes = good.clone();
            for byte in &mut bytes[i..] {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                *byte = (state >> 40) as u8;
            }
            unpack(&frame, &model, 0, &bytes, &mut scratch, &mut out);
        }
        good.push(0);
        assert!(!unpack(&frame, &model, 0, &good, &mut scratch, &mut out));
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
