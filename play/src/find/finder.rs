//! Searches the cells of a table for matching positions, in random order and once for all positions
//! that differ only by a symmetry of the board.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sakmak::board::{Color, Position};
use sakmak::index::{Bia, Layout, Symmetry, Transform};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Moves, ProbeError, Tablebase, Value};
use sakmak::random::Numbers;
use sakmak::rules::Count;
use sakmak::table::{Block, Code, Decoder, Metric, TableFile};
use thiserror::Error;

use super::contradiction::CriteriaError;
use super::criteria::Criteria;
use super::images::{image, is_first, may_stand, symmetries};

/// True if both sides of the ending have the same men, so that the sides can be exchanged.
fn is_even(material: CanonicalMaterial) -> bool {
    material.army(Color::White) == material.army(Color::Black)
}

/// Returns all numbers below `length` in random order, each once, without storing them.
pub fn shuffled(length: usize, numbers: &mut Numbers) -> impl Iterator<Item = usize> {
    let end = length.max(1) as u64;
    let mut step = numbers.below(end).max(1);
    while greatest_common_divisor(step, end) != 1 {
        step = step % end + 1;
    }
    let mut at = numbers.below(end);
    std::iter::repeat_with(move || {
        let here = at;
        at += step;
        if at >= end {
            at -= end;
        }
        here as usize
    })
    .take(length)
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => greatest_common_divisor(b, a % b),
    }
}

/// The factor by which the limit on positions from one block grows from round to round. Similar
/// positions are close together in a table, so the first round takes only one from each block.
const LIMIT_FACTOR: usize = 8;
/// The largest limit on positions from one block. The next round takes all remaining positions of
/// every block.
const LARGEST_LIMIT: usize = 8;

/// The number of blocks in a batch, which is searched in parallel: at first, and at most.
const BATCH: (usize, usize) = (8, 256);

/// A position that matches the criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The position.
    pub position: Position,
    /// The position's value under a fresh count.
    pub value: Value,
}

/// The reason why a search cannot start.
#[derive(Debug, Error)]
pub enum FindError {
    /// The criteria contradict each other.
    #[error(transparent)]
    Criteria(#[from] CriteriaError),
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Yields an ending's matching positions, in an order determined by a seed.
#[derive(Debug)]
pub struct Finder<'a> {
    tablebase: &'a Tablebase,
    cursor: Cursor,
}

/// The state of a search, for callers that cannot keep a borrow of the tablebase. A [`Finder`] is a
/// cursor together with its tablebase.
#[derive(Debug)]
pub struct Cursor {
    search: Search,
    /// The blocks to search in this round.
    blocks: Vec<u64>,
    /// The blocks to search again in the next round, because they may contain more matches.
    more: Vec<u64>,
    /// The index in `blocks` of the next block.
    at: usize,
    /// The number of positions that earlier rounds have taken from each block.
    taken: usize,
    /// The number of positions that earlier rounds and this one may take together from each block.
    most: usize,
    /// The number of blocks in the next batch.
    batch: usize,
    /// The matches that are not yet returned.
    found: VecDeque<Result<Found, ProbeError>>,
    stopped: bool,
    /// The number of cells that the search may still examine.
    cells_left: u64,
}

/// The inputs of a search, which do not change.
#[derive(Debug)]
struct Search {
    table: Arc<TableFile>,
    material: CanonicalMaterial,
    metric: Metric,
    wanted: Criteria,
    seed: u64,
    layout: Layout,
    symmetries: Vec<Transform>,
    /// The side to move whose cells the table stores.
    side: Color,
    /// True for each code whose cells can match, indexed by code.
    may_match: Vec<bool>,
    turns: Vec<Color>,
    /// A bound for positions with the other side to move, whose cells are not stored: no position
    /// with this distance to mate, or with a better one, matches. A win in 1 means no bound, since
    /// the side to move is then always a bare king, which never wins. The lookup can stop at the first move that is as
    /// good as the bound.
    too_good: Distance,
    blocks: u64,
    block_cells: u64,
}

/// Buffers that are reused from block to block.
struct Scratch {
    decoder: Decoder,
    block: Block,
}

/// A function that returns false if the search has to stop. Several threads call it.
type GoOn<'a> = dyn Fn() -> bool + Sync + 'a;

/// The matching positions found in a block, and whether the block may have more.
type BlockMatches = Result<(Vec<Found>, bool), ProbeError>;

impl<'a> Finder<'a> {
    /// Searches an ending for matching positions.
    ///
    /// # Errors
    ///
    /// If the criteria contradict each other, or the ending's table is missing or cannot be used.
    pub fn new(
        tablebase: &'a Tablebase,
        material: CanonicalMaterial,
        wanted: &Criteria,
        seed: u64,
    ) -> Result<Finder<'a>, FindError> {
        Ok(Finder {
            tablebase,
            cursor: Cursor::new(tablebase, material, wanted, seed)?,
        })
    }

    /// Makes the search return all positions of a block before those of the next block. This is the
    /// fastest way to find every match.
    #[must_use]
    pub fn all(mut self) -> Finder<'a> {
        self.cursor.most = usize::MAX;
        self
    }
}

impl Iterator for Finder<'_> {
    type Item = Result<Found, ProbeError>;

    fn next(&mut self) -> Option<Result<Found, ProbeError>> {
        self.cursor.next(self.tablebase)
    }
}

impl Cursor {
    /// Starts a search: see [`Finder::new`].
    ///
    /// # Errors
    ///
    /// As for [`Finder::new`].
    pub fn new(
        tablebase: &Tablebase,
        material: CanonicalMaterial,
        wanted: &Criteria,
        seed: u64,
    ) -> Result<Cursor, FindError> {
        wanted.check()?;
        wanted.check_game(material)?;
        let search = Search::new(tablebase, material, wanted, seed)?;
        let mut blocks: Vec<u64> = (0..search.blocks).collect();
        let mut numbers = Numbers::new(seed);
        for i in (1..blocks.len()).rev() {
            blocks.swap(i, numbers.below(i as u64 + 1) as usize);
        }
        Ok(Cursor {
            search,
            blocks,
            more: Vec::new(),
            at: 0,
            taken: 0,
            most: 1,
            batch: BATCH.0,
            found: VecDeque::new(),
            stopped: false,
            cells_left: u64::MAX,
        })
    }

    /// Ends the search after this number of cells, rounded up to whole batches of blocks. Unlike a
    /// time limit, this limit gives the same result on every machine.
    pub fn limit_cells(&mut self, cells: u64) {
        self.cells_left = cells;
    }

    /// Finds the next position. `tablebase` must be the one given to [`Cursor::new`].
    pub fn next(&mut self, tablebase: &Tablebase) -> Option<Result<Found, ProbeError>> {
        self.next_while(tablebase, || true)
    }

    /// Finds the next position as [`next`](Cursor::next) does, but ends the search when `go_on`
    /// returns false. `go_on` is called before each position is probed. Positions already found are
    /// still returned.
    pub fn next_while(
        &mut self,
        tablebase: &Tablebase,
        go_on: impl Fn() -> bool + Sync,
    ) -> Option<Result<Found, ProbeError>> {
        let stopped = AtomicBool::new(self.stopped);
        let go_on = || {
            let goes_on = !stopped.load(Ordering::Relaxed) && go_on();
            if !goes_on {
                stopped.store(true, Ordering::Relaxed);
            }
            goes_on
        };
        while self.found.is_empty() && go_on() && self.search_next_blocks(tablebase, &go_on) {}
        self.stopped = stopped.into_inner();
        self.found.pop_front()
    }

    /// True if `go_on` has ended the search.
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Searches the next blocks. Returns false if no blocks remain, or if the limit on cells is
    /// reached.
    fn search_next_blocks(&mut self, tablebase: &Tablebase, go_on: &GoOn<'_>) -> bool {
        if self.cells_left == 0 {
            return false;
        }
        if self.at == self.blocks.len() {
            if self.more.is_empty() {
                return false;
            }
            self.blocks = std::mem::take(&mut self.more);
            self.at = 0;
            self.batch = BATCH.0;
            self.taken = self.most;
            self.most = match self.most {
                most if most < LARGEST_LIMIT => most * LIMIT_FACTOR,
                _ => usize::MAX,
            };
        }
        let end = self.blocks.len().min(self.at + self.batch);
        let blocks = &self.blocks[self.at..end];
        let cells = blocks.len() as u64 * self.search.block_cells;
        self.cells_left = self.cells_left.saturating_sub(cells);
        let results = self
            .search
            .search_blocks(tablebase, blocks, self.taken..self.most, go_on);
        for (&block, result) in blocks.iter().zip(results) {
            match result {
                Ok((found, has_more)) => {
                    self.found.extend(found.into_iter().map(Ok));
                    self.more.extend(has_more.then_some(block));
                }
                Err(error) => self.found.push_back(Err(error)),
            }
        }
        self.at = end;
        self.batch = (2 * self.batch).min(BATCH.1);
        true
    }
}

impl Search {
    fn new(
        tablebase: &Tablebase,
        material: CanonicalMaterial,
        wanted: &Criteria,
        seed: u64,
    ) -> Result<Search, ProbeError> {
        // In a named game an ending with bia has a table of its own.
        let game = wanted.rules.game();
        let material = match game.is_named() {
            true => material.in_game(game),
            false => material,
        };
        let table = tablebase.inventory().table_under(material, wanted.rules)?;
        let metric = wanted.metric(material);
        // A metric without a section equals its base.
        let metrics = [Some(metric), metric.base(material)].into_iter().flatten();
        let section = metrics
            .filter_map(|metric| table.section(metric))
            .next()
            .ok_or_else(|| {
                table.damaged("it has no section for a metric that its material needs")
            })?;
        let header = section.header();
        let info = &header.info;
        let layout = Layout::from_bytes(material, info.symmetry, &info.order)
            .ok()
            .filter(|layout| layout.cells() == header.cells)
            .ok_or_else(|| table.damaged("its order of men does not fit its material"))?;
        let codes = info.codes.iter();
        let other = !info.side;
        let longest = match material.army(other).is_empty() {
            true => wanted.longest_loss(material, other),
            false => None,
        };
        let too_good = match longest.map(|moves| u16::try_from(moves.saturating_add(1))) {
            Some(Ok(moves)) => Distance::Loss(Moves(moves)),
            _ => Distance::Win(Moves(1)),
        };
        Ok(Search {
            too_good,
            material,
            metric: header.info.metric,
            seed,
            symmetries: symmetries(layout.symmetry()),
            layout,
            side: info.side,
            may_match: codes
                .map(|&code| wanted.may_match(material, metric, info.side, code))
                .collect(),
            turns: match wanted.turn {
                Some(turn) => vec![turn],
                // With equal armies the sides can be exchanged.
                None if is_even(material) => vec![info.side],
                None => Color::ALL.to_vec(),
            },
            blocks: header.blocks(),
            block_cells: u64::from(header.block_cells),
            wanted: wanted.clone(),
            table,
        })
    }

    /// Searches these blocks in order, some of them in parallel.
    fn search_blocks(
        &self,
        tablebase: &Tablebase,
        blocks: &[u64],
        range: Range<usize>,
        go_on: &GoOn<'_>,
    ) -> Vec<BlockMatches> {
        let scratch = || Scratch {
            decoder: Decoder::new(),
            block: Block::new(),
        };
        #[cfg(not(target_family = "wasm"))]
        {
            use rayon::prelude::*;
            let results = blocks.par_iter().map_init(scratch, |scratch, &block| {
                self.search_block(tablebase, block, range.clone(), scratch, go_on)
            });
            results.collect()
        }
        #[cfg(target_family = "wasm")]
        {
            let mut scratch = scratch();
            let results = blocks.iter();
            results
                .map(|&block| {
                    self.search_block(tablebase, block, range.clone(), &mut scratch, go_on)
                })
                .collect()
        }
    }

    /// Finds matching positions in one block, in random order. Returns those whose index in that
    /// order is in `range`.
    fn search_block(
        &self,
        tablebase: &Tablebase,
        block: u64,
        range: Range<usize>,
        scratch: &mut Scratch,
        go_on: &GoOn<'_>,
    ) -> BlockMatches {
        if !go_on() {
            return Ok((Vec::new(), false));
        }
        let Some(section) = self.table.section(self.metric) else {
            return Ok((Vec::new(), false));
        };
        self.read_block(tablebase, block, scratch)?;
        let cells = &scratch.block;
        let other_turn = self.turns.iter().any(|&turn| turn != self.side);
        if !other_turn
            && let Some(bytes) = cells.bytes()
            && !bytes.iter().any(|&code| self.may_match[usize::from(code)])
        {
            return Ok((Vec::new(), false));
        }
        let first = block * u64::from(section.header().block_cells);
        let mut numbers = Numbers::new(self.seed ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut found = Vec::new();
        let mut seen = 0;
        for place in shuffled(cells.len(), &mut numbers) {
            let code = cells.get(place).map_or(0, usize::from);
            for &turn in &self.turns {
                if turn == self.side
                    && !self.may_match.get(code).is_some_and(|&may_match| may_match)
                {
                    continue;
                }
                if !go_on() {
                    return Ok((found, false));
                }
                let Some(position) = self.position(tablebase, first + place as u64, turn)? else {
                    continue;
                };
                if seen == range.end {
                    return Ok((found, true));
                }
                seen += 1;
                if seen > range.start {
                    found.push(position);
                }
            }
        }
        Ok((found, false))
    }

    /// Reads a block. If it is corrupt, reads the same block from the table of another directory,
    /// provided that both tables divide the same cells into the same blocks.
    fn read_block(
        &self,
        tablebase: &Tablebase,
        block: u64,
        scratch: &mut Scratch,
    ) -> Result<(), ProbeError> {
        let Scratch { decoder, block: to } = scratch;
        let division = |table: &TableFile| {
            let header = table.section(self.metric)?.header().clone();
            Some((header.info, header.cells, header.block_cells))
        };
        let mut table = self.table.clone();
        while let Some(section) = table.section(self.metric) {
            let Err(error) = section.read_block(block, decoder, to) else {
                return Ok(());
            };
            tablebase.set_aside(error.into())?;
            table = tablebase
                .inventory()
                .table_under(self.material, self.wanted.rules)?;
            if division(&table) != division(&self.table) {
                break;
            }
        }
        Err(table
            .damaged("the search began in another copy of the table, whose blocks are divided differently")
            .into())
    }

    /// The position of the cell `index` with `turn` to move, or a random symmetric image of it.
    /// None if the position is illegal, does not match, or is an image of another cell's position.
    fn position(
        &self,
        tablebase: &Tablebase,
        index: u64,
        turn: Color,
    ) -> Result<Option<Found>, ProbeError> {
        let example = self.layout.example(index);
        // Cheaper than the other tests, and with regions most cells fail.
        let symmetries = self.symmetries.iter().copied();
        if !may_stand(&example, self.material, symmetries, &self.wanted.men) {
            return Ok(None);
        }
        let Some(position) = example.position(self.material, turn) else {
            return Ok(None);
        };
        // If White's king is on the diagonal, or the bia are symmetric, both a position and its
        // mirror image have indices.
        if self.layout.symmetry() != Symmetry::Mirror {
            let (bia, king) = (Bia::of_position(&position), position.king(Color::White));
            let has_index = |t: &Transform| {
                let to_domain = self.layout.to_domain(bia.moved(*t), t.square(king));
                to_domain == Transform::IDENTITY
            };
            let symmetries = self.symmetries.iter().copied();
            if !is_first(&position, symmetries.filter(has_index)) {
                return Ok(None);
            }
        }
        // If the side to move has no stored cells, the test that excludes the most positions comes
        // first.
        if turn != self.side && self.material.is_bare() {
            let dtm = tablebase.dtm_up_to_in(self.material.game(), &position, self.too_good)?;
            let code = code_of(dtm, turn);
            if !(self.wanted).may_match(self.material, Metric::Dtm, turn, code) {
                return Ok(None);
            }
        }
        let images = self
            .symmetries
            .iter()
            .filter_map(|&transform| image(&position, transform));
        let images: Vec<Position> = images
            .filter(|image| self.wanted.men.iter().all(|region| region.holds(image)))
            .collect();
        if images.is_empty() {
            return Ok(None);
        }
        let value = tablebase.probe(&position, self.wanted.rules, &Count::Fresh)?;
        if !self.wanted.fits(&value) || !self.wanted.fits_moves(tablebase, &position, &value)? {
            return Ok(None);
        }
        let chosen = Numbers::new(self.seed ^ index).below(images.len() as u64);
        Ok(Some(Found {
            position: images[chosen as usize],
            value,
        }))
    }
}

/// The code for a distance to mate in a table.
fn code_of(dtm: Distance, turn: Color) -> Code {
    match (dtm, dtm.winner(turn)) {
        (Distance::Win(Moves(moves)) | Distance::Loss(Moves(moves)), Some(Color::White)) => {
            Code::WhiteWins(moves)
        }
        (Distance::Win(Moves(moves)) | Distance::Loss(Moves(moves)), _) => Code::BlackWins(moves),
        (Distance::Draw, _) => Code::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_once() {
        let mut numbers = Numbers::new(3);
        for length in [0, 1, 2, 7, 64, 1000, 4096] {
            let mut all: Vec<usize> = shuffled(length, &mut numbers).collect();
            all.sort_unstable();
            assert_eq!(all, (0..length).collect::<Vec<_>>());
        }
    }
}
