//! Publishes a finished table: gives it its final name in the directory of tables, in one step. A
//! valid table that another job has published is replaced only if it has fewer rule sets, or with
//! `--force`.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use sakmak::generate::{Existing, existing, existing_verdicts};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use sakmak::table::{Access, TableError, TableFile, file_name};
use sakmak::verdict::{self, VerdictFile};

use super::job_directory::JobDirectory;
use super::temporary::{io_failure, table_failure};
use crate::Failure;

/// Moves a table into `directory` under its final name. A table made elsewhere is first copied to
/// `job`, a directory on the same file system. If `forced` is false, a valid table of that name is
/// not replaced, unless it has only some of the new table's rule sets. Returns true if a table was
/// not replaced although it differs from the new one.
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

/// Moves a verdict table into `directory` under its final name. If `forced` is false, a valid
/// verdict table of that name is not replaced, unless it has only some of the new table's rule
/// sets. The old and the new table are not compared, since every program of this version makes the
/// same bytes.
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

/// True if the rule sets of the new table, `made`, include all rule sets of the existing table and
/// at least one more.
fn is_part(existing: RuleSets, made: RuleSets) -> bool {
    made.includes(existing) && made != existing
}

/// Fails, before any work, if the final name of the table cannot be used.
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

/// Syncs a directory, on systems that support it, so that new file names survive a power cut.
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
            // Some network file systems do not support this call.
            Err(_) => {}
        }
    }
    match fs::hard_link(from, to) {
        Ok(()) => {
            // If the removal fails, the file is removed with the job's directory.
            let _ = fs::remove_file(from);
            Ok(true)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // The file system has no hard links, so the file is renamed.
        Err(_) if !to.exists() => fs::rename(from, to).map(|()| true),
        Err(_) => Ok(false),
    }
}

fn same_bytes(made: &Path, there: &TableFile) -> Result<bool, TableError> {
    let made = TableFile::open(made, Access::Blocks)?;
    Ok(made.file_bytes() == there.file_bytes() && made.hash()? == there.hash()?)
}
