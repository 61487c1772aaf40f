//! Decoding blocks packed by symbol ranking.
//!
//! The places of the symbols are three lists, one for each class. A byte that zstd compresses has
//! one place of each:
//!
//! ```text
//! bits   7 6        5 4        3 2 1 0
//!        class 2    class 1    class 0
//! ```
//!
//! Most are 0, and the others depend little on their neighbours in the byte, so that one Huffman
//! code serves all three classes well. A place too large for its field continues in the list of
//! class 0.

use super::legal::LegalPlanes;
use super::model::{CLASSES, MAX_CODES, Model, SYMBOLS, SymbolList, SymbolLists, value_of};
use super::order::{LaneCells, LaneOrder, UNKNOWN, Visitor, each};
use crate::material::CanonicalMaterial;
use crate::simd::{Simd, for_each_level};
use crate::table::code::Code;
use crate::table::header::SectionInfo;

/// The most bytes that a cell is packed into, before zstd.
pub const MOST_BYTES: usize = 4;

/// The most cells of a block, so that no list is longer than a cursor reaches.
pub const MOST_CELLS: usize = 1 << 17;

/// In place of a symbol's place: the value follows in two halves.
pub const ESCAPE: u8 = SYMBOLS as u8;
/// The first bit of each class's field.
pub const SHIFTS: [u8; CLASSES] = [0, 4, 6];
/// The largest number in each class's field: places from here on continue in class 0.
pub const LARGEST: [u8; CLASSES] = [15, 3, 3];

/// What symbol ranking needs to know of a section, apart from the model.
#[derive(Debug)]
pub struct SectionShape {
    planes: LegalPlanes,
    pub order: LaneOrder,
    /// The value of a draw.
    pub draw: u8,
}

impl SectionShape {
    /// The shape of a section, if it can be packed by symbol ranking.
    pub fn new(material: CanonicalMaterial, info: &SectionInfo) -> Option<SectionShape> {
        let planes = LegalPlanes::new(material, info.side, info.symmetry, &info.order)?;
        if info.codes.len() > MAX_CODES {
            return None;
        }
        let draw = info.codes.iter().position(|&code| code == Code::Draw);
        Some(SectionShape {
            order: LaneOrder::new(planes.layout().domain()),
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
    pub fn legal(&self, first: u64, cells: usize, out: &mut Vec<u64>) {
        let lanes = self.order.lanes();
        out.clear();
        out.resize(cells / 64, 0);
        for (plane, out) in out.chunks_exact_mut(lanes).enumerate() {
            self.planes
                .legal(first + (plane * self.plane()) as u64, out);
        }
    }
}

/// Memory that is reused from block to block.
#[derive(Debug, Default)]
pub struct DecodeScratch {
    /// The legal squares of each lane of the block decoded last.
    pub legal: Vec<u64>,
    /// The places of each class, concatenated.
    places: Vec<u8>,
}

/// A place that its field cannot hold, once the fields are split.
const BEYOND: u8 = LARGEST[0];

/// Where the reader is in each list: 21 bits for each class, in one word that stays in a register.
#[derive(Clone, Copy)]
struct Cursors(u64);

impl Cursors {
    const BITS: u8 = 21;

    /// At the start of each of three concatenated lists of this length.
    fn new(length: usize) -> Cursors {
        let at = |class: usize| ((class * length) as u64) << (class as u8 * Cursors::BITS);
        Cursors((0..CLASSES).map(at).sum())
    }

    /// Where the next number of a class is; moves past it.
    #[inline(always)]
    fn next(&mut self, class: u8) -> usize {
        let shift = class * Cursors::BITS;
        let at = self.0 >> shift & ((1 << Cursors::BITS) - 1);
        self.0 += 1 << shift;
        at as usize
    }

    /// True if the longest list has been read to its end, and none beyond.
    fn at_end(mut self, length: usize) -> bool {
        let read = (0..CLASSES).map(|class| self.next(class as u8) - class * length);
        read.max() == Some(length)
    }
}

struct SymbolReader<'a> {
    lists: SymbolLists<'a>,
    draw: u8,
    /// The places of each class, concatenated.
    places: &'a [u8],
    cursors: Cursors,
}

impl SymbolReader<'_> {
    /// The next number of class 0.
    fn next(&mut self) -> Option<u8> {
        self.places.get(self.cursors.next(0)).copied()
    }

    /// The symbol of a place that its field cannot hold. After an escape, the value that follows
    /// becomes the cell's reference, and the symbol is the one that adds nothing.
    #[cold]
    fn rest(&mut self, class: u8, list: &SymbolList, reference: &mut u8) -> Option<u8> {
        let mut place = LARGEST[usize::from(class) % CLASSES];
        if class > 0 {
            place += self.next()?;
        }
        match place {
            ESCAPE => {
                *reference = self.next()? << 4 | self.next()?;
                Some(0)
            }
            0..ESCAPE => Some(list[usize::from(place)]),
            _ => None,
        }
    }
}

impl Visitor for SymbolReader<'_> {
    #[inline(always)]
    fn cells(
        &mut self,
        _: usize,
        squares: u64,
        contexts: &LaneCells<u16>,
        references: &mut LaneCells<u8>,
        values: &mut LaneCells<u8>,
    ) -> Option<()> {
        let mut symbols = [0; 64];
        let mut chosen = [0; 64];
        let (lists, places) = (self.lists, self.places);
        let mut cursors = self.cursors;
        for i in each(squares) {
            let (class, list) = lists.look_up(contexts[i]);
            let place = *places.get(cursors.next(class))? & BEYOND;
            symbols[i] = list[usize::from(place)];
            if place == BEYOND {
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

/// Splits the bytes into the places of each class.
#[inline(always)]
fn split_fields(bytes: &[u8], places: &mut [u8]) {
    let lists = places.chunks_exact_mut(bytes.len().max(1));
    for ((list, shift), largest) in lists.zip(SHIFTS).zip(LARGEST) {
        for (place, byte) in list.iter_mut().zip(bytes) {
            let field = byte >> shift & largest;
            *place = if field == largest { BEYOND } else { field };
        }
    }
}

/// Decodes a block that begins with this cell into `cells`. Cells without a legal position become
/// 0. False if the bytes are not such a block.
pub fn decode(
    shape: &SectionShape,
    model: &Model,
    first: u64,
    bytes: &[u8],
    scratch: &mut DecodeScratch,
    cells: &mut [u8],
) -> bool {
    decode_with(Simd::detect(), shape, model, first, bytes, scratch, cells)
}

pub fn decode_with(
    simd: Simd,
    shape: &SectionShape,
    model: &Model,
    first: u64,
    bytes: &[u8],
    scratch: &mut DecodeScratch,
    cells: &mut [u8],
) -> bool {
    shape.legal(first, cells.len(), &mut scratch.legal);
    let (order, lists, legal) = (&shape.order, model.lists(), &scratch.legal);
    let places = &mut scratch.places;
    places.clear();
    places.resize(CLASSES * bytes.len(), 0);
    decode_lanes(simd, order, lists, shape.draw, bytes, places, legal, cells)
}

for_each_level! {
    fn decode_lanes(
        order: &LaneOrder,
        lists: SymbolLists<'_>,
        draw: u8,
        bytes: &[u8],
        places: &mut [u8],
        legal: &[u64],
        cells: &mut [u8],
    ) -> bool = decode_body;
}

#[inline(always)]
fn decode_body(
    order: &LaneOrder,
    lists: SymbolLists<'_>,
    draw: u8,
    bytes: &[u8],
    places: &mut [u8],
    legal: &[u64],
    cells: &mut [u8],
) -> bool {
    split_fields(bytes, places);
    cells.fill(UNKNOWN);
    let mut read = SymbolReader {
        lists,
        draw,
        places,
        cursors: Cursors::new(bytes.len()),
    };
    let visited = order.visit(legal, draw, cells, &mut read);
    for cell in &mut *cells {
        *cell = if *cell == UNKNOWN { 0 } else { *cell };
    }
    visited.is_some() && read.cursors.at_end(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::super::order::CONTEXTS;
    use super::*;

    #[test]
    fn worked_example_of_the_format_document() {
        let bytes = [0x47, 0x31, 0x02, 0x0f, 0x02, 0x09];
        let classes = [1, 2, 1, 0, 0, 0];
        let list = |class| [0, 1, 128, 2, 255, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, class];
        let mut numbers = vec![0; CONTEXTS];
        numbers[..3].copy_from_slice(&[0, 1, 2]);
        let model = Model::new(numbers, vec![list(0), list(1), list(2)]);

        let mut places = [0; 18];
        split_fields(&bytes, &mut places);
        let mut reader = SymbolReader {
            lists: model.lists(),
            draw: 40,
            places: &places,
            cursors: Cursors::new(bytes.len()),
        };
        let (mut contexts, mut values) = ([0; 64], [UNKNOWN; 64]);
        contexts[..6].copy_from_slice(&classes);
        let read = reader.cells(0, 0b11_1111, &contexts, &mut [7; 64], &mut values);
        assert_eq!(read, Some(()));
        assert_eq!(values[..6], [7, 8, 15, 8, 40, 41]);
        assert!(reader.cursors.at_end(bytes.len()));
        assert_eq!(values[6..], [UNKNOWN; 58]);
    }
}
