//! Records: `KSMvK.json` beside `KSMvK.skm`, one ending's part of the manifest in its own file.
//!
//! Machines that generate tables into one directory share no file: each writes the records of its
//! tables, and [`gather`] makes the manifest from them. A record is a manifest of one ending.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::entry::Entry;
use super::manifest::{Listed, Manifest, ManifestError};
use super::summary::{DistanceSummary, VerdictSummary};
use crate::container::{Kind, TableError};
use crate::material::CanonicalMaterial;

/// Writes the record of a table atomically. An entry of the other kind in the ending's record is
/// kept.
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

/// The entry of a table's record, if it matches the current file.
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

/// A manifest gathered from a directory, with the sources of its entries.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The manifest.
    pub manifest: Manifest,
    /// Sources of the distance tables' entries.
    pub tables: Origins,
    /// Sources of the verdict tables' entries.
    pub verdict_tables: Origins,
    /// Errors of the unreadable tables.
    pub failures: Vec<TableError>,
}

/// The number of entries from each source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// From a record.
    pub recorded: usize,
    /// From the previous manifest, where the entry is still valid.
    pub known: usize,
    /// From reading the table.
    pub read: usize,
}

/// Makes a manifest of a directory's tables, from their records, or from the previous manifest, or
/// else by reading the tables. Does not write it.
///
/// # Errors
///
/// If the directory or its manifest cannot be read.
pub fn gather(directory: &Path) -> Result<Gathered, ManifestError> {
    let before = Manifest::load(directory)?;
    let mut gathered = Gathered::default();
    let Gathered {
        manifest,
        tables,
        verdict_tables,
        failures,
    } = &mut gathered;
    *tables = gather_kind::<DistanceSummary>(directory, &before, manifest, failures)?;
    *verdict_tables = gather_kind::<VerdictSummary>(directory, &before, manifest, failures)?;
    Ok(gathered)
}

/// Adds a directory's tables of one kind to a manifest; unreadable ones go to `failures`.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn gather_kind<S: Listed>(
    directory: &Path,
    before: &Manifest,
    manifest: &mut Manifest,
    failures: &mut Vec<TableError>,
) -> Result<Origins, ManifestError> {
    let mut origins = Origins::default();
    for material in listed::<S>(directory)? {
        let path = directory.join(S::Kind::FORMAT.file_name(material));
        let known = || before.get::<S>(material).filter(|entry| entry.is_of(&path));
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

/// The endings with a table of this kind in a directory, by file name.
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
