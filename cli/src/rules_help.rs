//! Help texts that list the rule sets.

use sakmak::rules::RuleSet;

/// The help of an option for a rule set: a phrase, and the names.
pub fn rules_help(phrase: &str) -> String {
    let named = |rules: RuleSet| match rules.names() {
        [name, others @ ..] if !others.is_empty() => {
            format!("{name} (also called {})", others.join(" or "))
        }
        _ => rules.name().to_string(),
    };
    let [first @ .., last] = RuleSet::ALL.map(named);
    format!("{phrase}: {} or {last}", first.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_every_rule_set_with_its_other_names() {
        let help = rules_help("The rule set");
        assert_eq!(
            help,
            "The rule set: makruk, asean or ouk (also called cambodian)"
        );
    }
}
