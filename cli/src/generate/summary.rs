//! The summary at the end of a run, written for players.

use std::collections::BTreeMap;

use sakmak::board::Color;
use sakmak::directory::{DistanceSummary, TableHashes};
use sakmak::generate::{Phase, Report, Spent};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Overlay;
use sakmak::published::{Comparison, PUBLISHED};
use sakmak::rules::{RuleSet, RuleSets};
use sakmak::statistics::Statistics;
use sakmak::table::{Access, Metric, TableFile};
use sakmak_study::Standing;
use serde::Serialize;

use super::prepare::Job;
use super::words::bits_per_position;
use crate::Failure;
use crate::format::{Columns, bytes, counted, percent, wrap};

/// The output of `generate --json`.
#[derive(Serialize)]
pub struct Summary {
    tables: Vec<TableSummary>,
}

/// The summary of one ending.
#[derive(Serialize)]
struct TableSummary {
    #[serde(skip)]
    ending: CanonicalMaterial,
    material: String,
    men: usize,
    made: bool,
    file: String,
    bytes: u64,
    /// The result of comparing the table with the published one.
    published: Comparison,
    /// The length of the longest win of either side, in moves. `None` if neither side can win.
    longest: Option<usize>,
    /// The results under makruk's count.
    makruk: Option<Overlay>,
    /// How often the stronger side wins inside makruk's count: `usually`, `never` and so on.
    count: Option<&'static str>,
    /// The work done for the table. `None` if an earlier run made the table.
    #[serde(flatten)]
    work: Option<Work>,
}

#[derive(Serialize)]
struct Work {
    cells: u64,
    cells_per_cpu_second: f64,
    bits_per_legal_position: f64,
    seconds: f64,
    /// The elapsed and CPU seconds of each phase.
    phases: BTreeMap<&'static str, Seconds>,
}

#[derive(Serialize)]
struct Seconds {
    elapsed: f64,
    cpu: f64,
}

impl Summary {
    /// Summarises the endings of a job, in order.
    pub fn new(job: &Job, made: &BTreeMap<CanonicalMaterial, Report>) -> Result<Summary, Failure> {
        let mut hashes = TableHashes::default();
        let line = |&material| TableSummary::new(material, job, made.get(&material), &mut hashes);
        let tables: Result<Vec<TableSummary>, Failure> = job.materials().iter().map(line).collect();
        Ok(Summary { tables: tables? })
    }

    /// Formats the summary as a table with a legend.
    pub fn text(&self) -> String {
        let headings = [
            "ending", "size", "longest", "count", "won", "in time", "won", "in time", "",
        ];
        let mut columns = Columns::new(
            1,
            &["", "", "", "", "stronger", "to move", "weaker", "to move"],
        );
        columns.row(headings.map(str::to_string));
        for line in &self.tables {
            let mut cells = vec![line.material.clone(), bytes(line.bytes)];
            cells.push(
                line.longest
                    .map_or("-".to_string(), |moves| moves.to_string()),
            );
            let Some(overlay) = &line.makruk else {
                columns.row(cells);
                continue;
            };
            let count = overlay.moves_available.black_to_move;
            cells.push(count.map_or("-".to_string(), |moves| moves.to_string()));
            for turn in Color::ALL {
                cells.push(percent(overlay.won(turn).percent()));
                cells.push(percent(overlay.won_inside_count(turn).percent()));
            }
            cells.push(line.count.unwrap_or_default().to_string());
            columns.row(cells);
        }
        let compared = self.tables.iter();
        let compared: Vec<_> = compared.map(|line| (line.ending, line.published)).collect();
        let published = sentence(&compared);
        let made = self.tables.iter().filter(|line| line.made).count();
        let found = self.tables.len() - made;
        let legend = format!(
            "{} made, {found} found. Longest: the length of the longest win, in moves. Count: the moves \
             that makruk's count leaves the stronger side, which is named first, if the weaker side is to \
             move. Won: the share of all positions in which mate can be forced; in time: inside the count.",
            counted(made as u64, "table"),
        );
        let rule = format!("The stronger side {}.", Standing::RULE);
        format!(
            "{columns}\n{}{}\n{published}.\n",
            wrap(&legend),
            wrap(&rule)
        )
    }
}

impl TableSummary {
    /// Summarises a table from its file, and from the `report` if this run made the table.
    fn new(
        material: CanonicalMaterial,
        job: &Job,
        report: Option<&Report>,
        hashes: &mut TableHashes,
    ) -> Result<TableSummary, Failure> {
        let file = job.path(material);
        let table = TableFile::open_as(&file, material, Access::Blocks)?;
        let statistics = |metric: Metric| {
            let section = table.section(metric)?;
            Some(&section.header().info.statistics)
        };
        let dtm =
            statistics(Metric::Dtm).ok_or_else(|| table.damaged("it has no distances to mate"))?;
        let rules = RuleSet::Makruk;
        let dth = statistics(Metric::Dth(rules));
        let makruk = Overlay::new(material, rules, dtm, dth);
        Ok(TableSummary {
            ending: material,
            material: material.to_string(),
            men: material.men(),
            made: report.is_some(),
            file: file.display().to_string(),
            bytes: table.file_bytes(),
            published: PUBLISHED.compare(&table, || hashes.of::<DistanceSummary>(&table))?,
            longest: longest(dtm),
            count: makruk.as_ref().map(|overlay| {
                let in_time = overlay.won_inside_count(Color::White);
                Standing::of(in_time, overlay.won(Color::White)).word()
            }),
            makruk,
            work: report.map(Work::new),
        })
    }
}

impl Work {
    fn new(report: &Report) -> Work {
        Work {
            cells: report.cells,
            cells_per_cpu_second: report.cells_per_cpu_second(),
            bits_per_legal_position: bits_per_position(report),
            seconds: report.elapsed.as_secs_f64(),
            phases: Phase::ALL
                .into_iter()
                .map(|phase| (phase.name(), Seconds::new(report.phases.of(phase))))
                .collect(),
        }
    }
}

impl Seconds {
    fn new(spent: Spent) -> Seconds {
        Seconds {
            elapsed: spent.elapsed.as_secs_f64(),
            cpu: spent.cpu.as_secs_f64(),
        }
    }
}

/// The length of the longest win of either side, in moves.
fn longest(statistics: &Statistics) -> Option<usize> {
    let wins = Color::ALL
        .into_iter()
        .flat_map(|turn| Color::ALL.map(|winner| statistics.to_move(turn).wins(winner)));
    wins.filter_map(|wins| wins.iter().rposition(|&n| n > 0))
        .max()
}

/// A sentence that states how many tables equal the published ones, differ from them or are not
/// published.
fn sentence(tables: &[(CanonicalMaterial, Comparison)]) -> String {
    let all = tables.len();
    let of = |comparison| {
        let of = tables.iter().filter(move |(_, c)| *c == comparison);
        of.map(|(material, _)| *material)
    };
    let mut parts = Vec::new();
    let mut say = |number: usize, one: &str, many: &str| {
        let verb = if number == 1 { one } else { many };
        if number > 0 {
            parts.push(format!("{number} of {all} tables {verb}"));
        }
    };
    let number = of(Comparison::Same).count();
    let end = "the published ones, byte for byte";
    say(
        number,
        "is one of the published ones, byte for byte",
        &format!("are {end}"),
    );
    let number = of(Comparison::Repacked).count();
    let end = "the contents of the published ones in a different packing";
    say(number, &format!("has {end}"), &format!("have {end}"));
    let names: Vec<String> = of(Comparison::Differs).map(|m| m.to_string()).collect();
    let end = format!("from the published ones: {}", names.join(" "));
    say(
        names.len(),
        &format!("differs {end}"),
        &format!("differ {end}"),
    );
    // Which rule sets are published, with the endings.
    let mut other_rules: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for material in of(Comparison::OtherRules) {
        let sets = PUBLISHED.rule_sets(material);
        let sets: Vec<String> = sets.iter().map(|sets| rules_in_words(*sets)).collect();
        let named = other_rules.entry(sets.join(" or with ")).or_default();
        named.push(material.to_string());
    }
    for (sets, names) in other_rules {
        let end = format!("published with {sets} only: {}", names.join(" "));
        say(names.len(), &format!("is {end}"), &format!("are {end}"));
    }
    let number = of(Comparison::NotPublished).count();
    say(number, "is not published", "are not published");
    parts.join("; ")
}

/// The rule sets of an ending's table, in words.
fn rules_in_words(sets: RuleSets) -> String {
    match sets == RuleSets::ALL {
        true => "all rule sets".to_string(),
        false => sets.to_string(),
    }
}
