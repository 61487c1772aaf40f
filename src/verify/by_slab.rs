//! Verifying a table slab by slab, metric by metric.
//!
//! Where White's king is the outermost component of a table's numbers, the positions with the king
//! on one square lie together. A move of another man stays in the slab, and a step of the king leads
//! to a neighbouring one. So the slabs are gone through in the order of the king's squares, and only
//! those near the one at hand are in memory.

use rayon::prelude::*;

use super::distances::{DistanceList, Lanes};
use super::grid::Distance;
use super::known::Known;
use super::ply::Ply;
use super::smaller::Smaller;
use super::source::{Source, VerifyError};
use super::stored_slabs::{Codes, Slab, StoredSlabs};
use super::verdict::{Comparison, Verdict};
use super::win_counts::{Counted, agree};
use crate::board::{Color, attacks};
use crate::simd::Simd;
use crate::stats::{Counts, Statistics};
use crate::table::{Metric, TableFile};

/// Configurations that are compared as one task.
const CONFIGS: usize = 1024;

/// A slab of up to this many positions stays in memory from the moment Black's distances are worked out of
/// it until it is compared; a larger one is decoded twice. At most six wait.
const LARGEST_WAITING: usize = 1 << 28;

/// A metric of a table to go through slab by slab.
pub struct Sweep<'a> {
    stored: StoredSlabs<'a>,
    /// For each slab those that a king's step leads to, itself among them.
    near: Vec<Vec<usize>>,
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

impl Sweep<'_> {
    /// The sweep of a metric of a table, if it can be gone through in this way.
    pub fn of(table: &TableFile, metric: Metric) -> Option<Sweep<'_>> {
        let stored = StoredSlabs::of(table, metric)?;
        let near = stored.domain().iter().map(|&king| {
            let near = attacks::king(king).with(king);
            let mut near: Vec<usize> = near.map(|square| stored.slab_of(square)).collect();
            near.sort_unstable();
            near.dedup();
            near
        });
        Some(Sweep {
            near: near.collect(),
            stored,
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
        let (table, metric) = (self.stored.table, self.stored.metric);
        let material = table.material();
        // Against a bare king only Black captures, and then White is to move.
        let sides: &[Color] = match material.is_bare() {
            true => &[Color::White],
            false => &Color::ALL,
        };
        let smaller = Smaller::read(material, metric, sides, sides, source)?;
        let mut counts = [Counts::default(), Counts::default()];
        let mut legal = [(0, 0), (0, 0)];
        for &winner in sides {
            let captures = smaller.digest(winner);
            let counted = match Known::counted(known, &self.stored, winner, captures)? {
                Some(counted) => counted,
                None => {
                    let differences = verdict.differences;
                    let counted = self.verify_wins(winner, &smaller, verdict)?;
                    if verdict.differences == differences {
                        known.push(Known {
                            metric,
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
        if self.stored.plies {
            counted = counted.plies_to_moves();
        }
        for turn in Color::ALL {
            let (single, whole) = legal[turn.index()];
            verdict.positions += single;
            // A metric that equals its base has no section, and no statistics of its own.
            if let Some(section) = table.section(metric) {
                let stated = section.header().info.statistics.to_move(turn);
                let counted = counted.to_move(turn);
                verdict.statistics_agree &= agree(&stated.white_wins, &counted.white_wins)
                    && agree(&stated.black_wins, &counted.black_wins)
                    && stated.legal() == whole;
            }
        }
        Ok(())
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
            configs: self.stored.configs,
            slabs: (0..slabs).map(|_| None).collect(),
        };
        let mut waiting: Vec<Option<Slab>> = (0..slabs).map(|_| None).collect();
        // Lists that are used again: the pages of new ones would have to be cleared.
        let mut spare: Vec<DistanceList> = Vec::new();
        let room = |spare: &mut Vec<DistanceList>| {
            let list = spare.pop();
            list.unwrap_or_else(|| self.stored.room())
        };
        let mut codes = Codes::default();
        let mut counted = [Counted::default(), Counted::default()];
        let mut known = 0;
        for slab in 0..slabs {
            let needed = self.near[slab].iter().max().copied().unwrap_or(slab);
            while known <= needed {
                let stored = self
                    .stored
                    .read((winner, known), room(&mut spare), &mut codes)?;
                let mut list = room(&mut spare);
                let count = self.black(winner, &stored, smaller, &mut list);
                window.slabs[known] = Some(list);
                match self.stored.configs * 64 <= LARGEST_WAITING {
                    true => waiting[known] = Some(stored),
                    false => spare.push(stored.list),
                }
                let [_, black] = &mut counted;
                *black = std::mem::take(black).sum(count);
                known += 1;
            }
            let stored = match waiting[slab].take() {
                Some(stored) => stored,
                None => self
                    .stored
                    .read((winner, slab), room(&mut spare), &mut codes)?,
            };
            let [white, _] = &mut counted;
            let count = self.white(winner, &stored, &window, smaller, verdict);
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

    /// Works out a slab's distances with Black to move, from those with White to move.
    fn black(
        &self,
        winner: Color,
        stored: &Slab,
        smaller: &Smaller,
        list: &mut DistanceList,
    ) -> Counted {
        let grid = &self.stored.grid;
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
        (0..self.stored.configs)
            .into_par_iter()
            .fold(
                || (grid.room(), Counted::default()),
                |(mut config, mut counted), at| {
                    if grid.config(stored.first + at, &mut config) {
                        counted.add(grid, &config, (Color::Black, winner), &list.lane(at));
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
        winner: Color,
        stored: &Slab,
        window: &Window,
        smaller: &Smaller,
        verdict: &mut Verdict,
    ) -> Counted {
        let grid = &self.stored.grid;
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
            metric: self.stored.metric,
            turn: Color::White,
            winner,
        };
        let end = stored.first + self.stored.configs;
        let tasks: Vec<usize> = (stored.first..end).step_by(CONFIGS).collect();
        let found: Vec<(Counted, Verdict)> = tasks
            .into_par_iter()
            .map_init(
                || grid.room(),
                |config, first| {
                    let (mut counted, mut verdict) = (Counted::default(), Verdict::default());
                    let mut expected = [0; 64];
                    for number in first..(first + CONFIGS).min(end) {
                        if !ply.lane(number, config, &mut expected) {
                            continue;
                        }
                        let found = stored.lane(number);
                        if found != expected {
                            comparison.note(number, &found, &expected, &mut verdict);
                        }
                        counted.add(grid, config, (Color::White, winner), &found);
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
