//! Looks up the hashes of tables' files in manifests that are up to date.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::manifest::{Listed, Manifest};
use crate::container::{Container, FileBytes, TableError};

/// A source of hashes of tables' files. A hash comes from the manifest in the file's directory. If
/// the manifest is out of date, the hash is computed.
#[derive(Debug, Default)]
pub struct TableHashes {
    manifests: BTreeMap<PathBuf, Manifest>,
}

impl TableHashes {
    /// The BLAKE3 hash of a table's file, in hexadecimal.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn of<S: Listed>(
        &mut self,
        table: &Container<S::Kind, FileBytes>,
    ) -> Result<String, TableError> {
        let Some(path) = table.path() else {
            return table.hash();
        };
        let known = self.beside(path).get::<S>(table.material());
        match known.filter(|entry| entry.is_of(path)) {
            Some(entry) => Ok(entry.blake3.clone()),
            None => table.hash(),
        }
    }

    /// The manifest in the directory of a file. If there is no readable manifest, returns an empty
    /// one.
    fn beside(&mut self, path: &Path) -> &Manifest {
        let directory = path.parent().unwrap_or(Path::new("."));
        self.manifests
            .entry(directory.to_path_buf())
            .or_insert_with(|| Manifest::load(directory).unwrap_or_default())
    }
}
