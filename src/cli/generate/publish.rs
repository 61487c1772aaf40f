//! Publishes a finished table: gives it its final name in the directory of tables, in one step.
//! Unless forced, never replaces a table that another job has published.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use sakmak::generate::{Existing, existing, existing_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use sakmak::table::{Access, TableError, TableFile, file_name};
use sakmak::verdict::{self, VerdictFile};

use super::job_directory::JobDirectory;
use super::passing::{io_failure, table_failure};
use crate::cli::Failure;

/// Moves a table to its final place. If it was made in another directory, moves it first to the
/// job's directory beside that place. Unless `forced`, an existing valid table stays, except a
/// table with only some of the new one's rule sets. Returns an existing table whose bytes differ
/// from the new one's.
pub fn publish(
    made: &Path,
    job: &JobDirectory,
    directory: &Path,
    material: CanonicalMaterial,
    forced: bool,
) -> Result<bool, Failure> {
    let name = file_name(material);
    let (whole, place) = (job.path().join(&name), directory.join(&name));
    if made != whole {
        copy(made, &whole).map_err(|error| io_failure("written", &whole, &error))?;
    }
    let cannot = |error: io::Error| io_failure("written", &place, &error);
    let mut other = false;
    if forced {
        fs::rename(&whole, &place).map_err(cannot)?;
    } else if !place_new(&whole, &place).map_err(cannot)? {
        match existing(&place, material).map_err(table_failure)? {
            Existing::Foreign(error) => return Err(error.into()),
            Existing::Table(table)
                if !is_part(
                    table.rule_sets(),
                    TableFile::open(&whole, Access::Blocks)?.rule_sets(),
                ) && table.check(&|_| {}).is_ok() =>
            {
                other = !same_bytes(&whole, &table).map_err(table_failure)?;
            }
            _ => fs::rename(&whole, &place).map_err(cannot)?,
        }
    }
    sync(directory);
    Ok(other)
}

/// Moves a verdict table to its final place. Unless `forced`, an existing valid verdict table
/// stays, except one with only some of the new one's rule sets. Bytes are not compared: all
/// programs of this version make the same.
pub fn publish_verdicts(
    job: &JobDirectory,
    directory: &Path,
    material: CanonicalMaterial,
    forced: bool,
) -> Result<(), Failure> {
    let name = verdict::file_name(material);
    let (whole, place) = (job.path().join(&name), directory.join(&name));
    let cannot = |error: io::Error| io_failure("written", &place, &error);
    if forced {
        fs::rename(&whole, &place).map_err(cannot)?;
    } else if !place_new(&whole, &place).map_err(cannot)? {
        match existing_verdicts(&place, material).map_err(table_failure)? {
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

/// True if the rule sets `made` contain all of those `there`, and others.
fn is_part(there: RuleSets, made: RuleSets) -> bool {
    made.includes(there) && made != there
}

/// Fails before the work if the table's name cannot be used.
pub fn require_place(place: &Path) -> Result<(), Failure> {
    match place.is_dir() {
        true => Err(io_failure(
            "written",
            place,
            &io::ErrorKind::IsADirectory.into(),
        )),
        false => Ok(()),
    }
}

/// Syncs a directory, on systems that can, so that its file names survive a power cut.
pub fn sync(directory: &Path) {
    if cfg!(unix)
        && let Ok(directory) = File::open(directory)
    {
        let _ = directory.sync_all();
    }
}

/// Copies a file and syncs it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut copied = File::create(to)?;
    io::copy(&mut File::open(from)?, &mut copied)?;
    copied.sync_all()
}

/// Renames a file within a file system. Returns false if the new name is already taken.
pub fn place_new(from: &Path, to: &Path) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(true),
            Err(rustix::io::Errno::EXIST) => return Ok(false),
            // Network file systems may not support it.
            Err(_) => {}
        }
    }
    match fs::hard_link(from, to) {
        Ok(()) => {
            // Otherwise it is removed with the job's directory.
            let _ = fs::remove_file(from);
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // A file system without hard links.
        Err(_) if !to.exists() => fs::rename(from, to).map(|()| true),
        Err(_) => Ok(false),
    }
}

fn same_bytes(made: &Path, there: &TableFile) -> Result<bool, TableError> {
    let made = TableFile::open(made, Access::Blocks)?;
    Ok(made.file_bytes() == there.file_bytes() && made.hash()? == there.hash()?)
}
