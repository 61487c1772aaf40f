//! What a cell most likely holds in each context: the model of a section packed as ranks.
//!
//! For each context there is a list of up to 15 *symbols*, the most frequent first. A symbol says
//! what a cell holds: a draw, or so much more than the reference. The place of the right one in
//! the list is the cell's **rank**. Contexts that are rare have no list of their own and take
//! that of the same context without the plane before, or that of their kind.
//!
//! Every list has a *class*: 0, 1 or 2, with about as many cells each, the lists whose first
//! symbol is right most often in class 2. Ranks of different classes are packed apart.

use super::bytes::{ByteReader, ByteWriter};
use super::lattice::{
    CONTEXTS, CONTEXTS_OF_KIND, KINDS, Lane, UNKNOWN, Visit, each, without_before,
};

/// The symbols of a list.
pub(super) const SYMBOLS: usize = 15;

/// The classes of lists.
pub(super) const CLASSES: usize = 3;

/// The most codes of a section that can be packed as ranks.
pub(super) const MAX_RANKED_CODES: usize = 250;

/// The symbol of a draw. Any other is what is to be added to the reference, modulo 256.
const DRAW: u8 = 128;

/// The most bytes of a model, decompressed.
const MAX_BYTES: usize = 1 << 20;

/// The most lists beside those of the kinds.
const MAX_LISTS: usize = 6000;

/// The cells that a context must have in the whole section to be worth a list of its own.
const MIN_CELLS: u64 = 300;

/// A list's symbols, then its class.
pub(super) type List = [u8; SYMBOLS + 1];

/// The lists of symbols of all contexts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model {
    /// For each context the place of its list, and above [`PLACE_BITS`] its class.
    ways: Vec<u16>,
    /// The lists, those of the kinds first.
    lists: Vec<List>,
}

/// The bits of a list's place in [`Model::ways`].
const PLACE_BITS: u32 = 14;

/// The symbol of a value, if it has one.
#[inline(always)]
pub(super) fn symbol_of(value: u8, reference: u8, draw: u8) -> Option<u8> {
    if value == draw {
        return Some(DRAW);
    }
    let symbol = value.wrapping_sub(reference);
    (symbol != DRAW).then_some(symbol)
}

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
    fn new(places: Vec<u16>, lists: Vec<List>) -> Model {
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

    /// The place of a context's list.
    fn place(&self, context: usize) -> usize {
        usize::from(self.ways[context] & ((1 << PLACE_BITS) - 1))
    }

    /// The bytes that a file keeps.
    pub fn to_bytes(&self, level: i32) -> std::io::Result<Vec<u8>> {
        let mut out = ByteWriter::default();
        out.u16(self.lists.len() as u16);
        let mut put = |context: Option<usize>, place: usize| {
            if let Some(context) = context {
                out.u16(context as u16);
            }
            let (class, symbols) = self.lists[place].split_last().unwrap_or((&0, &[]));
            // What follows from the kind's own list is left out.
            let kind = context.map(|context| &self.lists[context / CONTEXTS_OF_KIND]);
            let own = (0..=SYMBOLS)
                .find(|&n| complete(&symbols[..n], kind) == *symbols)
                .unwrap_or(SYMBOLS);
            out.u8(class << 4 | own as u8);
            out.put(&symbols[..own]);
        };
        (0..KINDS).for_each(|kind| put(None, kind));
        // A list's own context is the least that has it, for the others come to it from there.
        let mut owner = vec![None; self.lists.len()];
        for context in 0..self.ways.len() {
            let place = self.place(context);
            let backed = usize::from(without_before(context as u16));
            if place >= KINDS && (backed == context || self.place(backed) != place) {
                owner[place] = Some(context);
            }
        }
        for (place, &context) in owner.iter().enumerate().skip(KINDS) {
            put(context.or(Some(0)), place);
        }
        zstd::bulk::compress(&out.bytes, level)
    }

    /// The model that a file keeps. None if its bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Model> {
        let plain = zstd::bulk::decompress(bytes, MAX_BYTES).ok()?;
        let mut input = ByteReader::new(&plain);
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
fn complete(own: &[u8], kind: Option<&List>) -> [u8; SYMBOLS] {
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
fn spread(mut places: Vec<u16>) -> Vec<u16> {
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

/// The cells of the sample that a context must have to be worth a list of its own.
const MIN_SAMPLED: u64 = 8;

/// How often each symbol was met in a context.
type Counts = [u32; 256];

/// Counts symbols by context, in sampled blocks.
pub(super) struct Census<'a> {
    /// For each context the place of its counts, or 65535.
    places: Vec<u16>,
    counts: Vec<(u16, Box<Counts>)>,
    draw: u8,
    /// The cells of the block being counted.
    pub cells: &'a [u8],
}

impl Census<'_> {
    /// Nothing counted yet.
    pub fn new(draw: u8) -> Census<'static> {
        Census {
            places: vec![u16::MAX; CONTEXTS],
            counts: Vec::new(),
            draw,
            cells: &[],
        }
    }

    /// The same, for another block.
    pub fn of<'b>(self, cells: &'b [u8]) -> Census<'b> {
        Census { cells, ..self }
    }

    /// The model of what was counted, in one of `share` equal parts of the section.
    pub fn model(&self, share: u64) -> Model {
        let mut places = vec![u16::MAX; CONTEXTS];
        let mut lists: Vec<(Option<u16>, Counts)> = vec![(None, [0; 256]); KINDS];
        let add = |sum: &mut Counts, counts: &Counts| {
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        };
        let total = |counts: &Counts| counts.iter().map(|&n| u64::from(n)).sum::<u64>();
        let worth = |n: u64| n >= MIN_SAMPLED && n * share >= MIN_CELLS;
        let mut sorted: Vec<(u64, u16, &Counts)> = self
            .counts
            .iter()
            .map(|(context, counts)| (total(counts), *context, &**counts))
            .collect();
        sorted.sort_by_key(|&(n, context, _)| (std::cmp::Reverse(n), context));
        // Those frequent enough have lists of their own, the others are put together.
        let mut put_together: std::collections::BTreeMap<u16, Counts> = Default::default();
        for (n, context, counts) in sorted {
            let backed = without_before(context);
            if worth(n) && lists.len() < MAX_LISTS && backed != context {
                places[usize::from(context)] = lists.len() as u16;
                lists.push((Some(context), *counts));
            } else {
                add(put_together.entry(backed).or_insert([0; 256]), counts);
            }
        }
        for (context, counts) in put_together {
            if worth(total(&counts)) {
                places[usize::from(context)] = lists.len() as u16;
                lists.push((Some(context), counts));
            } else {
                add(
                    &mut lists[usize::from(context) / CONTEXTS_OF_KIND].1,
                    &counts,
                );
            }
        }
        // A kind's list has what its lists leave and, for completing them, a little of all.
        let mut whole = vec![[0u32; 256]; KINDS];
        for (context, counts) in &self.counts {
            add(&mut whole[usize::from(*context) / CONTEXTS_OF_KIND], counts);
        }
        let mut ranked: Vec<List> = Vec::new();
        let mut sure: Vec<(u64, u64, usize)> = Vec::new();
        for (place, (context, counts)) in lists.iter().enumerate() {
            let most_frequent = |counts: &Counts| {
                let mut symbols: Vec<u8> = (0..=u8::MAX)
                    .filter(|&symbol| counts[usize::from(symbol)] > 0)
                    .collect();
                symbols.sort_by_key(|&s| (std::cmp::Reverse(counts[usize::from(s)]), s));
                symbols.truncate(SYMBOLS);
                symbols
            };
            let mut own = most_frequent(counts);
            let kind = context.map(|context| usize::from(context) / CONTEXTS_OF_KIND);
            if kind.is_none() {
                let rest = most_frequent(&whole[place]);
                let rest: Vec<u8> = rest.into_iter().filter(|s| !own.contains(s)).collect();
                own.extend(rest);
                own.truncate(SYMBOLS);
            }
            let first = own.first().map_or(0, |&s| counts[usize::from(s)]);
            let n = total(counts);
            sure.push(((u64::from(first) << 32) / (n + 2), n, place));
            let mut list = [0; SYMBOLS + 1];
            list[..SYMBOLS].copy_from_slice(&complete(&own, kind.map(|kind| &ranked[kind])));
            ranked.push(list);
        }
        sure.sort();
        let all: u64 = sure.iter().map(|&(_, n, _)| n).sum();
        let mut before = 0;
        for (_, n, place) in sure {
            let class = (before + n / 2) * CLASSES as u64 / all.max(1);
            ranked[place][SYMBOLS] = class.min(CLASSES as u64 - 1) as u8;
            before += n;
        }
        Model::new(spread(places), ranked)
    }
}

impl Census<'_> {
    fn count(&mut self, value: u8, context: u16, reference: u8) {
        let place = &mut self.places[usize::from(context)];
        if *place == u16::MAX {
            *place = self.counts.len() as u16;
            self.counts.push((context, Box::new([0; 256])));
        }
        if let Some(symbol) = symbol_of(value, reference, self.draw) {
            self.counts[usize::from(*place)].1[usize::from(symbol)] += 1;
        }
    }
}

impl Visit for Census<'_> {
    fn cells(
        &mut self,
        first: usize,
        squares: u64,
        contexts: &Lane<u16>,
        references: &mut Lane<u8>,
        values: &mut Lane<u8>,
    ) -> Option<()> {
        for i in each(squares) {
            values[i] = self.cells[first + i];
            if values[i] != UNKNOWN {
                self.count(values[i], contexts[i], references[i]);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_but_that_of_a_draw_stands_for_what_it_adds() {
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

    #[test]
    fn a_model_comes_back_as_it_was_written() {
        let mut census = Census::new(3);
        let mut state = 1u32;
        let cells: Vec<u8> = (0..200_000)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                ((state >> 24) as u8 % 40) & (state >> 16) as u8
            })
            .collect();
        let mut census = {
            census.places.fill(u16::MAX);
            census.of(&cells)
        };
        for cell in 0..cells.len() {
            // Up to the last of all.
            let context = (cell * cell % 1231 * 49).min(CONTEXTS - 1);
            census.count(cells[cell], context as u16, 5);
        }
        let model = census.model(3);
        assert!(model.lists.len() > 2 * KINDS);
        let bytes = model.to_bytes(3).unwrap();
        assert_eq!(Model::from_bytes(&bytes), Some(model));
        for n in 0..bytes.len() {
            assert_eq!(Model::from_bytes(&bytes[..n]), None);
        }
    }
}
