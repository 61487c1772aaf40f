//! What a manifest says of one table.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::stamp::Stamp;
use super::summary::{DistanceSummary, Summary, VerdictSummary};
use crate::container::{Access, Container, TableError};
use crate::material::CanonicalMaterial;

/// What a manifest says of one table, of a kind that has this summary.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry<S> {
    /// The file's name in the directory.
    pub file: String,
    /// The bytes of the file.
    pub bytes: u64,
    /// The BLAKE3 hash of the file, in hexadecimal.
    pub blake3: String,
    /// A digest of the hash with the size, inode and times of the file that it was taken from: as
    /// long as it is right, nobody has changed the file or the entry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// What is in the file.
    #[serde(flatten)]
    pub summary: S,
}

/// What a manifest says of one distance table.
pub type ManifestEntry = Entry<DistanceSummary>;

/// What a manifest says of one verdict table.
pub type VerdictEntry = Entry<VerdictSummary>;

impl<S: Summary> Entry<S> {
    /// Reads the whole file to say what it is, which should be a table of this material.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no table of this kind and material, or is damaged.
    pub fn of_file(path: &Path, material: CanonicalMaterial) -> Result<Entry<S>, TableError> {
        Entry::of_file_unless(path, material, |_| false)
    }

    /// The same, without a look at the blocks of a table whose hash `is_known` to be that of a good one.
    ///
    /// # Errors
    ///
    /// As [`Entry::of_file`].
    pub fn of_file_unless(
        path: &Path,
        material: CanonicalMaterial,
        is_known: impl FnOnce(&str) -> bool,
    ) -> Result<Entry<S>, TableError> {
        // What cannot be stamped is hashed again whenever its hash is wanted.
        let stamp = Stamp::before_reading(path).ok();
        let table = Container::open_as(path, material, Access::Blocks)?;
        let blake3 = table.hash()?.to_hex().to_string();
        if !is_known(&blake3) {
            S::check(&table)?;
        }
        let name = path.file_name().unwrap_or_default();
        Ok(Entry {
            file: name.to_string_lossy().into_owned(),
            bytes: table.file_bytes(),
            stamp: stamp.map(|stamp| stamp.with(&blake3)),
            blake3,
            summary: S::of(&table),
        })
    }

    /// Whether the hash was taken from this file, and the file has not been changed since. This
    /// does not read the file.
    pub fn is_of(&self, path: &Path) -> bool {
        let now = Stamp::of(path).map(|stamp| stamp.with(&self.blake3)).ok();
        now.is_some() && now == self.stamp
    }
}
