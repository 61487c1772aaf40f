//! What a solve aims at.

use crate::rules::RuleSet;

/// What the winner's moves are counted to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Mate.
    Mate,
    /// Mate, or the capture of the last enemy man into an ending that a rule set's count lets the
    /// winner win. Against a bare king there is only mate.
    Honor(RuleSet),
}
