//! Which files a server answers from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::material::CanonicalMaterial;
use crate::probe::Tablebase;
use crate::table::Manifest;

/// The files of the tables as they were at the start.
#[derive(Debug)]
pub struct Edition {
    /// Of all of them, and of this program.
    pub hash: blake3::Hash,
    /// Each of them.
    pub tables: BTreeMap<CanonicalMaterial, TableOnDisk>,
}

/// The file of one table.
#[derive(Debug)]
pub struct TableOnDisk {
    /// The file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// The hash of the file, if the directory's manifest has it.
    pub blake3: Option<String>,
    /// The strong tag of its file.
    pub tag: String,
}

impl Edition {
    /// Looks at the files. Their hashes are taken from the manifests; where one does not know a
    /// file, its length and the time it was written stand in.
    pub fn new(tablebase: &Tablebase) -> Edition {
        let mut hasher = blake3::Hasher::new();
        hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
        let mut manifests = BTreeMap::new();
        let mut tables = BTreeMap::new();
        for (material, path) in tablebase.tables() {
            let Ok(data) = std::fs::metadata(path) else {
                continue;
            };
            let directory = path.parent().unwrap_or(Path::new(".")).to_path_buf();
            let manifest = manifests
                .entry(directory)
                .or_insert_with_key(|directory| Manifest::load(directory).unwrap_or_default());
            let known = manifest
                .get(material)
                .filter(|entry| entry.bytes == data.len());
            let blake3 = known.map(|entry| entry.blake3.clone());
            let written = data.modified().ok();
            let written = written.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let written = written.unwrap_or_default().as_nanos();
            // The time as well: what was written over since is another file, whatever it says.
            let name = blake3.as_deref().unwrap_or("unknown");
            let what = format!("{material} {name} {} {written}", data.len());
            hasher.update(what.as_bytes());
            let tag = blake3::hash(what.as_bytes()).to_hex();
            let table = TableOnDisk {
                path: path.to_path_buf(),
                bytes: data.len(),
                blake3,
                tag: format!("\"{}\"", &tag[..32]),
            };
            tables.insert(material, table);
        }
        Edition {
            hash: hasher.finalize(),
            tables,
        }
    }
}
