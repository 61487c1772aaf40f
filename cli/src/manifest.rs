//! `sakmak manifest`: gathers the records of tables into a manifest.

use std::collections::BTreeMap;

use sakmak::directory::{MANIFEST_NAME, Origins, gather, remove_gathered};
use sakmak::table::TableKind;
use serde::Serialize;

use super::format::counted;
use super::lock::lock;
use super::output::{print, print_json};
use super::table_kind::noun;
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
    /// The number of tables of each kind, by the name of its list in the manifest.
    #[serde(flatten)]
    tables: BTreeMap<&'static str, usize>,
    /// The number of distance tables' entries taken from records.
    recorded: usize,
    /// The number of entries taken from the previous manifest.
    known: usize,
    /// The number of entries made by reading the tables.
    read: usize,
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
    let distances = gathered.origins[&TableKind::Distances];
    let tables = gathered.origins.iter();
    let tables: BTreeMap<_, _> = tables.map(|(kind, of)| (kind.list(), of.all())).collect();
    let all = tables.values().sum::<usize>() + gathered.failures.len();
    let document = Document {
        file: directory.join(MANIFEST_NAME).display().to_string(),
        tables,
        recorded: distances.recorded,
        known: distances.known,
        read: distances.read,
        problems: gathered.failures.iter().map(ToString::to_string).collect(),
    };
    match args.json {
        true => print_json(&document)?,
        false => print(&text(&document.file, &gathered.origins))?,
    }
    match gathered.failures.pop() {
        None => Ok(()),
        Some(error) => Err(Failure::from(error).among(
            document.problems.len() as u64,
            all as u64,
            "tables cannot be used",
        )),
    }
}

/// Formats the result as text: the path of the manifest, and the origins of the entries of each
/// kind of table.
fn text(file: &str, origins: &BTreeMap<TableKind, Origins>) -> String {
    let of = |(&kind, of): (&TableKind, &Origins)| {
        let tables = counted(of.all() as u64, noun(kind));
        let (recorded, known, read) = (of.recorded, of.known, of.read);
        format!("{tables} ({recorded} from records, {known} unchanged, {read} read)")
    };
    let some = origins
        .iter()
        .filter(|(kind, of)| **kind == TableKind::Distances || of.all() > 0);
    let some: Vec<String> = some.map(of).collect();
    format!("{file}: {}\n", some.join("; "))
}
