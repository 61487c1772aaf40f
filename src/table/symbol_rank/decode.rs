//! Decodes blocks that are packed by symbol ranking.
//!
//! A block is the sequence of its cells' places, coded by [`crate::rans`] with two states.

use super::contexts::{LaneCells, UNKNOWN};
use super::legal::LegalPlanes;
use super::model::{ESCAPE, MAX_CODES, Model, value_of};
use super::order::{LaneOrder, PredictionInputs, Visitor, each};
use super::over_base::{OverBase, for_white};
use crate::material::CanonicalMaterial;
use crate::rans::Reader;
use crate::simd::{Simd, for_each_level};
use crate::table::code::Code;
use crate::table::header::SectionInfo;

/// The number of states of the range coder. Compared with one state, two states halve the decoding
/// time and add two bytes to each block.
pub const STATES: usize = 2;

/// The number of values that can follow an escape.
pub const VALUES: u32 = 256;

/// The largest number of cells in a block. A cell takes at most 20 bits, so the block stays below
/// the 128 KiB that an index entry can express.
pub const MOST_CELLS: usize = 1 << 15;

/// The properties of a section, besides its model, that symbol ranking needs.
#[derive(Debug)]
pub struct SectionShape {
    planes: LegalPlanes,
    pub order: LaneOrder,
    /// The code of a draw. If the section has no draws, a number that is not a code.
    pub draw: u8,
    /// Converts the base's cells to this section's codes, if there is a base.
    pub over_base: Option<OverBase>,
}

impl SectionShape {
    /// The shape of a section, given its base section if there is one. `None` if the section does
    /// not allow symbol ranking.
    pub fn new(
        material: CanonicalMaterial,
        info: &SectionInfo,
        base: Option<&SectionInfo>,
    ) -> Option<SectionShape> {
        let planes = LegalPlanes::new(material, info.side, info.symmetry, &info.order)?;
        if info.codes.len() > MAX_CODES {
            return None;
        }
        let sorted = info.codes.is_sorted_by(|&a, &b| for_white(a, b).is_le());
        if base.is_some() && !sorted {
            return None;
        }
        let draw = info.codes.iter().position(|&code| code == Code::Draw);
        Some(SectionShape {
            order: LaneOrder::new(planes.kings()),
            planes,
            draw: draw.map_or(UNKNOWN - 1, |draw| draw as u8),
            over_base: base.map(|base| OverBase::new(material, info, base)),
        })
    }

    /// The number of cells in the section.
    pub fn cells(&self) -> u64 {
        self.planes.layout().cells()
    }

    /// The number of cells in a plane. Blocks consist of whole planes.
    pub fn plane(&self) -> usize {
        self.planes.cells()
    }

    /// The inputs for prediction with `model`. `base` contains the base's cells, if there is a
    /// base.
    pub fn inputs<'a>(&self, model: &Model, base: &'a [u8]) -> PredictionInputs<'a> {
        PredictionInputs {
            draw: self.draw,
            prediction: model.prediction,
            base,
        }
    }

    /// Computes the legal squares of Black's king in each lane of a block. The block has `cells`
    /// cells and begins with cell `first`.
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

/// Buffers that are reused for each block.
#[derive(Debug, Default)]
pub struct DecodeScratch {
    /// The legal squares of Black's king in each lane of the block that was decoded last.
    pub legal: Vec<u64>,
}

struct SymbolReader<'a> {
    model: &'a Model,
    draw: u8,
    reader: Reader<'a, STATES>,
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
        let (model, mut reader) = (self.model, self.reader);
        // Loads the lists and classes of all cells before the first symbol, so that cache misses
        // overlap. An engine's search reads blocks of many tables, so the model is rarely in the
        // processor's cache.
        let mut lists = [0; 64];
        for i in each(squares) {
            lists[i] = model.list_index(contexts[i]);
        }
        let mut classes = [0; 64];
        for i in each(squares) {
            classes[i] = model.class(lists[i]);
        }
        for i in each(squares) {
            let range = model.ranges(classes[i]).at(reader.slot());
            reader.take(range.start(), range.width());
            symbols[i] = model.list(lists[i])[range.place()];
            chosen[i] = u8::MAX;
            if range.place() == ESCAPE {
                // A value after an escape replaces the reference; the symbol of an escape adds
                // nothing to it.
                references[i] = reader.number(VALUES) as u8;
            }
        }
        self.reader = reader;
        // Computes all 64 values at once, which is faster than one by one.
        for i in 0..64 {
            let value = value_of(symbols[i], references[i], self.draw);
            values[i] = value & chosen[i] | values[i] & !chosen[i];
        }
        Some(())
    }
}

/// Decodes the block that begins with cell `first` into `cells`. Cells without a legal position
/// become zero. `base` contains the base's cells, if there is a base. Returns the checksum stored
/// in the block, which the caller must compare with that of `cells`. `None` if the bytes are not a
/// block.
pub fn decode(
    shape: &SectionShape,
    model: &Model,
    first: u64,
    bytes: &[u8],
    base: &[u8],
    scratch: &mut DecodeScratch,
    cells: &mut [u8],
) -> Option<u32> {
    decode_with(
        Simd::detect(),
        shape,
        model,
        first,
        bytes,
        base,
        scratch,
        cells,
    )
}

/// Like [`decode`], with these vector instructions.
#[allow(clippy::too_many_arguments)]
pub fn decode_with(
    simd: Simd,
    shape: &SectionShape,
    model: &Model,
    first: u64,
    bytes: &[u8],
    base: &[u8],
    scratch: &mut DecodeScratch,
    cells: &mut [u8],
) -> Option<u32> {
    shape.legal(first, cells.len(), &mut scratch.legal);
    decode_lanes(simd, shape, model, bytes, base, &scratch.legal, cells)
}

for_each_level! {
    fn decode_lanes(
        shape: &SectionShape,
        model: &Model,
        bytes: &[u8],
        base: &[u8],
        legal: &[u64],
        cells: &mut [u8],
    ) -> Option<u32> = decode_body;
}

/// Sets cells without a legal position to 0.
#[inline(always)]
pub fn clear_unknown(cells: &mut [u8]) {
    for cell in cells {
        *cell = if *cell == UNKNOWN { 0 } else { *cell };
    }
}

#[inline(always)]
fn decode_body(
    shape: &SectionShape,
    model: &Model,
    bytes: &[u8],
    base: &[u8],
    legal: &[u64],
    cells: &mut [u8],
) -> Option<u32> {
    cells.fill(UNKNOWN);
    let mut read = SymbolReader {
        model,
        draw: shape.draw,
        reader: Reader::new(bytes),
    };
    let inputs = shape.inputs(model, base);
    shape.order.visit(legal, inputs, cells, &mut read)?;
    clear_unknown(cells);
    let [low, high] = read.reader.end()?;
    Some(u32::from(low) | u32::from(high) << 16)
}

#[cfg(test)]
mod tests {
    use super::super::contexts::Prediction;
    use super::super::model::Ranges;
    use super::*;

    #[test]
    fn worked_example_of_the_format_document() {
        let bytes = [0x29, 0x65, 0x1f, 0x07, 0x66, 0x0f, 0xc4, 0x8f, 0xb9, 0x2f];
        let classes = [[3000, 1000, 82, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]; 1];
        let list = [0, 1, 128, 2, 255, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0];
        let model = Model {
            prediction: Prediction::Before,
            list_indices: vec![0; Prediction::Before.contexts()],
            lists: vec![list],
            class_of: vec![0],
            classes: classes.iter().filter_map(Ranges::new).collect(),
        };
        let mut reader = SymbolReader {
            model: &model,
            draw: 40,
            reader: Reader::new(&bytes),
        };
        let (contexts, mut values) = ([0; 64], [UNKNOWN; 64]);
        let read = reader.cells(0, 0b11_1111, &contexts, &mut [7; 64], &mut values);
        assert_eq!(read, Some(()));
        assert_eq!(values[..6], [7, 8, 15, 8, 40, 41]);
        assert_eq!(reader.reader.end(), Some([0x1234, 0xabcd]));
        assert_eq!(values[6..], [UNKNOWN; 58]);
    }
}
