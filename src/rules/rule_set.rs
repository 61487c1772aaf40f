//! The rule sets: makruk, ASEAN chess and ouk; and sets of them, such as those for which a table has
//! results.

use std::fmt;
use std::ops::{BitAnd, BitOr};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::board::{Game, Lettering, Role};
use crate::material::Material;

/// A rule set: a [`Game`], and how moves are counted in it. Men other than bia move alike in all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleSet {
    /// Thai chess, with the board's honor and the pieces' honor counts.
    Makruk,
    /// ASEAN chess. Its counts against a bare king are simpler, and it has the fifty-move rule.
    Asean,
    /// Cambodian chess, which Fairy-Stockfish calls `cambodian`: makruk's counts, but one move
    /// shorter.
    Ouk,
}

impl RuleSet {
    /// All three rule sets, makruk first.
    pub const ALL: [RuleSet; 3] = [RuleSet::Makruk, RuleSet::Asean, RuleSet::Ouk];

    /// The game that is played: how men move and promote.
    pub const fn game(self) -> Game {
        match self {
            RuleSet::Makruk | RuleSet::Ouk => Game::Makruk,
            RuleSet::Asean => Game::Asean,
        }
    }

    /// The first rule set of a game, for which every table with its bia has results.
    pub const fn first_of(game: Game) -> RuleSet {
        match game {
            Game::Makruk => RuleSet::Makruk,
            Game::Asean => RuleSet::Asean,
        }
    }

    /// The letters for the men in this game.
    pub const fn lettering(self) -> Lettering {
        self.game().lettering()
    }

    /// True if the board's honor is counted while there are bia, as in ouk. The count then runs on
    /// when the last bia goes. In makruk it begins at that moment.
    pub const fn counts_with_bia(self) -> bool {
        match self {
            RuleSet::Makruk | RuleSet::Asean => false,
            RuleSet::Ouk => true,
        }
    }

    /// The number of the rule set in files; makruk is 0.
    pub const fn id(self) -> u8 {
        match self {
            RuleSet::Makruk => 0,
            RuleSet::Asean => 1,
            RuleSet::Ouk => 2,
        }
    }

    /// The rule set with this number.
    pub fn from_id(id: u8) -> Option<RuleSet> {
        RuleSet::ALL.into_iter().find(|rules| rules.id() == id)
    }

    /// True if the side with fewer men may count while both sides have men: the board's honor.
    pub const fn has_boards_honor(self) -> bool {
        match self {
            RuleSet::Makruk | RuleSet::Ouk => true,
            RuleSet::Asean => false,
        }
    }

    /// True if a count against a bare king starts from the number of men on the board, false if it
    /// starts from 0.
    pub const fn counts_from_men(self) -> bool {
        match self {
            RuleSet::Makruk | RuleSet::Ouk => true,
            RuleSet::Asean => false,
        }
    }

    /// The number from which a count against a bare king starts, with this number of men on the
    /// board.
    pub const fn first_number(self, men: u32) -> u32 {
        match self.counts_from_men() {
            true => men,
            false => 0,
        }
    }

    /// True if kings and mets that have not moved may leap once.
    pub const fn has_first_leaps(self) -> bool {
        match self {
            RuleSet::Makruk | RuleSet::Asean => false,
            RuleSet::Ouk => true,
        }
    }

    /// True if fifty moves without a capture are a draw.
    pub const fn has_fifty_move_rule(self) -> bool {
        match self {
            RuleSet::Makruk | RuleSet::Ouk => false,
            RuleSet::Asean => true,
        }
    }

    /// The name of the rule set, as on the command line.
    pub const fn name(self) -> &'static str {
        self.names()[0]
    }

    /// The names of the rule set: its own and, if it differs, that of the variant in
    /// Fairy-Stockfish.
    pub const fn names(self) -> &'static [&'static str] {
        match self {
            RuleSet::Makruk => &["makruk"],
            RuleSet::Asean => &["asean"],
            RuleSet::Ouk => &["ouk", "cambodian"],
        }
    }

    /// The names that other programs use, in small letters only.
    const fn foreign_names(self) -> &'static [&'static str] {
        match self {
            RuleSet::Makruk => &[],
            RuleSet::Asean => &["aseanchess"],
            RuleSet::Ouk => &["oukchaktrang"],
        }
    }

    /// The names of all rule sets as an alternative, for sentences: `makruk, asean or ouk`.
    pub fn alternatives() -> String {
        let [first @ .., last] = RuleSet::ALL.map(RuleSet::name);
        format!("{} or {last}", first.join(", "))
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a text that names no rule set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a rule set: write {names}", names = RuleSet::alternatives())]
pub struct RuleSetError(pub String);

impl FromStr for RuleSet {
    type Err = RuleSetError;

    /// Parses the name of a rule set, in any case. Also accepts the names of other programs: ouk is
    /// `cambodian` in Fairy-Stockfish, pychess and cutechess.
    fn from_str(name: &str) -> Result<RuleSet, RuleSetError> {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        let letters = letters.collect::<String>().to_lowercase();
        let is_named = |rules: &RuleSet| {
            let mut names = rules.names().iter().chain(rules.foreign_names());
            names.any(|name| *name == letters)
        };
        let found = RuleSet::ALL.into_iter().find(is_named);
        found.ok_or_else(|| RuleSetError(name.to_string()))
    }
}

impl RuleSet {
    /// True if neither side could mate with these men, even with the opponent's help and after any
    /// captures and promotions. Besides the kings there is then at most one man: a knight, a met,
    /// or a bia that can become only a met.
    ///
    /// Two men always suffice: an own man or an enemy's man can block the mated king's last square.
    pub fn is_insufficient(self, material: Material) -> bool {
        let mut men = material.white.men().chain(material.black.men());
        match (men.next(), men.next()) {
            (None, _) | (Some(Role::Knight | Role::Met), None) => true,
            (Some(Role::Bia), None) => self.game().promotions() == [Role::Met],
            _ => false,
        }
    }
}

/// The rule sets that a table has results for. Makruk is always among them, since tables store the
/// results of the other rule sets as differences from makruk's. Only the bia of ASEAN chess, which
/// move otherwise, have tables of their own, with results for ASEAN chess alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleSets(u8);

impl RuleSets {
    /// All rule sets.
    pub const ALL: RuleSets = RuleSets((1 << RuleSet::ALL.len()) - 1);

    /// The set with makruk alone.
    pub const MAKRUK: RuleSets = RuleSets(0b001);

    /// The set with ASEAN chess alone, of the tables with its bia.
    pub const ASEAN: RuleSets = RuleSets(0b010);

    /// The set with the first rule set of a game alone.
    const fn first_of(game: Game) -> RuleSets {
        RuleSets(1 << RuleSet::first_of(game).id())
    }

    /// The set of makruk and these rule sets.
    pub fn with(rules: impl IntoIterator<Item = RuleSet>) -> RuleSets {
        rules.into_iter().fold(RuleSets::MAKRUK, |sets, rules| {
            RuleSets(sets.0 | 1 << rules.id())
        })
    }

    /// The rule sets under which a game is played.
    pub fn of_game(game: Game) -> RuleSets {
        let played = RuleSet::ALL
            .into_iter()
            .filter(|rules| rules.game() == game);
        RuleSets(played.fold(0, |bits, rules| bits | 1 << rules.id()))
    }

    /// The rule sets that a table of these men can have results for. If there are bia, those of their
    /// game: makruk and ouk, in which bia move alike, or ASEAN chess.
    pub fn possible(men: Material) -> RuleSets {
        match men.is_pawnless() {
            true => RuleSets::ALL,
            false => RuleSets::of_game(men.game()),
        }
    }

    /// The rule sets of a table of these men that is made for the rule sets in this set: those that
    /// are [possible](RuleSets::possible), and at least the first rule set of the men's game.
    #[must_use]
    pub fn for_men(self, men: Material) -> RuleSets {
        (self | RuleSets::first_of(men.game())) & RuleSets::possible(men)
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
    /// the set with the first rule set of another game alone.
    pub fn from_bits(bits: u8) -> Option<RuleSets> {
        let sets = RuleSets(bits);
        let is_known = RuleSets::ALL.includes(sets);
        let mut alone = Game::ALL.into_iter().map(RuleSets::first_of);
        let has_first = sets.includes(RuleSets::MAKRUK) || alone.any(|first| sets == first);
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
            [only] if only == RuleSet::first_of(only.game()) => Ok(RuleSets::first_of(only.game())),
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
    fn a_rule_set_is_read_and_written_by_its_name() {
        assert_eq!(RuleSet::alternatives(), "makruk, asean or ouk");
        for rules in RuleSet::ALL {
            for name in rules.names() {
                assert_eq!(name.parse(), Ok(rules));
            }
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert_eq!(
                serde_json::to_string(&rules).unwrap(),
                format!("\"{rules}\"")
            );
        }
        for (name, rules) in [
            ("Makruk", RuleSet::Makruk),
            ("ASEAN", RuleSet::Asean),
            ("cambodian", RuleSet::Ouk),
            ("Cambodian", RuleSet::Ouk),
            ("Ouk Chaktrang", RuleSet::Ouk),
        ] {
            assert_eq!(name.parse(), Ok(rules));
        }
        assert!("chess".parse::<RuleSet>().is_err());
        assert!("".parse::<RuleSet>().is_err());
    }

    #[test]
    fn only_asean_chess_has_letters_of_its_own() {
        assert_eq!(RuleSet::Ouk.lettering(), RuleSet::Makruk.lettering());
        assert_ne!(RuleSet::Asean.lettering(), RuleSet::Makruk.lettering());
    }

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
