//! Verifying a table slab by slab, metric by metric.
//!
//! Where White's king is the outermost component of a table's numbers, the positions with the king
//! on one square lie together. A move of another man stays in the slab, and a step of the king leads
//! to a neighbouring one. So the slabs are gone through in the order of the king's squares, and only
//! those near the one at hand are in memory.

use std::ops::Range;

use rayon::prelude::*;

use super::distances::{DistanceList, Lanes};
use super::grid::{Distance, Grid, NEVER};
use super::ply::Ply;
use super::smaller::Smaller;
use super::source::{Source, VerifyError};
use super::stored::Meaning;
use super::verdict::{Comparison, Verdict};
use super::win_counts::{WinCounts, add_wins, agree, sum_wins};
use crate::board::{Color, Square, attacks};
use crate::huge_pages::HugeArray;
use crate::index::{Component, Layout};
use crate::simd::Simd;
use crate::stats::{Counts, Statistics};
use crate::table::{Block, Code, Decoder, Metric, TableError, TableFile};

/// Configurations that are compared as one task.
const CONFIGS: usize = 1024;

/// The positions of a slab up to which its stored distances wait, from when Black's follow from them
/// until White's do; those of larger slabs are decoded twice. At most six slabs wait.
const LARGEST_WAITING: usize = 1 << 28;

/// A metric of a table to go through slab by slab.
pub struct Sweep<'a> {
    table: &'a TableFile,
    metric: Metric,
    grid: Grid,
    own: Cells,
    /// What the codes that refer to the metric's base stand for.
    base: Option<Cells>,
    /// Whether the distances are in plies.
    plies: bool,
    /// Whether they fit bytes.
    narrow: bool,
    /// The configurations of a slab.
    configs: usize,
    /// For each slab those that a king's step leads to, itself among them.
    near: Vec<Vec<usize>>,
}

/// The codes of a slab's cells, and of its base's.
#[derive(Default)]
struct Codes {
    own: HugeArray<u8>,
    base: HugeArray<u8>,
}

/// The cells of a section.
struct Cells {
    metric: Metric,
    layout: Layout,
    codes: Vec<Code>,
}

/// The distances of one side's wins, Black to move, of some slabs.
struct Window {
    configs: usize,
    slabs: Vec<Option<DistanceList>>,
}

impl Lanes for Window {
    #[inline(always)]
    fn lane(&self, number: usize) -> [Distance; 64] {
        let slab = self.slabs[number / self.configs].as_ref();
        let slab = slab.expect("a step leads to a slab that is there");
        slab.lane(number % self.configs)
    }

    #[inline(always)]
    fn bytes(&self, number: usize) -> Option<&[u8; 64]> {
        let slab = self.slabs[number / self.configs].as_ref();
        slab?.bytes(number % self.configs)
    }
}

/// The distances of one side's wins, White to move, of one slab.
struct Slab {
    first: usize,
    list: DistanceList,
}

impl Lanes for Slab {
    #[inline(always)]
    fn lane(&self, number: usize) -> [Distance; 64] {
        self.list.lane(number - self.first)
    }

    #[inline(always)]
    fn bytes(&self, number: usize) -> Option<&[u8; 64]> {
        self.list.bytes(number - self.first)
    }
}

/// One side's wins that were gone through under a metric, and found right.
pub struct Known {
    metric: Metric,
    winner: Color,
    /// What its captures lead to.
    captures: blake3::Hash,
    /// With White to move and with Black.
    counted: [Counted; 2],
}

/// What was counted in a slab.
#[derive(Clone, Default)]
struct Counted {
    wins: WinCounts,
    /// Legal positions, and those of the whole board they stand for.
    legal: (u64, u64),
}

impl Counted {
    fn sum(self, other: Counted) -> Counted {
        Counted {
            wins: sum_wins(self.wins, other.wins),
            legal: (self.legal.0 + other.legal.0, self.legal.1 + other.legal.1),
        }
    }
}

impl Cells {
    /// The cells of a metric's section, if they can be gone through slab by slab.
    fn of(table: &TableFile, metric: Metric) -> Option<Cells> {
        let header = table.section(metric)?.header();
        let info = &header.info;
        let layout = Layout::from_bytes(table.material(), info.symmetry, &info.order).ok()?;
        let fits = layout.order()[0] == Component::Anchor
            && layout.cells() == header.cells
            && info.side == Color::White
            && info.codes.len() <= usize::from(u8::MAX);
        fits.then(|| Cells {
            metric,
            layout,
            codes: info.codes.clone(),
        })
    }
}

impl Sweep<'_> {
    /// The sweep of a metric of a table, if it can be gone through in this way.
    pub fn of(table: &TableFile, metric: Metric) -> Option<Sweep<'_>> {
        let material = table.material();
        if material.is_bare() && metric != Metric::Dtm {
            return None;
        }
        // A metric without a section is what its base says.
        let base = metric.base(material);
        let own = match table.section(metric) {
            Some(_) => metric,
            None => base?,
        };
        let own = Cells::of(table, own)?;
        let base = match base {
            Some(base) if own.codes.contains(&Code::Base) => Some(Cells::of(table, base)?),
            _ => None,
        };
        let symmetry = own.layout.symmetry();
        if base
            .as_ref()
            .is_some_and(|base| base.layout.symmetry() != symmetry)
        {
            return None;
        }
        let plies = metric.counts_plies(material);
        let codes = own.codes.iter().chain(base.iter().flat_map(|b| &b.codes));
        let largest = codes.filter_map(|code| code.win()).map(|(_, moves)| moves);
        let narrow = plies || DistanceList::is_narrow(largest.max().unwrap_or(0));
        let grid = Grid::new(material, symmetry);
        let domain = own.layout.domain();
        let slab_of = |square: Square| {
            let image = own.layout.to_domain(square).square(square);
            own.layout.anchor_digit(image)
        };
        let near = domain.iter().map(|&king| {
            let mut near: Vec<usize> = attacks::king(king).map(slab_of).collect();
            near.push(slab_of(king));
            near.sort_unstable();
            near.dedup();
            near
        });
        Some(Sweep {
            table,
            metric,
            configs: grid.configs() / domain.len(),
            near: near.collect(),
            grid,
            own,
            base,
            plies,
            narrow,
        })
    }

    /// Goes through the table. Wins that are those of a metric gone through before, and follow from
    /// the same captures, are not worked out again; what is found right is added to `known`.
    pub fn verify(
        &self,
        source: &dyn Source,
        known: &mut Vec<Known>,
        verdict: &mut Verdict,
    ) -> Result<(), VerifyError> {
        let material = self.table.material();
        // Against a bare king only Black captures, and then White is to move.
        let sides: &[Color] = match material.is_bare() {
            true => &[Color::White],
            false => &Color::ALL,
        };
        let smaller = Smaller::read(material, self.metric, sides, sides, source)?;
        let mut counts = [Counts::default(), Counts::default()];
        let mut legal = [(0, 0), (0, 0)];
        for &winner in sides {
            let captures = smaller.digest(winner);
            let counted = match self.known(known, winner, captures)? {
                Some(counted) => counted,
                None => {
                    let differences = verdict.differences;
                    let counted = self.verify_wins(winner, &smaller, verdict)?;
                    if verdict.differences == differences {
                        known.push(Known {
                            metric: self.metric,
                            winner,
                            captures,
                            counted: counted.clone(),
                        });
                    }
                    counted
                }
            };
            for (turn, counted) in Color::ALL.into_iter().zip(counted) {
                let counts = &mut counts[turn.index()];
                match winner {
                    Color::White => counts.white_wins = counted.wins,
                    Color::Black => counts.black_wins = counted.wins,
                }
                legal[turn.index()] = counted.legal;
            }
        }
        let [white_to_move, black_to_move] = counts;
        let mut counted = Statistics {
            white_to_move,
            black_to_move,
        };
        if self.plies {
            counted = counted.plies_to_moves();
        }
        for turn in Color::ALL {
            let (single, whole) = legal[turn.index()];
            verdict.positions += single;
            // A metric that equals its base has no section, and no statistics of its own.
            if let Some(section) = self.table.section(self.metric) {
                let stated = section.header().info.statistics.to_move(turn);
                let counted = counted.to_move(turn);
                verdict.statistics_agree &= agree(&stated.white_wins, &counted.white_wins)
                    && agree(&stated.black_wins, &counted.black_wins)
                    && stated.legal() == whole;
            }
        }
        Ok(())
    }

    /// What was counted when these wins were gone through under another metric: None if they were not,
    /// or follow from other captures, or if any distance is another.
    fn known(
        &self,
        known: &[Known],
        winner: Color,
        captures: blake3::Hash,
    ) -> Result<Option<[Counted; 2]>, TableError> {
        let like = |known: &&Known| (known.winner, known.captures) == (winner, captures);
        for known in known.iter().filter(like) {
            if let Some(other) = Sweep::of(self.table, known.metric)
                && self.has_distances_of(&other, winner)?
            {
                return Ok(Some(known.counted.clone()));
            }
        }
        Ok(None)
    }

    /// Whether one side's wins are those of another metric of the table.
    fn has_distances_of(&self, other: &Sweep<'_>, winner: Color) -> Result<bool, TableError> {
        let sources = |sweep: &Sweep<'_>| {
            let base = sweep.base.as_ref();
            (sweep.own.metric, base.map(|base| base.metric), sweep.plies)
        };
        if sources(self) == sources(other) {
            return Ok(true);
        }
        let mut codes = Codes::default();
        for slab in 0..self.near.len() {
            let room = || DistanceList::room(self.configs, self.narrow);
            let own = self.stored((winner, slab), room(), &mut codes)?;
            let others = other.stored((winner, slab), room(), &mut codes)?;
            if own.list != others.list {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes through one side's wins. Returns what was counted with White to move and with Black.
    fn verify_wins(
        &self,
        winner: Color,
        smaller: &Smaller,
        verdict: &mut Verdict,
    ) -> Result<[Counted; 2], VerifyError> {
        let slabs = self.near.len();
        let mut window = Window {
            configs: self.configs,
            slabs: (0..slabs).map(|_| None).collect(),
        };
        let mut waiting: Vec<Option<Slab>> = (0..slabs).map(|_| None).collect();
        // Lists that are used again: the pages of new ones would have to be cleared.
        let mut spare: Vec<DistanceList> = Vec::new();
        let room = |spare: &mut Vec<DistanceList>| {
            let list = spare.pop();
            list.unwrap_or_else(|| DistanceList::room(self.configs, self.narrow))
        };
        let mut codes = Codes::default();
        let mut counted = [Counted::default(), Counted::default()];
        let mut known = 0;
        for slab in 0..slabs {
            let needed = self.near[slab].iter().max().copied().unwrap_or(slab);
            while known <= needed {
                let stored = self.stored((winner, known), room(&mut spare), &mut codes)?;
                let mut list = room(&mut spare);
                let count = self.black(winner, &stored, smaller, &mut list);
                window.slabs[known] = Some(list);
                match self.configs * 64 <= LARGEST_WAITING {
                    true => waiting[known] = Some(stored),
                    false => spare.push(stored.list),
                }
                let [_, black] = &mut counted;
                *black = std::mem::take(black).sum(count);
                known += 1;
            }
            let stored = match waiting[slab].take() {
                Some(stored) => stored,
                None => self.stored((winner, slab), room(&mut spare), &mut codes)?,
            };
            let [white, _] = &mut counted;
            let count = self.white((winner, slab), &stored, &window, smaller, verdict);
            *white = std::mem::take(white).sum(count);
            spare.push(stored.list);
            for (old, list) in window.slabs.iter_mut().enumerate().take(known) {
                let mut later = self.near[slab + 1..].iter();
                if later.all(|near| !near.contains(&old)) {
                    spare.extend(list.take());
                }
            }
        }
        Ok(counted)
    }

    fn numbers(&self, slab: usize) -> Range<usize> {
        slab * self.configs..(slab + 1) * self.configs
    }

    /// The distances of a side's wins in a slab as they are stored, White to move.
    fn stored(
        &self,
        (winner, slab): (Color, usize),
        mut list: DistanceList,
        codes: &mut Codes,
    ) -> Result<Slab, TableError> {
        self.decode(&self.own, slab, &mut codes.own)?;
        let cells = &codes.own;
        let side = Color::White;
        let based = match &self.base {
            Some(base) => {
                self.decode(base, slab, &mut codes.base)?;
                let meaning = Meaning::of(&base.codes, side, winner, self.plies);
                Some((meaning, &codes.base))
            }
            None => None,
        };
        let slab_cells = self.configs * 64;
        let first = slab * self.configs;
        let grid = &self.grid;
        // What is taken from the base is in moves.
        let own_in_moves = self.plies && self.own.metric != self.metric;
        let own_meaning = Meaning::of(&self.own.codes, side, winner, own_in_moves);
        let illegal = match winner {
            Color::White => 0,
            Color::Black => NEVER,
        };
        let room = || grid.room();
        list.fill(room, |config, at, lane| {
            *lane = [illegal; 64];
            if !grid.config(first + at, config) {
                return;
            }
            let places = grid.cells(&self.own.layout, config);
            let base = self.base.as_ref();
            let base_places = base.map(|base| grid.cells(&base.layout, config));
            let code = |cells: &[u8], (base, stride): (usize, usize), at: Square| {
                u16::from(cells[base + at.index() * stride - slab * slab_cells])
            };
            for square in grid.legal(config, Color::White) {
                let own = own_meaning.get(code(cells, places, square));
                lane[square.index()] = match (own, &based, base_places) {
                    (None, Some((meaning, cells)), Some(places)) => {
                        meaning.get(code(cells, places, square)).unwrap_or(NEVER)
                    }
                    (distance, ..) => distance.unwrap_or(NEVER),
                };
            }
        });
        Ok(Slab { first, list })
    }

    /// Decodes the codes of a slab's cells.
    fn decode(
        &self,
        cells: &Cells,
        slab: usize,
        into: &mut HugeArray<u8>,
    ) -> Result<(), TableError> {
        let section = self
            .table
            .section(cells.metric)
            .ok_or_else(|| self.table.damaged("lacks a metric that it had"))?;
        let size = section.header().block_cells as usize;
        let slab_cells = self.configs * 64;
        let first = slab * slab_cells;
        if into.len() != slab_cells {
            *into = HugeArray::zeroed(slab_cells);
        }
        // The first piece ends with a block, so that the others are whole blocks.
        let head = (size - first % size) % size;
        let (head, rest) = into.split_at_mut(head.min(slab_cells));
        let mut pieces: Vec<(usize, &mut [u8])> = vec![(first, head)];
        let rest_at = first + pieces[0].1.len();
        let rest = rest.chunks_mut(size).enumerate();
        pieces.extend(rest.map(|(i, piece)| (rest_at + i * size, piece)));
        let room = || (Decoder::new(), Block::new(), vec![0; size]);
        pieces
            .into_par_iter()
            .filter(|(_, piece)| !piece.is_empty())
            .try_for_each_init(room, |(decoder, block, codes), (cell, piece)| {
                let (number, at) = section.block_of(cell as u64);
                section.read_block(number, decoder, block)?;
                let codes = &mut codes[..block.len()];
                block.copy_to(codes);
                for (byte, &code) in piece.iter_mut().zip(&codes[at..]) {
                    *byte = u8::try_from(code).unwrap_or(u8::MAX);
                }
                Ok(())
            })
    }

    /// Works out a slab's distances with Black to move, from those with White to move.
    fn black(
        &self,
        winner: Color,
        stored: &Slab,
        smaller: &Smaller,
        list: &mut DistanceList,
    ) -> Counted {
        let grid = &self.grid;
        let ply = Ply {
            grid,
            mover: Color::Black,
            winner,
            after: stored,
            smaller,
            simd: Simd::detect(),
        };
        let room = || grid.room();
        list.fill(room, |config, at, lane| {
            ply.lane(stored.first + at, config, lane);
        });
        let list = &*list;
        (0..self.configs)
            .into_par_iter()
            .fold(
                || (grid.room(), Counted::default()),
                |(mut config, mut counted), at| {
                    if grid.config(stored.first + at, &mut config) {
                        let weight = grid.weight(&config);
                        let legal = grid.legal(&config, Color::Black).len() as u64;
                        counted.legal.0 += legal;
                        counted.legal.1 += legal * weight;
                        let moves = winner == Color::Black;
                        add_wins(&mut counted.wins, &list.lane(at), weight, moves);
                    }
                    (config, counted)
                },
            )
            .map(|(_, counted)| counted)
            .reduce(Counted::default, Counted::sum)
    }

    /// Compares a slab's distances with White to move with those that follow from Black's.
    fn white(
        &self,
        (winner, slab): (Color, usize),
        stored: &Slab,
        window: &Window,
        smaller: &Smaller,
        verdict: &mut Verdict,
    ) -> Counted {
        let grid = &self.grid;
        let ply = Ply {
            grid,
            mover: Color::White,
            winner,
            after: window,
            smaller,
            simd: Simd::detect(),
        };
        let comparison = Comparison {
            grid,
            metric: self.metric,
            turn: Color::White,
            winner,
        };
        let numbers = self.numbers(slab);
        let tasks: Vec<usize> = numbers.clone().step_by(CONFIGS).collect();
        let found: Vec<(Counted, Verdict)> = tasks
            .into_par_iter()
            .map_init(
                || grid.room(),
                |config, first| {
                    let (mut counted, mut verdict) = (Counted::default(), Verdict::default());
                    let mut expected = [0; 64];
                    for number in first..(first + CONFIGS).min(numbers.end) {
                        if !ply.lane(number, config, &mut expected) {
                            continue;
                        }
                        let found = stored.lane(number);
                        if found != expected {
                            comparison.note(number, &found, &expected, &mut verdict);
                        }
                        let weight = grid.weight(config);
                        let legal = grid.legal(config, Color::White).len() as u64;
                        counted.legal.0 += legal;
                        counted.legal.1 += legal * weight;
                        add_wins(&mut counted.wins, &found, weight, winner == Color::White);
                    }
                    (counted, verdict)
                },
            )
            .collect();
        let mut sum = Counted::default();
        for (counted, found) in found {
            sum = sum.sum(counted);
            verdict.differences += found.differences;
            verdict.first = verdict.first.take().or(found.first);
        }
        sum
    }
}
