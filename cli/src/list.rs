//! `sakmak list`: lists existing and missing tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sakmak::directory::{Entry, Listed, ManifestEntry, TableHashes};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::published::Published;
use sakmak::rules::RuleSets;
use sakmak::table::{Access, Container, TableError, TableKind};
use sakmak::verdict::VerdictFile;
use sakmak::with_summary;
use serde::Serialize;

use super::format::{Columns, bytes, counted, number};
use super::output::{print, print_json};
use super::set_args::SetArgs;
use super::table_kind::{noun, option};
use super::tables_args::TablesArgs;
use super::{Common, Failure};

/// List existing tables, and the missing tables of a set
///
/// The checksum is the BLAKE3 hash of the file: compare it to find out whether tables from two
/// machines are identical. It is taken from manifest.json unless the file has changed since the
/// manifest was written. For verdict tables, only their count and total size are printed; --json
/// includes their checksums. If several directories have a table of an ending, the one that probes
/// read is listed. Exit code 1: a distance table of the set is missing; 3: a table cannot be used.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  sakmak list\n  sakmak list bare-5")]
pub struct Args {
    #[command(flatten)]
    sets: SetArgs,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print checksums and summaries as JSON, in the format of tables/published.json
    #[arg(long, conflicts_with = "json")]
    published: bool,
}

/// The output of `list --json`.
#[derive(Default, Serialize)]
struct Document {
    /// The tables of each kind, by the name of their list.
    #[serde(flatten)]
    lists: BTreeMap<&'static str, Vec<ListedTable>>,
    /// The endings of the set that have no distance table.
    missing: Vec<String>,
}

/// One listed table.
#[derive(Serialize)]
struct ListedTable {
    material: String,
    men: usize,
    file: String,
    bytes: Option<u64>,
    blake3: Option<String>,
    /// The rule sets for which this table, or the same ending's table in another directory, has
    /// results.
    rule_sets: Option<RuleSets>,
    /// The reason why the table cannot be used. `None` if no fault was found.
    problem: Option<String>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let tablebase = common.reporting_replaced(common.open_tables_by_blocks()?);
    let wanted = args.sets.materials(&tablebase)?;
    if args.published {
        return publish(&tablebase, &wanted);
    }
    let mut hashes = TableHashes::default();
    let mut document = Document::default();
    for kind in TableKind::ALL {
        let inventory = tablebase.inventory();
        let mut found = inventory.materials_of(kind);
        found.retain(|material| args.sets.is_all() || wanted.contains(material));
        let line = |material| {
            let path = inventory.path_in_use(kind, material)?;
            let seen = with_summary!(kind, S => size_and_hash::<S>(material, path, &mut hashes));
            let all = inventory.rule_sets_of(kind, material).ok().flatten();
            Some(ListedTable::new(material, path, seen, all, &common.tables))
        };
        let lines = found.into_iter().filter_map(line).collect();
        document.lists.insert(kind.list(), lines);
    }
    let missing = |material: &&CanonicalMaterial| tablebase.inventory().path(**material).is_none();
    let missing = wanted.iter().filter(missing);
    document.missing = missing.map(ToString::to_string).collect();
    match args.json {
        true => print_json(&document)?,
        false => print(&document.text(&common.tables))?,
    }
    document.failure().map_or(Ok(()), Err)
}

/// Prints the entries of `tables/published.json` for the tables and verdict tables of these
/// endings. Fails if a distance table is missing.
fn publish(tablebase: &Tablebase, wanted: &BTreeSet<CanonicalMaterial>) -> Result<(), Failure> {
    let mut tables = Vec::new();
    for &material in wanted {
        let table = tablebase.inventory().table(material)?;
        let entry = ManifestEntry::of_file(table.path().unwrap_or(Path::new("")), material)?;
        tables.push((table, entry));
    }
    let mut verdict_tables = Vec::new();
    for &material in wanted {
        if let Some(path) = tablebase
            .inventory()
            .path_in_use(TableKind::Verdicts, material)
        {
            let codings = VerdictFile::open_as(path, material, Access::Blocks)?.codings()?;
            verdict_tables.push((material, Entry::of_file(path, material)?, codings));
        }
    }
    match Published::new(tables, verdict_tables).text() {
        Ok(text) => print(&text),
        Err(error) => Err(Failure::bug(format_args!(
            "the tables cannot be written as JSON ({error})"
        ))),
    }
}

impl ListedTable {
    fn new(
        material: CanonicalMaterial,
        path: &Path,
        seen: Result<SizeAndHash, TableError>,
        rule_sets: Option<RuleSets>,
        tables: &TablesArgs,
    ) -> ListedTable {
        let (bytes, blake3, rule_sets, problem) = match seen {
            Ok(seen) => (Some(seen.bytes), Some(seen.blake3), rule_sets, None),
            Err(error) => {
                let bytes = std::fs::metadata(path).map(|data| data.len()).ok();
                let problem = Failure::from(error).sentence(tables);
                (bytes, None, None, Some(problem))
            }
        };
        ListedTable {
            material: material.to_string(),
            men: material.men(),
            file: path.display().to_string(),
            bytes,
            blake3,
            rule_sets,
            problem,
        }
    }
}

/// Lists the tables that lack a rule set possible for their ending. Tables with the same rule sets
/// share a line. The last line is the command that generates the missing rule sets.
fn lacking(kind: TableKind, lines: &[ListedTable], tables: &TablesArgs) -> String {
    let mut by_rules: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for line in lines {
        let possible = line.material.parse::<CanonicalMaterial>();
        if let (Some(found), Ok(material)) = (line.rule_sets, possible)
            && found.lacking(material.material()).next().is_some()
        {
            let of_rules = by_rules.entry(found.to_string()).or_default();
            of_rules.push(&line.material);
        }
    }
    let line = |(rules, names): (&String, &Vec<&str>)| {
        format!(
            "{}s with results for {rules} only: {}\n",
            noun(kind),
            names.join(" ")
        )
    };
    let mut text: String = by_rules.iter().map(line).collect();
    let names: Vec<&str> = by_rules.into_values().flatten().collect();
    if !names.is_empty() {
        let command = tables.command(&format!("generate {}{}", names.join(" "), option(kind)));
        text += &format!("generate the other rule sets with `{command}`\n");
    }
    text
}

/// The size and the hash of a readable table.
struct SizeAndHash {
    bytes: u64,
    blake3: String,
}

/// Opens a table and returns its size and hash. Fails if the table is unusable.
fn size_and_hash<S: Listed>(
    material: CanonicalMaterial,
    path: &Path,
    hashes: &mut TableHashes,
) -> Result<SizeAndHash, TableError> {
    let table = Container::open_as(path, material, Access::Blocks)?;
    Ok(SizeAndHash {
        bytes: table.file_bytes(),
        blake3: hashes.of::<S>(&table)?,
    })
}

impl Document {
    /// The listed tables of one kind.
    fn of(&self, kind: TableKind) -> &[ListedTable] {
        self.lists.get(kind.list()).map_or(&[], Vec::as_slice)
    }

    /// All listed tables, of all kinds.
    fn all(&self) -> impl Iterator<Item = &ListedTable> {
        TableKind::ALL.into_iter().flat_map(|kind| self.of(kind))
    }

    /// The failure to report at the end, for unusable tables or, if there are none, for missing
    /// tables.
    fn failure(&self) -> Option<Failure> {
        let unusable = self.all().filter(|line| line.problem.is_some());
        let (unusable, missing) = (unusable.count(), self.missing.len());
        let of = |n: usize, what: &str| format!("{} {what}", counted(n as u64, "table"));
        match (unusable, missing) {
            (0, 0) => None,
            (0, n) => Some(Failure::no(of(n, "missing"))),
            (n, _) => Some(Failure::machine(of(n, "cannot be used"))),
        }
    }

    fn text(&self, tables: &TablesArgs) -> String {
        let mut columns = Columns::new(1, &["ending", "men", "bytes", "checksum (BLAKE3)"]);
        let distances = self.of(TableKind::Distances);
        for line in distances {
            columns.row([
                line.material.clone(),
                line.men.to_string(),
                line.bytes.map(number).unwrap_or_default(),
                line.blake3.clone().unwrap_or("cannot be used".to_string()),
            ]);
        }
        let summary = |kind| {
            let lines = self.of(kind);
            let all: u64 = lines.iter().filter_map(|line| line.bytes).sum();
            let tables = counted(lines.len() as u64, noun(kind));
            format!("{tables}, {}\n", bytes(all))
        };
        let mut text = match distances.is_empty() {
            true if self.all().next().is_none() => "no tables\n".to_string(),
            true => "no distance tables\n".to_string(),
            false => format!("{columns}\n{}", summary(TableKind::Distances)),
        };
        for kind in TableKind::ALL {
            if kind != TableKind::Distances && !self.of(kind).is_empty() {
                text += &summary(kind);
            }
        }
        let is_alone = |line: &&ListedTable| {
            let mut tables = distances.iter();
            !tables.any(|table| table.material == line.material)
        };
        let alone = self.of(TableKind::Verdicts).iter().filter(is_alone);
        let alone: Vec<&str> = alone.map(|line| &*line.material).collect();
        if !alone.is_empty() {
            text += &format!("verdicts without distances: {}\n", alone.join(" "));
        }
        for kind in TableKind::ALL {
            text += &lacking(kind, self.of(kind), tables);
        }
        for problem in self.all().filter_map(|line| line.problem.as_deref()) {
            text += &format!("{problem}\n");
        }
        if !self.missing.is_empty() {
            let missing = self.missing.join(" ");
            let command = tables.command(&format!("generate {missing}"));
            text += &format!(
                "{} missing: {missing}\ngenerate them with `{command}`\n",
                self.missing.len()
            );
        }
        text
    }
}
