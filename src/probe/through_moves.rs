//! Distances from the positions after the moves.

use std::ops::ControlFlow;

use super::cells::Table;
use super::distance::{Distance, InMoves, Measure};
use super::error::ProbeError;
use super::lookup::{Lookup, best};
use super::probe_header::Plan;
use super::value::Value;
use crate::board::{Position, Role};
use crate::rules::{Category, Count, RuleSet, begins_afresh};
use crate::table::Metric;

impl Lookup<'_> {
    /// The distance of a position whose cell refers to the base section.
    pub(super) fn in_base<M: Measure>(
        &mut self,
        table: Table<'_>,
        plan: Plan,
        position: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let value = match table.contents.base(plan) {
            Some(base) => self
                .cells
                .value(table, base, base.numbering.number(position))?,
            None => None,
        };
        // A base counts moves: it is a distance to mate, or makruk's distance to honor.
        let value = value.map(|distance| M::read(distance, true));
        value.ok_or_else(|| self.cells.no_section(table))
    }

    /// A position's distance, computed from the distances after its moves. The table must store the
    /// positions after the moves. The index after a move is computed from the index before it: only
    /// the terms that the move changes are replaced.
    pub(super) fn by_a_ply<M: Measure>(
        &mut self,
        table: Table<'_>,
        plan: Plan,
        measure: M,
        position: &Position,
        enough: Distance<M::Length>,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let Some(stored) = table.contents.section(plan) else {
            return Err(self.cells.no_section(table));
        };
        let place = stored.numbering.place(position);
        let turn = position.turn();
        let ceiling = match position.by_color(turn).len() {
            // A bare king cannot win.
            1 => enough.min(Distance::Draw),
            _ => enough.min(best::<M>()),
        };
        let mut found = None;
        let stopped = position.visit_legal_moves_in(self.game, |m, role| {
            let after = if position.is_capture(m) || m.promotion.is_some() {
                self.after_change(measure, position, &position.play(m))
            } else {
                let number = stored.numbering.after(&place, position, role, m);
                let after = match self.cells.value(table, stored, number) {
                    Ok(Some(distance)) => Ok(M::read(distance, plan.moves)),
                    Ok(None) => self.in_base::<M>(table, plan, &position.play(m)),
                    Err(error) => Err(error),
                };
                match role {
                    Role::Bia => after.map(M::after_restart),
                    _ => after,
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
            _ => Ok(found.unwrap_or_else(|| M::without_moves(position))),
        }
    }

    /// A position's distance, computed with a separate lookup for the position after each move.
    pub fn by_moves<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let mut found = None;
        for &m in &position.legal_moves_in(self.game) {
            let next = position.play(m);
            let is_step_of_bia = position.by_role(Role::Bia).contains(m.from);
            let distance = match position.is_capture(m) || m.promotion.is_some() {
                true => self.after_change(measure, position, &next)?,
                false if is_step_of_bia => M::after_restart(self.distance(measure, &next)?),
                false => self.distance(measure, &next)?,
            };
            found = found.max(Some(M::before(distance)));
        }
        Ok(found.unwrap_or_else(|| M::without_moves(position)))
    }

    /// The distance of the position after a capture or a promotion, seen by the side to move in
    /// that position.
    pub(super) fn after_change<M: Measure>(
        &mut self,
        measure: M,
        position: &Position,
        next: &Position,
    ) -> Result<Distance<M::Length>, ProbeError> {
        let Metric::Dth(rules) = measure.metric() else {
            return self.distance(measure, next);
        };
        if !position.is_pawnless() {
            let begins =
                next.is_pawnless() && begins_afresh(rules, position.material(), next.material());
            return match begins {
                true => self.after_the_last_bia::<M>(rules, next),
                // No count begins, but the clock of ASEAN chess is set back.
                false => Ok(M::after_restart(self.distance(measure, next)?)),
            };
        }
        let men = self.men(next);
        if men.bare_side().is_none() {
            return Ok(M::after_restart(self.distance_of(
                measure,
                next,
                men,
                best::<M>(),
            )?));
        }
        let dtm = self.distance_of(InMoves::DTM, next, men, best::<InMoves>())?;
        if !men.army(next.turn()).is_empty() {
            // The bare king captured.
            return Ok(M::after_late_capture(dtm));
        }
        // The capture bared the king. A win inside the count counts as mate; a win outside it, as a
        // draw.
        let value = Value::against_bare_king((men, next.turn()), rules, &Count::Fresh, dtm);
        Ok(match value.category {
            Category::Loss => Distance::Loss(M::length(0)),
            _ => Distance::Draw,
        })
    }

    /// The distance to honor of a position right after the capture or promotion of the last bia,
    /// seen by the side to move. A count begins in this position. The length is 0, because it only
    /// matters whether the win is inside this count.
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
}
