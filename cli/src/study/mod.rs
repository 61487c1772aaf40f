//! `sakmak study`: shows which endings beat the count.

mod args;
mod collect;
mod columns;
mod details;
mod export;
mod findings;
mod found;
mod out_file;
mod promotion;
mod promotion_findings;
mod report;
mod tables;
mod words;

use sakmak::probe::line_pgn;
use sakmak::study::RECORD_RULES;

pub use self::args::Args;
use self::out_file::OutFile;
use self::report::Report;
use super::output::print;
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let format = args.format()?;
    let tablebase = common.open_tables()?;
    let materials = args.sets.materials(&tablebase)?;
    // Files are opened before the work, so that an unwritable one is reported at once.
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

/// Best play from all record positions, as PGN.
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
