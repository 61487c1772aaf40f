//! The goals of a solve: the events that count as a win.

use crate::material::CanonicalMaterial;
use crate::rules::{FIFTY_MOVES_PLIES, RuleSet};
use crate::solve::Unit;
use crate::table::Metric;

/// The event that ends a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The winner mates.
    Mate,
    /// The winner mates, or captures the last enemy man and can then mate inside the new count of a
    /// rule set. Against a bare king only mate counts.
    Honor(RuleSet),
    /// For ASEAN chess: mate, or a capture by either side after which the game is still won, since
    /// every capture restarts the fifty-move rule. Distances are in plies, up to the limit of that
    /// rule. Against a bare king a capture does not restart the count, so it may cost more than its
    /// own ply.
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

    /// True if a solve under another goal may reuse the wins of this one when captures have the
    /// same values under both. That is the case for mate, and for makruk's honor, the base of the
    /// other rule sets.
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
