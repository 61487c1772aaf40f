//! Trains the model of a section on a sample of its blocks.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use rayon::prelude::*;

use super::classes::{PlaceCounts, bits, classify};
use super::contexts::{KINDS, LaneCells, Prediction, UNKNOWN};
use super::decode::SectionShape;
use super::encode::NewCodes;
use super::model::{
    ESCAPE, Model, NO_LIST, Ranges, SYMBOLS, SymbolList, complete, fill_in, symbols_of,
};
use super::order::{PredictionInputs, Visitor, each, visit_with};
use super::over_base::BaseCells;
use crate::container::Pool;
use crate::container::bytes::ByteWriter;
use crate::parallel::ForkedByOneFunction;
use crate::simd::Simd;
use crate::table::code::{CellSource, ILLEGAL};

/// The largest number of lists in a model, not counting the list of each kind of context.
const MAX_LISTS: usize = 6000;

/// A context gets a list of its own only if it is expected to occur at least this often in the
/// whole section.
const MIN_CELLS: u64 = 300;

/// A context gets a list of its own only if it occurs at least this often in the sample.
const MIN_SAMPLED: u64 = 8;

/// The number of blocks that a task counts.
const COUNTED_TOGETHER: usize = 32;

/// The zstd level for compressing a model.
const MODEL_LEVEL: i32 = 19;

/// The frequency of each symbol in a context.
type SymbolCounts = [u32; 256];

/// Trains a section's model on some of its blocks.
///
/// `recoded` is the renumbering of the codes by [`sort_codes`](super::encode::sort_codes). For a
/// section with a base, trains a model for each of the two predictions from the base, and returns
/// the model that takes fewer bits. `whole_parts` is passed to [`classify`].
///
/// # Errors
///
/// If the base's cells cannot be read.
pub fn train(
    shape: &SectionShape,
    source: &dyn CellSource,
    recoded: &NewCodes,
    base: Option<&dyn BaseCells>,
    block_cells: u32,
    blocks: &[u64],
    whole_parts: bool,
) -> io::Result<Model> {
    let n = block_cells as usize;
    let scale = source.cells() / (n as u64 * blocks.len().max(1) as u64);
    let model = |prediction: Prediction| -> io::Result<(Model, u64)> {
        // One census for each thread: adding it to the others takes as long as counting many blocks.
        let censuses = Pool::new(|| Census::new(shape.draw, prediction));
        let tasks = blocks.par_chunks(COUNTED_TOGETHER).erased();
        tasks.try_for_each(|blocks| {
            censuses.with(|census| {
                let mut blocks = blocks.iter();
                blocks.try_for_each(|&block| {
                    census.count_block(shape, source, recoded, base, block, n)
                })
            })
        })?;
        let mut censuses = censuses.into_values().into_iter();
        let first = censuses
            .next()
            .unwrap_or_else(|| Census::new(shape.draw, prediction));
        let census = censuses.fold(first, Census::join);
        Ok(census.model(scale.max(1), whole_parts))
    };
    if base.is_none() {
        return Ok(model(Prediction::Before)?.0);
    }
    let (by_base, base_bits) = model(Prediction::Base)?;
    let (by_differences, difference_bits) = model(Prediction::Differences)?;
    Ok(match base_bits <= difference_bits {
        true => by_base,
        false => by_differences,
    })
}

/// The frequencies of symbols in each context, counted in a sample.
struct Census {
    prediction: Prediction,
    /// For each context, its index in `counts`, or 65535 if it has no counts.
    indices: Vec<u16>,
    counts: Vec<(u16, Box<SymbolCounts>)>,
    draw: u8,
    scratch: BlockScratch,
}

/// Buffers that are reused for each block.
#[derive(Debug, Default)]
struct BlockScratch {
    /// The cells as codes, as the source provides them.
    codes: Vec<u16>,
    /// The cells as renumbered codes, or [`UNKNOWN`].
    cells: Vec<u8>,
    /// The legal squares of Black's king in each lane.
    legal: Vec<u64>,
    /// The cells counted so far, from which later cells are predicted.
    known: Vec<u8>,
    /// The base's cells, if there is a base.
    base: Vec<u8>,
}

impl Census {
    /// An empty census.
    fn new(draw: u8, prediction: Prediction) -> Census {
        Census {
            prediction,
            indices: vec![u16::MAX; prediction.contexts()],
            counts: Vec::new(),
            draw,
            scratch: BlockScratch::default(),
        }
    }

    /// Reads a block of `n` cells and counts its symbols.
    fn count_block(
        &mut self,
        shape: &SectionShape,
        source: &dyn CellSource,
        recoded: &NewCodes,
        base: Option<&dyn BaseCells>,
        block: u64,
        n: usize,
    ) -> io::Result<()> {
        let first = block * n as u64;
        let mut scratch = std::mem::take(&mut self.scratch);
        if let Some(base) = base {
            base.read(block, &mut scratch.base)?;
        }
        let BlockScratch {
            codes, cells, base, ..
        } = &mut scratch;
        codes.resize(n, ILLEGAL);
        source.read(first, codes);
        // Ignores codes that the section does not have. They are reported when the blocks are
        // written.
        for code in &mut *codes {
            if usize::from(*code) >= recoded.old_count {
                *code = ILLEGAL;
            }
        }
        recoded.recode(codes.iter().map(|&code| code as u8), base, cells);
        self.count_cells(shape, first, &mut scratch);
        self.scratch = scratch;
        Ok(())
    }

    /// Counts the symbols of the cells in the block that begins with cell `first`.
    fn count_cells(&mut self, shape: &SectionShape, first: u64, scratch: &mut BlockScratch) {
        let BlockScratch {
            cells,
            legal,
            known,
            base,
            ..
        } = scratch;
        if cells.iter().all(|&cell| cell == UNKNOWN) {
            return;
        }
        shape.legal(first, cells.len(), legal);
        known.clear();
        known.resize(cells.len(), UNKNOWN);
        let inputs = PredictionInputs {
            draw: shape.draw,
            prediction: self.prediction,
            base,
        };
        let mut counter = BlockCounter {
            census: self,
            cells,
        };
        let order = &shape.order;
        let _ = visit_with(Simd::detect(), order, legal, inputs, known, &mut counter);
    }

    /// Adds the counts of another census to this one.
    fn join(mut self, other: Census) -> Census {
        for (context, counts) in other.counts {
            match self.indices[usize::from(context)] {
                u16::MAX => {
                    self.indices[usize::from(context)] = self.counts.len() as u16;
                    self.counts.push((context, counts));
                }
                index => add(&mut self.counts[usize::from(index)].1, &counts),
            }
        }
        self
    }

    #[inline(always)]
    fn count(&mut self, symbol: u8, context: u16) {
        let index = self.indices[usize::from(context)];
        let counts = match self.counts.get_mut(usize::from(index)) {
            Some(counts) => counts,
            None => self.first_count(context),
        };
        counts.1[usize::from(symbol)] += 1;
    }

    /// Counts that are zero, for a context that occurs for the first time.
    #[cold]
    #[inline(never)]
    fn first_count(&mut self, context: u16) -> &mut (u16, Box<SymbolCounts>) {
        let index = self.counts.len();
        self.indices[usize::from(context)] = index as u16;
        self.counts.push((context, Box::new([0; 256])));
        &mut self.counts[index]
    }

    /// Makes a model from the counts. The section has about `scale` times as many cells as the
    /// counted sample. Also returns the number of bits that the counted places take, in units of
    /// 2^-16 bit.
    fn model(&self, scale: u64, whole_parts: bool) -> (Model, u64) {
        let (list_indices, counts) = self.contexts_with_lists(scale);
        // The counts of each kind as a whole. They complete the list of the kind.
        let mut whole = vec![[0; 256]; KINDS];
        for (context, counts) in &self.counts {
            add(&mut whole[self.kind_of(*context)], counts);
        }
        let mut lists: Vec<SymbolList> = Vec::new();
        for (number, (context, counts)) in counts.iter().enumerate() {
            let mut own = most_frequent(counts);
            let kind = context.map(|context| self.kind_of(context));
            if kind.is_none() {
                let rest = most_frequent(&whole[number]);
                let rest: Vec<u8> = rest.into_iter().filter(|s| !own.contains(s)).collect();
                own.extend(rest);
                own.truncate(SYMBOLS);
            }
            lists.push(complete(&own, kind.map(|kind| &lists[kind])));
        }
        let places: Vec<PlaceCounts> = lists
            .iter()
            .zip(&counts)
            .map(|(list, (_, counts))| place_counts(list, counts))
            .collect();
        let (classes, class_of) = classify(&places, whole_parts);
        let bits = bits(&places, &classes, &class_of);
        let model = Model {
            prediction: self.prediction,
            list_indices: fill_in(self.prediction, list_indices),
            lists,
            class_of,
            classes,
        };
        (model, bits)
    }

    fn kind_of(&self, context: u16) -> usize {
        usize::from(context) / self.prediction.contexts_of_kind()
    }

    /// For each context, the index of its own list, if it has one; for each list, its context and
    /// its counts. The lists of the kinds come first.
    fn contexts_with_lists(&self, scale: u64) -> (Vec<u16>, Vec<(Option<u16>, SymbolCounts)>) {
        let mut list_indices = vec![NO_LIST; self.prediction.contexts()];
        let mut lists: Vec<(Option<u16>, SymbolCounts)> = vec![(None, [0; 256]); KINDS];
        let worth = |n: u64| n >= MIN_SAMPLED && n * scale >= MIN_CELLS;
        let mut sorted: Vec<(u64, u16, &SymbolCounts)> = self
            .counts
            .iter()
            .map(|(context, counts)| (total(counts), *context, &**counts))
            .collect();
        sorted.sort_by_key(|&(n, context, _)| (Reverse(n), context));
        // Frequent contexts have lists of their own. All others are merged into the same context
        // with an unknown aside and, if that is rare too, into their kind.
        let mut merged: BTreeMap<u16, SymbolCounts> = BTreeMap::new();
        for (n, context, counts) in sorted {
            let fallback = self.prediction.without_aside(context);
            if worth(n) && lists.len() < MAX_LISTS && fallback != context {
                list_indices[usize::from(context)] = lists.len() as u16;
                lists.push((Some(context), *counts));
            } else {
                add(merged.entry(fallback).or_insert([0; 256]), counts);
            }
        }
        for (context, counts) in merged {
            if worth(total(&counts)) {
                list_indices[usize::from(context)] = lists.len() as u16;
                lists.push((Some(context), counts));
            } else {
                add(&mut lists[self.kind_of(context)].1, &counts);
            }
        }
        (list_indices, lists)
    }
}

/// The number of occurrences of each place of a list. The last count is that of the escape.
fn place_counts(list: &SymbolList, counts: &SymbolCounts) -> PlaceCounts {
    let mut places = [0; SYMBOLS + 1];
    for (place, &symbol) in places.iter_mut().zip(&list[..SYMBOLS]) {
        *place = u64::from(counts[usize::from(symbol)]);
    }
    places[ESCAPE] = total(counts) - places.iter().sum::<u64>();
    places
}

fn add(sum: &mut SymbolCounts, counts: &SymbolCounts) {
    for (sum, count) in sum.iter_mut().zip(counts) {
        *sum += count;
    }
}

fn total(counts: &SymbolCounts) -> u64 {
    counts.iter().map(|&n| u64::from(n)).sum()
}

/// The symbols for a list, the most frequent first.
fn most_frequent(counts: &SymbolCounts) -> Vec<u8> {
    let mut symbols: Vec<u8> = (0..=u8::MAX)
        .filter(|&symbol| counts[usize::from(symbol)] > 0)
        .collect();
    symbols.sort_by_key(|&s| (Reverse(counts[usize::from(s)]), s));
    symbols.truncate(SYMBOLS);
    symbols
}

/// Counts the symbols of one block for a census.
struct BlockCounter<'a> {
    census: &'a mut Census,
    cells: &'a [u8],
}

impl Visitor for BlockCounter<'_> {
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
        let symbols = symbols_of(own, references, self.census.draw);
        for i in each(squares) {
            values[i] = own[i];
            if let Ok(symbol) = u8::try_from(symbols[i]) {
                self.census.count(symbol, contexts[i]);
            }
        }
        Some(())
    }
}

impl Model {
    /// Encodes the model as a file stores it.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut out = ByteWriter::default();
        match self.prediction {
            Prediction::Before => {}
            Prediction::Base => out.u8(0),
            Prediction::Differences => out.u8(1),
        }
        out.u8(self.classes.len() as u8);
        for width in self.classes.iter().flat_map(Ranges::widths) {
            out.u16(width);
        }
        out.u16(self.lists.len() as u16);
        let mut put = |context: Option<usize>, number: usize| {
            if let Some(context) = context {
                out.u16(context as u16);
            }
            let list = &self.lists[number];
            // Omits symbols that the reader takes from the list of the kind.
            let kind =
                context.map(|context| &self.lists[context / self.prediction.contexts_of_kind()]);
            let own = (0..=SYMBOLS)
                .find(|&n| complete(&list[..n], kind) == *list)
                .unwrap_or(SYMBOLS);
            out.u8(self.class_of[number]);
            out.u8(own as u8);
            out.put(&list[..own]);
        };
        (0..KINDS).for_each(|kind| put(None, kind));
        // A list is stored with the context that owns it. Other contexts use it as their fallback.
        let mut owner = vec![None; self.lists.len()];
        for context in 0..self.list_indices.len() {
            let number = usize::from(self.list_indices[context]);
            let fallback = usize::from(self.prediction.without_aside(context as u16));
            let differs = usize::from(self.list_indices[fallback]) != number;
            if number >= KINDS && (fallback == context || differs) {
                owner[number] = Some(context);
            }
        }
        for (number, &context) in owner.iter().enumerate().skip(KINDS) {
            put(context.or(Some(0)), number);
        }
        zstd::bulk::compress(&out.bytes, MODEL_LEVEL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn model_round_trips() {
        for prediction in [
            Prediction::Before,
            Prediction::Base,
            Prediction::Differences,
        ] {
            let over_base = prediction != Prediction::Before;
            let mut census = Census::new(3, prediction);
            let mut random = fastrand::Rng::with_seed(1);
            for cell in 0..200_000usize {
                let value = random.u8(..40) & random.u8(..);
                // Contexts spread from the first to the last.
                let context = (cell * cell % 1231 * 49).min(prediction.contexts() - 1);
                census.count(value.wrapping_sub(5), context as u16);
            }
            let (model, _) = census.model(3, true);
            assert!(model.lists.len() > 2 * KINDS);
            let bytes = model.to_bytes().unwrap();
            assert_eq!(Model::from_bytes(&bytes, over_base), Some(model));
            for n in 0..bytes.len() {
                assert_eq!(Model::from_bytes(&bytes[..n], over_base), None);
            }
        }
    }
}
