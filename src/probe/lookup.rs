//! Looking up a position: in its table as it is, or by one ply.

use super::distance::{Distance, Moves};
use super::error::ProbeError;
use super::open::OpenTable;
use super::tablebase::Tablebase;
use crate::board::{Color, Move, Position};
use crate::material::{MIN_MEN, Material};
use crate::rules::{Allowance, Category, Count, Outcome, RuleSet, category, moves_available};
use crate::table::Metric;

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The distance to mate, as if nothing were counted.
    pub dtm: Distance,
    /// Where both sides have men, the distance to honor under the rule set: to mate, or to the
    /// capture of the last enemy man into an ending that is then won inside its own count.
    pub dth: Option<Distance>,
    /// What it is worth under the rule set, with the count.
    pub category: Category,
    /// What the count leaves to the side that could mate or, in a draw against a bare king, to the
    /// side that has men. None if no rule ends the game.
    pub allowance: Option<Allowance>,
}

/// What the winner's moves are counted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Mate,
    Honor(RuleSet),
}

impl Goal {
    fn metric(self) -> Metric {
        match self {
            Goal::Mate => Metric::Dtm,
            Goal::Honor(rules) => Metric::Dth { rules: rules.id() },
        }
    }

    /// The goal in an ending of these men: against a bare king there is only mate.
    pub fn among(self, material: Material) -> Goal {
        match bare(material) {
            Some(_) => Goal::Mate,
            None => self,
        }
    }
}

/// The side whose king is bare, if one is.
fn bare(material: Material) -> Option<Color> {
    Color::ALL
        .into_iter()
        .find(|&color| material.army(color).is_empty())
}

impl Tablebase {
    /// How a position ends for the side to move when nothing is counted.
    ///
    /// # Errors
    ///
    /// If a table it depends on is missing or cannot be used: its own or, if it is not stored with
    /// this side to move, that of an ending that one of its captures leads to.
    pub fn dtm(&self, position: &Position) -> Result<Distance, ProbeError> {
        let distance = self.distance(position, Goal::Mate)?;
        Ok(distance.unwrap_or(Distance::Draw))
    }

    /// The distance to honor for the side to move. None where a king is bare, for there the
    /// distance to mate decides, and if the tables have no such distances.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dth(&self, position: &Position, rules: RuleSet) -> Result<Option<Distance>, ProbeError> {
        match bare(position.material()) {
            Some(_) => Ok(None),
            None => self.distance(position, Goal::Honor(rules)),
        }
    }

    /// What a position is worth to the side to move, under a rule set and with a count.
    ///
    /// None if the tables there are do not decide it: where both sides have men the count leads
    /// from one rule to the next, so that a distance to mate alone does not tell.
    ///
    /// # Errors
    ///
    /// If no such count can run in the position, and as [`Tablebase::dtm`].
    pub fn probe(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Option<Value>, ProbeError> {
        count.validate(rules, position.material(), position.turn())?;
        let dtm = self.dtm(position)?;
        let dth = self.dth(position, rules)?;
        Ok(value(position, rules, count, dtm, dth))
    }

    /// The distance of a position for the side to move. None if the tables know no such goal.
    pub(super) fn distance(
        &self,
        position: &Position,
        goal: Goal,
    ) -> Result<Option<Distance>, ProbeError> {
        if position.occupied().len() <= MIN_MEN {
            return Ok(Some(Distance::Draw));
        }
        let (material, swap) = position.material().canonical();
        let table = self.open(material)?;
        let position = if swap { position.flipped() } else { *position };
        let goal = goal.among(material.material());
        match table.resolve(goal.metric()) {
            Some(metric) => self.in_table(table, &position, goal, metric),
            None => Ok(None),
        }
    }

    /// The same for a position of the canonical material of this table.
    fn in_table(
        &self,
        table: &OpenTable,
        position: &Position,
        goal: Goal,
        metric: Metric,
    ) -> Result<Option<Distance>, ProbeError> {
        if let Some(distance) = table.distance(position, metric)? {
            return Ok(Some(distance));
        }
        let material = position.material();
        if material.white == material.black
            && let Some(distance) = table.distance(&position.flipped(), metric)?
        {
            return Ok(Some(distance));
        }
        let mut best = None;
        for m in position.legal_moves() {
            let distance = match position.is_capture(m) {
                true => self.after(position, m, goal)?,
                // The other side's positions are stored, or these would be.
                false => self
                    .in_table(table, &position.play(m), goal, metric)?
                    .map(Distance::before_move),
            };
            let Some(distance) = distance else {
                return Ok(None);
            };
            best = best.max(Some(distance));
        }
        Ok(best.or(Some(without_moves(position))))
    }

    /// The distance for the side that makes a move, counted from before it.
    pub(super) fn after(
        &self,
        position: &Position,
        m: Move,
        goal: Goal,
    ) -> Result<Option<Distance>, ProbeError> {
        let goal = goal.among(position.material());
        let next = position.play(m);
        let rest = next.material();
        if let Goal::Honor(rules) = goal
            && bare(rest).is_some()
        {
            // The last man falls. It is as good as mate if the count that begins now lets the
            // other side mate in time, and worth nothing if it does not.
            let (loser, winner) = (next.turn(), position.turn());
            let most = moves_available(rules, rest, winner, loser, &Count::Fresh);
            let in_time = match self.dtm(&next)? {
                Distance::Loss(Moves(moves)) => most.is_none_or(|most| u32::from(moves) <= most),
                _ => false,
            };
            return Ok(Some(match in_time {
                true => Distance::Win(Moves(1)),
                false => Distance::Draw,
            }));
        }
        Ok(self.distance(&next, goal)?.map(Distance::before_move))
    }

    /// True if the position is in its table as it is, so that no ply of look-up is needed.
    pub(super) fn is_stored(&self, position: &Position) -> Result<bool, ProbeError> {
        let (material, swap) = position.material().canonical();
        if material.men() <= MIN_MEN {
            return Ok(true);
        }
        let turn = if swap {
            !position.turn()
        } else {
            position.turn()
        };
        Ok(self.open(material)?.stores(Metric::Dtm, turn))
    }
}

/// The distance for a side to move that has no legal move.
pub(super) fn without_moves(position: &Position) -> Distance {
    match position.is_check() {
        true => Distance::Loss(Moves(0)),
        false => Distance::Draw,
    }
}

/// What distances are worth to the side to move in a position. They may be those after one of its
/// moves, counted from before it.
///
/// None if that takes a distance to honor and there is none.
pub(super) fn value(
    position: &Position,
    rules: RuleSet,
    count: &Count,
    dtm: Distance,
    dth: Option<Distance>,
) -> Option<Value> {
    let turn = position.turn();
    let material = position.material();
    let bare = bare(material);
    let allowance = dtm
        .winner(turn)
        .or(bare.map(|bare| !bare))
        .and_then(|winner| Allowance::new(rules, material, winner, turn, count));
    let deciding = match (bare, dtm) {
        (Some(_), _) | (_, Distance::Draw | Distance::Loss(Moves(0))) => dtm,
        _ => dth?,
    };
    let available = allowance.map(|allowance| allowance.moves_available);
    let category = match deciding.outcome(turn) {
        // Mate could be forced, but every way there goes through a count that runs out.
        Outcome::Draw if dtm > Distance::Draw => Category::CursedWin,
        Outcome::Draw if dtm < Distance::Draw => Category::BlessedLoss,
        outcome => category(outcome, turn, available),
    };
    Some(Value {
        dtm,
        dth,
        category,
        allowance,
    })
}
