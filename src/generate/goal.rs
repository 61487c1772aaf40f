//! The goals of a solve.

use crate::material::CanonicalMaterial;
use crate::rules::{FIFTY_MOVES_PLIES, RuleSet};
use crate::solve::Unit;
use crate::table::Metric;

/// The event that ends a win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Mate.
    Mate,
    /// Mate, or the capture of the last enemy man into an ending won inside a rule set's new count.
    /// Against a bare king only mate.
    Honor(RuleSet),
    /// Mate, or any capture after which the win stands in ASEAN chess, by either side, since every
    /// capture restarts the fifty-move rule. In plies, up to that rule's limit. Against a bare king
    /// the count goes on, so a capture may cost more than its own ply.
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

    /// True for goals whose wins later goals may reuse if captures have the same values: mate, and
    /// makruk's honor, the base of the other rule sets.
    pub fn is_compared_with(self) -> bool {
        matches!(self, Goal::Mate | Goal::Honor(RuleSet::Makruk))
    }

    /// The unit of its distances.
    pub fn unit(self) -> Unit {
        match self {
            Goal::Mate | Goal::Honor(_) => Unit::Moves,
            Goal::Zeroing => Unit::Plies(FIFTY_MOVES_PLIES as u16),
        }
    }
}
