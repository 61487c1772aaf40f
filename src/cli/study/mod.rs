//! `sakmak study`: which endings beat the count.

mod findings;
mod flat;
mod gather;
mod html;
mod output;
mod sections;
mod svg;
mod tables;

use std::collections::BTreeSet;
use std::path::PathBuf;

use sakmak::material::{CanonicalMaterial, closure, parse_set};
use sakmak::rules::RuleSet;
use sakmak::study::{EndingStudy, Findings};

use self::output::OutFile;
use super::output::print;
use super::{Common, Failure, pgn};

/// Which endings beat the count: all of them, side by side
///
/// For each ending and rule set the share of positions that are won at all, won inside the count,
/// drawn by the count and drawn, with either side to move; the longest win, the longest that fits
/// and the shortest that does not; and what only a look at every position tells. That look takes
/// some seconds for an ending and is taken once: what it told is kept in study.json beside the
/// tables.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak study bare-4\n  \
sakmak study KNSMvK --rules makruk\n  \
sakmak study all-5 --format html --out report.html --pgn records.pgn\n  \
sakmak study all-4 --format csv --out study.csv")]
pub struct Args {
    /// What to study: KSMvK, bare-4, all-5, or several; without one, all tables there are
    #[arg(value_name = "SET")]
    sets: Vec<String>,
    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print one JSON document, as --format json does
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write best play from the record positions to this file, as a PGN with the count in comments
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Show only this rule set: makruk, asean or ouk
    #[arg(long, value_name = "RULES", value_parser = super::rules)]
    rules: Option<RuleSet>,
    /// Look at no positions: leave out what has not been found before
    #[arg(long)]
    no_scan: bool,
}

/// The forms of the report.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Tables for the terminal
    Text,
    /// Markdown
    Md,
    /// One line for each ending, rule set, winner and side to move
    Csv,
    /// One JSON document
    Json,
    /// One page with boards and charts, without anything from the network
    Html,
}

/// What there is to report.
struct Report {
    endings: Vec<Ending>,
    missing: Vec<Missing>,
    rules: Vec<RuleSet>,
}

/// One ending.
struct Ending {
    study: EndingStudy,
    findings: Option<Findings>,
}

/// An ending that could not be studied.
#[derive(serde::Serialize)]
struct Missing {
    material: String,
    why: String,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let mut wanted = BTreeSet::new();
    for word in &args.sets {
        wanted.extend(closure(parse_set(word)?));
    }
    // A file that cannot be written is told before the work, not after.
    let out = args.out.as_deref().map(OutFile::open).transpose()?;
    let records = args.pgn.as_deref().map(OutFile::open).transpose()?;
    let tablebase = common.tables.open()?;
    if args.sets.is_empty() {
        wanted = tablebase.tables().map(|(material, _)| material).collect();
    }
    let materials: Vec<CanonicalMaterial> = wanted.into_iter().collect();
    let (report, failure) = gather::gather(&materials, &tablebase, args, common)?;
    let text = match if args.json { Format::Json } else { args.format } {
        Format::Text => sections::text(&report),
        Format::Md => sections::markdown(&report),
        Format::Csv => flat::csv(&report),
        Format::Json => flat::json(&report)?,
        Format::Html => html::page(&report),
    };
    match out {
        Some(file) => file.write(&text)?,
        None => print(&text)?,
    }
    if let Some(file) = records {
        file.write(&pgn_of(&report))?;
    }
    failure.map_or(Ok(()), Err)
}

/// The lines of all record positions.
fn pgn_of(report: &Report) -> String {
    let mut text = String::new();
    for ending in &report.endings {
        for line in ending.findings.iter().flat_map(|found| &found.lines) {
            if let Some((fen, moves)) = line.replay() {
                let event = format!("{}: {}", ending.study.material, line.record.kind.words());
                text += &pgn::titled(&event, &fen, sakmak::study::RECORD_RULES, &moves);
                text.push('\n');
            }
        }
    }
    text
}
