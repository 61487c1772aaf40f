//! The model of a section: what a cell most likely holds in each context.
//!
//! Each context has a list of 15 *symbols*, the most frequent first. A symbol says what a cell
//! holds: a draw, or the reference plus a number. A cell is stored as the **place** of its symbol
//! in the list. Rare contexts have no list of their own and use that of the same context without
//! the plane before, or that of their kind.
//!
//! Every list has a *class*, 0, 1 or 2, each with about a third of the cells; class 2 has the lists
//! whose first symbol is right most often. Places of different classes are packed apart.

use super::order::{CONTEXTS, CONTEXTS_OF_KIND, KINDS, without_before};
use crate::table::bytes::ByteReader;
use crate::table::decompress::Decompressor;

/// The symbols of a list.
pub const SYMBOLS: usize = 15;

/// The classes of lists.
pub const CLASSES: usize = 3;

/// The most codes of a section that can be packed by symbol ranking.
pub const MAX_CODES: usize = 250;

/// The symbol of a draw. Any other is what is to be added to the reference, modulo 256.
pub const DRAW: u8 = 128;

/// The most bytes of a model, decompressed.
const MAX_BYTES: usize = 1 << 20;

/// A list's symbols, then its class.
pub type SymbolList = [u8; SYMBOLS + 1];

/// The lists of symbols of all contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// For each context the number of its list, and above [`LIST_BITS`] the class of the list.
    pub ways: Vec<u16>,
    /// The lists, those of the kinds first.
    pub lists: Vec<SymbolList>,
}

/// The bits of a list's number in [`Model::ways`].
pub const LIST_BITS: u32 = 14;

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
    if value == draw {
        return Some(DRAW);
    }
    let symbol = value.wrapping_sub(reference);
    (symbol != DRAW).then_some(symbol)
}

impl Model {
    /// A model with these lists, and for each context the number of its list.
    pub fn new(numbers: Vec<u16>, lists: Vec<SymbolList>) -> Model {
        let way = |number: u16| {
            let class = lists
                .get(usize::from(number))
                .map_or(0, |list| list[SYMBOLS]);
            u16::from(class) << LIST_BITS | number
        };
        Model {
            ways: numbers.into_iter().map(way).collect(),
            lists,
        }
    }

    /// The lists, for looking many up.
    #[inline(always)]
    pub fn lists(&self) -> SymbolLists<'_> {
        SymbolLists {
            ways: &self.ways,
            lists: &self.lists,
        }
    }

    /// Reads the model of a file; none if the bytes are not a model.
    pub fn from_bytes(bytes: &[u8]) -> Option<Model> {
        let mut plain = vec![0; MAX_BYTES];
        let n = Decompressor::new().decompress(bytes, None, &mut plain)?;
        let mut input = ByteReader::new(&plain[..n]);
        let count = usize::from(input.u16().ok()?);
        if !(KINDS..=1 << LIST_BITS).contains(&count) {
            return None;
        }
        let mut lists: Vec<SymbolList> = Vec::with_capacity(count);
        let mut numbers = vec![NO_LIST; CONTEXTS];
        for number in 0..count {
            let context = match number {
                0..KINDS => None,
                _ => Some(usize::from(input.u16().ok()?)),
            };
            let head = input.u8().ok()?;
            let (class, own) = (head >> 4, usize::from(head & 15));
            if usize::from(class) >= CLASSES {
                return None;
            }
            let own = input.bytes(own).ok()?;
            let kind = context.map(|context| lists.get(context / CONTEXTS_OF_KIND));
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
        Some(Model::new(fill_in(numbers), lists))
    }
}

/// The lists of a model.
#[derive(Clone, Copy)]
pub struct SymbolLists<'a> {
    ways: &'a [u16],
    lists: &'a [SymbolList],
}

impl<'a> SymbolLists<'a> {
    /// The class of a context, which is below [`CLASSES`], and its list of symbols. The class does
    /// not wait for the list, so that the two are looked up in parallel.
    #[inline(always)]
    pub fn look_up(self, context: u16) -> (u8, &'a SymbolList) {
        let way = self.ways[usize::from(context)];
        let number = way & ((1 << LIST_BITS) - 1);
        ((way >> LIST_BITS) as u8, &self.lists[usize::from(number)])
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

/// Gives each context without a list that of the same context without the plane before, or that of
/// its kind.
pub fn fill_in(mut numbers: Vec<u16>) -> Vec<u16> {
    for context in 0..CONTEXTS {
        if numbers[context] == NO_LIST {
            let number = numbers[usize::from(without_before(context as u16))];
            numbers[context] = match number {
                NO_LIST => (context / CONTEXTS_OF_KIND) as u16,
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
