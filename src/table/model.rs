//! What a cell most likely holds in each context: the model of a section packed as ranks.
//!
//! For each context there is a list of up to 15 *symbols*, the most frequent first. A symbol says
//! what a cell holds: a draw, or so much more than the reference. The place of the right one in
//! the list is the cell's **rank**. Contexts that are rare have no list of their own and take
//! that of the same context without the plane before, or that of their kind.
//!
//! Every list has a *class*: 0, 1 or 2, with about as many cells each, the lists whose first
//! symbol is right most often in class 2. Ranks of different classes are packed apart.

use super::bytes::ByteReader;
use super::decompress::Context;
use super::lattice::{CONTEXTS, CONTEXTS_OF_KIND, KINDS, without_before};

/// The symbols of a list.
pub(super) const SYMBOLS: usize = 15;

/// The classes of lists.
pub(super) const CLASSES: usize = 3;

/// The most codes of a section that can be packed as ranks.
pub(super) const MAX_RANKED_CODES: usize = 250;

/// The symbol of a draw. Any other is what is to be added to the reference, modulo 256.
pub(super) const DRAW: u8 = 128;

/// The most bytes of a model, decompressed.
const MAX_BYTES: usize = 1 << 20;

/// A list's symbols, then its class.
pub(super) type List = [u8; SYMBOLS + 1];

/// The lists of symbols of all contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model {
    /// For each context the place of its list, and above [`PLACE_BITS`] its class.
    pub(super) ways: Vec<u16>,
    /// The lists, those of the kinds first.
    pub(super) lists: Vec<List>,
}

/// The bits of a list's place in [`Model::ways`].
pub(super) const PLACE_BITS: u32 = 14;

/// The value that a symbol stands for.
#[inline(always)]
pub(super) fn value_of(symbol: u8, reference: u8, draw: u8) -> u8 {
    if symbol == DRAW {
        draw
    } else {
        reference.wrapping_add(symbol)
    }
}

impl Model {
    /// A model with these lists, and for each context the place of one.
    pub(super) fn new(places: Vec<u16>, lists: Vec<List>) -> Model {
        let way = |place: u16| {
            let class = lists
                .get(usize::from(place))
                .map_or(0, |list| list[SYMBOLS]);
            u16::from(class) << PLACE_BITS | place
        };
        Model {
            ways: places.into_iter().map(way).collect(),
            lists,
        }
    }

    /// The lists, for looking many up.
    #[inline(always)]
    pub fn lists(&self) -> Lists<'_> {
        Lists {
            ways: &self.ways,
            lists: &self.lists,
        }
    }

    /// The model that a file keeps. None if its bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Model> {
        let mut plain = vec![0; MAX_BYTES];
        let n = Context::new().decompress(bytes, None, &mut plain)?;
        let mut input = ByteReader::new(&plain[..n]);
        let count = usize::from(input.u16().ok()?);
        if !(KINDS..=1 << PLACE_BITS).contains(&count) {
            return None;
        }
        let mut lists: Vec<List> = Vec::with_capacity(count);
        let mut places = vec![u16::MAX; CONTEXTS];
        for place in 0..count {
            let context = match place {
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
                *places.get_mut(context)? = place as u16;
            }
        }
        input.end().ok()?;
        Some(Model::new(spread(places), lists))
    }
}

/// The lists of a model.
#[derive(Clone, Copy)]
pub(super) struct Lists<'a> {
    ways: &'a [u16],
    lists: &'a [List],
}

impl<'a> Lists<'a> {
    /// The class of a context, which is below [`CLASSES`], and its list of symbols. Which list it is
    /// need not be known for the class, so that the two are looked up side by side.
    #[inline(always)]
    pub fn look_up(self, context: u16) -> (u8, &'a List) {
        let way = self.ways[usize::from(context)];
        let place = way & ((1 << PLACE_BITS) - 1);
        ((way >> PLACE_BITS) as u8, &self.lists[usize::from(place)])
    }
}

/// A list's symbols: its own, then those of its kind that are not among them, then the others.
pub(super) fn complete(own: &[u8], kind: Option<&List>) -> [u8; SYMBOLS] {
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

/// Gives the contexts without a list (65535) that of the context without the plane before, or
/// that of their kind.
pub(super) fn spread(mut places: Vec<u16>) -> Vec<u16> {
    for context in 0..CONTEXTS {
        if places[context] == u16::MAX {
            let place = places[usize::from(without_before(context as u16))];
            places[context] = match place {
                u16::MAX => (context / CONTEXTS_OF_KIND) as u16,
                place => place,
            };
        }
    }
    places
}
