//! The edition of a server: a hash of the files that it answers from. The HTTP tags of answers
//! depend on it.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use sakmak::directory::{Listed, Manifest, Stamp};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;
use sakmak::rules::RuleSets;
use sakmak::table::TableKind;
use sakmak::with_summary;

/// The files of the tables as they were when the server started.
#[derive(Debug)]
pub struct Edition {
    /// A hash of the identities of all tables' files and of the program's version.
    pub hash: blake3::Hash,
    /// The file of each table, by kind and ending.
    by_kind: BTreeMap<TableKind, BTreeMap<CanonicalMaterial, TableOnDisk>>,
}

/// The file of one table.
#[derive(Debug)]
pub struct TableOnDisk {
    /// The path of the file.
    pub path: PathBuf,
    /// The length of the file, in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the file, if the directory's manifest has it.
    pub blake3: Option<String>,
    /// The table's rule sets, if the directory's manifest has them.
    pub rule_sets: Option<RuleSets>,
    /// The strong HTTP tag of the file as it was when the server started.
    tag: String,
    /// The stamp of the file as it was when the server started.
    stamp: Stamp,
    /// A text that distinguishes this file from others. It is hashed into the edition.
    identity: String,
}

impl Edition {
    /// Inspects the files of all tables. A file is identified by its length, its modification time
    /// and, if its directory's manifest has a valid entry for it, its hash.
    pub fn new(tablebase: &Tablebase) -> Edition {
        let mut manifests = BTreeMap::new();
        let mut hasher = blake3::Hasher::new();
        hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
        let mut by_kind = BTreeMap::new();
        for kind in TableKind::ALL {
            let tables = with_summary!(kind, S => files::<S>(kind, tablebase, &mut manifests));
            for table in tables.values() {
                hasher.update(table.identity.as_bytes());
            }
            by_kind.insert(kind, tables);
        }
        Edition {
            hash: hasher.finalize(),
            by_kind,
        }
    }

    /// The files of the tables of one kind.
    pub fn tables(&self, kind: TableKind) -> &BTreeMap<CanonicalMaterial, TableOnDisk> {
        &self.by_kind[&kind]
    }

    /// The files of the distance tables.
    pub fn distances(&self) -> &BTreeMap<CanonicalMaterial, TableOnDisk> {
        self.tables(TableKind::Distances)
    }
}

impl TableOnDisk {
    /// Describes the file of a table. Its hash and rule sets come from the manifest's entry in
    /// `known`, if the length in that entry equals the length of the file. None if the file is
    /// missing.
    fn new(name: String, path: &Path, known: Option<(u64, &str, RuleSets)>) -> Option<TableOnDisk> {
        let data = std::fs::metadata(path).ok()?;
        let known = known.filter(|&(bytes, ..)| bytes == data.len());
        let blake3 = known.map(|(_, blake3, _)| blake3.to_string());
        let written = data.modified().ok();
        let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let written = written.unwrap_or_default().as_nanos();
        // The modification time is included, since an overwritten file is a different file.
        let hash = blake3.as_deref().unwrap_or("unknown");
        let identity = format!("{name} {hash} {} {written}", data.len());
        let tag = blake3::hash(identity.as_bytes()).to_hex();
        Some(TableOnDisk {
            path: path.to_path_buf(),
            bytes: data.len(),
            blake3,
            rule_sets: known.map(|(_, _, rule_sets)| rule_sets),
            tag: format!("\"{}\"", &tag[..32]),
            stamp: Stamp::new(&data),
            identity,
        })
    }

    /// The strong HTTP tag of the file that has been opened at the table's path. If it is another
    /// file than the one at the start, or has changed, so has the tag.
    pub fn tag_of(&self, opened: &Metadata) -> String {
        let stamp = Stamp::new(opened);
        match stamp == self.stamp {
            true => self.tag.clone(),
            false => format!("\"{}\"", stamp.with(&self.tag)),
        }
    }
}

/// Describes the files of all tables of one kind.
fn files<S: Listed>(
    kind: TableKind,
    tablebase: &Tablebase,
    manifests: &mut BTreeMap<PathBuf, Manifest>,
) -> BTreeMap<CanonicalMaterial, TableOnDisk> {
    let inventory = tablebase.inventory();
    let mut tables = BTreeMap::new();
    for material in inventory.materials_of(kind) {
        let Some(path) = inventory.path_in_use(kind, material) else {
            continue;
        };
        let known = manifest_of(manifests, path).get::<S>(material);
        let known = known.map(|entry| {
            let rule_sets = entry.summary.rule_sets();
            (entry.bytes, entry.blake3.as_str(), rule_sets)
        });
        let table = TableOnDisk::new(kind.file_name(material), path, known);
        tables.extend(table.map(|table| (material, table)));
    }
    tables
}

/// The manifest in a file's directory. Empty if the directory has no manifest that can be read.
fn manifest_of<'a>(manifests: &'a mut BTreeMap<PathBuf, Manifest>, path: &Path) -> &'a Manifest {
    let directory = path.parent().unwrap_or(Path::new(".")).to_path_buf();
    manifests
        .entry(directory)
        .or_insert_with_key(|directory| Manifest::load(directory).unwrap_or_default())
}
