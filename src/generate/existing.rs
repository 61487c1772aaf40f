//! What is under a table's name before it is made.

use std::io;
use std::path::Path;

use crate::material::CanonicalMaterial;
use crate::table::{Access, TableError, TableErrorKind, TableFile};
use crate::verdict::VerdictFile;

/// What is under a table's name.
#[derive(Debug)]
pub enum Existing<T = TableFile> {
    /// Nothing.
    Nothing,
    /// The table. Its header has been checked, its blocks have not.
    Table(Box<T>),
    /// A table that is damaged or out of date. Nothing is lost if it is made again.
    Corrupt(TableError),
    /// Something that is not this program's to replace: a table of a later version, of another
    /// ending, or no table at all.
    Foreign(TableError),
}

/// Looks at what is under the name of a material's table.
///
/// # Errors
///
/// If something is there that the system does not let us read.
pub fn existing(path: &Path, material: CanonicalMaterial) -> Result<Existing, TableError> {
    sorted(TableFile::open_as(path, material, Access::Blocks))
}

/// Looks at what is under the name of a material's verdict table.
///
/// # Errors
///
/// As [`existing`].
pub fn existing_verdicts(
    path: &Path,
    material: CanonicalMaterial,
) -> Result<Existing<VerdictFile>, TableError> {
    sorted(VerdictFile::open_as(path, material, Access::Blocks))
}

fn sorted<T>(opened: Result<T, TableError>) -> Result<Existing<T>, TableError> {
    let error = match opened {
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
