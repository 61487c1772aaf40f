//! `sakmak manifest`: gathers the records of tables into a manifest.

use sakmak::directory::{
    DistanceSummary, MANIFEST_NAME, Origins, VerdictSummary, gather, remove_gathered,
};
use serde::Serialize;

use super::format::counted;
use super::lock::lock;
use super::output::{print, print_json};
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};

/// Write manifest.json from the records of the tables
///
/// Jobs of `generate --only` write a record beside each table but no manifest, so that any number
/// of jobs may share one directory. Run this command when the jobs are done; running it again does
/// no harm. The records are then removed. A table without a record is read completely. With several directories, the manifest is
/// written for the first one only, the directory of new tables. Exit code 3: a table cannot be
/// read.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sakmak manifest\n  sakmak manifest --tables /shared/tables")]
pub struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// The output of `manifest --json`.
#[derive(Serialize)]
struct Document {
    file: String,
    tables: usize,
    /// The number of entries taken from records.
    recorded: usize,
    /// The number of entries taken from the previous manifest.
    known: usize,
    /// The number of entries made by reading the tables.
    read: usize,
    verdict_tables: usize,
    /// The faults of the tables that are left out.
    problems: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let directory = common.directories()?.swap_remove(0);
    // A missing directory is not created, because a manifest describes existing tables.
    if !directory.is_dir() {
        return Err(Failure::no(format_args!(
            "there is no directory {}",
            directory.display()
        ))
        .generate("bare-4"));
    }
    // A table without a record is checked with several threads.
    ThreadsArgs::default().start(common.quiet)?;
    let _lock = lock(&directory, common)?;
    let mut gathered = gather(&directory)?;
    gathered.manifest.save(&directory)?;
    remove_gathered(&directory, &gathered.manifest)?;
    let document = Document {
        file: directory.join(MANIFEST_NAME).display().to_string(),
        tables: gathered.manifest.all::<DistanceSummary>().len(),
        recorded: gathered.tables.recorded,
        known: gathered.tables.known,
        read: gathered.tables.read,
        verdict_tables: gathered.manifest.all::<VerdictSummary>().len(),
        problems: gathered.failures.iter().map(ToString::to_string).collect(),
    };
    match args.json {
        true => print_json(&document)?,
        false => print(&document.text(gathered.verdict_tables))?,
    }
    match gathered.failures.pop() {
        None => Ok(()),
        Some(error) => Err(Failure::from(error).among(
            document.problems.len() as u64,
            (document.tables + document.verdict_tables + document.problems.len()) as u64,
            "tables cannot be used",
        )),
    }
}

impl Document {
    /// Formats the result as text. `verdicts` counts the verdict tables' entries by origin.
    fn text(&self, verdicts: Origins) -> String {
        let of = |tables: usize, noun, from: Origins| {
            format!(
                "{} ({} from records, {} unchanged, {} read)",
                counted(tables as u64, noun),
                from.recorded,
                from.known,
                from.read
            )
        };
        let distances = Origins {
            recorded: self.recorded,
            known: self.known,
            read: self.read,
        };
        let mut text = format!("{}: {}", self.file, of(self.tables, "table", distances));
        if self.verdict_tables > 0 {
            text += "; ";
            text += &of(self.verdict_tables, "verdict table", verdicts);
        }
        text + "\n"
    }
}
