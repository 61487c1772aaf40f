//! Verifies a table against a bare king, one placement of its bia after the other.
//!
//! If the placement of the bia is the outermost component of a table's order, the positions with
//! the same bia are contiguous. Moves of the other men stay among these positions, unless they
//! capture. A step of a bia leads to a placement that is processed earlier. The ending after a
//! promotion may be too large to be decoded whole, so only its positions just after a promotion are
//! kept: those with the new met on the promotion square.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::by_slab::{Window, black_to_move, white_to_move};
use super::choose::turned;
use super::distances::DistanceList;
use super::grid::{Grid, Men};
use super::ply::Ply;
use super::source::{TableSource, VerifyError};
use super::stored::{Codes, Slab, StoredSlabs, stored};
use super::subendings::{BiaChange, Ending, Promoted, Subendings};
use super::verification::{Comparison, Counted, Tally, Verification};
use crate::board::{Color, Game, Role, Square, attacks};
use crate::index::{Bia, BiaPlacements, Group};
use crate::material::{CanonicalMaterial, Material};
use crate::parallel::ForkedByOneFunction;
use crate::rules::{Count, RuleSet, moves_available};
use crate::simd::Simd;
use crate::table::{Metric, TableFile};

/// The side with men, against a bare king.
const WINNER: Color = Color::White;

/// Verifies one metric of a table, placement by placement.
pub struct PlacementSweep<'a> {
    stored: StoredSlabs<'a>,
    placements: BiaPlacements,
}

impl PlacementSweep<'_> {
    /// Prepares to verify this metric of a table. `None` if the ending is not one with bia against
    /// a bare king, if the order of the table's components does not allow a sweep by placement, or
    /// if the distances do not fit into bytes.
    pub fn of(table: &TableFile, metric: Metric) -> Option<PlacementSweep<'_>> {
        let material = table.material();
        let has_plies = metric.counts_plies(material);
        if material.is_pawnless() || !material.is_bare() || has_plies {
            return None;
        }
        let stored = StoredSlabs::of(table, metric)?;
        stored.is_narrow().then(|| PlacementSweep {
            stored,
            placements: BiaPlacements::of(material.material()),
        })
    }

    /// Verifies the metric.
    pub fn verify(
        &self,
        source: &dyn TableSource,
        verdict: &mut Verification,
    ) -> Result<(), VerifyError> {
        let (table, metric) = (self.stored.table, self.stored.metric);
        let material = table.material();
        let sides = (&[WINNER][..], &[WINNER][..]);
        let mut subendings = Subendings::read_captures(material, metric, sides, source)?;
        subendings.add(self.promoted(source)?);
        let configs = self.stored.configs;
        let mut window = Window {
            configs,
            slabs: (0..self.placements.len()).map(|_| None).collect(),
        };
        let mut counted = [Counted::default(), Counted::default()];
        let mut codes = Codes::default();
        let order = self.order();
        let last_read = self.last_read(&order);
        for (at, &number) in order.iter().enumerate() {
            let list = self.stored.zeroed_list();
            let stored = self.stored.read((WINNER, number), list, &mut codes)?;
            let mut black = self.stored.zeroed_list();
            if let DistanceList::Bytes(bytes) = &mut black {
                let ply = self.ply(Color::Black, &stored, &subendings);
                let count = black_to_move(&ply, stored.first, bytes);
                counted[1] = std::mem::take(&mut counted[1]).sum(count);
            }
            window.slabs[number] = Some(black);
            if let DistanceList::Bytes(bytes) = &stored.list {
                let ply = self.ply(Color::White, &window, &subendings);
                let comparison = Comparison {
                    grid: &self.stored.grid,
                    metric,
                    turn: Color::White,
                    winner: WINNER,
                };
                let (count, found) = white_to_move(&ply, stored.first, bytes, &comparison);
                counted[0] = std::mem::take(&mut counted[0]).sum(count);
                verdict.differences += found.differences;
                verdict.first = verdict.first.take().or(found.first);
            }
            for &number in &last_read[at] {
                window.slabs[number] = None;
            }
        }
        let mut tally = Tally::default();
        tally.add(WINNER, counted);
        tally.compare(table, metric, verdict);
        Ok(())
    }

    fn ply<'a, A>(&'a self, mover: Color, after: &'a A, subendings: &'a Subendings) -> Ply<'a, A> {
        Ply {
            grid: &self.stored.grid,
            mover,
            winner: WINNER,
            after,
            subendings,
            simd: Simd::detect(),
        }
    }

    /// The numbers of the placements, each after the placements that its bia can step to. The
    /// placements of a single bia are sorted by file, so that few lists have to be kept.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.placements.len()).collect();
        if let [1, 0] = self.placements.bia(0).counts() {
            let square = |&number: &usize| self.placements.bia(number).all().first();
            order.sort_by_key(|number| square(number).map(|square| square.file()));
        }
        order
    }

    /// For each placement in this order, the placements whose positions are read last when it is
    /// processed.
    fn last_read(&self, order: &[usize]) -> Vec<Vec<usize>> {
        let mut last = vec![0; order.len()];
        for (at, &number) in order.iter().enumerate() {
            last[number] = at;
            for after in self.steps(number) {
                last[after] = at;
            }
        }
        let mut last_read = vec![Vec::new(); order.len()];
        for (number, at) in last.into_iter().enumerate() {
            last_read[at].push(number);
        }
        last_read
    }

    /// The placements that one step of a bia leads to.
    fn steps(&self, number: usize) -> Vec<usize> {
        let bia = self.placements.bia(number);
        let moved = steps(bia).map(|(rest, to)| rest.with(WINNER, to));
        let numbers = moved.filter_map(|bia| self.placements.number(bia));
        numbers.map(|(_, number)| number).collect()
    }

    /// Reads the distances just after promotions, with Black to move.
    fn promoted(&self, source: &dyn TableSource) -> Result<(BiaChange, Ending), VerifyError> {
        let change = BiaChange {
            promoted: Some((WINNER, Role::Met)),
            taken: None,
        };
        let material = self.stored.table.material().material();
        let after: Material = change.of(material);
        let rules_of_count = match self.stored.metric {
            Metric::Dth(rules) if after.is_pawnless() => Some(rules),
            _ => None,
        };
        let metric = match rules_of_count {
            Some(_) => Metric::Dtm,
            None => self.stored.metric,
        };
        let after = after.canonical().0;
        let table = source.open(after)?;
        let stored = StoredAfter::of(&table, metric)?;
        let sides = (&[WINNER][..], &[WINNER][..]);
        let subendings = Subendings::read_captures(after, metric, sides, source)?;
        let mut places: Vec<AfterPromotion> = Vec::new();
        for number in 0..self.placements.len() {
            for (rest, met) in steps(self.placements.bia(number)) {
                if Game::Makruk.promotes(WINNER, met) {
                    places.push(AfterPromotion {
                        number,
                        rest,
                        met,
                        list: DistanceList::zeroed(self.stored.configs, true),
                    });
                }
            }
        }
        match &stored {
            StoredAfter::Slabs(slabs) => {
                let mut codes = Codes::default();
                let mut list = slabs.zeroed_list();
                for (slab, in_slab) in in_slabs(slabs, &places).iter().enumerate() {
                    if in_slab.is_empty() {
                        continue;
                    }
                    let read = slabs.read((WINNER, slab), list, &mut codes)?;
                    for &place in in_slab {
                        let place = &mut places[place];
                        let rest = place.rest;
                        let is_read = |king| slabs.slab_with(rest, king) == slab;
                        let after = (after, &slabs.grid, &read);
                        self.fill(place, after, is_read, &subendings, rules_of_count);
                    }
                    list = read.list;
                }
            }
            StoredAfter::Whole(whole) => {
                let (grid, read) = &**whole;
                for place in places.iter_mut() {
                    let after = (after, grid, read);
                    self.fill(place, after, |_| true, &subendings, rules_of_count);
                }
            }
        }
        let lists = places.into_iter();
        let promoted = Promoted {
            grid: self.stored.grid.clone(),
            lists: lists.map(|p| ((p.rest, p.met), p.list)).collect(),
            in_time_only: rules_of_count.is_some(),
        };
        Ok((change, Ending::Promoted(Box::new(promoted))))
    }

    /// Computes the distances just after one promotion that follow from one slab of the ending
    /// after it. `is_read` tells for which squares of White's king this slab has the distances.
    fn fill(
        &self,
        place: &mut AfterPromotion,
        (material, after, read): (CanonicalMaterial, &Grid, &Slab),
        is_read: impl Fn(Square) -> bool + Sync,
        subendings: &Subendings,
        rules_of_count: Option<RuleSet>,
    ) {
        let own = &self.stored.grid;
        let ply = Ply {
            grid: after,
            mover: Color::Black,
            winner: WINNER,
            after: read,
            subendings,
            simd: Simd::detect(),
        };
        let groups: Vec<(Option<usize>, bool)> = after
            .groups()
            .iter()
            .map(|group| {
                let like = |g: &Group| (g.color, g.role) == (group.color, group.role);
                let is_met = (group.color, group.role) == (WINNER, Role::Met);
                (own.groups().iter().position(like), is_met)
            })
            .collect();
        let men = material.material();
        let most = rules_of_count.map(|rules| {
            let most = moves_available(rules, men, WINNER, Color::Black, &Count::Fresh);
            most.unwrap_or(0)
        });
        let DistanceList::Bytes(bytes) = &mut place.list else {
            return;
        };
        let (number, rest, met) = (place.number, place.rest, place.met);
        let of_king = own.configs_of_king();
        let kings = bytes.par_chunks_mut(of_king * 64).enumerate().erased();
        kings.for_each(|(digit, bytes)| {
            let first = number * self.stored.configs + digit * of_king;
            let (mut config, mut moved) = (own.scratch(), after.scratch());
            own.config(first, &mut config);
            if !is_read(config.king) {
                return;
            }
            for (at, lane) in bytes.as_chunks_mut::<64>().0.iter_mut().enumerate() {
                *lane = [u8::MAX; 64];
                let apart = own.config(first + at, &mut config);
                if !apart || Grid::occupied(&config).contains(met) {
                    continue;
                }
                let mut men = Men::default();
                for (men, &(place, is_met)) in men.iter_mut().zip(&groups) {
                    *men = place.map(|place| config.men[place]).unwrap_or_default();
                    if is_met {
                        *men = men.with(met);
                    }
                }
                let (number, transform) = after.number(rest, config.king, &men);
                let mut out = [0u8; 64];
                ply.lane(number, &mut moved, &mut out);
                *lane = turned(ply.simd, transform, &out);
                if let Some(most) = most {
                    for distance in lane {
                        *distance = in_time(*distance, most);
                    }
                }
            }
        });
    }
}

/// The distances of the ending after a promotion, with White to move.
enum StoredAfter<'a> {
    /// Read slab by slab.
    Slabs(Box<StoredSlabs<'a>>),
    /// Read whole, since the order of the table has no slabs. Large endings have slabs.
    Whole(Box<(Grid, Slab)>),
}

impl StoredAfter<'_> {
    fn of(table: &TableFile, metric: Metric) -> Result<StoredAfter<'_>, VerifyError> {
        let misfit = || table.damaged("its distances do not fit its ending");
        if let Some(slabs) = StoredSlabs::of(table, metric) {
            return match slabs.is_narrow() {
                true => Ok(StoredAfter::Slabs(Box::new(slabs))),
                false => Err(misfit().into()),
            };
        }
        let whole = stored(table, metric, &[WINNER], None)?;
        let [list, _] = whole.distances;
        match (whole.side, &list) {
            (Color::White, DistanceList::Bytes(_)) => {
                let slab = Slab { first: 0, list };
                Ok(StoredAfter::Whole(Box::new((whole.grid, slab))))
            }
            _ => Err(misfit().into()),
        }
    }
}

/// A promotion, with the distances just after it for every configuration of the placement before.
struct AfterPromotion {
    /// The number of the placement before the promotion.
    number: usize,
    /// The remaining bia.
    rest: Bia,
    /// The square of the new met.
    met: Square,
    /// The distances with Black to move.
    list: DistanceList,
}

/// For each slab of the ending after a promotion, the numbers of the promotions that lead to it.
fn in_slabs(slabs: &StoredSlabs<'_>, places: &[AfterPromotion]) -> Vec<Vec<usize>> {
    let mut in_slabs = vec![Vec::new(); slabs.slabs()];
    for (number, place) in places.iter().enumerate() {
        let kings = Square::all().map(|king| slabs.slab_with(place.rest, king));
        for slab in kings.collect::<BTreeSet<usize>>() {
            in_slabs[slab].push(number);
        }
    }
    in_slabs
}

/// Applies the count to a win with Black to move and no bia left. Returns 0 if the win is in time,
/// which means that it takes at most `most` moves, and otherwise `u8::MAX`, which means no win.
fn in_time(distance: u8, most: u32) -> u8 {
    match distance {
        u8::MAX => u8::MAX,
        distance if u32::from(distance) <= most => 0,
        _ => u8::MAX,
    }
}

/// The steps of White's bia: for each step, all other bia, and the square that the bia reaches.
fn steps(bia: Bia) -> impl Iterator<Item = (Bia, Square)> {
    bia.of(WINNER).flat_map(move |from| {
        let steps = attacks::bia_step(WINNER, from) & !bia.all();
        steps.map(move |to| (bia.without(from), to))
    })
}
