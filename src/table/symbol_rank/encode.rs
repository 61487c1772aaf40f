//! Encodes blocks by symbol ranking.

use super::contexts::{LaneCells, UNKNOWN};
use super::decode::{
    DecodeScratch, MOST_CELLS, STATES, SectionShape, VALUES, clear_unknown, decode,
};
use super::model::{ESCAPE, MAX_CODES, Model, SYMBOLS, SymbolList, symbols_of, value_of};
use super::order::{Visitor, each, visit_with};
use super::over_base::for_white;
use crate::byte_map::ByteMap;
use crate::rans::{MANY, Symbol, Writer};
use crate::simd::Simd;
use crate::table::code::{Code, ILLEGAL};

impl SectionShape {
    /// Chooses the number of cells in a block. Blocks consist of whole planes and divide the
    /// section evenly. A block has at most `max_cells` cells, unless a single plane has more.
    pub fn block_cells(&self, max_cells: usize) -> usize {
        let plane = self.plane();
        let max_cells = max_cells.min(MOST_CELLS);
        let planes = self.cells() / plane as u64;
        let mut n = (max_cells / plane).max(1).next_power_of_two();
        while n > 1 && (n * plane > max_cells || !planes.is_multiple_of(n as u64)) {
            n /= 2;
        }
        n * plane
    }
}

/// For each context, the first symbol of its list and the width of that symbol's range. Most cells
/// are stored as place 0, so for most cells this is the only table that is needed.
#[derive(Debug)]
struct FirstPlaces(Vec<FirstPlace>);

/// A symbol in the upper half, and the width of a range in the lower half. The range begins at 0.
type FirstPlace = u32;

impl FirstPlaces {
    fn new(model: &Model) -> FirstPlaces {
        let place = |&number: &u16| {
            let (_, width) = model.ranges(model.class(number)).range(0);
            u32::from(model.list(number)[0]) << 16 | width
        };
        let mut places: Vec<FirstPlace> = model.list_indices.iter().map(place).collect();
        // Any context is then a valid index.
        places.resize(1 << u16::BITS, 0);
        FirstPlaces(places)
    }

    #[inline(always)]
    fn all(&self) -> &[FirstPlace; 1 << u16::BITS] {
        self.0
            .first_chunk()
            .expect("there is one for each number of 16 bits")
    }
}

/// Buffers that are reused for each block.
#[derive(Debug, Default)]
pub struct EncodeScratch {
    legal: Vec<u64>,
    known: Vec<u8>,
    writer: Writer<STATES>,
}

struct SymbolWriter<'a> {
    codes: usize,
    draw: u8,
    model: &'a Model,
    first_places: &'a [FirstPlace; 1 << u16::BITS],
    cells: &'a [u8],
    writer: &'a mut Writer<STATES>,
}

impl SymbolWriter<'_> {
    /// The place and the range for a cell that is `value`, whose symbol is `symbol`. A cell whose
    /// value does not matter gets the likeliest value that is a code of the section.
    #[inline(always)]
    fn place(&self, value: &mut u8, symbol: u16, context: u16, reference: u8) -> (usize, Symbol) {
        let number = self.model.list_index(context);
        let (list, class) = (self.model.list(number), self.model.class(number));
        let place = match u8::try_from(symbol) {
            Ok(symbol) => place_of(symbol, list),
            Err(_) if *value == UNKNOWN => self.any_value(list, value, reference),
            Err(_) => ESCAPE,
        };
        let (start, width) = self.model.ranges(class).range(place);
        (place, Symbol::new(start, width))
    }

    /// The first place in the list with a value that is a code of the section. Writes that value to
    /// `value`; if there is none, code 0.
    #[cold]
    fn any_value(&self, list: &SymbolList, value: &mut u8, reference: u8) -> usize {
        let mut values = list[..SYMBOLS]
            .iter()
            .map(|&symbol| value_of(symbol, reference, self.draw));
        let place = values.position(|value| usize::from(value) < self.codes);
        *value = place.map_or(0, |place| value_of(list[place], reference, self.draw));
        place.unwrap_or(ESCAPE)
    }

    /// Writes the first `count` of the pending symbols, and the value of each cell on `escapes`
    /// after the cell's own symbol.
    #[cold]
    #[inline(never)]
    fn put_with_escapes(
        &mut self,
        pending: &[Symbol],
        squares: u64,
        escapes: u64,
        values: &LaneCells<u8>,
    ) {
        for (i, symbol) in each(squares).zip(pending) {
            self.writer.put_symbol(*symbol);
            if escapes >> i & 1 != 0 {
                self.writer.number(values[i].into(), VALUES);
            }
        }
    }
}

/// The place of a symbol in a list, or [`ESCAPE`] if the symbol is not in the list.
#[inline(always)]
fn place_of(symbol: u8, list: &SymbolList) -> usize {
    // Compares eight bytes at once, without unpredictable branches. The XOR makes equal bytes 0;
    // the subtraction sets the highest bit of the lowest of them. The last byte is the escape's.
    const ONES: u64 = 0x0101_0101_0101_0101;
    const _: () = assert!(ESCAPE == SYMBOLS);
    let same = |half: &[u8; 8]| {
        let half = u64::from_le_bytes(*half) ^ (u64::from(symbol) * ONES);
        half.wrapping_sub(ONES) & !half & (ONES << 7)
    };
    let [first, second] = list.as_chunks().0 else {
        unreachable!("a list has 16 bytes");
    };
    let (first, second) = (same(first), same(second) | 1 << 63);
    let bit = match first {
        0 => u64::BITS + second.trailing_zeros(),
        _ => first.trailing_zeros(),
    };
    bit as usize / 8
}

impl Visitor for SymbolWriter<'_> {
    #[inline(always)]
    fn cells(
        &mut self,
        first: usize,
        squares: u64,
        contexts: &LaneCells<u16>,
        references: &mut LaneCells<u8>,
        values: &mut LaneCells<u8>,
    ) -> Option<()> {
        let own = self.cells.get(first..)?.first_chunk()?;
        let symbols = symbols_of(own, references, self.draw);
        // First takes place 0 for every cell, without a branch, which would often be mispredicted.
        let mut pending = [Symbol::default(); MANY];
        let (mut count, mut others) = (0, 0);
        for i in each(squares) {
            let place = self.first_places[usize::from(contexts[i])];
            pending[count % MANY] = Symbol::new(0, place & 0xffff);
            others |= u64::from(place >> 16 != u32::from(symbols[i])) << i;
            values[i] = own[i];
            count += 1;
        }
        let mut escapes = 0;
        for i in each(others) {
            let (place, symbol) =
                self.place(&mut values[i], symbols[i], contexts[i], references[i]);
            let before = squares & ((1 << i) - 1);
            pending[before.count_ones() as usize % MANY] = symbol;
            escapes |= u64::from(place == ESCAPE) << i;
        }
        match escapes {
            0 => self.writer.put_many(&pending, count),
            _ => self.put_with_escapes(&pending, squares, escapes, values),
        }
        Some(())
    }
}

/// The parameters for encoding a section.
#[derive(Debug)]
pub struct Ranking {
    /// The shape of the section.
    pub shape: SectionShape,
    /// The trained model.
    pub model: Model,
    /// Converts the section's codes to the codes of symbol ranking: see [`sort_codes`].
    pub recoded: NewCodes,
    first_places: FirstPlaces,
}

/// Reusable buffers for decoding a block again.
#[derive(Debug, Default)]
pub struct DecodedBlock {
    scratch: DecodeScratch,
    cells: Vec<u8>,
}

impl Ranking {
    /// The parameters of a section of this shape.
    pub fn new(shape: SectionShape, model: Model, recoded: NewCodes) -> Ranking {
        Ranking {
            first_places: FirstPlaces::new(&model),
            shape,
            model,
            recoded,
        }
    }

    /// Encodes the block that begins with cell `first`, and writes it to `out`. `cells` contains
    /// renumbered codes, or [`UNKNOWN`]. `base` contains the base's cells, if there is a base.
    /// `checksum` computes the checksum of the decoded cells.
    pub fn encode(
        &self,
        first: u64,
        cells: &[u8],
        base: &[u8],
        checksum: impl Fn(&[u8]) -> u32,
        scratch: &mut EncodeScratch,
        out: &mut Vec<u8>,
    ) {
        let shape = &self.shape;
        shape.legal(first, cells.len(), &mut scratch.legal);
        scratch.known.clear();
        scratch.known.resize(cells.len(), UNKNOWN);
        let mut writer = SymbolWriter {
            codes: self.recoded.new_count,
            draw: shape.draw,
            model: &self.model,
            first_places: self.first_places.all(),
            cells,
            writer: &mut scratch.writer,
        };
        let EncodeScratch { legal, known, .. } = scratch;
        let _ = visit_with(
            Simd::detect(),
            &shape.order,
            legal,
            shape.inputs(&self.model, base),
            known,
            &mut writer,
        );
        clear_unknown(&mut scratch.known);
        let checksum = checksum(&scratch.known);
        out.clear();
        let end = [checksum as u16, (checksum >> 16) as u16];
        scratch.writer.finish(end, out);
    }

    /// True if a block decodes to `cells` and matches its checksum. Cells without a legal position
    /// and cells that are [`UNKNOWN`] are not compared.
    pub fn round_trips(
        &self,
        first: u64,
        bytes: &[u8],
        cells: &[u8],
        base: &[u8],
        checksum: impl Fn(&[u8]) -> u32,
        decoded: &mut DecodedBlock,
    ) -> bool {
        let DecodedBlock {
            scratch,
            cells: read,
        } = decoded;
        read.resize(cells.len(), 0);
        let found = decode(&self.shape, &self.model, first, bytes, base, scratch, read);
        if found != Some(checksum(read)) {
            return false;
        }
        let lanes = cells.chunks(64).zip(read.chunks(64)).zip(&scratch.legal);
        let same = |((cells, read), legal): ((&[u8], &[u8]), &u64)| {
            each(*legal).all(|i| cells[i] == UNKNOWN || cells[i] == read[i])
        };
        lanes.into_iter().all(same)
    }
}

/// The new numbers of a section's codes for symbol ranking. They are below [`MAX_CODES`].
#[derive(Clone, Debug)]
pub struct NewCodes {
    /// The number of codes after the renumbering.
    pub new_count: usize,
    /// The number of codes before the renumbering.
    pub old_count: usize,
    /// The new number of each code, given the code's low byte. That of [`ILLEGAL`] is
    /// [`UNKNOWN`].
    numbers: ByteMap,
}

const _: () = assert!(MAX_CODES <= ILLEGAL as u8 as usize);

impl NewCodes {
    /// Converts codes, given by their low bytes, and writes the new numbers to `out`. The number of
    /// a cell without a legal position is [`UNKNOWN`]; that of a code that the section does not
    /// list is meaningless. If there is a base, `base` contains the base's cells, which replace
    /// cells with [`Code::Base`].
    pub fn recode(&self, cells: impl Iterator<Item = u8>, base: &[u8], out: &mut Vec<u8>) {
        out.clear();
        out.extend(cells);
        self.numbers.apply(out);
        if self.numbers.has(AS_IN_BASE) {
            for (cell, &base) in out.iter_mut().zip(base) {
                *cell = if *cell == AS_IN_BASE { base } else { *cell };
            }
        }
    }
}

/// The new number of [`Code::Base`] in a section that has a base.
const AS_IN_BASE: u8 = UNKNOWN - 1;
const _: () = assert!(MAX_CODES < AS_IN_BASE as usize);

/// Sorts codes from best to worst for White, and returns the sorted codes with their renumbering.
/// For a section with a base, the sorted codes include the base's codes, converted to the section's
/// unit, but not [`Code::Base`]. `None` if there are too many codes.
pub fn sort_codes(codes: &[Code], base: Option<&[Code]>) -> Option<(Vec<Code>, NewCodes)> {
    let mut sorted: Vec<Code> = codes.to_vec();
    if let Some(base) = base {
        sorted.extend(base);
        sorted.retain(|&code| code != Code::Base);
    }
    sorted.sort_by(|&a, &b| for_white(a, b));
    sorted.dedup();
    if sorted.len() > MAX_CODES || codes.len() > MAX_CODES {
        return None;
    }
    let mut numbers = [UNKNOWN; 256];
    for (number, code) in numbers.iter_mut().zip(codes) {
        let place = sorted.iter().position(|other| other == code);
        *number = place.map_or(AS_IN_BASE, |place| place as u8);
    }
    let recoded = NewCodes {
        new_count: sorted.len(),
        old_count: codes.len(),
        numbers: ByteMap::new(numbers),
    };
    Some((sorted, recoded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crc32c::crc32c;

    use super::super::contexts::Prediction;
    use super::super::model::{DRAW, Ranges, complete};
    use crate::board::Color;
    use crate::statistics::Statistics;
    use crate::table::header::{Metric, SectionInfo};
    use crate::table::symbol_rank::decode::decode_with;
    use crate::table::symbol_rank::train::train;

    #[test]
    fn corrupt_bytes_decode_alike_with_all_vector_instructions() {
        let info = SectionInfo {
            metric: Metric::Dtm,
            side: Color::White,
            symmetry: 2,
            order: vec![2, 0, 1],
            codes: (0..30).map(Code::WhiteWins).collect(),
            statistics: Statistics::default(),
        };
        let shape = SectionShape::new("KRvK".parse().unwrap(), &info, None).unwrap();
        let n = shape.block_cells(5120);
        let cells: Vec<u8> = (0..n).map(|i| (i / 64 % 8 + i % 8) as u8).collect();
        let mut scratch = EncodeScratch::default();
        let recoded = sort_codes(&info.codes, None).unwrap().1;
        let codes: Vec<u16> = cells.iter().map(|&cell| cell.into()).collect();
        let model = train(&shape, &codes, &recoded, None, n as u32, &[0], true).unwrap();
        let mut good = Vec::new();
        let ranking = Ranking::new(shape, model, recoded);
        ranking.encode(0, &cells, &[], crc32c, &mut scratch, &mut good);
        let Ranking { shape, model, .. } = ranking;
        let (mut reading, mut out) = (DecodeScratch::default(), vec![0; n]);
        let decode = |bytes: &[u8], scratch: &mut DecodeScratch, out: &mut [u8]| {
            let levels = Simd::available().into_iter();
            let results: Vec<(bool, Vec<u8>)> = levels
                .map(|simd| {
                    out.fill(7);
                    let checksum = decode_with(simd, &shape, &model, 0, bytes, &[], scratch, out);
                    (checksum == Some(crc32c(out)), out.to_vec())
                })
                .collect();
            assert!(results.iter().all(|result| *result == results[0]));
            results[0].0
        };
        assert!(decode(&good, &mut reading, &mut out));
        let legal = scratch
            .legal
            .iter()
            .map(|lane| lane.count_ones())
            .sum::<u32>();
        let same = out.iter().zip(&cells).filter(|(a, b)| a == b).count();
        assert!(same >= legal as usize);
        let mut random = fastrand::Rng::with_seed(1);
        for i in 0..good.len() {
            assert!(!decode(&good[..i], &mut reading, &mut out));
            let mut bytes = good.clone();
            random.fill(&mut bytes[i..]);
            decode(&bytes, &mut reading, &mut out);
        }
        good.push(0);
        assert!(!decode(&good, &mut reading, &mut out));
    }

    /// Encodes a cell as the format describes it, and returns the value that a decoder gets.
    fn encode_one(
        (model, draw, codes): (&Model, u8, usize),
        (value, context, reference): (u8, u16, u8),
        writer: &mut Writer<STATES>,
    ) -> u8 {
        let number = model.list_index(context);
        let list = &model.list(number)[..SYMBOLS];
        let values: Vec<u8> = list.iter().map(|&s| value_of(s, reference, draw)).collect();
        let place = match value {
            UNKNOWN => values.iter().position(|&value| usize::from(value) < codes),
            _ => list.iter().position(|&symbol| match symbol {
                DRAW => value == draw,
                _ => value != draw && reference.wrapping_add(symbol) == value,
            }),
        };
        let (start, width) = model
            .ranges(model.class(number))
            .range(place.unwrap_or(ESCAPE));
        writer.put(start, width);
        match (place, value) {
            (Some(place), UNKNOWN) => values[place],
            (None, UNKNOWN) => {
                writer.number(0, VALUES);
                0
            }
            (Some(_), value) => value,
            (None, value) => {
                writer.number(value.into(), VALUES);
                value
            }
        }
    }

    #[test]
    fn a_lane_is_encoded_as_its_cells_one_by_one() {
        let mut random = fastrand::Rng::with_seed(9);
        let prediction = Prediction::Before;
        let (mut escapes, mut unknown) = (0, 0);
        for turn in 0..300 {
            let (draw, codes) = ([40, 254, 0][turn % 3], [60, 250][turn % 2]);
            let lists: Vec<SymbolList> = (0..40)
                .map(|_| {
                    let mut symbols: Vec<u8> = (0..=255).collect();
                    random.shuffle(&mut symbols);
                    // Some lists begin with the symbols that the lanes have most often.
                    let likely = [0, 1, 255, DRAW].into_iter().filter(|_| random.bool());
                    complete(
                        &likely.chain(symbols).take(SYMBOLS).collect::<Vec<_>>(),
                        None,
                    )
                })
                .collect();
            let mut widths = [1; SYMBOLS + 1];
            widths[0] = 2000;
            widths[3] = 4096 - 2000 - 14;
            let model = Model {
                prediction,
                list_indices: (0..prediction.contexts())
                    .map(|_| random.u16(..40))
                    .collect(),
                lists,
                class_of: vec![0; 40],
                classes: vec![Ranges::new(&widths).unwrap()],
            };
            let contexts = std::array::from_fn(|_| random.u16(..prediction.contexts() as u16));
            let references: LaneCells<u8> = std::array::from_fn(|_| random.u8(..codes));
            let cells: LaneCells<u8> = std::array::from_fn(|i| match random.u8(..20) {
                0 => UNKNOWN,
                1 => random.u8(..codes),
                2..8 if draw < codes => draw,
                step => (references[i] + step % 3).min(codes - 1),
            });
            let squares = random.u64(..) | random.u64(..);
            let first_places = FirstPlaces::new(&model);
            let [mut lanes, mut naive] = [(); 2].map(|()| Writer::<STATES>::default());
            let mut values = [UNKNOWN; 64];
            let mut fast = SymbolWriter {
                codes: codes.into(),
                draw,
                model: &model,
                first_places: first_places.all(),
                cells: &cells,
                writer: &mut lanes,
            };
            fast.cells(0, squares, &contexts, &mut references.clone(), &mut values);
            let mut expected = [UNKNOWN; 64];
            for i in each(squares) {
                let cell = (cells[i], contexts[i], references[i]);
                expected[i] = encode_one((&model, draw, codes.into()), cell, &mut naive);
                unknown += u32::from(cells[i] == UNKNOWN);
            }
            assert_eq!(values, expected);
            escapes += naive.symbols() - squares.count_ones() as usize;
            let [fast, slow] = [lanes, naive].map(|mut writer| {
                let mut bytes = Vec::new();
                writer.finish([0; STATES], &mut bytes);
                bytes
            });
            assert_eq!(fast, slow);
        }
        assert!(escapes > 100 && unknown > 100, "{escapes} {unknown}");
    }

    #[test]
    fn place_of_agrees_with_a_linear_search() {
        let mut random = fastrand::Rng::with_seed(4);
        for _ in 0..20_000 {
            // The values are close together: a borrow in the subtraction could confuse adjacent
            // values.
            let list: SymbolList = std::array::from_fn(|_| random.u8(..4).wrapping_sub(2));
            for symbol in [0, 1, 2, 127, 128, 254, 255] {
                let place = list[..SYMBOLS].iter().position(|&other| other == symbol);
                assert_eq!(place_of(symbol, &list), place.unwrap_or(ESCAPE), "{list:?}");
            }
        }
    }

    #[test]
    fn codes_are_sorted_best_for_white_first() {
        let codes = [
            Code::Base,
            Code::BlackWins(2),
            Code::Draw,
            Code::WhiteWins(4),
            Code::BlackWins(5),
            Code::WhiteWins(3),
        ];
        let (sorted, recoded) = sort_codes(&codes, None).unwrap();
        let best_first = [5, 3, 2, 0, 4, 1].map(|i: usize| codes[i]);
        assert_eq!(sorted, best_first);
        for (old, code) in (0..).zip(&codes) {
            assert_eq!(sorted[usize::from(recoded.numbers.of(old))], *code);
        }
        assert_eq!(recoded.numbers.of(ILLEGAL as u8), UNKNOWN);
        let many: Vec<Code> = (0..=MAX_CODES as u16).map(Code::WhiteWins).collect();
        assert!(sort_codes(&many, None).is_none());
        assert!(sort_codes(&many[1..], None).is_some());
    }
}
