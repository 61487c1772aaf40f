//! A single probe: finds, reads and evaluates the cells.
//!
//! A search does this a million times a second, so it allocates nothing, and takes no lock unless a
//! block must be decoded.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::cache::{PAGE_BYTES, PAGE_WORDS};
use super::contents::{CellPlace, Contents, Plan, Stored};
use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::measure::{Counted, Honor, HonorDistance, InMoves, InPlies, Measure};
use super::shelf::Found;
use super::store::Store;
use super::value::{Value, enough_plies, fastest_count_draw, slowest_win};
use crate::board::Position;
use crate::material::{CanonicalMaterial, Material};
use crate::rules::{Category, Count, LimitKind, RuleSet, check_bia, moves_available};
use crate::table::{Block, Decoder, Metric, TableError, TableFile, file_name};

/// The best distance that a side to move can have: nothing beats mate in one.
fn best<M: Measure>() -> Distance<M::Length> {
    Distance::Win(M::length(1))
}

/// The slowest possible win.
const ANY_WIN: Distance = Distance::Win(Moves(u16::MAX));

/// A single probe. Counts cache hits and misses.
pub(super) struct Lookup<'a> {
    store: &'a Store,
    /// The rule set that tables must answer; makruk, which all answer, for the distance to mate.
    rules: RuleSet,
    /// True to fail instead of reading or decoding.
    only_cached: bool,
    hits: u64,
    misses: u64,
}

impl Drop for Lookup<'_> {
    #[inline]
    fn drop(&mut self) {
        self.store.cache.count(self.hits, self.misses);
    }
}

/// Buffers for decoding: the decoder, and a block with its base's and that one's base's blocks.
#[derive(Default)]
struct Scratch {
    decoder: Decoder,
    blocks: [Block; 3],
    wide: Vec<u16>,
}

thread_local! {
    static SCRATCH: RefCell<Option<Scratch>> = const { RefCell::new(None) };
}

/// A table with its slot and header.
#[derive(Clone, Copy)]
struct Table<'a> {
    slot: usize,
    contents: &'a Contents,
}

impl<'a> Lookup<'a> {
    #[inline]
    pub fn new(store: &'a Store) -> Lookup<'a> {
        Lookup::under(store, RuleSet::Makruk)
    }

    /// A probe under a rule set, which every table that it reads must answer.
    #[inline]
    pub fn under(store: &'a Store, rules: RuleSet) -> Lookup<'a> {
        Lookup {
            store,
            rules,
            only_cached: false,
            hits: 0,
            misses: 0,
        }
    }

    /// A probe of decoded blocks only. It fails if it would have to read, decode or wait.
    #[inline]
    pub fn only_cached(store: &'a Store, rules: RuleSet) -> Lookup<'a> {
        Lookup {
            only_cached: true,
            ..Lookup::under(store, rules)
        }
    }

    /// The value of a position under a rule set and a count.
    ///
    /// With men on both sides or with bia, about half of all positions are draws; a verdict table
    /// can show this with less decoding than a distance table.
    pub fn probe(
        &mut self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        if position.material().is_bare_without_bia() {
            let dtm = self.distance(InMoves::DTM, position)?;
            return self.against_bare_king(position, rules, count, dtm);
        }
        let dtm = match self.verdict(position, rules) {
            Ok(Some(Category::Draw)) => {
                // Without distances only some positions would have an answer, by chance.
                self.table_of(position)?;
                Distance::Draw
            }
            _ => self.distance(InMoves::DTM, position)?,
        };
        let dth = match dtm {
            // Without a forced mate there is none inside the count.
            Distance::Draw => HonorDistance::DRAW,
            _ => self.honor(rules, position)?,
        };
        Ok(Value::with_men_on_both_sides(
            position, rules, count, dtm, dth,
        ))
    }

    /// The category of [`Lookup::probe`], from as few cells as possible.
    pub fn category(
        &mut self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        if let Some(category) = self.by_verdict(position, rules, count)? {
            return Ok(category);
        }
        if position.material().is_bare_without_bia() {
            let enough = slowest_win(position, rules, count);
            let dtm = self.distance_up_to(InMoves::DTM, position, enough)?;
            let value = self.against_bare_king(position, rules, count, dtm)?;
            return Ok(value.category);
        }
        let dtm = self.distance_up_to(InMoves::DTM, position, ANY_WIN)?;
        if dtm == Distance::Draw {
            // A draw under any count.
            return Ok(Category::Draw);
        }
        let dth = match Honor::of(rules) {
            Honor::Moves(measure) => {
                let enough = match dtm {
                    Distance::Loss(_) => fastest_count_draw(position, rules, count),
                    _ => slowest_win(position, rules, count),
                };
                Honor::Moves(self.distance_up_to(measure, position, enough)?)
            }
            Honor::Plies(measure) => {
                let enough = enough_plies(dtm, count);
                Honor::Plies(self.distance_up_to(measure, position, enough)?)
            }
        };
        let value = Value::with_men_on_both_sides(position, rules, count, dtm, dth);
        Ok(value.category)
    }

    /// The category, if the position's verdict table decides it. An unusable verdict table counts
    /// as missing if there are distances.
    fn by_verdict(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Option<Category>, ProbeError> {
        let has_distances = || self.store.find(position.material()).is_ok();
        let fresh = match self.verdict(position, rules) {
            Err(_) if has_distances() => None,
            fresh => fresh?,
        };
        Ok(fresh.and_then(|fresh| {
            let [worst, best] = bounds(position, rules, count, fresh);
            (worst == best).then_some(best)
        }))
    }

    /// The bounds of the category from the position's verdict table. Without one, the category
    /// twice.
    pub fn category_bounds(
        &mut self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<[Category; 2], ProbeError> {
        match self.verdict(position, rules) {
            Ok(Some(fresh)) => Ok(bounds(position, rules, count, fresh)),
            // If a block is not decoded, a lookup of distances would fail too.
            Err(ProbeError::NotDecoded) => Err(ProbeError::NotDecoded),
            _ => Ok([self.category(position, rules, count)?; 2]),
        }
    }

    /// The category with a fresh count from the position's verdict table. None without one.
    pub fn verdict(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Option<Category>, ProbeError> {
        check_bia(rules, position)?;
        self.store.verdict(position, rules, self.only_cached)
    }

    /// The value of a position with a bare king, from its distance to mate.
    fn against_bare_king(
        &mut self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Result<Value, ProbeError> {
        let value = Value::against_bare_king(position, rules, count, dtm);
        if !value.may_be_won_by_a_capture(position, rules, count) {
            return self.with_forced_capture(value, position, rules, count);
        }
        let to_capture = self.distance(InPlies, position)?;
        Ok(value.with_captures(to_capture, count))
    }

    /// The value of a position whose forced captures by the bare king may beat the fifty-move rule,
    /// under a limit that no game reaches. For other limits the distances include such captures.
    fn with_forced_capture(
        &mut self,
        value: Value,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        let by_the_clock = value
            .allowance
            .is_some_and(|allowance| allowance.kind == LimitKind::FiftyMoves);
        if value.category != Category::BlessedLoss || !by_the_clock || count.plies_to_capture() == 0
        {
            return Ok(value);
        }
        let mut best = None;
        let stopped = position.visit_legal_moves(|m, _| {
            if !position.is_capture(m) {
                return ControlFlow::Break(None);
            }
            let next = position.play(m);
            let after = count.after(rules, position, &next, next.turn());
            match self.category(&next, rules, &after) {
                Ok(category) => best = best.max(Some(-category)),
                Err(error) => return ControlFlow::Break(Some(error)),
            }
            ControlFlow::Continue(())
        });
        match stopped {
            ControlFlow::Break(None) => Ok(value),
            ControlFlow::Break(Some(error)) => Err(error),
            ControlFlow::Continue(()) => Ok(Value {
                category: best.unwrap_or(value.category),
                ..value
            }),
        }
    }

    /// The value of a move with a bare king on the board, for the player who makes it, from the
    /// distance to mate counted from before the move.
    pub fn move_against_bare_king(
        &mut self,
        (position, next): (&Position, &Position),
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Result<Value, ProbeError> {
        let value = Value::against_bare_king(position, rules, count, dtm);
        if !value.may_be_won_by_a_capture(position, rules, count) {
            return Ok(value);
        }
        let after = match position.occupied().len() == next.occupied().len() {
            true => self.distance(InPlies, next)?,
            false => self.after_change(InPlies, position, next)?,
        };
        Ok(value.with_captures(after.before_ply(), count))
    }

    /// A position's distance to honor for the side to move.
    pub fn honor(
        &mut self,
        rules: RuleSet,
        position: &Position,
    ) -> Result<HonorDistance, ProbeError> {
        Ok(match Honor::of(rules) {
            Honor::Moves(measure) => Honor::Moves(self.distance(measure, position)?),
            Honor::Plies(measure) => Honor::Plies(self.distance(measure, position)?),
        })
    }

    /// A position's distance for the side to move.
    pub fn distance<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        self.distance_up_to(measure, position, best::<M>())
    }

    /// A position's distance for the side to move or, if that is `enough` or better, any distance
    /// between the two.
    pub fn distance_up_to<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let men = position.material();
        if men == Material::BARE_KINGS {
            return Ok(Distance::Draw);
        }
        let distance = match self.table_of(position) {
            Ok((table, true)) => self.in_table(table, measure, men, &position.flipped(), enough),
            Ok((table, false)) => self.in_table(table, measure, men, position, enough),
            Err(error) => Err(error),
        };
        match distance {
            Err(error) => self.in_another_table(error, measure, position, enough),
            distance => distance,
        }
    }

    /// The slot of an ending's table that has the rule set.
    pub fn slot(&self, material: CanonicalMaterial) -> Result<usize, ProbeError> {
        let (table, _) = self.table(material.material())?;
        Ok(table.slot)
    }

    /// Repeats a lookup with the table of another directory if the first is corrupt.
    #[cold]
    fn in_another_table<M: Measure>(
        &mut self,
        error: ProbeError,
        measure: M,
        position: &Position,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        self.store.set_aside(error)?;
        self.distance_up_to(measure, position, enough)
    }

    /// The table of these men, and whether its colours are exchanged.
    // Inlined, since it runs for every cell: saves a tenth of the time of a decoded probe.
    #[inline(always)]
    fn table(&self, men: Material) -> Result<(Table<'a>, bool), ProbeError> {
        let found = self.store.find(men)?;
        let known = self.store.distances.known_contents(found.slot);
        let (Found { slot, swapped }, contents) = match known {
            Some(contents) if contents.rules.contains(self.rules) => (found, contents),
            _ => self.table_under(men, found)?,
        };
        Ok((Table { slot, contents }, swapped))
    }

    /// The table of these men that has the rule set, if the first one lacks it or is not open.
    #[cold]
    fn table_under(
        &self,
        men: Material,
        found: Found,
    ) -> Result<(Found, &'a Contents), ProbeError> {
        let (found, contents) = match self.only_cached {
            true => self.store.distances.known_under(found, self.rules),
            false => Some(self.store.usable_under(men, self.rules)?),
        }
        .ok_or(ProbeError::NotDecoded)?;
        if contents.rules.contains(self.rules) {
            return Ok((found, contents));
        }
        let name = file_name(men.canonical().0);
        let error = self
            .store
            .missing_rules(men, name, contents.rules, self.rules);
        Err(error)
    }

    /// The table of a position's men. Fails if bia are on squares that the tables do not have.
    #[inline(always)]
    fn table_of(&self, position: &Position) -> Result<(Table<'a>, bool), ProbeError> {
        check_bia(self.rules, position)?;
        self.table(position.material())
    }

    /// [`Lookup::distance_up_to`] for a position with the table's colours.
    #[inline(always)]
    fn in_table<M: Measure>(
        &mut self,
        table: Table<'_>,
        measure: M,
        men: Material,
        position: &Position,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let turn = position.turn();
        if let Some(plan) = table.contents.plan(measure.metric(), turn) {
            return self.stored::<M>(table, plan, position);
        }
        match table.contents.plan(measure.metric(), !turn) {
            None => self.by_moves(measure, position),
            // If both sides have the same men, the players are interchangeable.
            Some(plan) if men.white == men.black => {
                self.stored::<M>(table, plan, &position.flipped())
            }
            Some(plan) => self.by_a_ply(table, plan, measure, position, enough),
        }
    }

    /// The distance of a position stored with this side to move.
    #[inline(always)]
    fn stored<M: Measure>(
        &mut self,
        table: Table<'_>,
        plan: Plan,
        position: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let Some(stored) = table.contents.section(plan) else {
            return Err(self.no_section(table));
        };
        let number = stored.numbering.number(position);
        match self.value(table, stored, number)? {
            Some(distance) => Ok(M::read(distance, plan.moves)),
            None => self.in_base::<M>(table, plan, position),
        }
    }

    /// The distance of a position whose cell refers to the base section.
    fn in_base<M: Measure>(
        &mut self,
        table: Table<'_>,
        plan: Plan,
        position: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let value = match table.contents.base(plan) {
            Some(base) => self.value(table, base, base.numbering.number(position))?,
            None => None,
        };
        // A base counts moves: it is a distance to mate, or makruk's distance to honor.
        let value = value.map(|distance| M::read(distance, true));
        value.ok_or_else(|| self.no_section(table))
    }

    /// The distance of a cell; none for a reference to the base.
    #[inline]
    fn value(
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
        // Decoding has checked the code; a cell after the last one has code 0.
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
                .ok_or_else(|| file.damaged("a legal position of its material has no index"))?;
            self.keep(stored, place.block, block, wide);
            Ok(code)
        })
    }

    /// Decodes a block into `blocks[0]`. The others are for its base's block, which is cached too,
    /// and for that one's base's block.
    fn read(
        &self,
        contents: &Contents,
        file: &TableFile,
        stored: &Stored,
        number: u64,
        decoder: &mut Decoder,
        blocks: &mut [Block],
    ) -> Result<(), TableError> {
        let section = file.sections().nth(stored.number);
        let section = section.ok_or_else(|| file.damaged("a section is not there"))?;
        let Some((block, others)) = blocks.split_first_mut() else {
            return Err(file.damaged("a section is predicted from too many others"));
        };
        let base = section.base().map(|base| base.number());
        if let Some(stored) = base.and_then(|base| contents.numbered(base))
            && !self.copy_kept(stored, number, others)
        {
            self.read(contents, file, stored, number, decoder, others)?;
            if let [block, ..] = others {
                self.keep(stored, number, block, &mut Vec::new());
            }
        }
        let base = others.first().filter(|_| base.is_some());
        section.read_block_over(number, base, decoder, block)
    }

    /// Copies a block from the cache to `blocks[0]`, if it is there.
    fn copy_kept(&self, stored: &Stored, number: u64, blocks: &mut [Block]) -> bool {
        let Some(block) = blocks.first_mut() else {
            return false;
        };
        let mut words = [0u64; PAGE_WORDS];
        block.fill(stored.header.cells_of(number), |cells| {
            let pages = cells.chunks_mut(PAGE_BYTES).zip(stored.key(number)..);
            pages.into_iter().all(|(cells, page)| {
                let there = self.store.cache.copy(page, &mut words);
                for (cells, word) in cells.chunks_mut(8).zip(&words) {
                    cells.copy_from_slice(&word.to_le_bytes()[..cells.len()]);
                }
                there
            })
        })
    }

    /// Caches a block. `wide` is a reusable buffer.
    fn keep(&self, stored: &Stored, number: u64, block: &Block, wide: &mut Vec<u16>) {
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

    /// The best result of one move, if the positions after it are stored. Their cells are found by
    /// changing the terms of the index that the move changes.
    fn by_a_ply<M: Measure>(
        &mut self,
        table: Table<'_>,
        plan: Plan,
        measure: M,
        position: &Position,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let Some(stored) = table.contents.section(plan) else {
            return Err(self.no_section(table));
        };
        let place = stored.numbering.place(position);
        let turn = position.turn();
        let ceiling = match position.by_color(turn).len() {
            // A bare king cannot win.
            1 => enough.min(Distance::Draw),
            _ => enough.min(best::<M>()),
        };
        let mut found = None;
        let stopped = position.visit_legal_moves(|m, role| {
            let after = if position.is_capture(m) || m.promotion.is_some() {
                self.after_change(measure, position, &position.play(m))
            } else {
                let number = stored.numbering.after(&place, position, role, m);
                match self.value(table, stored, number) {
                    Ok(Some(distance)) => Ok(M::read(distance, plan.moves)),
                    Ok(None) => self.in_base::<M>(table, plan, &position.play(m)),
                    Err(error) => Err(error),
                }
            };
            match after {
                Ok(distance) => found = found.max(Some(M::before(distance))),
                Err(error) => return ControlFlow::Break(Some(error)),
            }
            match found {
                Some(found) if found >= ceiling => ControlFlow::Break(None),
                _ => ControlFlow::Continue(()),
            }
        });
        match stopped {
            ControlFlow::Break(Some(error)) => Err(error),
            _ => Ok(found.unwrap_or_else(|| without_moves::<M>(position))),
        }
    }

    /// The best result of one move, with a separate lookup for each position after a move.
    pub fn by_moves<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let mut found = None;
        for &m in &position.legal_moves() {
            let next = position.play(m);
            let distance = match position.is_capture(m) || m.promotion.is_some() {
                true => self.after_change(measure, position, &next)?,
                false => self.distance(measure, &next)?,
            };
            found = found.max(Some(M::before(distance)));
        }
        Ok(found.unwrap_or_else(|| without_moves::<M>(position)))
    }

    /// The distance after a capture or a promotion, for the side then to move.
    fn after_change<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
        next: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let Metric::Dth(rules) = measure.metric() else {
            return self.distance(measure, next);
        };
        if !position.is_pawnless() {
            return match next.is_pawnless() {
                true => self.after_the_last_bia::<M>(rules, next),
                // No count begins while there are bia.
                false => self.distance(measure, next),
            };
        }
        if next.material().bare_side().is_none() {
            return Ok(M::after_capture(self.distance(measure, next)?));
        }
        let dtm = self.distance(InMoves::DTM, next)?;
        if !next.material().army(next.turn()).is_empty() {
            // The bare king has captured.
            return Ok(M::after_late_capture(dtm));
        }
        // The capture bared the king: equal to mate inside the count, and worth nothing outside.
        let value = Value::against_bare_king(next, rules, &Count::Fresh, dtm);
        Ok(match value.category {
            Category::Loss => Distance::Loss(M::length(0)),
            _ => Distance::Draw,
        })
    }

    /// The distance to honor when the last bia is gone and the count begins, for the side to move:
    /// the win stands or it does not.
    fn after_the_last_bia<M: Measure>(
        &mut self,
        rules: RuleSet,
        next: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        Ok(match self.category(next, rules, &Count::Fresh)? {
            Category::Win => Distance::Win(M::length(0)),
            Category::Loss => Distance::Loss(M::length(0)),
            _ => Distance::Draw,
        })
    }

    /// A number that sorts positions by the location of their cells in files.
    pub fn order(&mut self, metric: Metric, position: &Position) -> u64 {
        let Ok((Found { swapped, .. }, contents)) = self.store.usable(position.material()) else {
            return u64::MAX;
        };
        let position = if swapped {
            position.flipped()
        } else {
            *position
        };
        let turn = position.turn();
        let plans = [turn, !turn].map(|turn| contents.plan(metric, turn));
        let stored = plans.into_iter().flatten().next();
        match stored.and_then(|plan| contents.section(plan)) {
            Some(stored) => stored.locate(stored.numbering.number(&position)).key,
            None => u64::MAX,
        }
    }

    /// True if the position's cell is read directly, without a ply of lookup.
    pub fn is_stored(&self, position: &Position) -> Result<bool, ProbeError> {
        let men = position.material();
        if men == Material::BARE_KINGS {
            return Ok(true);
        }
        check_bia(RuleSet::Makruk, position)?;
        let (Found { swapped, .. }, contents) = self.store.usable(men)?;
        let turn = if swapped {
            !position.turn()
        } else {
            position.turn()
        };
        Ok(men.white == men.black || contents.plan(Metric::Dtm, turn).is_some())
    }

    #[cold]
    fn no_section(&self, table: Table<'_>) -> ProbeError {
        if self.only_cached {
            return ProbeError::NotDecoded;
        }
        let what = "a position refers to a section that is not there";
        match self.store.file(table.slot) {
            Ok(file) => ProbeError::Table(file.damaged(what)),
            Err(error) => ProbeError::Table(error),
        }
    }
}

/// Packs codes of `bits` bits into a word, the first in the lowest bits.
fn pack(codes: impl Iterator<Item = u16>, bits: u32) -> u64 {
    let shifts = (0..64).step_by(bits as usize);
    codes
        .zip(shifts)
        .fold(0, |word, (code, shift)| word | u64::from(code) << shift)
}

/// The outcome for a side to move that has no legal move.
fn without_moves<M: Measure>(position: &Position) -> Distance<M::Length> {
    match position.is_check() {
        true => Distance::Loss(M::length(0)),
        false => Distance::Draw,
    }
}

/// The bounds of a position's category under a count, from its category with a fresh count.
fn bounds(position: &Position, rules: RuleSet, count: &Count, fresh: Category) -> [Category; 2] {
    let (winner, won, late) = match fresh {
        _ if *count == Count::Fresh => return [fresh; 2],
        // Neither side can force mate.
        Category::Draw => return [fresh; 2],
        Category::Win | Category::CursedWin => {
            (position.turn(), Category::Win, Category::CursedWin)
        }
        Category::Loss | Category::BlessedLoss => {
            (!position.turn(), Category::Loss, Category::BlessedLoss)
        }
    };
    let left = |count| {
        let left = moves_available(rules, position.material(), winner, position.turn(), count);
        left.unwrap_or(u32::MAX)
    };
    let (now, then) = (left(count), left(&Count::Fresh));
    // In ASEAN chess a capture may gain time that the count does not leave.
    let settled = rules != RuleSet::Asean
        && match fresh == won {
            true => now >= then,
            false => now <= then,
        };
    match settled {
        true => [fresh; 2],
        false => [won.min(late), won.max(late)],
    }
}
