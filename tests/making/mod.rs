//! Tables for tests.
#![allow(dead_code, reason = "each user of it needs a part")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use sakmak::generate::{SolvedEndings, generate_table, generate_verdicts};
use sakmak::index::Layout;
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::probe::Tablebase;
use sakmak::published::PUBLISHED;
use sakmak::rules::RuleSets;
use sakmak::table::{BlockPacking, Metric, Packing, SectionPacking, WriteOptions};
use tempfile::TempDir;

/// The files of a directory: their names and contents.
type Files = Vec<(OsString, Vec<u8>)>;

/// Writes the tables of a set to a directory with the quickest packing, for tests that are not about
/// packing. They are generated once for all tests of a program.
pub fn make(set: &str, directory: &Path) {
    static MADE: Mutex<BTreeMap<String, Arc<OnceLock<Files>>>> = Mutex::new(BTreeMap::new());
    let slot = Arc::clone(MADE.lock().unwrap().entry(set.to_string()).or_default());
    // Other sets may be generated meanwhile.
    let files = slot.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        make_by(set, directory.path(), quick);
        let entries = fs::read_dir(directory.path()).unwrap().map(Result::unwrap);
        let read = |entry: DirEntry| (entry.file_name(), fs::read(entry.path()).unwrap());
        entries.map(read).collect()
    });
    for (name, bytes) in files {
        fs::write(directory.join(name), bytes).unwrap();
    }
}

/// Generates the tables of a set with these rule sets, as far as an ending can have them.
pub fn make_under(rules: RuleSets, set: &str, directory: &Path) {
    make_by(set, directory, |material| WriteOptions {
        rules,
        ..quick(material)
    });
}

/// Makes the tables and verdict tables of these sets with all rule sets that they can have, and
/// opens them.
pub fn make_all(sets: &[&str], directory: &Path) -> Tablebase {
    let mut solved_endings = SolvedEndings::new();
    for set in sets {
        make_under(RuleSets::ALL, set, directory);
        make_verdicts(set, directory, &mut solved_endings);
    }
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory).unwrap();
    tablebase
}

/// A directory with the verdict tables of a set for all rule sets, and no distance table.
pub fn made_verdicts(set: &str) -> TempDir {
    let directory = TempDir::new().unwrap();
    make_verdicts(set, directory.path(), &mut SolvedEndings::new());
    directory
}

fn make_verdicts(set: &str, directory: &Path, solved_endings: &mut SolvedEndings) {
    for material in parse_set(set).unwrap() {
        generate_verdicts(material, RuleSets::ALL, directory, solved_endings, &[]).unwrap();
    }
}

/// Generates the tables of a set in a directory, packed like the published tables.
pub fn make_as_published(set: &str, directory: &Path) {
    make_by(set, directory, |material| WriteOptions {
        known: PUBLISHED.packing(material),
        ..WriteOptions::of(material)
    });
}

/// A directory with these sets, packed as the published tables.
pub fn made_as_published(sets: &[&str]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for set in sets {
        make_as_published(set, directory.path());
    }
    directory
}

/// Generates the tables of a set in a directory with these options.
pub fn make_with(set: &str, directory: &Path, options: &WriteOptions) {
    make_by(set, directory, |_| options.clone());
}

fn make_by(set: &str, directory: &Path, options: impl Fn(CanonicalMaterial) -> WriteOptions) {
    let mut solved_endings = SolvedEndings::new();
    for material in parse_set(set).unwrap() {
        let options = options(material);
        generate_table(material, directory, &mut solved_endings, &options, &|_| {}).unwrap();
    }
}

/// Plain blocks at the lowest level in one order, without a search for a better one. Works for
/// endings solved through files too.
pub fn quick(material: CanonicalMaterial) -> WriteOptions {
    quick_in_blocks(material, WriteOptions::default().block_cells)
}

/// The options of [`quick`], with blocks of a given number of cells.
pub fn quick_in_blocks(material: CanonicalMaterial, cells: u32) -> WriteOptions {
    let groups = Layout::groups_of(material).len() as u8;
    let (anchor, lane, first_group, bia) = (0, 1, 2, 255);
    let mut order = match material.is_pawnless() {
        true => vec![anchor],
        false => vec![bia, anchor],
    };
    order.extend((0..groups).map(|group| first_group + group));
    order.push(lane);
    let rules = RuleSets::published(material.material());
    let known = Metric::all_of(material, RuleSets::ALL).map(|metric| SectionPacking {
        metric,
        order: order.clone(),
        packing: BlockPacking {
            kind: Packing::Plain,
            cells,
        },
    });
    WriteOptions {
        packing: Some(Packing::Plain),
        level: 1,
        block_cells: cells,
        known: known.collect(),
        rules,
        ..WriteOptions::default()
    }
}
