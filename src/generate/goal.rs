//! The goals of a solve: the events that count as a win.

use crate::board::Color;
use crate::material::{CanonicalMaterial, Material};
use crate::rules::{FIFTY_MOVES_PLIES, RuleSet, RuleSets};
use crate::solve::Unit;
use crate::table::Metric;

/// Identifies a solve: the ending, the winner and the goal.
pub type Key = (Material, Color, Goal);

/// The event that completes a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The winner mates.
    Mate,
    /// The winner mates, or captures the last enemy man and can then mate inside the new count of a
    /// rule set. Against a bare king only mate counts. In an ending with bia, the winner mates or
    /// reaches a position without bia that is won inside its new count.
    Honor(RuleSet),
    /// For ASEAN chess: mate, or a capture by either side after which the winner can still win,
    /// since every capture restarts the fifty-move rule. Distances are in plies, up to the limit of
    /// that rule. A capture by a bare king restarts the fifty-move rule, but not the count of moves
    /// that is already running. So such a capture may add more than one ply to the distance.
    Zeroing,
}

impl Goal {
    /// The goal of a metric.
    pub fn of(metric: Metric, material: CanonicalMaterial) -> Goal {
        match metric {
            metric if metric.counts_plies(material) => Goal::Zeroing,
            Metric::Dth(rules) => Goal::Honor(rules),
            _ => Goal::Mate,
        }
    }

    /// The rule set whose count decides after the capture that ends a win; `None` for mate.
    pub fn rules(self) -> Option<RuleSet> {
        match self {
            Goal::Mate => None,
            Goal::Honor(rules) => Some(rules),
            Goal::Zeroing => Some(RuleSet::Asean),
        }
    }

    /// True if tables of this material have distances to this goal.
    pub fn is_of(self, material: CanonicalMaterial) -> bool {
        let mut metrics = Metric::all_of(material, RuleSets::ALL);
        metrics.any(|metric| Goal::of(metric, material) == self)
    }

    /// True if later solves under other goals may reuse the wins under this goal. A solve reuses
    /// them if all captures have the same values under both goals. Returns true for mate and for
    /// makruk's honor.
    pub fn is_compared_with(self) -> bool {
        matches!(self, Goal::Mate | Goal::Honor(RuleSet::Makruk))
    }

    /// The unit of the goal's distances: moves or plies.
    pub fn unit(self) -> Unit {
        match self {
            Goal::Mate | Goal::Honor(_) => Unit::Moves,
            Goal::Zeroing => Unit::Plies(FIFTY_MOVES_PLIES as u16),
        }
    }
}
