//! What is under a table's name before it is made.

use std::io;
use std::path::Path;

use crate::material::CanonicalMaterial;
use crate::table::{Access, TableError, TableErrorKind, TableFile};

/// What is under a table's name.
#[derive(Debug)]
pub enum Existing {
    /// Nothing.
    Nothing,
    /// The table. Its header has been checked, its blocks have not.
    Table(Box<TableFile>),
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
    let error = match TableFile::open_as(path, material, Access::Blocks) {
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
