//! `KSMvK.json` next to `KSMvK.skm`: what the manifest says of one table, in a file of its own.
//!
//! Machines that generate tables in one directory write no file in common: each writes the records
//! of its own tables, and [`gather`] makes the manifest of them. A record is a manifest of one
//! table.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::TableError;
use super::manifest::{Manifest, ManifestEntry, ManifestError};
use super::name::{file_name, material_of};
use crate::material::CanonicalMaterial;

/// Writes the record of a table, in one step.
///
/// # Errors
///
/// If it cannot be written.
pub fn save_record(
    directory: &Path,
    material: CanonicalMaterial,
    entry: ManifestEntry,
) -> Result<(), ManifestError> {
    let mut record = Manifest::default();
    record.insert(material, entry);
    record.write(path(directory, material))
}

/// The record of a table, if it has one that was taken from the file as it is now.
///
/// # Errors
///
/// If what has its name cannot be read or is no record of this version.
pub fn load_record(
    directory: &Path,
    material: CanonicalMaterial,
) -> Result<Option<ManifestEntry>, ManifestError> {
    let mut record = Manifest::read(path(directory, material))?;
    let table = directory.join(file_name(material));
    let entry = record.remove(material);
    Ok(entry.filter(|entry| entry.is_of(&table)))
}

/// Where the record of a table is.
fn path(directory: &Path, material: CanonicalMaterial) -> PathBuf {
    directory.join(format!("{material}.json"))
}

/// A manifest made of the tables of a directory, and where its entries come from.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The manifest.
    pub manifest: Manifest,
    /// The tables with a record.
    pub recorded: usize,
    /// The tables without, of which the manifest of before still is right.
    pub known: usize,
    /// The tables that had to be read.
    pub read: usize,
    /// What is wrong with those that cannot be read.
    pub failures: Vec<TableError>,
}

/// Makes a manifest of the tables that a directory has, from their records. A table without one is
/// taken from the manifest of before, or else read. The manifest is not written.
///
/// # Errors
///
/// If the directory or its manifest cannot be read.
pub fn gather(directory: &Path) -> Result<Gathered, ManifestError> {
    let before = Manifest::load(directory)?;
    let mut gathered = Gathered::default();
    let listed = tables(directory).map_err(|source| ManifestError::Read {
        path: directory.to_path_buf(),
        source,
    })?;
    for material in listed {
        let path = directory.join(file_name(material));
        let known = || before.get(material).filter(|entry| entry.is_of(&path));
        let entry = if let Ok(Some(entry)) = load_record(directory, material) {
            gathered.recorded += 1;
            entry
        } else if let Some(entry) = known() {
            gathered.known += 1;
            entry.clone()
        } else {
            match ManifestEntry::of_file(&path) {
                Ok(entry) => {
                    gathered.read += 1;
                    entry
                }
                Err(error) => {
                    gathered.failures.push(error);
                    continue;
                }
            }
        };
        gathered.manifest.insert(material, entry);
    }
    Ok(gathered)
}

/// The endings whose tables a directory has, by their files' names.
fn tables(directory: &Path) -> io::Result<BTreeSet<CanonicalMaterial>> {
    let mut tables = BTreeSet::new();
    for entry in fs::read_dir(directory)? {
        tables.extend(material_of(&entry?.path()));
    }
    Ok(tables)
}
