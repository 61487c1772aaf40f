//! The summaries of tables in a manifest, one type for each kind of table.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::container::{Container, FileBytes, Kind, Source, TableError};
use crate::rules::{RuleSet, RuleSets};
use crate::stats::Statistics;
use crate::table::{Distances, Metric, Section, Table, TableFile};
use crate::verdict::{VerdictFile, VerdictSets};

/// The part of a manifest's entry that depends on the kind of table.
pub trait Summary: Clone + Debug + PartialEq + Eq + Serialize + DeserializeOwned + 'static {
    /// The kind of table.
    type Kind: Kind;

    /// The rule sets for which the table has results.
    fn rule_sets(&self) -> RuleSets;

    /// Makes the summary of a table.
    fn of(table: &Container<Self::Kind, FileBytes>) -> Self;

    /// Checks the checksum of every part of a table.
    ///
    /// # Errors
    ///
    /// The error of the first corrupt part.
    fn check(table: &Container<Self::Kind, FileBytes>) -> Result<(), TableError>;
}

/// The summary of a distance table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceSummary {
    /// The rule sets for which the table has results. JSON omits this field if the table has all
    /// three.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub rule_sets: RuleSets,
    /// The statistics of each section, in the order of the sections in the table.
    pub statistics: Vec<MetricStatistics>,
}

fn all() -> RuleSets {
    RuleSets::ALL
}

fn is_all(rules: &RuleSets) -> bool {
    *rules == RuleSets::ALL
}

/// The statistics of an ending's positions under one metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricStatistics {
    /// The name of the metric: `dtm` (to mate) or `dth` (to honor).
    pub metric: String,
    /// The numeric id of the rule set for which `dth` was computed. None for `dtm`, which is the
    /// same under all rule sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<u8>,
    /// The numbers of positions by distance, with examples.
    #[serde(flatten)]
    pub statistics: Statistics,
}

/// The summary of a verdict table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerdictSummary {
    /// The rule sets for which the table has results. JSON omits this field if the table has all
    /// three.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub rule_sets: RuleSets,
    /// The number of positions in each category, for each rule set of the table.
    pub categories: Vec<RulesCategories>,
}

/// The number of an ending's positions in each category, under one rule set and a fresh count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesCategories {
    /// The rule set.
    pub rules: RuleSet,
    /// The numbers of positions with White to move.
    pub white_to_move: Categories,
    /// The numbers of positions with Black to move.
    pub black_to_move: Categories,
}

/// The number of positions in each category, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Categories {
    pub win: u64,
    pub cursed_win: u64,
    pub draw: u64,
    pub blessed_loss: u64,
    pub loss: u64,
}

impl MetricStatistics {
    /// The statistics of each section of a table.
    pub fn of_table<B: Source>(table: &Table<B>) -> Vec<MetricStatistics> {
        let of_section = |section: Section<'_, B>| {
            let info = &section.header().info;
            let (metric, rules) = match info.metric {
                Metric::Dtm => ("dtm", None),
                Metric::Dth(rules) => ("dth", Some(rules.id())),
            };
            MetricStatistics {
                metric: metric.to_string(),
                rules,
                statistics: info.statistics.clone(),
            }
        };
        table.sections().map(of_section).collect()
    }
}

impl Categories {
    /// Makes the structure from the numbers of positions, listed from win to loss.
    fn new([win, cursed_win, draw, blessed_loss, loss]: [u64; 5]) -> Categories {
        Categories {
            win,
            cursed_win,
            draw,
            blessed_loss,
            loss,
        }
    }
}

impl Summary for DistanceSummary {
    type Kind = Distances;

    fn rule_sets(&self) -> RuleSets {
        self.rule_sets
    }

    fn of(table: &TableFile) -> DistanceSummary {
        DistanceSummary {
            rule_sets: table.rule_sets(),
            statistics: MetricStatistics::of_table(table),
        }
    }

    fn check(table: &TableFile) -> Result<(), TableError> {
        table.check(&|_| {})
    }
}

impl Summary for VerdictSummary {
    type Kind = VerdictSets;

    fn rule_sets(&self) -> RuleSets {
        self.rule_sets
    }

    fn of(table: &VerdictFile) -> VerdictSummary {
        let categories = RuleSet::ALL.into_iter().zip(table.counts());
        let categories = categories.filter(|(rules, _)| table.rule_sets().contains(*rules));
        let categories = categories.map(|(rules, &[white, black])| RulesCategories {
            rules,
            white_to_move: Categories::new(white),
            black_to_move: Categories::new(black),
        });
        VerdictSummary {
            rule_sets: table.rule_sets(),
            categories: categories.collect(),
        }
    }

    fn check(table: &VerdictFile) -> Result<(), TableError> {
        table.check()
    }
}
