//! A single probe: selects the cells to read, and computes the value from them.
//!
//! A search probes a million positions a second. So a probe allocates nothing, and takes no lock
//! unless it has to decode a block.

use std::ops::ControlFlow;

use super::cells::{Cells, Table};
use super::distance::{Distance, Honor, HonorDistance, InMoves, InPlies, Measure, Moves};
use super::error::ProbeError;
use super::probe_header::Plan;
use super::store::Store;
use super::tables_of::Found;
use super::value::{Value, category_bounds, enough_plies, fastest_count_draw, slowest_win};
use crate::board::{Game, Position};
use crate::material::{CanonicalMaterial, Material};
use crate::rules::{Category, Count, LimitKind, RuleSet, check_bia};
use crate::table::Metric;

/// The best possible distance: a win with the next move. A search among the moves stops when it
/// finds a move with this distance.
pub(super) fn best<M: Measure>() -> Distance<M::Length> {
    Distance::Win(M::length(1))
}

/// The slowest win that a distance can express.
const ANY_WIN: Distance = Distance::Win(Moves(u16::MAX));

/// One probe of the distance tables, with the cells that it reads.
pub(super) struct Lookup<'a> {
    pub(super) cells: Cells<'a>,
    /// The game that is played.
    pub(super) game: Game,
}

impl<'a> Lookup<'a> {
    /// A probe of distances to mate in a game.
    #[inline]
    pub fn of_game(store: &'a Store, game: Game) -> Lookup<'a> {
        Lookup {
            cells: Cells::new(store, RuleSet::Makruk, false),
            game,
        }
    }

    /// A probe under a rule set. Every table that it reads must have results for this rule set.
    #[inline]
    pub fn under(store: &'a Store, rules: RuleSet) -> Lookup<'a> {
        Lookup {
            cells: Cells::new(store, rules, false),
            game: rules.game(),
        }
    }

    /// A probe that uses only decoded blocks. It fails instead of reading, decoding or waiting.
    #[inline]
    pub fn only_cached(store: &'a Store, rules: RuleSet) -> Lookup<'a> {
        Lookup {
            cells: Cells::new(store, rules, true),
            game: rules.game(),
        }
    }

    /// The rule set of the probe. For distances to mate, it stands for all rule sets of its game.
    #[inline]
    fn rules(&self) -> RuleSet {
        match self.game {
            Game::Makruk => self.cells.rules,
            Game::Asean => RuleSet::Asean,
        }
    }

    /// The men of a position, in the game that is played.
    #[inline]
    pub(super) fn men(&self, position: &Position) -> Material {
        position.material().in_game(self.game)
    }

    /// The value of a position under a rule set and a count.
    ///
    /// With men on both sides or with bia, about half of all positions are draws. A verdict table,
    /// if present, shows a draw with less decoding than a distance table.
    pub fn probe(
        &mut self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        // Computed only once, since it takes a tenth of the time of a probe of cached blocks.
        let men = self.men(position);
        if men.is_bare_without_bia() {
            let dtm = self.distance_of(InMoves::DTM, position, men, best::<InMoves>())?;
            return self.against_bare_king(position, men, rules, count, dtm);
        }
        let dtm = match self.verdict(position, rules) {
            Ok(Some(Category::Draw)) => {
                // Fails if there is no distance table. Otherwise, of the positions of an ending
                // with only a verdict table, just the drawn ones would have an answer.
                self.table_of(position, men)?;
                Distance::Draw
            }
            _ => self.distance_of(InMoves::DTM, position, men, best::<InMoves>())?,
        };
        let dth = match dtm {
            // A side that cannot force mate cannot win inside the count either.
            Distance::Draw => HonorDistance::DRAW,
            _ => self.honor(rules, position)?,
        };
        Ok(Value::with_men_on_both_sides(
            position, rules, count, dtm, dth,
        ))
    }

    /// The category of a [`probe`](Lookup::probe), from as few cells as possible.
    pub fn category(
        &mut self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        if let Some(category) = self.by_verdict(position, rules, count)? {
            return Ok(category);
        }
        let men = self.men(position);
        if men.is_bare_without_bia() {
            let enough = slowest_win(position, rules, count);
            let dtm = self.distance_of(InMoves::DTM, position, men, enough)?;
            let value = self.against_bare_king(position, men, rules, count, dtm)?;
            return Ok(value.category);
        }
        if men.bare_side().is_some() {
            // Nearly all positions are won here, and whoever wins to honor also wins to mate.
            let dth = self.honor_up_to(position, men, rules, count, ANY_WIN)?;
            let dtm = match dth.in_moves() {
                Distance::Draw => self.distance_of(InMoves::DTM, position, men, ANY_WIN)?,
                won => won,
            };
            let value = Value::with_men_on_both_sides(position, rules, count, dtm, dth);
            return Ok(value.category);
        }
        let dtm = self.distance_of(InMoves::DTM, position, men, ANY_WIN)?;
        if dtm == Distance::Draw {
            // A draw with nothing counted is a draw under any count.
            return Ok(Category::Draw);
        }
        let dth = self.honor_up_to(position, men, rules, count, dtm)?;
        let value = Value::with_men_on_both_sides(position, rules, count, dtm, dth);
        Ok(value.category)
    }

    /// A position's distance to honor, exact as far as the category depends on it. A loss in `dtm`
    /// says that the side to move cannot win.
    fn honor_up_to(
        &mut self,
        position: &Position,
        men: Material,
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Result<HonorDistance, ProbeError> {
        Ok(match Honor::of(rules) {
            Honor::Moves(measure) => {
                let enough = match dtm {
                    Distance::Loss(_) => fastest_count_draw(position, rules, count),
                    _ => slowest_win(position, rules, count),
                };
                Honor::Moves(self.distance_of(measure, position, men, enough)?)
            }
            Honor::Plies(measure) => {
                let enough = enough_plies(dtm, count);
                Honor::Plies(self.distance_of(measure, position, men, enough)?)
            }
        })
    }

    /// The category, if the position's verdict table decides it under this count; otherwise `None`.
    /// A verdict table that cannot be used is ignored if there is a distance table.
    fn by_verdict(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Option<Category>, ProbeError> {
        let has_distances = || self.cells.store.find(self.men(position)).is_ok();
        let fresh = match self.verdict(position, rules) {
            Err(_) if has_distances() => None,
            fresh => fresh?,
        };
        Ok(fresh.and_then(|fresh| {
            let [worst, best] = category_bounds(position, rules, count, fresh);
            (worst == best).then_some(best)
        }))
    }

    /// The least and the greatest possible category, from the position's verdict table. Without a
    /// usable verdict table, both are the exact category.
    pub fn category_bounds(
        &mut self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<[Category; 2], ProbeError> {
        match self.verdict(position, rules) {
            Ok(Some(fresh)) => Ok(category_bounds(position, rules, count, fresh)),
            // If a block is not decoded, a lookup of distances would fail too.
            Err(ProbeError::NotDecoded) => Err(ProbeError::NotDecoded),
            _ => Ok([self.category(position, rules, count)?; 2]),
        }
    }

    /// The category with a fresh count, from the position's verdict table. `None` if there is no
    /// verdict table.
    pub fn verdict(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Option<Category>, ProbeError> {
        check_bia(self.rules(), position)?;
        self.cells
            .store
            .verdict(position, rules, self.cells.only_cached)
    }

    /// The value of a position with a bare king, from its distance to mate.
    fn against_bare_king(
        &mut self,
        position: &Position,
        men: Material,
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Result<Value, ProbeError> {
        let value = Value::against_bare_king((men, position.turn()), rules, count, dtm);
        if !value.may_be_won_by_a_capture(position, rules, count) {
            return self.with_forced_capture(value, position, rules, count);
        }
        let to_capture = self.distance(InPlies, position)?;
        Ok(value.with_captures(to_capture, count))
    }

    /// Corrects a loss that the fifty-move rule appears to turn into a draw, if the bare king's
    /// only legal moves are captures. A capture restarts the rule, so mate may be in time after
    /// all. The stored distances allow for such captures, except under limits that no game reaches.
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

    /// The value of a move from `position` to `next`, with a bare king on the board, for the player
    /// who makes the move. `dtm` is the distance to mate from `position` if this move is played.
    pub fn move_against_bare_king(
        &mut self,
        (position, next): (&Position, &Position),
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Result<Value, ProbeError> {
        let side = (position.material(), position.turn());
        let value = Value::against_bare_king(side, rules, count, dtm);
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

    /// A position's distance for the side to move. If the exact distance is at least as good as the
    /// distance in `enough`, the result may be any distance between these two.
    pub fn distance_up_to<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        self.distance_of(measure, position, self.men(position), enough)
    }

    /// [`Lookup::distance_up_to`], if the position's men are known.
    pub(super) fn distance_of<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
        men: Material,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        if men == Material::BARE_KINGS {
            return Ok(Distance::Draw);
        }
        let distance = match self.table_of(position, men) {
            Ok((table, true)) => self.in_table(table, measure, men, &position.flipped(), enough),
            Ok((table, false)) => self.in_table(table, measure, men, position, enough),
            Err(error) => Err(error),
        };
        match distance {
            Err(error) => self.in_another_table(error, measure, position, enough),
            distance => distance,
        }
    }

    /// The slot of an ending's table with results for the rule set.
    pub fn slot(&self, material: CanonicalMaterial) -> Result<usize, ProbeError> {
        let (table, _) = self.cells.table(material.material())?;
        Ok(table.slot)
    }

    /// Repeats a lookup with another directory's table of the ending if the first table is corrupt.
    #[cold]
    fn in_another_table<M: Measure>(
        &mut self,
        error: ProbeError,
        measure: M,
        position: &Position,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        self.cells.store.set_aside(error)?;
        self.distance_up_to(measure, position, enough)
    }

    /// The table for a position's men. Fails if bia stand on squares that tables do not cover.
    #[inline(always)]
    fn table_of(
        &self,
        position: &Position,
        men: Material,
    ) -> Result<(Table<'a>, bool), ProbeError> {
        check_bia(self.rules(), position)?;
        self.cells.table(men)
    }

    /// [`Lookup::distance_up_to`], for a position in which White has the men that the table calls
    /// White's.
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
            // A table that lacks a metric of its ending is refused when it is opened. So a probe asks
            // for this metric in vain. It must not look at the positions after the moves instead:
            // they are in the same table, and the recursion would not end.
            None => Err(self.cells.no_section(table)),
            // If both sides have the same men, the players are interchangeable.
            Some(plan) if men.white == men.black => {
                self.stored::<M>(table, plan, &position.flipped())
            }
            Some(plan) => self.by_a_ply(table, plan, measure, position, enough),
        }
    }

    /// The distance of a position that the table stores with this side to move.
    #[inline(always)]
    fn stored<M: Measure>(
        &mut self,
        table: Table<'_>,
        plan: Plan,
        position: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let Some(stored) = table.contents.section(plan) else {
            return Err(self.cells.no_section(table));
        };
        let number = stored.numbering.number(position);
        match self.cells.value(table, stored, number)? {
            Some(distance) => Ok(M::read(distance, plan.moves)),
            None => self.in_base::<M>(table, plan, position),
        }
    }

    /// A sort key that puts positions into the order in which files store their cells. Positions
    /// without a usable table come last.
    pub fn order(&mut self, metric: Metric, position: &Position) -> u64 {
        let Ok((Found { swapped, .. }, contents)) = self.cells.store.usable(self.men(position))
        else {
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

    /// True if a table stores the position with this side to move. Otherwise a probe looks up the
    /// positions after the moves.
    pub fn is_stored(&self, position: &Position) -> Result<bool, ProbeError> {
        let men = self.men(position);
        if men == Material::BARE_KINGS {
            return Ok(true);
        }
        check_bia(self.rules(), position)?;
        let (Found { swapped, .. }, contents) = self.cells.store.usable(men)?;
        let turn = if swapped {
            !position.turn()
        } else {
            position.turn()
        };
        Ok(men.white == men.black || contents.plan(Metric::Dtm, turn).is_some())
    }
}
