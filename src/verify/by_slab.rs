//! Verifies one metric of a table, slab by slab.
//!
//! If White's king is the outermost component of a table's order, all positions with that king on
//! one square are contiguous, and form a slab. A move of any other man stays in the slab, unless it
//! captures, and a step of White's king leads to a nearby slab. So the slabs are visited in the
//! order of the king's squares, and only nearby slabs are in memory. Verified wins are remembered,
//! so that the same wins under another metric need no verification.

use rayon::prelude::*;

use super::distances::{DistanceList, Element, Lanes};
use super::ply::Ply;
use super::source::{TableSource, VerifyError};
use super::stored::{Codes, Slab, StoredSlabs};
use super::subendings::Subendings;
use super::verification::{Comparison, Counted, Tally, Verification};
use crate::board::{Color, attacks};
use crate::parallel::ForkedByOneFunction;
use crate::simd::Simd;
use crate::table::{Metric, TableError, TableFile};

/// One side's verified wins under one metric.
pub struct Known {
    /// The metric under which the wins were verified.
    pub metric: Metric,
    /// The side that wins.
    pub winner: Color,
    /// A hash of the distances after captures.
    pub captures: blake3::Hash,
    /// The counts of wins with White to move and with Black to move.
    pub counted: [Counted; 2],
}

impl Known {
    /// Looks in `known` for a metric with the same wins: all distances in the table, and all
    /// distances after captures, must be equal. Returns the counts of the wins; `None` if there is
    /// no metric with the same wins.
    ///
    /// # Errors
    ///
    /// If the table is corrupt.
    pub fn counted(
        known: &[Known],
        slabs: &StoredSlabs<'_>,
        winner: Color,
        captures: blake3::Hash,
    ) -> Result<Option<[Counted; 2]>, TableError> {
        let like = |known: &&Known| (known.winner, known.captures) == (winner, captures);
        for known in known.iter().filter(like) {
            if let Some(other) = StoredSlabs::of(slabs.table, known.metric)
                && slabs.has_distances_of(&other, winner)?
            {
                return Ok(Some(known.counted.clone()));
            }
        }
        Ok(None)
    }
}

/// The number of configurations that a parallel task processes.
const TASK_CONFIGS: usize = 1024;

/// The largest number of positions in a slab that stays in memory between its two uses: first the
/// distances with Black to move are computed from it, later its own distances are checked. A larger
/// slab is decoded twice. At most six slabs wait in memory.
const LARGEST_WAITING: usize = 1 << 28;

/// Verifies one metric of a table, slab by slab.
pub struct Sweep<'a> {
    stored: StoredSlabs<'a>,
    /// For each slab, the slabs that White's king can reach in one step, including the slab itself.
    near: Vec<Vec<usize>>,
}

/// The distances of one side's wins with Black to move, in the slabs that are in memory.
pub struct Window {
    /// The number of configurations in a slab.
    pub configs: usize,
    /// The list of each slab. `None` if the slab is not in memory.
    pub slabs: Vec<Option<DistanceList>>,
}

impl Lanes for Window {
    #[inline(always)]
    fn find(&self, number: usize) -> (&DistanceList, usize) {
        let slab = self.slabs[number / self.configs].as_ref();
        let slab = slab.expect("a step of the king leads to an existing slab");
        (slab, number % self.configs)
    }
}

impl Sweep<'_> {
    /// Prepares to verify this metric of a table. `None` if the ending has bia, or if the table or
    /// the metric cannot be decoded slab by slab.
    pub fn of(table: &TableFile, metric: Metric) -> Option<Sweep<'_>> {
        if !table.material().is_pawnless() {
            // With bia, the slabs are placements: see `by_placement`.
            return None;
        }
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

    /// Verifies the metric. Skips one side's wins if the side has the same wins under a metric that
    /// was verified earlier, and if captures lead to the same distances. Adds correct wins to
    /// `known`.
    pub fn verify(
        &self,
        source: &dyn TableSource,
        known: &mut Vec<Known>,
        verdict: &mut Verification,
    ) -> Result<(), VerifyError> {
        let (table, metric) = (self.stored.table, self.stored.metric);
        let material = table.material();
        // Against a bare king only White can win, and only Black can capture, so White is to move
        // after a capture.
        let sides: &[Color] = match material.is_bare() {
            true => &[Color::White],
            false => &Color::ALL,
        };
        let subendings = Subendings::read(material, metric, sides, sides, source)?;
        let mut tally = Tally::default();
        for &winner in sides {
            let captures = subendings.digest(winner);
            let counted = match Known::counted(known, &self.stored, winner, captures)? {
                Some(counted) => counted,
                None => {
                    let differences = verdict.differences;
                    let counted = self.verify_wins(winner, &subendings, verdict)?;
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
            tally.add(winner, counted);
        }
        tally.compare(table, metric, verdict);
        Ok(())
    }

    /// Verifies one side's wins. Returns their counts with White to move and with Black to move.
    fn verify_wins(
        &self,
        winner: Color,
        subendings: &Subendings,
        verdict: &mut Verification,
    ) -> Result<[Counted; 2], VerifyError> {
        let slabs = self.near.len();
        let mut window = Window {
            configs: self.stored.configs,
            slabs: (0..slabs).map(|_| None).collect(),
        };
        let mut waiting: Vec<Option<Slab>> = (0..slabs).map(|_| None).collect();
        // Lists are reused, because the system would have to clear the pages of new ones.
        let mut spare: Vec<DistanceList> = Vec::new();
        let take_list = |spare: &mut Vec<DistanceList>| {
            let list = spare.pop();
            list.unwrap_or_else(|| self.stored.zeroed_list())
        };
        let mut codes = Codes::default();
        let mut counted = [Counted::default(), Counted::default()];
        // The number of slabs whose distances with Black to move have been computed.
        let mut computed = 0;
        for slab in 0..slabs {
            let needed = self.near[slab].iter().max().copied().unwrap_or(slab);
            while computed <= needed {
                let stored =
                    self.stored
                        .read((winner, computed), take_list(&mut spare), &mut codes)?;
                let mut list = take_list(&mut spare);
                let count = self.black(winner, &stored, subendings, &mut list);
                window.slabs[computed] = Some(list);
                match self.stored.configs * 64 <= LARGEST_WAITING {
                    true => waiting[computed] = Some(stored),
                    false => spare.push(stored.list),
                }
                let [_, black] = &mut counted;
                *black = std::mem::take(black).sum(count);
                computed += 1;
            }
            let stored = match waiting[slab].take() {
                Some(stored) => stored,
                None => self
                    .stored
                    .read((winner, slab), take_list(&mut spare), &mut codes)?,
            };
            let [white, _] = &mut counted;
            let count = self.white(winner, &stored, &window, subendings, verdict);
            *white = std::mem::take(white).sum(count);
            spare.push(stored.list);
            for (old, list) in window.slabs.iter_mut().enumerate().take(computed) {
                let mut later = self.near[slab + 1..].iter();
                if later.all(|near| !near.contains(&old)) {
                    spare.extend(list.take());
                }
            }
        }
        Ok(counted)
    }

    /// Computes a slab's distances with Black to move from those with White to move, and writes
    /// them to `list`. Counts the wins and the legal positions with Black to move.
    fn black(
        &self,
        winner: Color,
        stored: &Slab,
        subendings: &Subendings,
        list: &mut DistanceList,
    ) -> Counted {
        let ply = self.ply(Color::Black, winner, stored, subendings);
        match list {
            DistanceList::Bytes(bytes) => black_to_move(&ply, stored.first, bytes),
            DistanceList::Words(words) => black_to_move(&ply, stored.first, words),
        }
    }

    /// Checks a slab's distances with White to move against those computed from the distances with
    /// Black to move. Counts the wins and the legal positions with White to move.
    fn white(
        &self,
        winner: Color,
        stored: &Slab,
        window: &Window,
        subendings: &Subendings,
        verdict: &mut Verification,
    ) -> Counted {
        let ply = self.ply(Color::White, winner, window, subendings);
        let comparison = Comparison {
            grid: &self.stored.grid,
            metric: self.stored.metric,
            turn: Color::White,
            winner,
        };
        let first = stored.first;
        let (counted, found) = match &stored.list {
            DistanceList::Bytes(bytes) => white_to_move(&ply, first, bytes, &comparison),
            DistanceList::Words(words) => white_to_move(&ply, first, words, &comparison),
        };
        verdict.differences += found.differences;
        verdict.first = verdict.first.take().or(found.first);
        counted
    }

    fn ply<'a, A>(
        &'a self,
        mover: Color,
        winner: Color,
        after: &'a A,
        subendings: &'a Subendings,
    ) -> Ply<'a, A> {
        Ply {
            grid: &self.stored.grid,
            mover,
            winner,
            after,
            subendings,
            simd: Simd::detect(),
        }
    }
}

/// Computes the distances of a slab with Black to move, and writes them to `list`. Counts the wins
/// and the legal positions. `first` is the number of the slab's first configuration.
pub fn black_to_move<E: Element>(ply: &Ply<'_, Slab>, first: usize, list: &mut [E]) -> Counted {
    let tasks = list.par_chunks_mut(TASK_CONFIGS * 64).enumerate().erased();
    tasks
        .map(|(task, lanes)| {
            let (mut config, mut counted) = (ply.grid.scratch(), Counted::default());
            for (at, lane) in lanes.as_chunks_mut().0.iter_mut().enumerate() {
                let number = first + task * TASK_CONFIGS + at;
                if let Some(legal) = ply.lane::<E>(number, &mut config, lane) {
                    counted.add(ply.grid.weight(&config), legal, lane);
                }
            }
            counted
        })
        .reduce(Counted::default, Counted::sum)
}

/// Checks a slab's distances with White to move, which are in `list`, against those computed from
/// the distances with Black to move. Counts the wins and the legal positions. `first` is the number
/// of the slab's first configuration.
pub fn white_to_move<E: Element>(
    ply: &Ply<'_, Window>,
    first: usize,
    list: &[E],
    comparison: &Comparison<'_>,
) -> (Counted, Verification) {
    let tasks = list.par_chunks(TASK_CONFIGS * 64).enumerate().erased();
    let found: Vec<(Counted, Verification)> = tasks
        .map(|(task, lanes)| {
            let (mut config, mut counted) = (ply.grid.scratch(), Counted::default());
            let (mut verdict, mut expected) = (Verification::default(), [E::ZERO; 64]);
            for (at, lane) in lanes.as_chunks().0.iter().enumerate() {
                let number = first + task * TASK_CONFIGS + at;
                let Some(legal) = ply.lane(number, &mut config, &mut expected) else {
                    continue;
                };
                if *lane != expected {
                    comparison.record_differences(number, lane, &expected, &mut verdict);
                }
                counted.add(ply.grid.weight(&config), legal, lane);
            }
            (counted, verdict)
        })
        .collect();
    let mut sum = (Counted::default(), Verification::default());
    for (counted, found) in found {
        sum.0 = sum.0.sum(counted);
        sum.1.differences += found.differences;
        sum.1.first = sum.1.first.take().or(found.first);
    }
    sum
}
