//! Inspects a file that already exists where a table is about to be written.

use std::io;
use std::path::Path;

use crate::material::CanonicalMaterial;
use crate::table::{Access, Container, FileBytes, Kind, TableError, TableErrorKind, TableFile};
use crate::verdict::VerdictFile;

/// The result of inspecting the path of a table.
#[derive(Debug)]
pub enum Existing<T = TableFile> {
    /// There is no file.
    Nothing,
    /// A table with a valid header. The blocks have not been checked.
    Table(Box<T>),
    /// A corrupt or outdated table, which may be replaced.
    Corrupt(TableError),
    /// A file that must not be replaced: a table of a later version or of another ending, or a file
    /// that is not a table.
    Foreign(TableError),
}

/// Inspects the file at the path of an ending's table.
///
/// # Errors
///
/// If the file exists but cannot be read.
pub fn existing(path: &Path, material: CanonicalMaterial) -> Result<Existing, TableError> {
    existing_of(path, material)
}

/// Inspects the file at the path of an ending's verdict table.
///
/// # Errors
///
/// As for [`existing`].
pub fn existing_verdicts(
    path: &Path,
    material: CanonicalMaterial,
) -> Result<Existing<VerdictFile>, TableError> {
    existing_of(path, material)
}

/// Inspects the file at the path of an ending's table of kind `K`.
///
/// # Errors
///
/// As for [`existing`].
pub fn existing_of<K: Kind>(
    path: &Path,
    material: CanonicalMaterial,
) -> Result<Existing<Container<K, FileBytes>>, TableError> {
    let error = match Container::open_as(path, material, Access::Blocks) {
        Ok(table) => return Ok(Existing::Table(Box::new(table))),
        Err(error) => error,
    };
    match error.kind() {
        TableErrorKind::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            Ok(Existing::Nothing)
        }
        TableErrorKind::Io { .. } => Err(error),
        TableErrorKind::Version { found, supported }
        | TableErrorKind::RulesRevision { found, supported }
            if found > supported =>
        {
            Ok(Existing::Foreign(error))
        }
        TableErrorKind::WrongMaterial { .. } | TableErrorKind::NotATable => {
            Ok(Existing::Foreign(error))
        }
        _ => Ok(Existing::Corrupt(error)),
    }
}
