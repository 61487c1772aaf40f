//! The published tables, read from `tables/published.json`: hashes, statistics and packings.
//!
//! The file is compiled into the program, so that `generate` can tell whether a new table equals
//! the published one. `tools/publish SET` updates the file.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, LazyLock};

use crate::board::Color;
use crate::directory::{ManifestEntry, MetricStatistics, RulesCategories, VerdictEntry};
use crate::material::CanonicalMaterial;
use crate::rules::{RuleSet, RuleSets};
use crate::solve::LaneLayout;
use crate::statistics::{Counts, Statistics};
use crate::table::{
    BlockPacking, Metric, Packing, RULES_REVISION, SectionHeader, SectionPacking, TableError,
    TableFile, TableKind, VERSION,
};
use crate::verdict::{self, Coding, Set};
use serde::{Deserialize, Serialize};

/// The tables published for this version of the program.
pub static PUBLISHED: LazyLock<Published> = LazyLock::new(|| {
    let text = include_str!("../tables/published.json");
    // A test parses the file. If parsing fails nevertheless, no tables count as published.
    serde_json::from_str(text).unwrap_or_default()
});

/// The contents of `published.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Published {
    /// The format version of the published distance tables.
    format: u32,
    /// The revision of the rules that the tables were made with.
    rules_revision: u32,
    tables: BTreeMap<String, Entry>,
    /// The format version of the published verdict tables.
    #[serde(default)]
    verdict_format: u32,
    #[serde(default)]
    verdict_tables: BTreeMap<String, VerdictSummary>,
    /// Tables that lack some rule sets, grouped by the rule sets that they have. Their sections are
    /// packed like those of the complete tables. The best coding of verdicts may differ, because it
    /// was searched for separately.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    by_rules: BTreeMap<String, ByRules>,
}

/// The published tables that have the same selection of rule sets.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ByRules {
    tables: BTreeMap<String, Entry>,
    verdict_tables: BTreeMap<String, VerdictSummary>,
}

/// The published data of a verdict table.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct VerdictSummary {
    bytes: u64,
    blake3: String,
    categories: Vec<RulesCategories>,
    /// The coding of each side's wins, White's first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    coding: Vec<Coding>,
}

/// The published data of a distance table.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    bytes: u64,
    blake3: String,
    /// The totals for each metric of the table.
    statistics: Vec<Summary>,
    /// The packing of each metric's section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    packing: Vec<Packed>,
}

/// The packing of a section, as stated in the file's header.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Packed {
    order: Vec<u8>,
    kind: Packing,
    block_cells: u32,
}

/// The totals of the statistics under one metric.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Summary {
    /// The name of the metric: `dtm` (to mate) or `dth` (to honor).
    metric: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<RuleSet>,
    white_to_move: Sums,
    black_to_move: Sums,
}

/// The totals over the positions with one side to move.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Sums {
    legal: u64,
    white_wins: u64,
    black_wins: u64,
    draws: u64,
    /// The longest win of White, in moves. `longest_black_win` is that of Black.
    longest_white_win: Option<usize>,
    longest_black_win: Option<usize>,
}

/// The result of comparing a table with the published table of the same ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// The two tables have the same bytes.
    Same,
    /// The statistics are equal but the bytes differ: the table was packed with other options.
    Repacked,
    /// The statistics differ.
    Differs,
    /// A table of the ending is published with other rule sets only. The statistics of the metrics
    /// that both tables have are equal.
    OtherRules,
    /// No table of the ending is published for this format version and rules revision.
    NotPublished,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Same => "as published",
            Comparison::Repacked => "same contents as published, different packing",
            Comparison::Differs => "differs from the published table",
            Comparison::OtherRules => "published with other rule sets only",
            Comparison::NotPublished => "not published",
        })
    }
}

impl Published {
    /// Makes the contents of `published.json` for these tables.
    pub fn new(
        tables: impl IntoIterator<Item = (Arc<TableFile>, ManifestEntry)>,
        verdict_tables: impl IntoIterator<Item = (CanonicalMaterial, VerdictEntry, Vec<Coding>)>,
    ) -> Published {
        let mut published = Published {
            format: VERSION,
            rules_revision: RULES_REVISION,
            verdict_format: verdict::VERSION,
            ..Published::default()
        };
        let summary = |entry: VerdictEntry, coding| VerdictSummary {
            bytes: entry.bytes,
            blake3: entry.blake3,
            categories: entry.summary.categories,
            coding,
        };
        for (table, entry) in tables {
            let (material, rules) = (table.material(), table.rule_sets());
            let mut entry = Entry::new(&table, &entry);
            if !is_whole(material, rules) {
                entry.packing.clear();
            }
            let (tables, _) = published.of_rules_mut(material, rules);
            tables.insert(material.to_string(), entry);
        }
        for (material, entry, mut coding) in verdict_tables {
            let rules = entry.summary.rule_sets;
            if !is_whole(material, rules) {
                coding.clear();
            }
            let (_, tables) = published.of_rules_mut(material, rules);
            tables.insert(material.to_string(), summary(entry, coding));
        }
        published
    }

    /// The part of `published.json` for tables with these rule sets, as a mutable reference.
    fn of_rules_mut(
        &mut self,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> (
        &mut BTreeMap<String, Entry>,
        &mut BTreeMap<String, VerdictSummary>,
    ) {
        match is_whole(material, rules) {
            true => (&mut self.tables, &mut self.verdict_tables),
            false => {
                let of_rules = self.by_rules.entry(key(rules)).or_default();
                (&mut of_rules.tables, &mut of_rules.verdict_tables)
            }
        }
    }

    /// The size of an ending's published table with these rule sets, in bytes.
    pub fn bytes(&self, material: CanonicalMaterial, rules: RuleSets) -> Option<u64> {
        self.entry_of(material, rules).map(|entry| entry.bytes)
    }

    /// The packings of the sections in an ending's published table. With them, making the table
    /// again needs no search for the best packing.
    pub fn packing(&self, material: CanonicalMaterial) -> Vec<SectionPacking> {
        let Some(entry) = self.entry(material) else {
            return Vec::new();
        };
        let sections = entry.statistics.iter().zip(&entry.packing);
        let packing = sections.map(|(summary, packed)| SectionPacking {
            metric: summary.rules.map_or(Metric::Dtm, Metric::Dth),
            order: packed.order.clone(),
            packing: BlockPacking {
                kind: packed.kind,
                cells: packed.block_cells,
            },
        });
        packing.collect()
    }

    /// The codings in an ending's published verdict table with these rule sets. With them, making
    /// the table again needs no search for the best codings.
    pub fn codings(&self, material: CanonicalMaterial, rules: RuleSets) -> Vec<Coding> {
        let entry = self.verdict_entry(material);
        let mut codings = entry.map_or_else(Vec::new, |entry| entry.coding.clone());
        for coding in &mut codings {
            for missing in rules.missing() {
                coding.sets[Set::InTime(missing).place()] = None;
            }
        }
        codings
    }

    /// Estimates the bytes per cell of a table from the published tables of its direct subendings.
    /// None if a direct subending is not published, or if none of them is comparable.
    ///
    /// With men on both sides, the estimate is the largest value among the subendings. Against a
    /// bare king it is the smallest value among those subendings that White mostly wins and that
    /// have one section. Such tables store little more than the lengths of wins, and an additional
    /// man changes these little.
    pub fn bytes_a_cell_of_smaller(&self, material: CanonicalMaterial) -> Option<f64> {
        let of_smaller = |smaller: CanonicalMaterial| {
            let entry = self.entry(smaller)?;
            let white = &entry.statistics.first()?.white_to_move;
            let cells = LaneLayout::cells(smaller.material(), Color::White);
            let won_by_mate = white.white_wins * 2 > white.legal && entry.statistics.len() == 1;
            let alike = won_by_mate || !material.is_bare();
            Some(alike.then_some(entry.bytes as f64 / cells as f64))
        };
        let smaller = material.after_a_move().into_iter().map(of_smaller);
        let smaller: Vec<Option<f64>> = smaller.collect::<Option<_>>()?;
        let smaller = smaller.into_iter().flatten();
        match material.is_bare() {
            true => smaller.min_by(f64::total_cmp),
            false => smaller.max_by(f64::total_cmp),
        }
    }

    /// The size in bytes of the ending's published table of a kind with this hash, with any
    /// selection of rule sets. `None` if no published table has the hash.
    pub fn bytes_of_hash(
        &self,
        kind: TableKind,
        material: CanonicalMaterial,
        blake3: &str,
    ) -> Option<u64> {
        let bytes = |(hash, bytes): (&String, u64)| (hash == blake3).then_some(bytes);
        match kind {
            TableKind::Distances => {
                let mut entries = self.entries(material).into_iter();
                entries.find_map(|(_, entry)| bytes((&entry.blake3, entry.bytes)))
            }
            TableKind::Verdicts => {
                let mut entries = self.verdict_entries(material).into_iter();
                entries.find_map(|(_, entry)| bytes((&entry.blake3, entry.bytes)))
            }
        }
    }

    /// The selections of rule sets with which a distance table of the ending is published. The
    /// complete table comes first.
    pub fn rule_sets(&self, material: CanonicalMaterial) -> Vec<RuleSets> {
        let entries = self.entries(material).into_iter();
        entries.map(|(rules, _)| rules).collect()
    }

    /// The ending's published distance tables, each with its rule sets.
    fn entries(&self, material: CanonicalMaterial) -> Vec<(RuleSets, &Entry)> {
        match self.is_current() {
            true => self.with_any_rules(material, &self.tables, |by_rules| &by_rules.tables),
            false => Vec::new(),
        }
    }

    /// The ending's published verdict tables, each with its rule sets.
    fn verdict_entries(&self, material: CanonicalMaterial) -> Vec<(RuleSets, &VerdictSummary)> {
        match self.has_current_verdicts() {
            true => self.with_any_rules(material, &self.verdict_tables, |by_rules| {
                &by_rules.verdict_tables
            }),
            false => Vec::new(),
        }
    }

    /// An ending's entries among the complete tables, first, and among those of `of_rules`.
    fn with_any_rules<'a, T>(
        &'a self,
        material: CanonicalMaterial,
        whole: &'a BTreeMap<String, T>,
        of_rules: impl Fn(&'a ByRules) -> &'a BTreeMap<String, T>,
    ) -> Vec<(RuleSets, &'a T)> {
        let name = material.to_string();
        let all = RuleSets::published(material.material());
        let whole = whole.get(&name).map(|entry| (all, entry));
        let others = self.by_rules.iter().filter_map(|(rules, by_rules)| {
            let rules = rules.split(',').filter_map(|rules| rules.parse().ok());
            Some((RuleSets::with(rules), of_rules(by_rules).get(&name)?))
        });
        whole.into_iter().chain(others).collect()
    }

    /// Compares a table's hash with that of the published table. `blake3` computes the hash; it is
    /// called only if the ending has a published table. If the hashes differ, verifies the table's
    /// checksums and compares its statistics.
    ///
    /// # Errors
    ///
    /// If the table is corrupt, or `blake3` fails.
    pub fn compare(
        &self,
        table: &TableFile,
        blake3: impl FnOnce() -> Result<String, TableError>,
    ) -> Result<Comparison, TableError> {
        let Some(entry) = self.entry_of(table.material(), table.rule_sets()) else {
            return Ok(self.compare_with_other_rules(table));
        };
        if entry.blake3 == blake3()? {
            return Ok(Comparison::Same);
        }
        table.check(&|_| {})?;
        let same = entry.statistics == summaries(&MetricStatistics::of_table(table));
        Ok(if same {
            Comparison::Repacked
        } else {
            Comparison::Differs
        })
    }

    /// Compares the statistics of a table with those of the ending's published table with other
    /// rule sets.
    fn compare_with_other_rules(&self, table: &TableFile) -> Comparison {
        let entries = self.entries(table.material());
        let Some((_, entry)) = entries.first() else {
            return Comparison::NotPublished;
        };
        let own = summaries(&MetricStatistics::of_table(table));
        let differs = |own: &Summary| {
            let published = entry.statistics.iter();
            let mut published =
                published.filter(|p| (&p.metric, p.rules) == (&own.metric, own.rules));
            published.next().is_some_and(|published| published != own)
        };
        match own.iter().any(differs) {
            true => Comparison::Differs,
            false => Comparison::OtherRules,
        }
    }

    /// Compares a verdict table with the published one: first the hashes and, if they differ, the
    /// number of positions in each category.
    pub fn compare_verdicts(
        &self,
        material: CanonicalMaterial,
        found: &VerdictEntry,
    ) -> Comparison {
        match self.verdict_entry_of(material, found.summary.rule_sets) {
            None if self.verdict_entries(material).is_empty() => Comparison::NotPublished,
            None => Comparison::OtherRules,
            Some(published) if published.blake3 == found.blake3 => Comparison::Same,
            Some(published) if published.categories == found.summary.categories => {
                Comparison::Repacked
            }
            Some(_) => Comparison::Differs,
        }
    }

    /// The data of an ending's distance table, if one is published.
    fn entry(&self, material: CanonicalMaterial) -> Option<&Entry> {
        self.entry_of(material, RuleSets::published(material.material()))
    }

    /// The data of an ending's distance table with these rule sets, if one is published.
    fn entry_of(&self, material: CanonicalMaterial, rules: RuleSets) -> Option<&Entry> {
        let tables = match is_whole(material, rules) {
            true => &self.tables,
            false => &self.by_rules.get(&key(rules))?.tables,
        };
        let entry = tables.get(&material.to_string());
        entry.filter(|_| self.is_current())
    }

    fn is_current(&self) -> bool {
        (self.format, self.rules_revision) == (VERSION, RULES_REVISION)
    }

    fn has_current_verdicts(&self) -> bool {
        (self.verdict_format, self.rules_revision) == (verdict::VERSION, RULES_REVISION)
    }

    /// The data of an ending's verdict table, if one is published.
    fn verdict_entry(&self, material: CanonicalMaterial) -> Option<&VerdictSummary> {
        self.verdict_entry_of(material, RuleSets::published(material.material()))
    }

    /// The data of an ending's verdict table with these rule sets, if one is published.
    fn verdict_entry_of(
        &self,
        material: CanonicalMaterial,
        rules: RuleSets,
    ) -> Option<&VerdictSummary> {
        let tables = match is_whole(material, rules) {
            true => &self.verdict_tables,
            false => &self.by_rules.get(&key(rules))?.verdict_tables,
        };
        let published = tables.get(&material.to_string());
        published.filter(|_| self.has_current_verdicts())
    }

    /// Formats the contents of `published.json`, with one table per line.
    ///
    /// # Errors
    ///
    /// If serialisation fails.
    pub fn text(&self) -> io::Result<String> {
        fn lines<T: Serialize>(of: &BTreeMap<String, T>) -> io::Result<String> {
            let line = |(name, entry): (&String, &T)| {
                Ok(format!("  \"{name}\": {}", serde_json::to_string(entry)?))
            };
            let lines: io::Result<Vec<String>> = of.iter().map(line).collect();
            Ok(lines?.join(",\n"))
        }
        let of_rules = |(rules, of_rules): (&String, &ByRules)| {
            Ok(format!(
                "\"{rules}\": {{\"tables\": {{\n{}\n}},\n\"verdict_tables\": {{\n{}\n}}}}",
                lines(&of_rules.tables)?,
                lines(&of_rules.verdict_tables)?
            ))
        };
        let by_rules: io::Result<Vec<String>> = self.by_rules.iter().map(of_rules).collect();
        let by_rules = match by_rules? {
            none if none.is_empty() => String::new(),
            some => format!(",\n\"by_rules\": {{{}}}", some.join(",\n")),
        };
        Ok(format!(
            "{{\"format\": {}, \"rules_revision\": {}, \"tables\": {{\n{}\n}},\n\
             \"verdict_format\": {}, \"verdict_tables\": {{\n{}\n}}{by_rules}}}\n",
            self.format,
            self.rules_revision,
            lines(&self.tables)?,
            self.verdict_format,
            lines(&self.verdict_tables)?
        ))
    }
}

/// True if these rule sets are those with which the whole tables of the ending are published.
fn is_whole(material: CanonicalMaterial, rules: RuleSets) -> bool {
    rules == RuleSets::published(material.material())
}

/// The key of a selection of rule sets, for example `makruk` or `makruk,ouk`.
fn key(rules: RuleSets) -> String {
    let names: Vec<_> = rules.iter().map(RuleSet::name).collect();
    names.join(",")
}

impl Entry {
    fn new(table: &TableFile, entry: &ManifestEntry) -> Entry {
        let sections = table.sections();
        Entry {
            bytes: entry.bytes,
            blake3: entry.blake3.clone(),
            statistics: summaries(&entry.summary.statistics),
            packing: sections
                .map(|section| Packed::of(section.header()))
                .collect(),
        }
    }
}

impl Packed {
    fn of(section: &SectionHeader) -> Packed {
        Packed {
            order: section.info.order.clone(),
            kind: section.packing,
            block_cells: section.block_cells,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::plan;

    #[test]
    fn compiled_in_file_is_of_this_version() {
        let text = include_str!("../tables/published.json");
        let published: Published = serde_json::from_str(text).unwrap();
        assert_eq!(
            (
                published.format,
                published.verdict_format,
                published.rules_revision
            ),
            (VERSION, verdict::VERSION, RULES_REVISION),
            "tables/published.json is stale: update it with tools/publish"
        );
        assert_eq!(published.text().unwrap(), text, "written alike");
    }

    #[test]
    fn smaller_tables_predict_the_bytes() {
        let (mut bare, mut two_sided) = (0, 0);
        for (name, entry) in &PUBLISHED.tables {
            let material: CanonicalMaterial = name.parse().unwrap();
            let plan = plan(material, None);
            let Some(smaller) = PUBLISHED.bytes_a_cell_of_smaller(material) else {
                continue;
            };
            let expected = plan.table_bytes_like(smaller) as f64 / entry.bytes as f64;
            if !material.is_bare() && material.men() > 5 {
                two_sided += 1;
                assert!((0.15..8.0).contains(&expected), "{name}: {expected}");
            }
            if material.is_bare() && entry.statistics.len() == 1 && material.men() > 4 {
                bare += 1;
                // A table of an ending with three rooks is the largest.
                assert!((0.7..1.6).contains(&expected), "{name}: {expected}");
            }
        }
        assert!(bare >= 15 && two_sided >= 15, "{bare}, {two_sided}");
    }

    #[test]
    fn only_this_version_is_compared() {
        let material = "KRvK".parse().unwrap();
        let all = RuleSets::ALL;
        assert!(PUBLISHED.bytes(material, all).is_some());
        assert_eq!(PUBLISHED.bytes("KRRRRRRvK".parse().unwrap(), all), None);
        let tables = [("KRvK".to_string(), Entry::default())];
        let older = Published {
            format: VERSION - 1,
            rules_revision: RULES_REVISION,
            tables: tables.into(),
            ..Published::default()
        };
        assert_eq!(older.bytes(material, all), None);
    }
}
