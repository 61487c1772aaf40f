//! `sakmak manifest`.

use sakmak::table::{MANIFEST_NAME, Manifest, gather};
use sakmak::verdict;
use serde::Serialize;

use super::format::counted;
use super::generate::lock;
use super::output::{print, print_json};
use super::{Common, Failure};

/// Write manifest.json from the records of the tables
///
/// Jobs with `generate --only` leave a record beside each table and write no manifest, so that any
/// number of them may work in one directory. Tables without a record are read. Run it when the jobs
/// are done; another run does no harm. Exit code 3: a table cannot be read.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sakmak manifest\n  sakmak manifest --tables /shared/tables")]
pub struct Args {
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What `manifest --json` prints.
#[derive(Serialize)]
struct Document {
    file: String,
    tables: usize,
    /// The tables whose entries are from their records, from the manifest of before, and from the
    /// files themselves.
    recorded: usize,
    known: usize,
    read: usize,
    verdict_tables: usize,
    /// What is wrong with tables that are not in it.
    problems: Vec<String>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let directory = common.directories()?.swap_remove(0);
    // Not created: what is asked for is a manifest of tables that exist.
    if !directory.is_dir() {
        return Err(Failure::no(format_args!(
            "there is no directory {}",
            directory.display()
        ))
        .generate("bare-4"));
    }
    let _lock = lock(&directory, common)?;
    let before = Manifest::load(&directory)?;
    let mut gathered = gather(&directory)?;
    let failures = verdict::gather(&directory, &before, &mut gathered.manifest)?;
    gathered.failures.extend(failures);
    gathered.manifest.save(&directory)?;
    let document = Document {
        file: directory.join(MANIFEST_NAME).display().to_string(),
        tables: gathered.manifest.tables().count(),
        recorded: gathered.recorded,
        known: gathered.known,
        read: gathered.read,
        verdict_tables: gathered.manifest.verdict_tables().count(),
        problems: gathered.failures.iter().map(ToString::to_string).collect(),
    };
    match args.json {
        true => print_json(&document)?,
        false => print(&document.text())?,
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
    fn text(&self) -> String {
        let verdicts = match self.verdict_tables {
            0 => String::new(),
            n => format!("; {}", counted(n as u64, "verdict table")),
        };
        format!(
            "{}: {}, {} by their records, {} as before, {} read{verdicts}\n",
            self.file,
            counted(self.tables as u64, "table"),
            self.recorded,
            self.known,
            self.read
        )
    }
}
