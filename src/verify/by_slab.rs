//! Verifying a bare-king table slab by slab.
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
use super::verdict::{Comparison, Verdict};
use super::win_counts::{WinCounts, add_wins, agree, sum_wins};
use crate::board::{Color, Square, attacks};
use crate::index::{Component, Layout};
use crate::stats::Counts;
use crate::table::{Block, Code, Decoder, Metric, TableError, TableFile};

/// Configurations that are compared as one task.
const CONFIGS: usize = 1024;

/// A bare-king table to go through slab by slab.
pub struct Sweep<'a> {
    table: &'a TableFile,
    grid: Grid,
    layout: Layout,
    codes: Vec<Code>,
    /// The configurations of a slab.
    configs: usize,
    /// For each slab those that a king's step leads to, itself among them.
    near: Vec<Vec<usize>>,
}

/// The distances, Black to move, of some slabs.
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
}

/// The distances, White to move, of one slab.
struct Slab {
    first: usize,
    list: DistanceList,
}

impl Lanes for Slab {
    #[inline(always)]
    fn lane(&self, number: usize) -> [Distance; 64] {
        self.list.lane(number - self.first)
    }
}

/// What was counted in a slab.
#[derive(Default)]
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

impl Sweep<'_> {
    /// The sweep of a table, if it can be gone through in this way.
    pub fn of(table: &TableFile) -> Option<Sweep<'_>> {
        let material = table.material();
        let section = table.section(Metric::Dtm)?;
        let info = &section.header().info;
        let layout = Layout::from_bytes(material, info.symmetry, &info.order).ok()?;
        let narrow = |code: &Code| {
            code.win()
                .is_none_or(|(_, moves)| DistanceList::is_narrow(moves))
        };
        let fits = material.is_bare()
            && layout.order()[0] == Component::Anchor
            && layout.cells() == section.header().cells
            && info.side == Color::White
            && info.codes.iter().all(narrow);
        if !fits {
            return None;
        }
        let grid = Grid::new(material, layout.symmetry());
        let domain = layout.domain();
        let slab_of = |square: Square| layout.anchor_digit(layout.to_domain(square).square(square));
        let near = domain.iter().map(|&king| {
            let mut near: Vec<usize> = attacks::king(king).map(slab_of).collect();
            near.push(slab_of(king));
            near.sort_unstable();
            near.dedup();
            near
        });
        Some(Sweep {
            table,
            codes: info.codes.clone(),
            configs: grid.configs() / domain.len(),
            near: near.collect(),
            grid,
            layout,
        })
    }

    /// Goes through the table.
    pub fn verify(&self, source: &dyn Source, verdict: &mut Verdict) -> Result<(), VerifyError> {
        let material = self.table.material();
        // Only Black captures, and then White is to move.
        let white = &[Color::White];
        let smaller = Smaller::read(material, Metric::Dtm, white, white, source)?;
        let slabs = self.near.len();
        let mut window = Window {
            configs: self.configs,
            slabs: (0..slabs).map(|_| None).collect(),
        };
        let mut counted = [Counted::default(), Counted::default()];
        let mut known = 0;
        for slab in 0..slabs {
            let needed = self.near[slab].iter().max().copied().unwrap_or(slab);
            while known <= needed {
                let stored = self.stored(known)?;
                let (list, count) = self.black(&stored, &smaller);
                window.slabs[known] = Some(list);
                let [_, black] = &mut counted;
                *black = std::mem::take(black).sum(count);
                known += 1;
            }
            let stored = self.stored(slab)?;
            let [white, _] = &mut counted;
            let count = self.white(slab, &stored, &window, &smaller, verdict);
            *white = std::mem::take(white).sum(count);
            for (old, list) in window.slabs.iter_mut().enumerate().take(known) {
                if self.near[slab + 1..]
                    .iter()
                    .all(|near| !near.contains(&old))
                {
                    *list = None;
                }
            }
        }
        let section = self.table.section(Metric::Dtm);
        let statistics = section.map(|section| &section.header().info.statistics);
        for (turn, counted) in Color::ALL.into_iter().zip(counted) {
            verdict.positions += counted.legal.0;
            let empty = Counts::default();
            let stated = statistics.map_or(&empty, |statistics| statistics.to_move(turn));
            verdict.statistics_agree &= agree(&stated.white_wins, &counted.wins)
                && stated.black_wins.iter().all(|&wins| wins == 0)
                && stated.legal() == counted.legal.1;
        }
        Ok(())
    }

    fn numbers(&self, slab: usize) -> Range<usize> {
        slab * self.configs..(slab + 1) * self.configs
    }

    /// The distances of a slab as they are stored, White to move.
    fn stored(&self, slab: usize) -> Result<Slab, TableError> {
        let cells = self.decode(slab)?;
        let slab_cells = self.configs * 64;
        let first = slab * self.configs;
        let grid = &self.grid;
        let room = || grid.room();
        let list = DistanceList::collect(self.configs, true, room, |config, at, lane| {
            *lane = [0; 64];
            if !grid.config(first + at, config) {
                return;
            }
            let (base, stride) = grid.cells(&self.layout, config);
            for square in grid.legal(config, Color::White) {
                let cell = base + square.index() * stride - slab * slab_cells;
                let code = self.codes.get(usize::from(cells[cell]));
                lane[square.index()] = match code.and_then(|code| code.win()) {
                    Some((Color::White, moves)) => moves,
                    _ => NEVER,
                };
            }
        });
        Ok(Slab { first, list })
    }

    /// The codes of a slab's cells.
    fn decode(&self, slab: usize) -> Result<Vec<u8>, TableError> {
        let section = self
            .table
            .section(Metric::Dtm)
            .ok_or_else(|| self.table.damaged("lacks its distances to mate"))?;
        let size = section.header().block_cells as usize;
        let slab_cells = self.configs * 64;
        let first = slab * slab_cells;
        let mut cells = vec![0u8; slab_cells];
        // The first piece ends with a block, so that the others are whole blocks.
        let head = (size - first % size) % size;
        let (head, rest) = cells.split_at_mut(head.min(slab_cells));
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
            })?;
        Ok(cells)
    }

    /// A slab's distances with Black to move, from those with White to move.
    fn black(&self, stored: &Slab, smaller: &Smaller) -> (DistanceList, Counted) {
        let grid = &self.grid;
        let ply = Ply {
            grid,
            mover: Color::Black,
            winner: Color::White,
            after: stored,
            smaller,
        };
        let room = || grid.room();
        let list = DistanceList::collect(self.configs, true, room, |config, at, lane| {
            ply.lane(stored.first + at, config, lane);
        });
        let counted = (0..self.configs)
            .into_par_iter()
            .fold(
                || (grid.room(), Counted::default()),
                |(mut config, mut counted), at| {
                    if grid.config(stored.first + at, &mut config) {
                        let weight = grid.weight(&config);
                        let legal = grid.legal(&config, Color::Black).len() as u64;
                        counted.legal.0 += legal;
                        counted.legal.1 += legal * weight;
                        add_wins(&mut counted.wins, &list.lane(at), weight, false);
                    }
                    (config, counted)
                },
            )
            .map(|(_, counted)| counted)
            .reduce(Counted::default, Counted::sum);
        (list, counted)
    }

    /// Compares a slab's distances with White to move with those that follow from Black's.
    fn white(
        &self,
        slab: usize,
        stored: &Slab,
        window: &Window,
        smaller: &Smaller,
        verdict: &mut Verdict,
    ) -> Counted {
        let grid = &self.grid;
        let ply = Ply {
            grid,
            mover: Color::White,
            winner: Color::White,
            after: window,
            smaller,
        };
        let comparison = Comparison {
            grid,
            metric: Metric::Dtm,
            turn: Color::White,
            winner: Color::White,
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
                        add_wins(&mut counted.wins, &found, weight, true);
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
