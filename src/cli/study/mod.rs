//! `sakmak study`: which endings beat the count.

mod collect;
mod columns;
mod details;
mod export;
mod findings;

mod out_file;
mod report;
mod tables;
mod words;

use std::path::PathBuf;

use sakmak::explorer::line_pgn;
use sakmak::rules::RuleSet;
use sakmak::study::RECORD_RULES;

use self::export::Format;
use self::out_file::OutFile;
use self::report::Report;
use super::output::print;
use super::set_args::SetArgs;
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};

/// Show which endings beat the count, side by side
///
/// For each ending and rule set: the share of positions won at all, won inside the count, drawn by
/// the count and drawn, with either side to move; the longest win, the longest that fits and the
/// shortest that does not; and what only looking at every position tells. That takes some seconds
/// an ending, once: the results are kept in study.json beside the tables.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak study bare-4\n  \
sakmak study KNSMvK --rules makruk\n  \
sakmak study all-5 --out report.html --pgn records.pgn\n  \
sakmak study all-4 --format csv --out study.csv")]
pub struct Args {
    #[command(flatten)]
    sets: SetArgs,
    /// The form of the report [default: by the extension of --out, else text]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Print one JSON document: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write best play from the record positions to this file, as a PGN with the count in comments
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Show only this rule set: makruk, asean or ouk
    #[arg(long, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// Skip looking at positions; report only what study.json has
    #[arg(long)]
    no_scan: bool,
    /// Link the positions of the page to the explorer at this address
    #[arg(long, value_name = "URL")]
    explorer: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let format = args.format()?;
    let tablebase = common.tables.open()?;
    let materials = args.sets.materials(&tablebase)?;
    // A file that cannot be written is reported before the work, not after.
    let out = args.out.as_deref().map(OutFile::open).transpose()?;
    let records = args.pgn.as_deref().map(OutFile::open).transpose()?;
    ThreadsArgs::default().start(common.quiet)?;
    let (report, failure) = collect::collect(&materials, &tablebase, args, common)?;
    let text = format.export(&report, args.explorer.as_deref())?;
    match out {
        Some(file) => file.write(&text)?,
        None => print(&text)?,
    }
    if let Some(file) = records {
        file.write(&pgn_of(&report))?;
    }
    failure.map_or(Ok(()), Err)
}

impl Args {
    /// The form asked for, which the name of the file must not contradict.
    fn format(&self) -> Result<Format, Failure> {
        let asked = self.format.or(self.json.then_some(Format::Json));
        let file = self.out.as_deref().and_then(Format::of_file);
        let format = match (asked, file) {
            (Some(asked), Some(file)) if asked != file => {
                let path = self.out.as_deref().unwrap_or_else(|| "".as_ref());
                return Err(Failure::input(format_args!(
                    "--format {} is not the form of a file named {}",
                    asked.name(),
                    path.display()
                ))
                .help("leave out --format, or give the file another name"));
            }
            (asked, file) => asked.or(file).unwrap_or(Format::Text),
        };
        match &self.explorer {
            Some(_) if format != Format::Html => {
                Err(Failure::input("--explorer links the boards of a page")
                    .help("give --format html or --out report.html as well"))
            }
            _ => Ok(format),
        }
    }
}

/// The lines of all record positions.
fn pgn_of(report: &Report) -> String {
    let mut text = String::new();
    for ending in &report.endings {
        for line in ending.findings.iter().flat_map(|found| &found.lines) {
            if let Some((fen, moves)) = line.replay() {
                let event = format!("{}: {}", ending.material(), line.record.kind.words());
                text += &line_pgn(&event, &fen, RECORD_RULES, &moves);
                text.push('\n');
            }
        }
    }
    text
}
