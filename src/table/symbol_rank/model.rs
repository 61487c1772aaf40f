//! The model of a section: what a cell most likely holds in each context.
//!
//! Each context has a list of 15 *symbols*, the most frequent first. A symbol says what a cell
//! holds: a draw, or the reference plus a number. A cell is stored as the **place** of its symbol
//! in the list. Rare contexts have no list of their own and use that of the same context with nothing
//! known of the aside, or that of their kind.
//!
//! Every list has a *class*: lists whose places are about as frequent as those of each other share
//! the [`Widths`] by which places are coded.

use super::contexts::{KINDS, Prediction};
use crate::rans::ONE;
use crate::table::bytes::ByteReader;
use crate::table::decompress::Decompressor;

/// The symbols of a list.
pub const SYMBOLS: usize = 15;

/// The place of a value that has no symbol in the list: the value itself follows.
pub const ESCAPE: usize = SYMBOLS;

/// The most classes of lists.
pub const MOST_CLASSES: usize = 64;

/// The most codes of a section that can be packed by symbol ranking.
pub const MAX_CODES: usize = 250;

/// The symbol of a draw. Any other is what is to be added to the reference, modulo 256.
pub const DRAW: u8 = 128;

/// The most bytes of a model, decompressed.
const MAX_BYTES: usize = 1 << 20;

/// A list's symbols, then its class.
pub type SymbolList = [u8; SYMBOLS + 1];

/// The most lists of a model.
const MOST_LISTS: usize = 1 << 14;

/// How likely each place is in the lists of a class, the escape the last: widths of the ranges
/// whose sum is [`ONE`].
pub type Widths = [u16; SYMBOLS + 1];

/// The ranges of a class: where each starts, and where the last ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranges([u16; SYMBOLS + 2]);

impl Ranges {
    /// The ranges of these widths, none of which is 0. None if their sum is not [`ONE`].
    pub fn new(widths: &Widths) -> Option<Ranges> {
        let mut starts = [0; SYMBOLS + 2];
        let mut end = 0u32;
        for (start, &width) in starts[1..].iter_mut().zip(widths) {
            end += u32::from(width);
            *start = end as u16;
        }
        (end == ONE && !widths.contains(&0)).then_some(Ranges(starts))
    }

    /// The widths.
    #[cfg(feature = "make")]
    pub fn widths(&self) -> Widths {
        std::array::from_fn(|place| self.range(place).1 as u16)
    }

    /// The start and the width of a place's range. `place` is at most [`ESCAPE`].
    #[inline(always)]
    pub fn range(&self, place: usize) -> (u32, u32) {
        let [start, end] = [self.0[place], self.0[place + 1]].map(u32::from);
        (start, end - start)
    }

    /// The place in whose range a number below [`ONE`] is.
    #[inline(always)]
    pub fn place(&self, slot: u32) -> usize {
        let above = slot as u16 + 1;
        // All at once, without a jump that nobody could predict. The highest bit of the difference, which
        // says that a start is below, takes fewer instructions than a comparison.
        let mut place = 0;
        for start in &self.0[1..] {
            place += start.wrapping_sub(above) >> 15;
        }
        usize::from(place).min(ESCAPE)
    }
}

/// The lists of symbols of all contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// What cells are predicted from.
    pub prediction: Prediction,
    /// For each context the number of its list.
    pub numbers: Vec<u16>,
    /// The lists, those of the kinds first.
    pub lists: Vec<SymbolList>,
    /// The classes: at least one.
    pub classes: Vec<Ranges>,
}

/// The value that a symbol stands for.
#[inline(always)]
pub fn value_of(symbol: u8, reference: u8, draw: u8) -> u8 {
    if symbol == DRAW {
        draw
    } else {
        reference.wrapping_add(symbol)
    }
}

/// The symbol of a value, if it has one.
#[cfg(feature = "make")]
#[inline(always)]
pub fn symbol_of(value: u8, reference: u8, draw: u8) -> Option<u8> {
    let apart = value.wrapping_sub(reference);
    let symbol = if value == draw { DRAW } else { apart };
    (value == draw || apart != DRAW).then_some(symbol)
}

impl Model {
    /// The number of a context's list.
    #[inline(always)]
    pub fn number(&self, context: u16) -> u16 {
        self.numbers[usize::from(context)]
    }

    /// The list with a number.
    #[inline(always)]
    pub fn list(&self, number: u16) -> &SymbolList {
        &self.lists[usize::from(number)]
    }

    /// The class of the list with a number.
    #[inline(always)]
    pub fn class(&self, number: u16) -> u8 {
        self.list(number)[SYMBOLS]
    }

    /// The ranges of the places in lists of a class.
    #[inline(always)]
    pub fn ranges(&self, class: u8) -> &Ranges {
        &self.classes[usize::from(class)]
    }

    /// Reads the model of a file, of a section that is or is not predicted over a base; none if the bytes
    /// are not a model.
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
        let mut numbers = vec![NO_LIST; prediction.contexts()];
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
            let symbols = match kind {
                None => complete(own, None),
                Some(kind) => complete(own, Some(kind?)),
            };
            let mut list = [class; SYMBOLS + 1];
            list[..SYMBOLS].copy_from_slice(&symbols);
            lists.push(list);
            if let Some(context) = context {
                *numbers.get_mut(context)? = number as u16;
            }
        }
        input.end().ok()?;
        Some(Model {
            prediction,
            numbers: fill_in(prediction, numbers),
            lists,
            classes,
        })
    }
}

/// Completes a list: its own symbols, then those of its kind that are not among them, then the
/// others.
pub fn complete(own: &[u8], kind: Option<&SymbolList>) -> [u8; SYMBOLS] {
    let mut symbols = [0; SYMBOLS];
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

/// In place of the number of a context's list: it has none of its own.
pub const NO_LIST: u16 = u16::MAX;

/// Gives each context without a list that of the same context with nothing known of the aside, or that
/// of its kind.
pub fn fill_in(prediction: Prediction, mut numbers: Vec<u16>) -> Vec<u16> {
    for context in 0..numbers.len() {
        if numbers[context] == NO_LIST {
            let backed = prediction.without_aside(context as u16);
            numbers[context] = match numbers[usize::from(backed)] {
                NO_LIST => (context / prediction.contexts_of_kind()) as u16,
                number => number,
            };
        }
    }
    numbers
}

#[cfg(all(test, feature = "make"))]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_values_are_inverse() {
        for draw in [0, 7, 254] {
            for reference in 0..=u8::MAX {
                for value in 0..=u8::MAX {
                    if let Some(symbol) = symbol_of(value, reference, draw) {
                        assert_eq!(value_of(symbol, reference, draw), value);
                    } else {
                        assert_eq!(value.wrapping_sub(reference), DRAW);
                    }
                }
            }
        }
    }
}
