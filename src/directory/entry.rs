//! The entries of a manifest, one for each table.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::stamp::Stamp;
use super::summary::{DistanceSummary, Summary, VerdictSummary};
use crate::container::{Access, Container, FileBytes, TableError};
use crate::material::CanonicalMaterial;

/// A table's entry in a manifest: fields that all tables have, and a summary that depends on the
/// kind of table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<S> {
    /// The file name in the directory.
    pub file: String,
    /// The length of the file, in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the file, in hexadecimal.
    pub blake3: String,
    /// A digest of the hash and the file's size, inode and times at the time of hashing. While the
    /// stamp matches the file on disk, neither the file nor the entry has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// The summary of the table.
    #[serde(flatten)]
    pub summary: S,
}

/// The entry of a distance table.
pub type ManifestEntry = Entry<DistanceSummary>;

/// The entry of a verdict table.
pub type VerdictEntry = Entry<VerdictSummary>;

impl<S: Summary> Entry<S> {
    /// Makes the entry of a table by reading the whole file, which must be a table of this
    /// material.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a table of this kind and material, or is corrupt.
    pub fn of_file(path: &Path, material: CanonicalMaterial) -> Result<Entry<S>, TableError> {
        Entry::of_file_unless(path, material, |_| false)
    }

    /// Makes the entry as [`Entry::of_file`] does, but does not check the blocks if `is_known`
    /// recognises the file's hash.
    ///
    /// # Errors
    ///
    /// As for [`Entry::of_file`].
    pub fn of_file_unless(
        path: &Path,
        material: CanonicalMaterial,
        is_known: impl FnOnce(&str) -> bool,
    ) -> Result<Entry<S>, TableError> {
        // An entry without a stamp stays valid, but its file is hashed at every use.
        let stamp = Stamp::before_reading(path).ok();
        let table = Container::open_as(path, material, Access::Blocks)?;
        let blake3 = table.hash()?;
        if !is_known(&blake3) {
            S::check(&table)?;
        }
        Ok(Entry::new(path, &table, blake3, stamp))
    }

    /// Makes the entry of a file whose bytes have just been hashed and checked. Does not read the
    /// blocks again.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is not a table of this kind and material.
    pub fn of_hashed(
        path: &Path,
        material: CanonicalMaterial,
        blake3: String,
    ) -> Result<Entry<S>, TableError> {
        let stamp = Stamp::of(path).ok();
        let table = Container::open_as(path, material, Access::Blocks)?;
        Ok(Entry::new(path, &table, blake3, stamp))
    }

    fn new(
        path: &Path,
        table: &Container<S::Kind, FileBytes>,
        blake3: String,
        stamp: Option<Stamp>,
    ) -> Entry<S> {
        let name = path.file_name().unwrap_or_default();
        Entry {
            file: name.to_string_lossy().into_owned(),
            bytes: table.file_bytes(),
            stamp: stamp.map(|stamp| stamp.with(&blake3)),
            blake3,
            summary: S::of(table),
        }
    }

    /// True if the file at `path` has not changed since it was hashed for this entry. Does not read
    /// the file's contents.
    pub fn is_of(&self, path: &Path) -> bool {
        let now = Stamp::of(path).map(|stamp| stamp.with(&self.blake3)).ok();
        now.is_some() && now == self.stamp
    }
}
