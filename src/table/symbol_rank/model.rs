//! The model of a section: the likely values of a cell in each context, with probabilities.
//!
//! Each context has a list of 15 *symbols*, the most frequent first. A symbol is a draw, or a
//! difference from the reference. A cell is stored as the **place** of its symbol in the list. Rare
//! contexts have no list of their own. A rare context uses the list of the context that differs
//! only in its *aside* (the cell of the previous plane or of another section), which is unknown
//! there. If that context has no list either, it uses the list of its kind.
//!
//! Lists with similar probabilities of their places form a *class* and share its [`Widths`].

use super::contexts::{KINDS, Prediction};
use super::contexts::{LaneCells, UNKNOWN};
use crate::container::bytes::ByteReader;
use crate::container::decompress::Decompressor;
use crate::rans::{BITS, ONE};

/// The number of symbols in a list.
pub const SYMBOLS: usize = 15;

/// The place that announces a value outside the list. The value itself follows.
pub const ESCAPE: usize = SYMBOLS;

/// The largest number of classes in a model.
pub const MOST_CLASSES: usize = 64;

/// The largest number of codes that a section packed by symbol ranking can have.
pub const MAX_CODES: usize = 250;

/// The symbol for a draw. Any other symbol is added to the reference, modulo 256.
pub const DRAW: u8 = 128;

/// The largest number of bytes of a decompressed model.
const MAX_BYTES: usize = 1 << 20;

/// The symbols of a list, followed by a zero at the index of the escape.
pub type SymbolList = [u8; SYMBOLS + 1];

/// The largest number of lists in a model.
const MOST_LISTS: usize = 1 << 14;

/// The probability of each place in the lists of a class, the escape last. Probabilities are widths
/// of ranges, which add up to [`ONE`].
pub type Widths = [u16; SYMBOLS + 1];

/// The number of equal parts into which the numbers below [`ONE`] are divided. A decoder reads a
/// number below [`ONE`] and looks up its part. Most parts lie within the range of a single place,
/// which the decoder then knows without a search. At four bytes for each part, the tables of all
/// classes nearly fit into the first-level cache.
pub const PARTS: usize = 64;

/// The number of values in a part.
pub const PART: u32 = ONE / PARTS as u32;

/// A place with its range, in 32 bits: 4 for the place, 12 for the range's start, 16 for its width.
/// A width of 0 means that there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceRange(u32);

impl PlaceRange {
    const NONE: PlaceRange = PlaceRange(0);

    /// The place in the list.
    #[inline(always)]
    pub fn place(self) -> usize {
        (self.0 >> BITS) as usize % (SYMBOLS + 1)
    }

    /// The start of the place's range.
    #[inline(always)]
    pub fn start(self) -> u32 {
        self.0 & (ONE - 1)
    }

    /// The width of the place's range.
    #[inline(always)]
    pub fn width(self) -> u32 {
        self.0 >> 16
    }
}

/// The ranges of all places in the lists of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges {
    /// The start of each range, and the end of the last range.
    starts: [u16; SYMBOLS + 2],
    /// For each part, the range that contains it, or a range of width 0 if the part overlaps
    /// several ranges.
    parts: [PlaceRange; PARTS],
}

impl Ranges {
    /// Makes ranges of these widths. `None` if a width is 0 or the sum is not [`ONE`].
    pub fn new(widths: &Widths) -> Option<Ranges> {
        let mut starts = [0; SYMBOLS + 2];
        let mut end = 0u32;
        for (start, &width) in starts[1..].iter_mut().zip(widths) {
            end += u32::from(width);
            *start = end as u16;
        }
        if end != ONE || widths.contains(&0) {
            return None;
        }
        let mut ranges = Ranges {
            starts,
            parts: [PlaceRange::NONE; PARTS],
        };
        ranges.parts = std::array::from_fn(|part| {
            let first = part as u32 * PART;
            let range = ranges.search(first);
            let whole = range == ranges.search(first + PART - 1);
            if whole { range } else { PlaceRange::NONE }
        });
        Some(ranges)
    }

    /// The widths of the ranges.
    pub fn widths(&self) -> Widths {
        std::array::from_fn(|place| self.range(place).1 as u16)
    }

    /// The start and width of the range of `place`, which is at most [`ESCAPE`].
    #[inline(always)]
    pub fn range(&self, place: usize) -> (u32, u32) {
        let [start, end] = [self.starts[place], self.starts[place + 1]].map(u32::from);
        (start, end - start)
    }

    /// The place whose range contains `slot`, a number below [`ONE`], with that range.
    #[inline(always)]
    pub fn at(&self, slot: u32) -> PlaceRange {
        let range = self.parts[(slot / PART) as usize % PARTS];
        if range == PlaceRange::NONE {
            self.search(slot)
        } else {
            range
        }
    }

    /// Like [`Ranges::at`], but searches all ranges. Used for parts that overlap several ranges.
    #[inline(never)]
    fn search(&self, slot: u32) -> PlaceRange {
        let above = slot as u16 + 1;
        // Compares all starts at once, without unpredictable branches. The highest bit of the
        // difference is set if a start is at or below `slot`. Testing this bit takes fewer
        // instructions than a comparison.
        let mut place = 0;
        for start in &self.starts[1..] {
            place += start.wrapping_sub(above) >> 15;
        }
        let place = usize::from(place).min(ESCAPE);
        let (start, width) = self.range(place);
        PlaceRange(width << 16 | (place as u32) << BITS | start)
    }
}

/// The lists and classes of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The *aside*: the cell that predicts a cell in addition to its neighbours.
    pub prediction: Prediction,
    /// For each context, the index of its list in `lists`.
    pub list_indices: Vec<u16>,
    /// The lists. Those that all contexts of a kind share come first.
    pub lists: Vec<SymbolList>,
    /// For each list, the index of its class.
    pub class_of: Vec<u8>,
    /// The classes of lists. There is at least one.
    pub classes: Vec<Ranges>,
}

/// The value for a symbol, given the reference and the code of a draw.
#[inline(always)]
pub fn value_of(symbol: u8, reference: u8, draw: u8) -> u8 {
    if symbol == DRAW {
        draw
    } else {
        reference.wrapping_add(symbol)
    }
}

/// The symbols of a lane's cells, given their values and references. A cell that no symbol can
/// express, or whose value is [`UNKNOWN`], gets a number above 255.
#[inline(always)]
pub fn symbols_of(values: &LaneCells<u8>, references: &LaneCells<u8>, draw: u8) -> LaneCells<u16> {
    const NO_SYMBOL: u16 = u16::MAX;
    let mut symbols = [0; 64];
    for i in 0..64 {
        let apart = values[i].wrapping_sub(references[i]);
        let fits = apart != DRAW && values[i] != UNKNOWN;
        let symbol = if fits { u16::from(apart) } else { NO_SYMBOL };
        let is_draw = values[i] == draw;
        symbols[i] = if is_draw { u16::from(DRAW) } else { symbol };
    }
    symbols
}

impl Model {
    /// The index of the list that a context uses.
    #[inline(always)]
    pub fn list_index(&self, context: u16) -> u16 {
        self.list_indices[usize::from(context)]
    }

    /// The list with this index.
    #[inline(always)]
    pub fn list(&self, number: u16) -> &SymbolList {
        &self.lists[usize::from(number)]
    }

    /// The class of the list with this index.
    #[inline(always)]
    pub fn class(&self, number: u16) -> u8 {
        self.class_of[usize::from(number)]
    }

    /// The ranges of a class.
    #[inline(always)]
    pub fn ranges(&self, class: u8) -> &Ranges {
        &self.classes[usize::from(class)]
    }

    /// Parses the compressed model of a section with or without a base. `None` if the bytes are not
    /// a model.
    pub fn from_bytes(bytes: &[u8], over_base: bool) -> Option<Model> {
        let mut plain = vec![0; MAX_BYTES];
        let n = Decompressor::new().decompress(bytes, &mut plain)?;
        let mut input = ByteReader::new(&plain[..n]);
        let prediction = match over_base.then(|| input.u8()) {
            None => Prediction::Before,
            Some(Ok(0)) => Prediction::Base,
            Some(Ok(1)) => Prediction::Differences,
            Some(_) => return None,
        };
        let classes = usize::from(input.u8().ok()?);
        if !(1..=MOST_CLASSES).contains(&classes) {
            return None;
        }
        let class = |_| {
            let mut widths = [0; SYMBOLS + 1];
            for width in &mut widths {
                *width = input.u16().ok()?;
            }
            Ranges::new(&widths)
        };
        let classes: Vec<Ranges> = (0..classes).map(class).collect::<Option<_>>()?;
        let count = usize::from(input.u16().ok()?);
        if !(KINDS..=MOST_LISTS).contains(&count) {
            return None;
        }
        let mut lists: Vec<SymbolList> = Vec::with_capacity(count);
        let mut class_of = Vec::with_capacity(count);
        let mut list_indices = vec![NO_LIST; prediction.contexts()];
        for number in 0..count {
            let context = match number {
                0..KINDS => None,
                _ => Some(usize::from(input.u16().ok()?)),
            };
            let (class, own) = (input.u8().ok()?, usize::from(input.u8().ok()?));
            if usize::from(class) >= classes.len() || own > SYMBOLS {
                return None;
            }
            let own = input.bytes(own).ok()?;
            let kind = context.map(|context| lists.get(context / prediction.contexts_of_kind()));
            let list = match kind {
                None => complete(own, None),
                Some(kind) => complete(own, Some(kind?)),
            };
            lists.push(list);
            class_of.push(class);
            if let Some(context) = context {
                *list_indices.get_mut(context)? = number as u16;
            }
        }
        input.end().ok()?;
        Some(Model {
            prediction,
            list_indices: fill_in(prediction, list_indices),
            lists,
            class_of,
            classes,
        })
    }
}

/// Completes a list. Appends to its own symbols the remaining symbols from the list of its kind,
/// and then the smallest remaining numbers.
pub fn complete(own: &[u8], kind: Option<&SymbolList>) -> SymbolList {
    let mut symbols = [0; SYMBOLS + 1];
    let mut n = own.len();
    symbols[..n].copy_from_slice(own);
    let kind = kind.map_or(&[][..], |list| &list[..SYMBOLS]);
    for symbol in kind.iter().copied().chain(0..=u8::MAX) {
        if n == SYMBOLS {
            break;
        }
        if !symbols[..n].contains(&symbol) {
            symbols[n] = symbol;
            n += 1;
        }
    }
    symbols
}

/// Stands in for the list index of a context that has no list of its own.
pub const NO_LIST: u16 = u16::MAX;

/// Assigns a list to each context that has none of its own: the list of the same context with an
/// unknown aside or, if that context has none either, the list of its kind.
pub fn fill_in(prediction: Prediction, mut list_indices: Vec<u16>) -> Vec<u16> {
    for context in 0..list_indices.len() {
        if list_indices[context] == NO_LIST {
            let fallback = prediction.without_aside(context as u16);
            list_indices[context] = match list_indices[usize::from(fallback)] {
                NO_LIST => (context / prediction.contexts_of_kind()) as u16,
                number => number,
            };
        }
    }
    list_indices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_where_a_search_finds_them() {
        let mut random = fastrand::Rng::with_seed(6);
        let mut tried = 0;
        for _ in 0..200 {
            // Some ends of ranges are on the border of a part, some inside a part.
            let mut ends: Vec<u16> = (0..SYMBOLS).map(|_| random.u16(1..ONE as u16)).collect();
            for end in &mut ends[..8] {
                *end = (*end / PART as u16).max(1) * PART as u16;
            }
            ends.extend([0, ONE as u16]);
            ends.sort_unstable();
            let widths = std::array::from_fn(|place| ends[place + 1] - ends[place]);
            let Some(ranges) = Ranges::new(&widths) else {
                continue;
            };
            tried += 1;
            for slot in 0..ONE {
                let range = ranges.at(slot);
                let own = ranges.range(range.place());
                assert_eq!((range.start(), range.width()), own);
                let place = ends.iter().filter(|&&end| u32::from(end) <= slot).count() - 1;
                assert_eq!(range.place(), place);
            }
        }
        assert!(tried > 50, "{tried}");
        assert!(Ranges::new(&[256; SYMBOLS + 1]).is_some());
        assert!(Ranges::new(&[255; SYMBOLS + 1]).is_none());
    }

    #[test]
    fn symbols_and_values_are_inverse() {
        for draw in [0, 7, 254] {
            for reference in 0..=u8::MAX {
                for first in (0..=u8::MAX).step_by(64) {
                    let values = std::array::from_fn(|i| first + i as u8);
                    let symbols = symbols_of(&values, &[reference; 64], draw);
                    for (value, symbol) in values.into_iter().zip(symbols) {
                        if let Ok(symbol) = u8::try_from(symbol) {
                            assert_eq!(value_of(symbol, reference, draw), value);
                        } else {
                            let unlike = value.wrapping_sub(reference) == DRAW;
                            assert!(value == UNKNOWN || unlike && value != draw);
                        }
                    }
                }
            }
        }
    }
}
