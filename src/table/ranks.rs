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
use super::lattice::{Lane, Lattice, UNKNOWN, Visit, each};
use super::legal::Planes;
use super::model::{
    CLASSES, Census, List, Lists, MAX_RANKED_CODES, Model, SYMBOLS, symbol_of, value_of,
};
use crate::material::CanonicalMaterial;
use crate::simd::{Simd, for_each_level};

/// The most bytes that a cell is packed into, before zstd.
pub(super) const MOST_BYTES: usize = 4;

/// The most cells of a block, so that no list is longer than a cursor reaches.
pub(super) const MOST_CELLS: usize = 1 << 17;

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
        let most = most.min(MOST_CELLS);
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

impl Write<'_> {
    /// Puts the rank of a cell, and tells the value that is read from it.
    fn cell(&mut self, value: u8, context: u16, reference: u8) -> u8 {
        let (class, list) = self.model.lists().look_up(context);
        let (symbols, class) = (&list[..SYMBOLS], usize::from(class));
        let draw = self.frame.draw;
        let rank = match value {
            // It may be anything: what is cheapest and a code.
            UNKNOWN => symbols
                .iter()
                .position(|&s| usize::from(value_of(s, reference, draw)) < self.frame.codes),
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

/// What stands for a rank that its field cannot hold, once the fields are apart.
const BEYOND: u8 = LARGEST[0];

/// Where in each list the reader is: 21 bits for each class, so that none of them waits in memory
/// for the one before.
#[derive(Clone, Copy)]
struct Cursors(u64);

impl Cursors {
    const BITS: u8 = 21;

    /// At the beginnings of lists of this length, one behind the other.
    fn new(length: usize) -> Cursors {
        let at = |class: usize| ((class * length) as u64) << (class as u8 * Cursors::BITS);
        Cursors((0..CLASSES).map(at).sum())
    }

    /// The place of the next rank of a class, which is then behind it.
    #[inline(always)]
    fn next(&mut self, class: u8) -> usize {
        let shift = class * Cursors::BITS;
        let at = self.0 >> shift & ((1 << Cursors::BITS) - 1);
        self.0 += 1 << shift;
        at as usize
    }

    /// True if the longest list has been read to its end, and no other further.
    fn at_end(mut self, length: usize) -> bool {
        let read = (0..CLASSES).map(|class| self.next(class as u8) - class * length);
        read.max() == Some(length)
    }
}

struct Read<'a> {
    lists: Lists<'a>,
    draw: u8,
    /// The ranks of each class, one behind the other.
    ranks: &'a [u8],
    cursors: Cursors,
}

impl Read<'_> {
    /// The next rank of class 0.
    fn next(&mut self) -> Option<u8> {
        self.ranks.get(self.cursors.next(0)).copied()
    }

    /// The symbol of a rank that its field cannot hold; or the value that follows an escape, which
    /// becomes the cell's reference, and a symbol that adds nothing.
    #[cold]
    fn rest(&mut self, class: u8, list: &List, reference: &mut u8) -> Option<u8> {
        let mut rank = LARGEST[usize::from(class) % CLASSES];
        if class > 0 {
            rank += self.next()?;
        }
        match rank {
            ESCAPE => {
                *reference = self.next()? << 4 | self.next()?;
                Some(0)
            }
            0..ESCAPE => Some(list[usize::from(rank)]),
            _ => None,
        }
    }
}

impl Visit for Read<'_> {
    #[inline(always)]
    fn cells(
        &mut self,
        _: usize,
        squares: u64,
        contexts: &Lane<u16>,
        references: &mut Lane<u8>,
        values: &mut Lane<u8>,
    ) -> Option<()> {
        let mut symbols = [0; 64];
        let mut chosen = [0; 64];
        let (lists, ranks) = (self.lists, self.ranks);
        let mut cursors = self.cursors;
        for i in each(squares) {
            let (class, list) = lists.look_up(contexts[i]);
            let rank = *ranks.get(cursors.next(class))? & BEYOND;
            symbols[i] = list[usize::from(rank)];
            if rank == BEYOND {
                self.cursors = cursors;
                symbols[i] = self.rest(class, list, &mut references[i])?;
                cursors = self.cursors;
            }
            chosen[i] = u8::MAX;
        }
        self.cursors = cursors;
        // All at once, which is less work than one by one.
        for i in 0..64 {
            let value = value_of(symbols[i], references[i], self.draw);
            values[i] = value & chosen[i] | values[i] & !chosen[i];
        }
        Some(())
    }
}

/// Puts the ranks of each class side by side.
#[inline(always)]
fn take_apart(bytes: &[u8], ranks: &mut [u8]) {
    let lists = ranks.chunks_exact_mut(bytes.len().max(1));
    for ((list, shift), largest) in lists.zip(SHIFTS).zip(LARGEST) {
        for (rank, byte) in list.iter_mut().zip(bytes) {
            let field = byte >> shift & largest;
            *rank = if field == largest { BEYOND } else { field };
        }
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
    unpack_with(Simd::detect(), frame, model, first, bytes, scratch, cells)
}

fn unpack_with(
    simd: Simd,
    frame: &Frame,
    model: &Model,
    first: u64,
    bytes: &[u8],
    scratch: &mut Scratch,
    cells: &mut [u8],
) -> bool {
    frame.legal(first, cells.len(), &mut scratch.legal);
    let (lattice, lists, legal) = (&frame.lattice, model.lists(), &scratch.legal);
    let [ranks, ..] = &mut scratch.lists;
    ranks.clear();
    ranks.resize(CLASSES * bytes.len(), 0);
    unpack_lanes(simd, lattice, lists, frame.draw, bytes, ranks, legal, cells)
}

for_each_level! {
    fn unpack_lanes(
        lattice: &Lattice,
        lists: Lists<'_>,
        draw: u8,
        bytes: &[u8],
        ranks: &mut [u8],
        legal: &[u64],
        cells: &mut [u8],
    ) -> bool = unpack_body;
}

#[inline(always)]
fn unpack_body(
    lattice: &Lattice,
    lists: Lists<'_>,
    draw: u8,
    bytes: &[u8],
    ranks: &mut [u8],
    legal: &[u64],
    cells: &mut [u8],
) -> bool {
    take_apart(bytes, ranks);
    cells.fill(UNKNOWN);
    let mut read = Read {
        lists,
        draw,
        ranks,
        cursors: Cursors::new(bytes.len()),
    };
    let walked = lattice.walk(legal, draw, cells, &mut read);
    for cell in &mut *cells {
        *cell = if *cell == UNKNOWN { 0 } else { *cell };
    }
    walked.is_some() && read.cursors.at_end(bytes.len())
}

/// Whether what a block was packed into is unpacked to the same cells, wherever a position is legal
/// and its code known. `read` is used again from block to block.
pub(super) fn comes_back(
    frame: &Frame,
    model: &Model,
    first: u64,
    bytes: &[u8],
    cells: &[u8],
    scratch: &mut Scratch,
    read: &mut Vec<u8>,
) -> bool {
    read.resize(cells.len(), 0);
    let unpacked = unpack(frame, model, first, bytes, scratch, read);
    let lanes = cells.chunks(64).zip(read.chunks(64)).zip(&scratch.legal);
    let same = |((cells, read), legal): ((&[u8], &[u8]), &u64)| {
        each(*legal).all(|i| cells[i] == UNKNOWN || cells[i] == read[i])
    };
    unpacked && lanes.into_iter().all(same)
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
        let census = count(&frame, 0, &cells, Census::new(frame.draw()), &mut scratch);
        let model = census.model(8);
        let mut good = Vec::new();
        pack(&frame, &model, 0, &cells, &mut scratch, &mut good);
        let mut out = vec![0; n];
        let unpack = |bytes: &[u8], scratch: &mut Scratch, out: &mut [u8]| {
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
        assert!(unpack(&good, &mut scratch, &mut out));
        let legal = scratch
            .legal
            .iter()
            .map(|lane| lane.count_ones())
            .sum::<u32>();
        let same = out.iter().zip(&cells).filter(|(a, b)| a == b).count();
        assert!(same >= legal as usize);
        let mut state = 1u64;
        for i in 0..good.len() {
            assert!(!unpack(&good[..i], &mut scratch, &mut out));
            let mut bytes = good.clone();
            for byte in &mut bytes[i..] {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                *byte = (state >> 40) as u8;
            }
            unpack(&bytes, &mut scratch, &mut out);
        }
        good.push(0);
        assert!(!unpack(&good, &mut scratch, &mut out));
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
