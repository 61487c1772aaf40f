//! The model of a section, made of what its cells hold.

use super::bytes::ByteWriter;
use crate::table::lattice::{
    CONTEXTS, CONTEXTS_OF_KIND, KINDS, Lane, UNKNOWN, Visit, each, without_before,
};
use crate::table::model::{CLASSES, DRAW, List, Model, PLACE_BITS, SYMBOLS, complete, spread};

/// The most lists beside those of the kinds.
const MAX_LISTS: usize = 6000;

/// The cells that a context must have in the whole section to be worth a list of its own.
const MIN_CELLS: u64 = 300;

/// The symbol of a value, if it has one.
#[inline(always)]
pub(super) fn symbol_of(value: u8, reference: u8, draw: u8) -> Option<u8> {
    if value == draw {
        return Some(DRAW);
    }
    let symbol = value.wrapping_sub(reference);
    (symbol != DRAW).then_some(symbol)
}

impl Model {
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
    use crate::table::model::value_of;

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
            let context = (cell * cell % 977 * 49) % CONTEXTS;
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
