//! What a solve aims at.

use crate::material::CanonicalMaterial;
use crate::rules::{FIFTY_MOVES_PLIES, RuleSet};
use crate::solve::Unit;
use crate::table::Metric;

/// What the winner's moves are counted to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Mate.
    Mate,
    /// Mate, or the capture of the last enemy man into an ending that a rule set's count lets the
    /// winner win. Against a bare king there is only mate.
    Honor(RuleSet),
    /// Mate, or a capture after which the win stands under ASEAN chess's rules, whoever makes it:
    /// the fifty-move rule starts again with each. In plies, up to those of that rule. Against a bare
    /// king the count goes on, so that a capture may take more than its own ply.
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

    /// Whether later goals are compared with it, and take over its wins where captures are worth the same:
    /// with mate, then with makruk's honor, on which the other rule sets' distances are based.
    pub fn is_compared_with(self) -> bool {
        matches!(self, Goal::Mate | Goal::Honor(RuleSet::Makruk))
    }

    /// What its distances are counted in.
    pub fn unit(self) -> Unit {
        match self {
            Goal::Mate | Goal::Honor(_) => Unit::Moves,
            Goal::Zeroing => Unit::Plies(FIFTY_MOVES_PLIES as u16),
        }
    }
}
