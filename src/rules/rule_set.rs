//! The rule sets: makruk, ASEAN chess and ouk.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::{Game, Lettering};

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
        match letters.collect::<String>().to_lowercase().as_str() {
            "makruk" => Ok(RuleSet::Makruk),
            "asean" | "aseanchess" => Ok(RuleSet::Asean),
            "ouk" | "cambodian" | "oukchaktrang" => Ok(RuleSet::Ouk),
            _ => Err(RuleSetError(name.to_string())),
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
}
