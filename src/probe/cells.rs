//! Reads cells of distance tables, from cached blocks or by decoding a block. A cell is the stored
//! value of one position.
//!
//! A search reads a million cells a second, so a cached cell costs neither an allocation nor a
//! lock.

use std::cell::RefCell;

use super::cache::{PAGE_BYTES, PAGE_WORDS};
use super::distance::{Counted, Distance};
use super::error::ProbeError;
use super::probe_header::{CellPlace, ProbeHeader, Stored};
use super::store::Store;
use super::tables_of::Found;
use crate::board::Game;
use crate::material::Material;
use crate::rules::RuleSet;
use crate::table::{Block, Decoder, TableError, TableFile, TableKind};

/// Reads the cells of the tables that have results for a rule set. Counts cache hits and misses.
pub(super) struct Cells<'a> {
    pub store: &'a Store,
    /// The rule set for which tables must have results. Probes of the distance to mate set it to
    /// makruk, since every table has results for makruk, except those of ASEAN chess's bia.
    pub rules: RuleSet,
    /// True to fail if a block is not cached, instead of reading and decoding it.
    pub only_cached: bool,
    hits: u64,
    misses: u64,
}

impl Drop for Cells<'_> {
    #[inline]
    fn drop(&mut self) {
        self.store.cache.count(self.hits, self.misses);
    }
}

/// Buffers for decoding: a decoder and three blocks. The first block is predicted from the second,
/// in the base section, and the second block from the third.
#[derive(Default)]
struct Scratch {
    decoder: Decoder,
    blocks: [Block; 3],
    wide: Vec<u16>,
}

thread_local! {
    static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
}

/// A table with its slot and its header.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub slot: usize,
    pub contents: &'a ProbeHeader,
}

impl<'a> Cells<'a> {
    #[inline]
    pub fn new(store: &'a Store, rules: RuleSet, only_cached: bool) -> Cells<'a> {
        Cells {
            store,
            rules,
            only_cached,
            hits: 0,
            misses: 0,
        }
    }

    /// The table for these men. The flag is true if Black has the men that the table calls White's.
    // Inlined, since it runs for every cell: saves a tenth of the time of a probe of cached blocks.
    #[inline(always)]
    pub fn table(&self, men: Material) -> Result<(Table<'a>, bool), ProbeError> {
        let found = self.store.find(men)?;
        let known = self.store.distances.known_contents(found.slot);
        let (Found { slot, swapped }, contents) = match known {
            Some(contents) if contents.rules.contains(self.rules_of(men)) => (found, contents),
            _ => self.table_under(men, found)?,
        };
        Ok((Table { slot, contents }, swapped))
    }

    /// Finds a table for these men with results for the rule set. Called if the first directory's
    /// table has no results for it or has not been opened yet.
    #[cold]
    fn table_under(
        &self,
        men: Material,
        found: Found,
    ) -> Result<(Found, &'a ProbeHeader), ProbeError> {
        let rules = self.rules_of(men);
        let (found, contents) = match self.only_cached {
            true => self.store.distances.known_under(found, rules),
            false => Some(self.store.usable_under(men, rules)?),
        }
        .ok_or(ProbeError::NotDecoded)?;
        if contents.rules.contains(rules) {
            return Ok((found, contents));
        }
        let kind = TableKind::Distances;
        Err(self.store.missing_rules(kind, men, contents.rules, rules))
    }

    /// The rule set for which the table of these men must have results.
    #[inline(always)]
    fn rules_of(&self, men: Material) -> RuleSet {
        match men.game() {
            Game::Makruk => self.rules,
            Game::Asean => RuleSet::Asean,
        }
    }

    /// The distance stored in a cell. `None` if the cell refers to the base section.
    #[inline]
    pub fn value(
        &mut self,
        table: Table<'_>,
        stored: &Stored,
        number: u64,
    ) -> Result<Option<Distance<Counted>>, ProbeError> {
        let place = stored.locate(number);
        let code = match self.store.cache.get(place.key, place.word) {
            Some(word) => {
                self.hits += 1;
                stored.code(word, &place)
            }
            None if self.only_cached => return Err(ProbeError::NotDecoded),
            None => {
                self.misses += 1;
                self.decode(table, stored, &place)?
            }
        };
        // Decoding has checked the code, and words are padded with code 0 after the last cell.
        match stored.value(code) {
            Some(value) => Ok(value),
            None => Err(self.no_section(table)),
        }
    }

    /// Decodes and caches a cell's block, and returns the cell's code.
    #[cold]
    fn decode(
        &self,
        table: Table<'_>,
        stored: &Stored,
        place: &CellPlace,
    ) -> Result<u16, ProbeError> {
        let file = self.store.file(table.slot)?;
        SCRATCH.with_borrow_mut(|scratch| {
            let Scratch {
                decoder,
                blocks,
                wide,
            } = scratch.get_or_insert_default();
            self.read(table.contents, &file, stored, place.block, decoder, blocks)?;
            let [block, ..] = blocks;
            let code = block
                .get(place.cell)
                .ok_or_else(|| file.damaged("a legal position has no index"))?;
            self.cache_block(stored, place.block, block, wide);
            Ok(code)
        })
    }

    /// Decodes a block into `blocks[0]`. If a block of a base section predicts it, the base block
    /// goes into `blocks[1]` and is cached too. A block that predicts the base block goes into
    /// `blocks[2]`.
    fn read(
        &self,
        contents: &ProbeHeader,
        file: &TableFile,
        stored: &Stored,
        number: u64,
        decoder: &mut Decoder,
        blocks: &mut [Block],
    ) -> Result<(), TableError> {
        let section = file.sections().nth(stored.number);
        let section = section.ok_or_else(|| file.damaged("a section is missing"))?;
        let Some((block, others)) = blocks.split_first_mut() else {
            return Err(file.damaged("a section is predicted from too many other sections"));
        };
        let base = section.base().map(|base| base.number());
        if let Some(stored) = base.and_then(|base| contents.numbered(base))
            && !self.copy_cached(stored, number, others)
        {
            self.read(contents, file, stored, number, decoder, others)?;
            if let [block, ..] = others {
                self.cache_block(stored, number, block, &mut Vec::new());
            }
        }
        let base = others.first().filter(|_| base.is_some());
        section.read_block_over(number, base, decoder, block)
    }

    /// Copies a block from the cache to `blocks[0]`. Returns false if it is not cached.
    fn copy_cached(&self, stored: &Stored, number: u64, blocks: &mut [Block]) -> bool {
        let Some(block) = blocks.first_mut() else {
            return false;
        };
        let mut words = [0u64; PAGE_WORDS];
        block.fill(stored.header.cells_of(number), |cells| {
            let pages = cells.chunks_mut(PAGE_BYTES).zip(stored.key(number)..);
            pages.into_iter().all(|(cells, page)| {
                let there = self.store.cache.copy(page, &mut [&mut words]);
                for (cells, word) in cells.chunks_mut(8).zip(&words) {
                    cells.copy_from_slice(&word.to_le_bytes()[..cells.len()]);
                }
                there
            })
        })
    }

    /// Caches a block. `wide` is a reusable buffer for its codes as 16-bit numbers.
    fn cache_block(&self, stored: &Stored, number: u64, block: &Block, wide: &mut Vec<u16>) {
        let key = stored.key(number);
        if let (Some(codes), false) = (block.bytes(), stored.wide) {
            for (page, codes) in (key..).zip(codes.chunks(PAGE_BYTES)) {
                let (whole, rest) = codes.as_chunks();
                let rest = pack(rest.iter().map(|&code| code.into()), 8);
                let words = whole.iter().map(|&codes| u64::from_le_bytes(codes));
                self.store.cache.insert(page, words.chain([rest]));
            }
        } else {
            let bits = if stored.wide { 16 } else { 8 };
            let in_word = 64 / bits as usize;
            wide.resize(block.len(), 0);
            block.copy_to(wide);
            for (page, codes) in (key..).zip(wide.chunks(PAGE_WORDS * in_word)) {
                let words = codes.chunks(in_word);
                let words = words.map(|codes| pack(codes.iter().copied(), bits));
                self.store.cache.insert(page, words);
            }
        }
    }

    /// The error for a cell that refers to a section missing from its table.
    #[cold]
    pub fn no_section(&self, table: Table<'_>) -> ProbeError {
        if self.only_cached {
            return ProbeError::NotDecoded;
        }
        let what = "a position refers to a section that the table lacks";
        match self.store.file(table.slot) {
            Ok(file) => ProbeError::Table(file.damaged(what)),
            Err(error) => ProbeError::Table(error),
        }
    }
}

/// Packs codes of `bits` bits each into a word. The first code occupies the lowest bits.
fn pack(codes: impl Iterator<Item = u16>, bits: u32) -> u64 {
    let shifts = (0..64).step_by(bits as usize);
    codes
        .zip(shifts)
        .fold(0, |word, (code, shift)| word | u64::from(code) << shift)
}
