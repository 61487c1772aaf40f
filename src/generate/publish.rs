//! Publishes a finished table: gives it its final name in the directory of tables, in one step. A
//! valid table that another job has published is replaced only if it has fewer rule sets, or by
//! force.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::existing::{Existing, existing, existing_verdicts};
use super::job::{JobDirectory, JobError};
use crate::directory::{place_new, sync};
use crate::rules::RuleSets;
use crate::table::{Access, TableError, TableFile, file_name};
use crate::verdict::{self, VerdictFile};

impl JobDirectory {
    /// Moves the finished table `made` into `directory` under its final name. A table made elsewhere is
    /// first copied to this directory, on the same file system. If `forced` is false, a valid table of
    /// that name is not replaced, unless it has only some of the new table's rule sets. Returns true if
    /// a table was not replaced although it differs from the new one.
    ///
    /// # Errors
    ///
    /// If the table cannot be moved, or something else has its name.
    pub fn publish(&self, made: &Path, directory: &Path, forced: bool) -> Result<bool, JobError> {
        let material = self.material();
        let (whole, place) = (self.table(), directory.join(file_name(material)));
        if made != whole {
            copy(made, &whole).map_err(|error| JobError::io(&whole, error))?;
        }
        let cannot = |error: io::Error| JobError::io(&place, error);
        let mut other = false;
        if forced {
            fs::rename(&whole, &place).map_err(cannot)?;
        } else if !place_new(&whole, &place).map_err(cannot)? {
            match existing(&place, material)? {
                Existing::Foreign(error) => return Err(error.into()),
                Existing::Table(table)
                    if !is_part(
                        table.rule_sets(),
                        TableFile::open(&whole, Access::Blocks)?.rule_sets(),
                    ) && table.check(&|_| {}).is_ok() =>
                {
                    other = !same_bytes(&whole, &table)?;
                }
                _ => fs::rename(&whole, &place).map_err(cannot)?,
            }
        }
        sync(directory);
        Ok(other)
    }

    /// Moves a verdict table into `directory` under its final name. If `forced` is false, a valid
    /// verdict table of that name is not replaced, unless it has only some of the new table's rule
    /// sets. The old and the new table are not compared, since every program of this version makes the
    /// same bytes.
    ///
    /// # Errors
    ///
    /// If the table cannot be moved, or something else has its name.
    pub fn publish_verdicts(&self, directory: &Path, forced: bool) -> Result<(), JobError> {
        let material = self.material();
        let name = verdict::file_name(material);
        let (whole, place) = (self.path().join(&name), directory.join(&name));
        let cannot = |error: io::Error| JobError::io(&place, error);
        if forced {
            fs::rename(&whole, &place).map_err(cannot)?;
        } else if !place_new(&whole, &place).map_err(cannot)? {
            match existing_verdicts(&place, material)? {
                Existing::Foreign(error) => return Err(error.into()),
                Existing::Table(table)
                    if !is_part(
                        table.rule_sets(),
                        VerdictFile::open(&whole, Access::Blocks)?.rule_sets(),
                    ) && table.check().is_ok() => {}
                _ => fs::rename(&whole, &place).map_err(cannot)?,
            }
        }
        sync(directory);
        Ok(())
    }
}

/// True if the rule sets of the new table, `made`, include all rule sets of the existing table and
/// at least one more.
fn is_part(existing: RuleSets, made: RuleSets) -> bool {
    made.includes(existing) && made != existing
}

/// Fails, before any work, if the final name of the table cannot be used.
///
/// # Errors
///
/// If the path is that of a directory.
pub fn require_place(place: &Path) -> Result<(), JobError> {
    match place.is_dir() {
        true => Err(JobError::io(place, io::ErrorKind::IsADirectory.into())),
        false => Ok(()),
    }
}

/// Copies a file and syncs it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut copied = File::create(to)?;
    io::copy(&mut File::open(from)?, &mut copied)?;
    copied.sync_all()
}

fn same_bytes(made: &Path, there: &TableFile) -> Result<bool, TableError> {
    let made = TableFile::open(made, Access::Blocks)?;
    Ok(made.file_bytes() == there.file_bytes() && made.hash()? == there.hash()?)
}
