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
use super::model::{CLASSES, List, Lists, MAX_RANKED_CODES, Model, SYMBOLS, value_of};
use crate::material::CanonicalMaterial;
use crate::simd::{Simd, for_each_level};

/// The most bytes that a cell is packed into, before zstd.
pub(super) const MOST_BYTES: usize = 4;

/// The most cells of a block, so that no list is longer than a cursor reaches.
pub(super) const MOST_CELLS: usize = 1 << 17;

/// The rank that says: the value follows in two halves.
pub(super) const ESCAPE: u8 = SYMBOLS as u8;
/// The first bit of each class's field.
pub(super) const SHIFTS: [u8; CLASSES] = [0, 4, 6];
/// The largest number in each class's field: ranks from here on are finished in class 0.
pub(super) const LARGEST: [u8; CLASSES] = [15, 3, 3];

/// What packing as ranks needs to know of a section, apart from the model.
#[derive(Debug)]
pub(super) struct Frame {
    planes: Planes,
    pub(super) lattice: Lattice,
    /// The value of a draw.
    pub(super) draw: u8,
}

impl Frame {
    /// The frame of a section, if it can be packed as ranks.
    pub fn new(material: CanonicalMaterial, info: &SectionInfo) -> Option<Frame> {
        let planes = Planes::new(material, info.side, info.symmetry, &info.order)?;
        if info.codes.len() > MAX_RANKED_CODES {
            return None;
        }
        let draw = info.codes.iter().position(|&code| code == Code::Draw);
        Some(Frame {
            lattice: Lattice::new(planes.layout().domain()),
            planes,
            draw: draw.map_or(UNKNOWN - 1, |draw| draw as u8),
        })
    }

    /// The cells of the section.
    pub fn cells(&self) -> u64 {
        self.planes.layout().cells()
    }

    /// The cells of a plane; blocks are of whole planes.
    pub fn plane(&self) -> usize {
        self.planes.cells()
    }

    /// The legal squares of each lane of a block that begins with this cell.
    pub(super) fn legal(&self, first: u64, cells: usize, out: &mut Vec<u64>) {
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
    /// The ranks of each class, one behind the other.
    ranks: Vec<u8>,
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

pub(super) fn unpack_with(
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
    let ranks = &mut scratch.ranks;
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
