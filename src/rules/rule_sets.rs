//! Sets of rule sets, such as those for which a table has results.

use std::fmt;
use std::ops::{BitAnd, BitOr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::RuleSet;
use crate::board::Game;
use crate::material::Material;

/// The rule sets that a table has results for. Makruk is always among them, since tables store the
/// results of the other rule sets as differences from makruk's. Only the bia of ASEAN chess, which
/// move otherwise, have tables of their own, with results for ASEAN chess alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleSets(u8);

impl RuleSets {
    /// All three rule sets.
    pub const ALL: RuleSets = RuleSets(0b111);

    /// The set with makruk alone.
    pub const MAKRUK: RuleSets = RuleSets(0b001);

    /// The set with ASEAN chess alone, of the tables with its bia.
    pub const ASEAN: RuleSets = RuleSets(0b010);

    /// The set of makruk and these rule sets.
    pub fn with(rules: impl IntoIterator<Item = RuleSet>) -> RuleSets {
        rules.into_iter().fold(RuleSets::MAKRUK, |sets, rules| {
            RuleSets(sets.0 | 1 << rules.id())
        })
    }

    /// The rule sets that a table of these men can have results for. If there are bia, those of their
    /// game: makruk and ouk, in which bia move alike, or ASEAN chess.
    pub fn possible(men: Material) -> RuleSets {
        match (men.is_pawnless(), men.game()) {
            (true, _) => RuleSets::ALL,
            (false, Game::Makruk) => RuleSets(0b101),
            (false, Game::Asean) => RuleSets::ASEAN,
        }
    }

    /// The rule sets of a table of these men that is made for the rule sets in this set: those that
    /// are [possible](RuleSets::possible), and at least the first rule set of the men's game.
    #[must_use]
    pub fn for_men(self, men: Material) -> RuleSets {
        let least = match men.game() {
            Game::Makruk => RuleSets::MAKRUK,
            Game::Asean => RuleSets::ASEAN,
        };
        (self | least) & RuleSets::possible(men)
    }

    /// The rule sets of the published table of these men, and of a table made without naming rule
    /// sets: if there are bia, only the first of their game.
    pub fn published(men: Material) -> RuleSets {
        match men.is_pawnless() {
            true => RuleSets::ALL,
            false => RuleSets(0).for_men(men),
        }
    }

    /// The set as bits, for a file: the bit of a rule set is its [number](RuleSet::id).
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set with these bits. `None` if a bit is unknown, or if makruk is missing and it is not
    /// the set with ASEAN chess alone.
    pub fn from_bits(bits: u8) -> Option<RuleSets> {
        let sets = RuleSets(bits);
        let is_known = RuleSets::ALL.includes(sets);
        let has_first = sets.includes(RuleSets::MAKRUK) || sets == RuleSets::ASEAN;
        (is_known && has_first).then_some(sets)
    }

    /// True if the set contains the rule set.
    #[inline]
    pub const fn contains(self, rules: RuleSet) -> bool {
        self.0 >> rules.id() & 1 != 0
    }

    /// True if the set contains all rule sets of `others`.
    pub const fn includes(self, others: RuleSets) -> bool {
        others.0 & !self.0 == 0
    }

    /// The rule sets in the set, makruk first.
    pub fn iter(self) -> impl Iterator<Item = RuleSet> {
        RuleSet::ALL
            .into_iter()
            .filter(move |&rules| self.contains(rules))
    }

    /// The rule sets that the published table of these men has results for and that are not in
    /// this set.
    pub fn lacking(self, men: Material) -> impl Iterator<Item = RuleSet> {
        let published = RuleSets::published(men);
        self.missing()
            .filter(move |&rules| published.contains(rules))
    }

    /// The rule sets that are not in this set.
    pub fn missing(self) -> impl Iterator<Item = RuleSet> {
        RuleSet::ALL
            .into_iter()
            .filter(move |&rules| !self.contains(rules))
    }
}

impl BitOr for RuleSets {
    type Output = RuleSets;

    fn bitor(self, other: RuleSets) -> RuleSets {
        RuleSets(self.0 | other.0)
    }
}

impl BitAnd for RuleSets {
    type Output = RuleSets;

    /// The rule sets that are in both sets.
    fn bitand(self, other: RuleSets) -> RuleSets {
        RuleSets(self.0 & other.0)
    }
}

/// Serialised as a list of names.
impl Serialize for RuleSets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for RuleSets {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RuleSets, D::Error> {
        let rules = Vec::<RuleSet>::deserialize(deserializer)?;
        match rules[..] {
            [RuleSet::Asean] => Ok(RuleSets::ASEAN),
            _ => Ok(RuleSets::with(rules)),
        }
    }
}

/// Lists the rule sets as words of a sentence: `makruk and ouk`.
impl fmt::Display for RuleSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.iter().map(RuleSet::name).collect();
        match names.as_slice() {
            [] => Ok(()),
            [one] => f.write_str(one),
            [first @ .., last] => write!(f, "{} and {last}", first.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn makruk_is_always_among_them() {
        assert_eq!(RuleSets::with([]), RuleSets::MAKRUK);
        assert_eq!(RuleSets::with(RuleSet::ALL), RuleSets::ALL);
        let ouk = RuleSets::with([RuleSet::Ouk]);
        assert_eq!(ouk.to_string(), "makruk and ouk");
        assert_eq!(RuleSets::ALL.to_string(), "makruk, asean and ouk");
        assert_eq!(ouk.missing().collect::<Vec<_>>(), [RuleSet::Asean]);
        assert!(RuleSets::ALL.includes(ouk) && !ouk.includes(RuleSets::ALL));
    }

    #[test]
    fn bits_are_those_of_a_file() {
        let read: Vec<_> = (0..=u8::MAX).filter_map(RuleSets::from_bits).collect();
        assert!(read.iter().map(|sets| sets.bits()).eq([1, 2, 3, 5, 7]));
        assert!(read[2].contains(RuleSet::Asean) && !read[2].contains(RuleSet::Ouk));
        for sets in read {
            let written = serde_json::to_string(&sets).unwrap();
            assert_eq!(serde_json::from_str::<RuleSets>(&written).unwrap(), sets);
        }
    }

    #[test]
    fn a_table_with_bia_can_have_makruk_and_ouk_and_is_published_with_makruk() {
        let possible = |name: &str| RuleSets::possible(name.parse().unwrap());
        let published = |name: &str| RuleSets::published(name.parse().unwrap());
        assert_eq!(possible("KRvKN"), RuleSets::ALL);
        assert_eq!(published("KRvKN"), RuleSets::ALL);
        for name in ["KRPvKN", "KRvKP"] {
            assert_eq!(possible(name), RuleSets::with([RuleSet::Ouk]));
            assert_eq!(published(name), RuleSets::MAKRUK);
        }
        for rules in [RuleSets::MAKRUK, RuleSets::ALL] {
            let made = |name: &str| rules.for_men(name.parse().unwrap());
            assert_eq!(made("KRPvK-asean"), RuleSets::ASEAN);
            assert_eq!(made("KRvK-asean"), rules);
        }
        assert_eq!(published("KRvKP-asean"), RuleSets::ASEAN);
    }
}
