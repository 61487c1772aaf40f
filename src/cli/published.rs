//! The published tables: what `tables/published.json` says of each, and how one's own compare.
//!
//! The file is compiled in, so that whoever makes a table again can tell whether it is the one that
//! everybody else has. `tools/publish SET` renews it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use sakmak::board::Color;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;
use sakmak::stats::{Counts, Statistics};
use sakmak::table::{ManifestEntry, MetricStatistics, RULES_REVISION, VERSION};
use serde::{Deserialize, Serialize};

/// The published tables of this version.
pub static PUBLISHED: LazyLock<Published> = LazyLock::new(|| {
    let text = include_str!("../../tables/published.json");
    // A test holds that it can be read; without it nothing is published.
    serde_json::from_str(text).unwrap_or_default()
});

/// What is published.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Published {
    /// The format version of the tables.
    format: u32,
    /// The revision of the rules that they were computed under.
    rules_revision: u32,
    tables: BTreeMap<String, Entry>,
}

/// What is published of one table.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    blake3: String,
    /// For each metric that the table has.
    statistics: Vec<Summary>,
}

/// The statistics of one metric, summed up.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Summary {
    /// `dtm` or `dth`.
    metric: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<RuleSet>,
    white_to_move: Sums,
    black_to_move: Sums,
}

/// The positions with one side to move.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    legal: u64,
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    /// The longest win of each side in its moves, if it has any.
    longest_white_win: Option<usize>,
    longest_black_win: Option<usize>,
}

/// A table beside the published one of its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// Byte for byte the same.
    Same,
    /// Other bytes with the same statistics: made with other options.
    Repacked,
    /// Not the same.
    Differs,
    /// None is published, or one of another format version or revision of the rules.
    NotPublished,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Same => "as published",
            Comparison::Repacked => "packed otherwise than published",
            Comparison::Differs => "not as published",
            Comparison::NotPublished => "not published",
        })
    }
}

impl Published {
    /// What is to be published of these tables.
    pub fn new(tables: impl IntoIterator<Item = (CanonicalMaterial, ManifestEntry)>) -> Published {
        let tables = tables.into_iter();
        Published {
            format: VERSION,
            rules_revision: RULES_REVISION,
            tables: tables
                .map(|(material, entry)| (material.to_string(), Entry::new(&entry)))
                .collect(),
        }
    }

    /// Compares a table by its hash and, should it have another, by its statistics. They are worked
    /// out only if they are needed.
    pub fn compare<E>(
        &self,
        material: CanonicalMaterial,
        blake3: impl FnOnce() -> Result<String, E>,
        statistics: impl FnOnce() -> Vec<MetricStatistics>,
    ) -> Result<Comparison, E> {
        if (self.format, self.rules_revision) != (VERSION, RULES_REVISION) {
            return Ok(Comparison::NotPublished);
        }
        Ok(match self.tables.get(&material.to_string()) {
            None => Comparison::NotPublished,
            Some(entry) if entry.blake3 == blake3()? => Comparison::Same,
            Some(entry) if entry.statistics == summaries(&statistics()) => Comparison::Repacked,
            Some(_) => Comparison::Differs,
        })
    }

    /// The file's text: JSON with one table a line.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let line = |(name, entry)| -> Result<String, serde_json::Error> {
            Ok(format!("  \"{name}\": {}", serde_json::to_string(entry)?))
        };
        let lines: Result<Vec<String>, _> = self.tables.iter().map(line).collect();
        Ok(format!(
            "{{\"format\": {}, \"rules_revision\": {}, \"tables\": {{\n{}\n}}}}\n",
            self.format,
            self.rules_revision,
            lines?.join(",\n")
        ))
    }
}

impl Entry {
    fn new(entry: &ManifestEntry) -> Entry {
        Entry {
            bytes: entry.bytes,
            blake3: entry.blake3.clone(),
            statistics: summaries(&entry.statistics),
        }
    }
}

fn summaries(metrics: &[MetricStatistics]) -> Vec<Summary> {
    let summaries = metrics.iter().map(|metric| Summary {
        metric: metric.metric.clone(),
        rules: metric.rules.and_then(RuleSet::from_id),
        white_to_move: Sums::new(&metric.statistics, Color::White),
        black_to_move: Sums::new(&metric.statistics, Color::Black),
    });
    summaries.collect()
}

impl Sums {
    fn new(statistics: &Statistics, turn: Color) -> Sums {
        let counts = statistics.to_move(turn);
        Sums {
            legal: counts.legal(),
            white_wins: counts.white_wins.iter().sum(),
            black_wins: counts.black_wins.iter().sum(),
            draws: counts.draws,
            longest_white_win: longest(counts, Color::White),
            longest_black_win: longest(counts, Color::Black),
        }
    }
}

fn longest(counts: &Counts, winner: Color) -> Option<usize> {
    counts.wins(winner).iter().rposition(|&n| n > 0)
}

/// How many of some tables compare how, in a sentence.
pub fn sentence(tables: &[(String, Comparison)]) -> String {
    let of = |comparison| {
        let names = tables.iter().filter(move |(_, c)| *c == comparison);
        names.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
    };
    let mut parts = Vec::new();
    let all = tables.len();
    for comparison in [
        Comparison::Same,
        Comparison::Repacked,
        Comparison::Differs,
        Comparison::NotPublished,
    ] {
        let names = of(comparison);
        let number = names.len();
        match comparison {
            _ if number == 0 => {}
            Comparison::Same => parts.push(format!(
                "{number} of {all} tables are the published ones, byte for byte"
            )),
            Comparison::Repacked => parts.push(format!(
                "{number} of {all} have the statistics of the published ones and are packed otherwise"
            )),
            Comparison::Differs => parts.push(format!(
                "{number} of {all} differ from the published ones: {}",
                names.join(" ")
            )),
            Comparison::NotPublished => {
                parts.push(format!("{number} of {all} are not published"));
            }
        }
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compiled_in_can_be_read_and_is_of_this_version() {
        let text = include_str!("../../tables/published.json");
        let published: Published = serde_json::from_str(text).unwrap();
        assert_eq!(
            (published.format, published.rules_revision),
            (VERSION, RULES_REVISION),
            "tables/published.json is stale: renew it with tools/publish"
        );
        assert_eq!(published.text().unwrap(), text, "it is as it is written");
    }

    #[test]
    fn a_table_is_the_same_different_or_not_published() {
        let compare = |name: &str, hash: &str| {
            let hash = || Ok::<_, ()>(hash.to_string());
            PUBLISHED.compare(name.parse().unwrap(), hash, Vec::new)
        };
        let hash = &PUBLISHED.tables["KRvK"].blake3;
        assert_eq!(compare("KRvK", hash), Ok(Comparison::Same));
        assert_eq!(compare("KRvK", "00"), Ok(Comparison::Differs));
        assert_eq!(compare("KRRRRRRvK", "00"), Ok(Comparison::NotPublished));
        let older = Published::default().compare("KRvK".parse().unwrap(), || Err(()), Vec::new);
        assert_eq!(older, Ok(Comparison::NotPublished), "and not even hashed");
    }
}
