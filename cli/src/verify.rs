//! `sakmak verify`: checks tables against the rules.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sakmak::board::{Color, Fen, Lettering};
use sakmak::directory::VerdictEntry;
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::published::{Comparison, PUBLISHED};
use sakmak::statistics::Example;
use sakmak::table::{Access, Metric, TableError, TableFile, TableKind};
use sakmak::verdict::{Set, VerdictFile};
use sakmak::verify::{
    Difference, VerdictCheck, Verification, WrongVerdict, verify_sample, verify_table,
    verify_table_and_verdicts,
};
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
/// The value of a position is right if it follows from the best value that a move leads to. All
/// values are read from the files as written. Each table is also compared with the published one,
/// but a difference from it is not an error by itself. Every directory of --tables is verified.
/// Exit code 1: a value is wrong, or a table is missing; 3: a file is corrupt.
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
    /// Verify only the tables of the named endings; the tables of their subendings must exist
    #[arg(long, requires = "sets")]
    only: bool,
    /// Verify only checksums
    #[arg(long, conflicts_with = "sample")]
    checksums_only: bool,
    /// Verify a fixed sample of N positions per ending
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
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
    /// The path of the table's file. Null if no directory has the table.
    file: Option<String>,
    /// True if an earlier directory has a table of the same ending.
    #[serde(skip)]
    is_repeated: bool,
    right: bool,
    /// The number of positions compared.
    positions: u64,
    /// True if there is a verdict table, which is verified too.
    verdict_table: bool,
    /// The result of comparing the verdict table with the published one. Null if there is no
    /// verdict table, or if any fault was found.
    published_verdicts: Option<Comparison>,
    /// The result of comparing the table with the published one. Null if the table is missing or
    /// its checksums are wrong.
    published: Option<Comparison>,
    /// The fault that was found.
    problem: Option<String>,
    /// The failure that `problem` describes, with its exit code.
    #[serde(skip)]
    failure: Option<Failure>,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    ThreadsArgs::default().start(common.quiet)?;
    let directories = common.open_each_directory_first()?;
    let materials = match (args.only, directories.first()) {
        (true, _) => args.sets.named()?,
        (false, Some(tablebase)) => args.sets.materials(tablebase)?,
        (false, None) => BTreeSet::new(),
    };
    if materials.is_empty() {
        return Err(Failure::no("there are no tables to verify").generate("bare-4"));
    }
    let bar = Bar::new(common);
    let mut tables = Vec::new();
    let mut right = true;
    let files = files(&directories, &materials);
    // The time is nearly proportional to the size.
    let sizes: Vec<f64> = files.iter().map(File::size).collect();
    let all: f64 = sizes.iter().sum();
    let before = Cell::new(0.0);
    let mut intact = BTreeMap::new();
    for (file, size) in files.iter().zip(&sizes) {
        bar.say(format!("{}: verifying", file.material));
        let at = |part: f64| bar.at((before.get() + part * size) / all);
        let line = file.verify(&mut intact, args, &common.tables, &at);
        before.set(before.get() + size);
        right &= line.right;
        if !args.json {
            bar.suspend(|| print(&line.text(args)))?;
        }
        tables.push(line);
    }
    bar.finish();
    let (total, mut failed) = (tables.len() as u64, 0);
    let failures = tables.iter_mut().filter_map(|line| line.failure.take());
    let worst = failures.inspect(|_| failed += 1).max_by_key(Failure::code);
    if args.json {
        print_json(&Document { right, tables })?;
    }
    match worst {
        None => Ok(()),
        Some(failure) => Err(failure.among(failed, total, "tables are wrong or cannot be used")),
    }
}

/// Lists the files to verify, smaller endings first. The files of an ending are in the order of the
/// directories.
fn files<'a>(
    directories: &'a [Tablebase],
    materials: &BTreeSet<CanonicalMaterial>,
) -> Vec<File<'a>> {
    let mut files: Vec<File<'_>> = Vec::new();
    for &material in materials {
        let first = files.len();
        for tablebase in directories {
            let file = File {
                material,
                path: tablebase.inventory().path(material),
                verdicts: tablebase.inventory().path_of(TableKind::Verdicts, material),
                is_repeated: files.len() > first,
                tablebase,
            };
            let same =
                |known: &File<'_>| (known.path, known.verdicts) == (file.path, file.verdicts);
            if !files[first..].iter().any(same) {
                files.push(file);
            }
        }
    }
    files
}

/// A table to verify, and the verdict table of the same ending.
struct File<'a> {
    material: CanonicalMaterial,
    /// The path of the table. `None` if no directory has the table.
    path: Option<&'a Path>,
    verdicts: Option<&'a Path>,
    /// True if an earlier directory has a table of the same ending.
    is_repeated: bool,
    /// The tablebase for reading subendings, which searches the directory of this file first.
    tablebase: &'a Tablebase,
}

/// The files whose checksums are correct, by ending.
type Intact<'a> = BTreeMap<CanonicalMaterial, Vec<&'a Path>>;

impl<'a> File<'a> {
    /// The size of the table in bytes, as a measure of the expected time.
    fn size(&self) -> f64 {
        match self.path.map(std::fs::metadata) {
            Some(Ok(data)) => data.len().max(1) as f64,
            _ => 1.0,
        }
    }

    fn verify(
        &self,
        intact: &mut Intact<'a>,
        args: &Args,
        tables: &TablesArgs,
        progress: &dyn Fn(f64),
    ) -> VerifiedTable {
        let (mut positions, mut published, mut published_verdicts) = (0, None, None);
        let failure = self
            .compare(intact)
            .and_then(|comparison| {
                published = Some(comparison);
                progress(0.1);
                published_verdicts = self.check(intact, args, tables, &mut positions)?;
                Ok(())
            })
            .err();
        VerifiedTable {
            verdict_table: self.verdicts.is_some(),
            published_verdicts,
            material: self.material.to_string(),
            file: self.path.map(|path| path.display().to_string()),
            is_repeated: self.is_repeated,
            right: failure.is_none(),
            positions,
            published,
            problem: failure.as_ref().map(|failure| failure.sentence(tables)),
            failure,
        }
    }

    /// Verifies the checksums of the file, and compares the file with the published one.
    fn compare(&self, intact: &mut Intact<'a>) -> Result<Comparison, Failure> {
        let Some(path) = self.path else {
            // This call fails with an error that names the directories.
            self.tablebase.inventory().table(self.material)?;
            return Err(Failure::bug("a table has no file"));
        };
        let table = TableFile::open_as(path, self.material, Access::Blocks)?;
        table.check(&|_| {})?;
        intact.entry(self.material).or_default().push(path);
        Ok(PUBLISHED.compare(&table, || table.hash())?)
    }

    /// Opens this table or the table of a subending from its file, bypassing the tablebase. Prefers
    /// files whose checksums are correct.
    fn open(
        &self,
        material: CanonicalMaterial,
        intact: &Intact<'_>,
    ) -> Result<TableFile, TableError> {
        let beside = self.tablebase.inventory().path(material);
        let path = match intact.get(&material) {
            _ if material == self.material => self.path,
            Some(paths) if beside.is_some_and(|path| paths.contains(&path)) => beside,
            Some(paths) => paths.first().copied(),
            None => self
                .tablebase
                .inventory()
                .path_in_use(TableKind::Distances, material),
        };
        TableFile::open_as(path.unwrap_or(Path::new("")), material, Access::Blocks)
    }

    /// Verifies the positions of the table and of the verdict table; with `--sample`, only a sample
    /// of the table. Returns how the verdict table, if there is one, compares with the published
    /// one.
    fn check(
        &self,
        intact: &Intact<'_>,
        args: &Args,
        tables: &TablesArgs,
        positions: &mut u64,
    ) -> Result<Option<Comparison>, Failure> {
        let (material, tablebase) = (self.material, self.tablebase);
        // A fault of the verdict table is reported after one of the table.
        let verdicts = self.open_verdicts();
        let comparison =
            |verdicts: Option<(VerdictFile, Comparison)>| verdicts.map(|found| found.1);
        if args.checksums_only {
            return verdicts.map(comparison);
        }
        // A missing table is reported here, together with the command that makes it.
        for smaller in material.closure() {
            tablebase.inventory().table(smaller)?;
        }
        let source = |material| self.open(material, intact);
        let (verification, check) = match (args.sample, &verdicts) {
            (Some(sample), _) => (verify_sample(material, tablebase, sample)?, None),
            (None, Ok(Some((verdicts, _)))) => {
                let (verification, check) = verify_table_and_verdicts(verdicts, &source)?;
                (verification, Some(check))
            }
            (None, _) => (verify_table(material, &source)?, None),
        };
        *positions = verification.positions;
        if !verification.is_right() {
            return Err(wrong_table(material, &verification));
        }
        let verdicts = verdicts?;
        match (check.transpose()?, self.verdicts) {
            (Some(check), Some(path)) if !check.is_right() => {
                Err(wrong_verdicts(material, &check, path, tables))
            }
            _ => Ok(comparison(verdicts)),
        }
    }

    /// Opens the verdict table, checks its checksums, and compares it with the published one.
    /// `None` if there is no verdict table.
    fn open_verdicts(&self) -> Result<Option<(VerdictFile, Comparison)>, Failure> {
        let material = self.material;
        let Some(path) = self.verdicts else {
            return Ok(None);
        };
        let verdicts = VerdictFile::open_as(path, material, Access::Blocks)?;
        verdicts.check()?;
        // Its blocks have just been checked, so they are not read again.
        let entry = VerdictEntry::of_file_unless(path, material, |_| true)?;
        let comparison = PUBLISHED.compare_verdicts(material, &entry);
        Ok(Some((verdicts, comparison)))
    }
}

/// The failure for a table with wrong distances or statistics.
fn wrong_table(material: CanonicalMaterial, verification: &Verification) -> Failure {
    let fault = match &verification.first {
        Some(difference) => format!(
            "{} distances differ, first {}",
            verification.differences,
            in_words(material, difference)
        ),
        None => "its statistics do not match its positions".to_string(),
    };
    Failure::no(format_args!("the table of {material} is wrong ({fault})")).regenerate(material)
}

/// The failure for a verdict table with wrong verdicts or numbers.
fn wrong_verdicts(
    material: CanonicalMaterial,
    check: &VerdictCheck,
    path: &Path,
    tables: &TablesArgs,
) -> Failure {
    let fault = match &check.first {
        Some(wrong) => format!(
            "{} verdicts differ, first {}",
            check.differences,
            verdict_in_words(material, wrong)
        ),
        None => "its numbers of wins do not match its positions".to_string(),
    };
    let wrong = format!("the verdict table of {material} is wrong ({fault})");
    let command = tables.command(&format!("generate --verdicts {material}"));
    Failure::no(wrong).help(format_args!(
        "delete {} and make it again with `{command}`",
        path.display()
    ))
}

/// The FEN of an example position, or a note that the position is illegal.
fn fen(material: CanonicalMaterial, example: &Example, turn: Color) -> String {
    match example.position(material, turn) {
        Some(position) => Fen::new(position).display(Lettering::Makruk).to_string(),
        None => "an illegal position".to_string(),
    }
}

/// Describes a position with a wrong verdict.
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
        "{position} is stored as {found}{won} for {}, but by the distances it is{expected}",
        wrong.winner
    )
}

/// Describes a position with a wrong distance.
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
        "{position} is stored with {} for {}, but the results after its moves give {}",
        distance(difference.found),
        difference.winner,
        distance(difference.expected)
    )
}

impl VerifiedTable {
    fn text(&self, args: &Args) -> String {
        let VerifiedTable { positions, .. } = self;
        let material = match &self.file {
            Some(file) if self.is_repeated => file,
            _ => &self.material,
        };
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
