//! Removes the unfinished files of killed runs from a directory of tables.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::existing::{Existing, existing};
use super::out_of_core::remove_checkpoints;
use crate::directory::MANIFEST_NAME;
use crate::material::CanonicalMaterial;
use crate::table::{IoAction, TableError, TableKind, file_name, remove_leftovers};

/// Removes temporary files from a directory, and the checkpoints of finished tables. Keeps the
/// checkpoints of the `unfinished` tables. No other process may be generating in the directory.
///
/// # Errors
///
/// If the directory cannot be read, or a file cannot be removed.
pub fn remove_all_leftovers(
    directory: &Path,
    unfinished: &BTreeSet<CanonicalMaterial>,
) -> Result<(), TableError> {
    let cannot = |error| TableError::io(directory, IoAction::Read, error);
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(cannot)?,
    };
    for entry in entries {
        let name = entry.map_err(cannot)?.file_name();
        let name = name.to_string_lossy();
        if let Some(written) = final_name(&name) {
            remove_leftovers(&directory.join(written))?;
        } else if let Some(material) = material_of_work_directory(&name)
            && !unfinished.contains(&material)
            && let Ok(Existing::Table(_)) = existing(&directory.join(file_name(material)), material)
        {
            remove_checkpoints(directory, material)?;
        }
    }
    Ok(())
}

/// The final name of a table or manifest that is being written under the temporary name `name`.
/// None if `name` is not such a temporary name.
fn final_name(name: &str) -> Option<&str> {
    let (name, _random) = name
        .strip_prefix('.')?
        .strip_suffix(".part")?
        .rsplit_once('.')?;
    let ours = name == MANIFEST_NAME || TableKind::of_path(Path::new(name)).is_some();
    ours.then_some(name)
}

/// The ending whose work directory has this name. None if the name is not that of a work directory.
fn material_of_work_directory(name: &str) -> Option<CanonicalMaterial> {
    let material: CanonicalMaterial = name.strip_suffix(".work")?.parse().ok()?;
    (format!("{material}.work") == name).then_some(material)
}
