//! `sakmak study`: shows which endings beat the count.

mod args;
mod collect;
mod out_file;

use sakmak::probe::line_pgn;
use sakmak_study::report::{Extras, Report};

pub use self::args::Args;
use self::out_file::OutFile;
use super::output::print;
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};

/// The advice below a report that leaves details out.
const MORE: &str = "To see more about one or a few endings, name them: sakmak study KNSMvK. To see everything on one page: sakmak study --out report.html.";

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let format = args.format()?;
    let tablebase = common.open_tables()?;
    let materials = match args.rules {
        Some(rules) => args.sets.materials_in(rules.game(), &tablebase)?,
        None => args.sets.materials(&tablebase)?,
    };
    // Files are opened before the work, so that an unwritable one is reported at once.
    let out = args.out.as_deref().map(OutFile::open).transpose()?;
    let records = args.pgn.as_deref().map(OutFile::open).transpose()?;
    if let (Some(out), Some(records)) = (&out, &records)
        && out.is_same(records)
    {
        return Err(Failure::input("--out and --pgn name the same file")
            .help("give one of them another name"));
    }
    ThreadsArgs::default().start(common.quiet)?;
    let (report, failure) = collect::collect(&materials, &tablebase, args, common)?;
    let extras = Extras {
        explorer: args.explorer.as_deref(),
        more: Some(MORE),
    };
    let text = format.export(&report, extras)?;
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
                text += &line_pgn(&event, &fen, line.record.rules, &moves);
                text.push('\n');
            }
        }
    }
    text
}
