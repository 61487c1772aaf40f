//! `sakmak list`.

use std::collections::BTreeSet;
use std::path::Path;

use sakmak::material::{CanonicalMaterial, closure, parse_set};
use sakmak::probe::Tablebase;
use sakmak::published::Published;
use sakmak::table::{Access, ManifestEntry, TableError, TableFile, TableHashes};
use serde::Serialize;

use super::output::{print, print_json};
use super::text::{Columns, bytes, number};
use super::{Common, Failure};

/// List tables, and which of a set are missing
///
/// The checksum is the BLAKE3 hash of the file, by which tables generated on different machines are
/// compared. It is taken from manifest.json unless the file has changed since. Exit code 1: a table
/// of the set is missing; 3: a table cannot be used.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sakmak list\n  sakmak list bare-5")]
pub struct Args {
    /// What to list: KSMvK, bare-4, all-5, or several of them [default: all tables found]
    #[arg(value_name = "SET")]
    sets: Vec<String>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print checksums and summaries as JSON, as in tables/published.json
    #[arg(long, conflicts_with = "json")]
    published: bool,
}

/// What `list --json` prints.
#[derive(Serialize)]
struct Document {
    tables: Vec<Line>,
    missing: Vec<String>,
}

/// One table.
#[derive(Serialize)]
struct Line {
    material: String,
    men: usize,
    file: String,
    bytes: Option<u64>,
    blake3: Option<String>,
    /// What is wrong with it, if anything seen here is.
    problem: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let mut wanted = BTreeSet::new();
    for word in &args.sets {
        wanted.extend(closure(parse_set(word)?));
    }
    let tablebase = common.tables.open()?;
    if args.published {
        return publish(&tablebase, &wanted);
    }
    let listed = |material: &CanonicalMaterial| args.sets.is_empty() || wanted.contains(material);
    let tables = tablebase.tables().filter(|(material, _)| listed(material));
    let missing = wanted
        .iter()
        .filter(|&&material| tablebase.path(material).is_none());
    let mut hashes = TableHashes::default();
    let document = Document {
        tables: tables
            .map(|(material, path)| Line::new(material, path, &mut hashes))
            .collect(),
        missing: missing.map(ToString::to_string).collect(),
    };
    match args.json {
        true => print_json(&document)?,
        false => print(&document.text())?,
    }
    document.failure().map_or(Ok(()), Err)
}

/// Prints what is published: of the tables wanted, which must all be there, or of all there are.
fn publish(tablebase: &Tablebase, wanted: &BTreeSet<CanonicalMaterial>) -> Result<(), Failure> {
    let mut tables = Vec::new();
    let there: Vec<CanonicalMaterial> = match wanted.is_empty() {
        true => tablebase.tables().map(|(material, _)| material).collect(),
        false => wanted.iter().copied().collect(),
    };
    for material in there {
        // What is missing is told here, with the command that makes it.
        let table = tablebase.table(material)?;
        let path = table.path().unwrap_or(Path::new(""));
        tables.push((material, ManifestEntry::of_file(path)?));
    }
    match Published::new(tables).text() {
        Ok(text) => print(&text),
        Err(error) => Err(Failure::machine(format!(
            "the tables cannot be written as JSON ({error}): please report this as a fault of sakmak"
        ))),
    }
}

impl Line {
    fn new(material: CanonicalMaterial, path: &Path, hashes: &mut TableHashes) -> Line {
        let (bytes, blake3, problem) = match seen(material, path, hashes) {
            Ok((bytes, blake3)) => (Some(bytes), Some(blake3), None),
            Err(error) => {
                let bytes = std::fs::metadata(path).map(|data| data.len()).ok();
                (bytes, None, Some(error.to_string()))
            }
        };
        Line {
            material: material.to_string(),
            men: material.men(),
            file: path.display().to_string(),
            bytes,
            blake3,
            problem,
        }
    }
}

/// The bytes and the checksum of a table.
fn seen(
    material: CanonicalMaterial,
    path: &Path,
    hashes: &mut TableHashes,
) -> Result<(u64, String), TableError> {
    let table = TableFile::open_as(path, material, Access::Blocks)?;
    Ok((table.file_bytes(), hashes.of(&table)?))
}

impl Document {
    /// The failure with which the command ends after its answer: a table that cannot be used, or
    /// one that is missing.
    fn failure(&self) -> Option<Failure> {
        let unusable = self.tables.iter().filter(|line| line.problem.is_some());
        let (unusable, missing) = (unusable.count(), self.missing.len());
        let of = |n: usize, what: &str| match n {
            1 => format!("1 table {what}"),
            n => format!("{n} tables {what}"),
        };
        match (unusable, missing) {
            (0, 0) => None,
            (0, n) => Some(Failure::no(of(n, "missing"))),
            (n, _) => Some(Failure::machine(of(n, "cannot be used"))),
        }
    }

    fn text(&self) -> String {
        let mut columns = Columns::new(1, &["ending", "men", "bytes", "checksum (BLAKE3)"]);
        for line in &self.tables {
            columns.row([
                line.material.clone(),
                line.men.to_string(),
                line.bytes.map(number).unwrap_or_default(),
                line.blake3.clone().unwrap_or("cannot be used".to_string()),
            ]);
        }
        let all: u64 = self.tables.iter().filter_map(|line| line.bytes).sum();
        let mut text = match self.tables.is_empty() {
            true => "no tables\n".to_string(),
            false => format!("{columns}\n{} tables, {}\n", self.tables.len(), bytes(all)),
        };
        for problem in self
            .tables
            .iter()
            .filter_map(|line| line.problem.as_deref())
        {
            text += &format!("{problem}\n");
        }
        if !self.missing.is_empty() {
            let missing = self.missing.join(" ");
            text += &format!(
                "{} missing: {missing}\ngenerate them with `sakmak generate` and their names, or that of the set\n",
                self.missing.len()
            );
        }
        text
    }
}
