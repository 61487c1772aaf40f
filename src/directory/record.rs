//! Records. The record of a table `KSMvK.skm` is the file `KSMvK.json` beside it: a manifest that
//! lists only this ending.
//!
//! Machines that generate tables into the same directory need not write to a common file. Each
//! writes the records of its tables, and [`gather`] makes the manifest from them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::entry::Entry;
use super::manifest::{Listed, Manifest, ManifestError};
use super::summary::{DistanceSummary, VerdictSummary};
use crate::container::{Kind, TableError};
use crate::material::CanonicalMaterial;

/// Writes the record of a table atomically. The ending's record may already have an entry for the
/// other kind of table, which is kept.
///
/// # Errors
///
/// If the existing record cannot be read or has another version, or the new one cannot be written.
pub fn save_record<S: Listed>(
    directory: &Path,
    material: CanonicalMaterial,
    entry: Entry<S>,
) -> Result<(), ManifestError> {
    let path = path(directory, material);
    let mut record = Manifest::read(path.clone())?;
    record.insert(material, entry);
    record.write(path)
}

/// Reads the entry in a table's record. None if the record has no such entry, or if the entry does
/// not match the table's current file.
///
/// # Errors
///
/// If the record cannot be read or has another version.
pub fn load_record<S: Listed>(
    directory: &Path,
    material: CanonicalMaterial,
) -> Result<Option<Entry<S>>, ManifestError> {
    let mut record = Manifest::read(path(directory, material))?;
    let table = directory.join(S::Kind::FORMAT.file_name(material));
    let entry = record.remove::<S>(material);
    Ok(entry.filter(|entry| entry.is_of(&table)))
}

/// The path of an ending's record.
fn path(directory: &Path, material: CanonicalMaterial) -> PathBuf {
    directory.join(format!("{material}.json"))
}

/// A manifest gathered from a directory, with the number of entries from each source.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The gathered manifest.
    pub manifest: Manifest,
    /// The number of distance tables' entries from each source.
    pub tables: Origins,
    /// The number of verdict tables' entries from each source.
    pub verdict_tables: Origins,
    /// The errors of tables that could not be read.
    pub failures: Vec<TableError>,
}

/// The number of entries from each source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// The number of entries taken from a record.
    pub recorded: usize,
    /// The number of entries taken from the previous manifest because they were still valid.
    pub known: usize,
    /// The number of entries made by reading the table.
    pub read: usize,
}

/// Makes a manifest of a directory's tables, but does not write it. An entry comes from a record,
/// or from the previous manifest, or otherwise from reading the table.
///
/// # Errors
///
/// If the directory or its manifest cannot be read.
pub fn gather(directory: &Path) -> Result<Gathered, ManifestError> {
    let previous = Manifest::load(directory)?;
    let mut gathered = Gathered::default();
    let Gathered {
        manifest,
        tables,
        verdict_tables,
        failures,
    } = &mut gathered;
    *tables = gather_kind::<DistanceSummary>(directory, &previous, manifest, failures)?;
    *verdict_tables = gather_kind::<VerdictSummary>(directory, &previous, manifest, failures)?;
    Ok(gathered)
}

/// Adds an entry to `manifest` for each of a directory's tables of one kind. The entry comes from
/// the table's record, or from the manifest `previous` if its entry is still valid, or otherwise
/// from reading the table. The errors of unreadable tables are added to `failures`. Returns the
/// number of entries from each source.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn gather_kind<S: Listed>(
    directory: &Path,
    previous: &Manifest,
    manifest: &mut Manifest,
    failures: &mut Vec<TableError>,
) -> Result<Origins, ManifestError> {
    let mut origins = Origins::default();
    for material in listed::<S>(directory)? {
        let path = directory.join(S::Kind::FORMAT.file_name(material));
        let known = || {
            previous
                .get::<S>(material)
                .filter(|entry| entry.is_of(&path))
        };
        let entry = if let Ok(Some(entry)) = load_record(directory, material) {
            origins.recorded += 1;
            entry
        } else if let Some(entry) = known() {
            origins.known += 1;
            entry.clone()
        } else {
            match Entry::<S>::of_file(&path, material) {
                Ok(entry) => {
                    origins.read += 1;
                    entry
                }
                Err(error) => {
                    failures.push(error);
                    continue;
                }
            }
        };
        manifest.insert(material, entry);
    }
    Ok(origins)
}

/// Lists the endings that have a table of this kind in a directory, by the names of the files.
fn listed<S: Listed>(directory: &Path) -> Result<BTreeSet<CanonicalMaterial>, ManifestError> {
    let unreadable = |source| ManifestError::Read {
        path: directory.to_path_buf(),
        source,
    };
    let mut tables = BTreeSet::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        tables.extend(S::Kind::FORMAT.material_of(&path));
    }
    Ok(tables)
}
