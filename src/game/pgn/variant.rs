//! The names of the games in the Variant tag.

use crate::rules::RuleSet;

/// The game that a Variant tag names, in any case; none for a game that is not known here.
pub fn rules_of_variant(name: &str) -> Option<RuleSet> {
    let name: String = name
        .chars()
        .filter(|c| c.is_ascii_alphabetic())
        .map(|c| c.to_ascii_lowercase())
        .collect();
    match name.as_str() {
        "makruk" | "thai" | "thaichess" | "makrukthai" => Some(RuleSet::Makruk),
        "asean" | "aseanchess" => Some(RuleSet::Asean),
        "cambodian" | "ouk" | "oukchaktrang" | "oukchatrang" | "cambodianchess" => {
            Some(RuleSet::Ouk)
        }
        _ => None,
    }
}

/// The name of a rule set's game in the Variant tag, as pychess and Fairy-Stockfish know it.
pub fn variant_of_rules(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Makruk => "Makruk",
        RuleSet::Asean => "ASEAN",
        RuleSet::Ouk => "Cambodian",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_known_in_any_case() {
        for (name, rules) in [
            ("Makruk", Some(RuleSet::Makruk)),
            ("ASEAN", Some(RuleSet::Asean)),
            ("cambodian", Some(RuleSet::Ouk)),
            ("Ouk Chaktrang", Some(RuleSet::Ouk)),
            ("Sittuyin", None),
        ] {
            assert_eq!(rules_of_variant(name), rules, "{name}");
        }
        for rules in RuleSet::ALL {
            assert_eq!(rules_of_variant(variant_of_rules(rules)), Some(rules));
        }
    }
}
