//! `sakmak verify`.

use std::cell::Cell;

use sakmak::board::{Color, Fen, Lettering};
use sakmak::directory::VerdictEntry;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::published::{Comparison, PUBLISHED};
use sakmak::stats::Example;
use sakmak::table::{Access, Metric, TableError, TableFile};
use sakmak::verdict::{Set, VerdictFile};
use sakmak::verify::{Difference, WrongVerdict, verify_sample, verify_table, verify_verdicts};
use serde::Serialize;

use super::format::number;
use super::output::{print, print_json};
use super::progress::Bar;
use super::set_args::SetArgs;
use super::tables_args::TablesArgs;
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};

/// Verify tables: their checksums, then every position against the rules
///
/// A position is right if its value is the best of those that its moves lead to, all read from the
/// files as written. Each table is also compared with the published one, which does not decide
/// whether it is right. Exit code 1: a value is wrong, or a table is missing; 3: a file is corrupt.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak verify\n  \
sakmak verify KSMvK\n  \
sakmak verify --only KSMvK\n  \
sakmak verify bare-5 --checksums-only\n  \
sakmak verify bare-5 --sample 100000")]
pub struct Args {
    #[command(flatten)]
    sets: SetArgs,
    /// Verify only the named tables; those of their subendings must exist
    #[arg(long, requires = "sets")]
    only: bool,
    /// Verify only checksums
    #[arg(long, conflicts_with = "sample")]
    checksums_only: bool,
    /// Verify a fixed sample of N positions per ending
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The output of `verify --json`.
#[derive(Serialize)]
struct Document {
    right: bool,
    tables: Vec<VerifiedTable>,
}

/// The result for one table.
#[derive(Serialize)]
struct VerifiedTable {
    material: String,
    right: bool,
    /// Number of positions compared.
    positions: u64,
    /// Whether there is a verdict table, verified like the distance table.
    verdict_table: bool,
    /// The comparison with the published verdict table, if this one is valid.
    published_verdicts: Option<Comparison>,
    /// The comparison with the published table, if this one is valid.
    published: Option<Comparison>,
    /// The fault.
    problem: Option<String>,
    /// The failure that reports the fault, with its exit code.
    #[serde(skip)]
    failure: Option<Failure>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    ThreadsArgs::default().start(common.quiet)?;
    let tablebase = common.open_tables_by_blocks()?;
    let materials = match args.only {
        true => args.sets.named()?,
        false => args.sets.materials(&tablebase)?,
    };
    if materials.is_empty() {
        return Err(Failure::no("there are no tables to verify").generate("bare-4"));
    }
    let bar = Bar::new(common);
    let mut tables = Vec::new();
    let mut right = true;
    // The time is roughly proportional to the size.
    let sizes: Vec<f64> = materials.iter().map(|&m| size(&tablebase, m)).collect();
    let all: f64 = sizes.iter().sum();
    let before = Cell::new(0.0);
    for (&material, size) in materials.iter().zip(&sizes) {
        bar.say(format!("{material}: verifying"));
        let at = |part: f64| bar.at((before.get() + part * size) / all);
        let line = verify(material, &tablebase, args, &common.tables, &at);
        before.set(before.get() + size);
        right &= line.right;
        if !args.json {
            bar.suspend(|| print(&line.text(args)))?;
        }
        tables.push(line);
    }
    bar.finish();
    let (asked, mut failed) = (tables.len() as u64, 0);
    let failures = tables.iter_mut().filter_map(|line| line.failure.take());
    let worst = failures.inspect(|_| failed += 1).max_by_key(Failure::code);
    if args.json {
        print_json(&Document { right, tables })?;
    }
    match worst {
        None => Ok(()),
        Some(failure) => Err(failure.among(failed, asked, "tables are wrong or cannot be used")),
    }
}

/// The expected time of verifying a table, in bytes of its file.
fn size(tablebase: &Tablebase, material: CanonicalMaterial) -> f64 {
    let data = tablebase.path(material).map(std::fs::metadata);
    match data {
        Some(Ok(data)) => data.len().max(1) as f64,
        _ => 1.0,
    }
}

/// Checks one table.
fn verify(
    material: CanonicalMaterial,
    tablebase: &Tablebase,
    args: &Args,
    tables: &TablesArgs,
    progress: &dyn Fn(f64),
) -> VerifiedTable {
    let (mut positions, mut published, mut published_verdicts) = (0, None, None);
    let failure = compare(material, tablebase)
        .and_then(|comparison| {
            published = Some(comparison);
            check(material, tablebase, args, progress, &mut positions)?;
            published_verdicts = check_verdicts(material, tablebase, args, tables)?;
            Ok(())
        })
        .err();
    VerifiedTable {
        verdict_table: tablebase.verdict_path(material).is_some(),
        published_verdicts,
        material: material.to_string(),
        right: failure.is_none(),
        positions,
        published,
        problem: failure.as_ref().map(|failure| failure.sentence(tables)),
        failure,
    }
}

/// Checks the bytes of a file and compares it with the published one.
fn compare(material: CanonicalMaterial, tablebase: &Tablebase) -> Result<Comparison, Failure> {
    let table = tablebase.table(material)?;
    table.check(&|_| {})?;
    Ok(PUBLISHED.compare(&table, || Ok(table.hash()?.to_hex().to_string()))?)
}

fn check(
    material: CanonicalMaterial,
    tablebase: &Tablebase,
    args: &Args,
    progress: &dyn Fn(f64),
    positions: &mut u64,
) -> Result<(), Failure> {
    progress(0.1);
    if args.checksums_only {
        return Ok(());
    }
    // Reports missing tables here, with the command that makes them.
    for smaller in material.closure() {
        tablebase.table(smaller)?;
    }
    let verdict = match args.sample {
        Some(sample) => verify_sample(material, tablebase, sample)?,
        None => verify_table(material, &|material| open(tablebase, material))?,
    };
    *positions = verdict.positions;
    if verdict.is_right() {
        return Ok(());
    }
    let fault = match verdict.first {
        Some(difference) => format!(
            "{} distances differ, first {}",
            verdict.differences,
            in_words(material, &difference)
        ),
        None => "its statistics do not match its positions".to_string(),
    };
    Err(
        Failure::no(format_args!("the table of {material} is wrong ({fault})"))
            .regenerate(material),
    )
}

/// Verifies the verdict table of an ending and compares it with the published one. With `--sample`
/// only reads its blocks. None if there is none.
fn check_verdicts(
    material: CanonicalMaterial,
    tablebase: &Tablebase,
    args: &Args,
    tables: &TablesArgs,
) -> Result<Option<Comparison>, Failure> {
    let Some(path) = tablebase.verdict_path(material) else {
        return Ok(None);
    };
    let verdicts = VerdictFile::open_as(path, material, Access::Blocks)?;
    verdicts.check()?;
    // The file has just been checked.
    let entry = VerdictEntry::of_file_unless(path, material, |_| true)?;
    let comparison = PUBLISHED.compare_verdicts(material, &entry);
    if args.checksums_only || args.sample.is_some() {
        return Ok(Some(comparison));
    }
    let check = verify_verdicts(&verdicts, &|material| open(tablebase, material))?;
    if check.is_right() {
        return Ok(Some(comparison));
    }
    let fault = match check.first {
        Some(wrong) => format!(
            "{} verdicts differ, first {}",
            check.differences,
            verdict_in_words(material, &wrong)
        ),
        None => "its numbers of wins do not match its positions".to_string(),
    };
    let wrong = format!("the verdict table of {material} is wrong ({fault})");
    let command = tables.command(&format!("generate --verdicts {material}"));
    Err(Failure::no(wrong).help(format_args!(
        "delete {} and make it again with `{command}`",
        path.display()
    )))
}

/// The FEN of a position, if it is legal.
fn fen(material: CanonicalMaterial, example: &Example, turn: Color) -> String {
    match example.position(material, turn) {
        Some(position) => Fen::new(position).display(Lettering::Makruk).to_string(),
        None => "an illegal position".to_string(),
    }
}

/// A position with a wrong verdict.
fn verdict_in_words(material: CanonicalMaterial, wrong: &WrongVerdict) -> String {
    let position = fen(material, &wrong.position, wrong.turn);
    let won = match wrong.set {
        Set::Board => "won".to_string(),
        Set::InTime(rules) => format!("won inside {rules}'s count"),
    };
    let (found, expected) = match wrong.found {
        true => ("", " not"),
        false => ("not ", ""),
    };
    format!(
        "{position} is {found}{won} for {}, but by the distances it is{expected}",
        wrong.winner
    )
}

/// A position with a wrong distance.
fn in_words(material: CanonicalMaterial, difference: &Difference) -> String {
    let position = fen(material, &difference.position, difference.turn);
    let metric = match difference.metric {
        Metric::Dtm => "mate",
        _ => "honor",
    };
    let unit = match difference.metric.counts_plies(material) {
        true => "plies",
        false => "moves",
    };
    let distance = |distance: Option<u16>| match distance {
        Some(distance) => format!("{metric} in {distance} {unit}"),
        None => format!("no {metric}"),
    };
    format!(
        "{position} has {} for {}, but its moves give {}",
        distance(difference.found),
        difference.winner,
        distance(difference.expected)
    )
}

/// Opens a table separately from the tablebase.
fn open(tablebase: &Tablebase, material: CanonicalMaterial) -> Result<TableFile, TableError> {
    let path = tablebase.path(material).unwrap_or(std::path::Path::new(""));
    TableFile::open_as(path, material, Access::Blocks)
}

impl VerifiedTable {
    fn text(&self, args: &Args) -> String {
        let VerifiedTable {
            material,
            positions,
            ..
        } = self;
        let published = match self.published {
            Some(comparison) => format!("; {comparison}"),
            None => String::new(),
        };
        let verdicts = match self.published_verdicts {
            Some(comparison) => format!("; verdict table OK, {comparison}"),
            None => String::new(),
        };
        match (&self.problem, args.checksums_only) {
            (Some(problem), _) => format!("{material}: FAILED: {problem}\n"),
            (None, true) => format!("{material}: checksums OK{verdicts}{published}\n"),
            (None, false) => format!(
                "{material}: OK ({} positions){verdicts}{published}\n",
                number(*positions)
            ),
        }
    }
}
