//! Texts and numbers that several parts of the report write.

use sakmak::rules::RuleSet;
use sakmak::study::{Row, Share, Standing};

use crate::cli::format::percent;

/// A share in percent, without the sign.
pub fn share(share: Share) -> String {
    percent(share.percent()).replace(" %", "")
}

/// A part of a number of positions, as a share; - if there are none.
pub fn part(positions: u64, of: u64) -> String {
    match of {
        0 => "-".to_string(),
        _ => share(Share { positions, of }),
    }
}

/// A part of a sample, as a share. A sample that stands for more positions may miss some, so a
/// share of 0 is not written as none.
pub fn sampled(positions: u64, asked: u64, of: u64) -> String {
    match positions == 0 && asked > 0 && asked < of {
        true => format!("<{:.1}", 100.0 / asked as f64),
        false => part(positions, asked),
    }
}

/// The share won in time.
pub fn in_time(row: &Row) -> String {
    share(row.share(row.in_time))
}

/// A number, or - if there is none.
pub fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or("-".to_string(), |value| value.to_string())
}

/// A FEN without redundant fields.
pub fn short(fen: &str) -> &str {
    fen.trim_end_matches(" - - 0 1")
}

/// The name of a rule set in a heading.
pub fn name(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Makruk => "Makruk",
        RuleSet::Asean => "ASEAN chess",
        RuleSet::Ouk => "Ouk",
    }
}

/// The verdict on a side, in a word or two.
pub fn verdict(standing: Standing) -> &'static str {
    match standing {
        Standing::Beats => "beats",
        standing => standing.word(),
    }
}

/// A list of names for a sentence.
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
    fn none_in_a_sample_is_not_none() {
        assert_eq!(sampled(0, 1000, 5000), "<0.1");
        assert_eq!(sampled(0, 1000, 1000), "0.00");
        assert_eq!(sampled(15, 1000, 5000), "1.50");
        assert_eq!(sampled(0, 0, 0), "-");
    }
}
