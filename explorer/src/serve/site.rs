//! Writes the explorer as static files, for plain file servers. In place of the API, the page uses
//! a reader in WebAssembly, which fetches parts of the tables.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

use super::embedded_answers::{Known, START};
use super::ending_pages::{self, Catalogue};
use super::preview::{self, Pictures};
use super::{endings, page, picture};
use crate::{PuzzleSearch, Question, QuestionKind, Refusal, json};
use sakmak::directory::TableHashes;
use sakmak::internals::{AtomicFile, open_regular_file, write_atomically};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::RuleSet;
use sakmak::table::{Access, Container, TableKind};
use sakmak::with_summary;
use sakmak_play::find::Theme;

/// The maximum number of puzzles in each file of puzzles.
const PUZZLES: usize = 40;

/// The maximum number of cells that the search for puzzles examines in a table. It is enough for
/// all cells of an ending with four men. A time limit would give different sites on different
/// machines.
const PUZZLE_CELLS: u64 = 1 << 24;

/// The reason why a site cannot be written.
#[derive(Debug, Error)]
pub enum SiteError {
    /// A table is missing or cannot be used.
    #[error(transparent)]
    Table(#[from] ProbeError),
    /// A document cannot be made.
    #[error("{0}")]
    Document(String),
    /// A file of the site cannot be written.
    #[error("{} cannot be written ({source})", path.display())]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

impl From<Refusal> for SiteError {
    fn from(refusal: Refusal) -> SiteError {
        SiteError::Document(refusal.private.unwrap_or(refusal.message))
    }
}

/// The data about the tables that the page's reader needs before it fetches any table.
#[derive(Serialize)]
struct Manifest {
    /// The tables by the name of their list and by ending.
    #[serde(flatten)]
    lists: BTreeMap<&'static str, BTreeMap<String, Entry>>,
}

#[derive(Serialize)]
struct Entry {
    /// The address of the table relative to the page. Each version of a table has its own address,
    /// so that caches never confuse them.
    url: String,
    bytes: u64,
}

/// Writes the explorer to a directory: the page, these tables, and the reader built by
/// `explorer/web/wasm/build`. Each file is replaced atomically, and the page comes last. Other files in the
/// directory are not changed. Returns the total length of the tables in bytes.
///
/// `address` is the address of the site, with a final slash. If it is given, the pages have
/// pictures for link previews, which require complete addresses.
///
/// # Errors
///
/// If a table is missing or cannot be used, or a file cannot be written.
pub fn write_site(
    tablebase: &Tablebase,
    materials: impl IntoIterator<Item = CanonicalMaterial>,
    reader: &[u8],
    address: Option<&str>,
    directory: &Path,
) -> Result<u64, SiteError> {
    let pictures = address.map_or(Pictures::Unknown, Pictures::Files);
    let mut hashes = TableHashes::default();
    let mut tables = BTreeMap::new();
    // The page needs the list of distance tables, even an empty one.
    let mut manifest = Manifest {
        lists: [(TableKind::Distances.list(), BTreeMap::new())].into(),
    };
    let tables_directory = directory.join("tables");
    for directory in [
        &tables_directory,
        &directory.join("v1/endings"),
        &directory.join("v1/puzzles"),
    ] {
        fs::create_dir_all(directory).map_err(|source| cannot(directory, source))?;
    }
    for material in materials {
        let mut found = false;
        // The page needs the verdict table only where distances are missing. Other readers may need
        // it anywhere.
        for kind in TableKind::ALL {
            let Some(path) = tablebase.inventory().path_in_use(kind, material) else {
                continue;
            };
            found = true;
            let (hash, bytes) = with_summary!(kind, S => {
                let table = Container::open_as(path, material, Access::Blocks);
                let table = table.map_err(ProbeError::from)?;
                (hashes.of::<S>(&table), table.file_bytes())
            });
            let name = kind.file_name(material);
            let entry = Entry::new(&name, &hash.map_err(ProbeError::from)?, bytes);
            let list = manifest.lists.entry(kind.list()).or_default();
            list.insert(material.to_string(), entry);
            put(path, &tables_directory.join(name))?;
        }
        if found && tablebase.inventory().path(material).is_none() {
            continue;
        }
        let bytes = tablebase.inventory().table(material)?.file_bytes();
        // This call reports a fault in the table's header.
        tablebase.inventory().statistics(material)?;
        let figures = endings::figures(tablebase, material, Some(bytes))?;
        write(directory, &format!("v1/endings/{material}.json"), &figures)?;
        tables.insert(material, bytes);
    }
    let list = tables.iter().map(|(&material, &bytes)| (material, bytes));
    let listed = endings::listed(list)?;
    write(directory, "v1/endings.json", &listed)?;
    for (path, puzzles) in puzzles(tablebase, tables.keys().copied())? {
        write(directory, &path, puzzles)?;
    }
    let catalogue = Catalogue::new(tablebase, tables.keys().copied());
    for (path, text) in ending_pages::files(&catalogue, tablebase, pictures) {
        write(directory, &path, text)?;
    }
    let start = Question::parse(QuestionKind::Explore, &format!("fen={START}"))?;
    if address.is_some() {
        write(
            directory,
            &preview::PATH[1..],
            picture::of(tablebase, &start)?,
        )?;
        for (material, figures) in &catalogue.endings {
            let Some(fen) = figures.hardest() else {
                continue;
            };
            let path = preview::ending_path(&material.to_string());
            let shown = Question {
                played: None,
                fen: *fen,
                rules: RuleSet::Makruk,
                count: None,
                limit: None,
            };
            write(directory, &path, picture::of(tablebase, &shown)?)?;
        }
    }
    let manifest = json(&manifest)?;
    write(directory, "v1/manifest.json", &manifest)?;
    write(directory, "sakmak.wasm", reader)?;
    let mut known = Known::default();
    known.explore(tablebase, &start);
    known.add("/v1/endings", listed);
    let edition = format!("{manifest}{}", blake3::hash(reader));
    for (path, text) in page::static_files(&edition, &known, pictures) {
        write(directory, path, text)?;
    }
    Ok(tables.values().sum())
}

/// Makes the files of puzzles, one for each ending, rule set and theme. The searches run in
/// parallel.
fn puzzles(
    tablebase: &Tablebase,
    materials: impl Iterator<Item = CanonicalMaterial>,
) -> Result<Vec<(String, String)>, SiteError> {
    let mut searches = Vec::new();
    for material in materials {
        let found = tablebase.inventory().table(material)?.rule_sets();
        let bia = !material.is_pawnless();
        let themes = Theme::ALL.into_iter().filter(|_| bia).map(Some);
        for (theme, rules) in std::iter::once(None)
            .chain(themes)
            .flat_map(|theme| RuleSet::ALL.map(|rules| (theme, rules)))
        {
            let theme_name = theme.map_or(String::new(), |theme| format!(".{}", theme.name()));
            let path = format!("v1/puzzles/{material}.{rules}{theme_name}.json");
            let search = PuzzleSearch::new(material, rules, PUZZLES, 1);
            // A table without results for the rule set has no puzzles.
            let search = found
                .contains(rules)
                .then(|| search.of_theme(theme, PUZZLE_CELLS));
            searches.push((path, search));
        }
    }
    let lines = |(path, search): (String, Option<PuzzleSearch>)| {
        let lines = match search {
            Some(search) => search.search(tablebase, || true)?.0,
            None => String::new(),
        };
        Ok((path, lines))
    };
    searches.into_par_iter().map(lines).collect()
}

/// Writes a file, and creates its folder if necessary.
fn write(directory: &Path, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), SiteError> {
    let path = directory.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| cannot(folder, source))?;
    }
    write_atomically(&path, bytes.as_ref()).map_err(|source| cannot(&path, source))
}

impl Entry {
    /// Makes the entry of a table from its name, hash and length.
    fn new(name: &str, hash: &str, bytes: u64) -> Entry {
        let url = format!("tables/{name}?{}", &hash[..8]);
        Entry { url, bytes }
    }
}

/// Copies a table into the site.
fn put(from: &Path, to: &Path) -> Result<(), SiteError> {
    let copy = || {
        let mut copy = AtomicFile::create(to)?;
        io::copy(&mut open_regular_file(from)?, &mut copy)?;
        copy.commit()
    };
    copy().map_err(|source| cannot(to, source))
}

fn cannot(path: &Path, source: io::Error) -> SiteError {
    SiteError::Write {
        path: path.to_path_buf(),
        source,
    }
}
