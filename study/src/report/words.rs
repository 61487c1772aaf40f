//! Formats the texts and numbers that occur in several parts of the report.

use crate::{RECORD_RULES, Row, Standing};
use sakmak::board::{Fen, FenDisplay};
use sakmak::probe::Share;
use sakmak::rules::RuleSet;

use super::contents::RulesOption;
use crate::text::percent;

/// Formats a share in percent, without the percent sign.
pub fn share(share: Share) -> String {
    percent(share.percent()).replace(" %", "")
}

/// Formats the percentage that `positions` are of `total`. Returns a dash if `total` is 0.
pub fn part(positions: u64, total: u64) -> String {
    match total {
        0 => "-".to_string(),
        _ => share(Share {
            positions,
            of: total,
        }),
    }
}

/// Formats the percentage of a sample that has some property. `positions` is the number with the
/// property, `sample` the size of the sample, and `total` the number of positions from which the
/// sample was drawn. If `positions` is 0 and the sample does not include all positions, writes an
/// upper bound such as `<0.1`.
pub fn sampled(positions: u64, sample: u64, total: u64) -> String {
    match positions == 0 && sample > 0 && sample < total {
        true => format!("<{:.1}", 100.0 / sample as f64),
        false => part(positions, sample),
    }
}

/// Formats the share of positions won in time.
pub fn in_time(row: &Row) -> String {
    share(row.share(row.in_time))
}

/// Formats a value. Returns a dash for `None`.
pub fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or("-".to_string(), |value| value.to_string())
}

/// A position in a rule set's letters, without the fields of a count.
pub fn short(fen: &Fen, rules: RuleSet) -> FenDisplay<'_> {
    fen.display(rules.lettering()).short()
}

/// A command of the program about a position, such as `probe`. `option` is the program's option
/// that chooses a rule set.
pub fn command(name: &str, fen: &Fen, rules: RuleSet, option: RulesOption) -> String {
    let option = match rules {
        RECORD_RULES => String::new(),
        _ => format!(" {}", option(rules)),
    };
    format!("sakmak {name} \"{}\"{option}", short(fen, rules))
}

/// The name of a rule set, for a sentence.
pub fn name(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Makruk => "makruk",
        RuleSet::Asean => "ASEAN chess",
        RuleSet::Ouk => "ouk",
    }
}

/// Capitalises the first letter of a text.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The short name of a rule set, for a column or a mark.
pub fn short_name(rules: RuleSet) -> &'static str {
    name(rules).trim_end_matches(" chess")
}

/// The word or words for a side's standing.
pub fn verdict(standing: Standing) -> &'static str {
    match standing {
        Standing::Beats => "beats",
        standing => standing.word(),
    }
}

/// Joins names to a list for a sentence.
pub fn list(names: &[String]) -> String {
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "none".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_in_a_sample_is_an_upper_bound() {
        assert_eq!(sampled(0, 1000, 5000), "<0.1");
        assert_eq!(sampled(0, 1000, 1000), "0.00");
        assert_eq!(sampled(15, 1000, 5000), "1.50");
        assert_eq!(sampled(0, 0, 0), "-");
    }
}
