//! What a solve aims at.

use crate::material::CanonicalMaterial;
use crate::rules::{FIFTY_MOVES_PLIES, RuleSet};
use crate::solve::Unit;

/// What the winner's moves are counted to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// Mate.
    Mate,
    /// Mate, or the capture of the last enemy man into an ending that a rule set's count lets the
    /// winner win. Against a bare king there is only mate.
    Honor(RuleSet),
    /// Mate, or a capture after which the win stands under ASEAN chess's rules, whoever makes it:
    /// the fifty-move rule starts again with each. In plies, up to those of that rule.
    Zeroing,
}

impl Goal {
    /// The goal that decides under a rule set while both sides have men.
    pub fn of(rules: RuleSet, material: CanonicalMaterial) -> Goal {
        match rules {
            // Of four men only the last of a side can be captured, which is what honor is.
            RuleSet::Asean if material.men() > 4 => Goal::Zeroing,
            rules => Goal::Honor(rules),
        }
    }

    /// What its distances are counted in.
    pub fn unit(self) -> Unit {
        match self {
            Goal::Mate | Goal::Honor(_) => Unit::Moves,
            Goal::Zeroing => Unit::Plies(FIFTY_MOVES_PLIES as u16),
        }
    }
}
