//! `KSMvK.json` next to `KSMvK.skm`: what the manifest says of the tables of one ending, in a file of its
//! own.
//!
//! Machines that generate tables in one directory write no file in common: each writes the records
//! of its own tables, and [`gather`] makes the manifest of them. A record is a manifest of one
//! ending.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::entry::Entry;
use super::manifest::{Listed, Manifest, ManifestError};
use super::summary::{DistanceSummary, VerdictSummary};
use crate::container::{Kind, TableError};
use crate::material::CanonicalMaterial;

/// Writes the record of a table, in one step. What the ending's record says of a table of another kind
/// stays.
///
/// # Errors
///
/// If what has its name cannot be read or is no record of this version, or it cannot be written.
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

/// The record of a table, if it has one that was taken from the file as it is now.
///
/// # Errors
///
/// If what has its name cannot be read or is no record of this version.
pub fn load_record<S: Listed>(
    directory: &Path,
    material: CanonicalMaterial,
) -> Result<Option<Entry<S>>, ManifestError> {
    let mut record = Manifest::read(path(directory, material))?;
    let table = directory.join(S::Kind::FORMAT.file_name(material));
    let entry = record.remove::<S>(material);
    Ok(entry.filter(|entry| entry.is_of(&table)))
}

/// Where the record of an ending is.
fn path(directory: &Path, material: CanonicalMaterial) -> PathBuf {
    directory.join(format!("{material}.json"))
}

/// A manifest made of the tables of a directory, and where its entries come from.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The manifest.
    pub manifest: Manifest,
    /// Where those of the distance tables come from.
    pub tables: Origins,
    /// Where those of the verdict tables come from.
    pub verdict_tables: Origins,
    /// What is wrong with those that cannot be read.
    pub failures: Vec<TableError>,
}

/// Where the entries of tables come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    /// The tables with a record.
    pub recorded: usize,
    /// The tables without, of which the manifest of before still is right.
    pub known: usize,
    /// The tables that had to be read.
    pub read: usize,
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

/// Puts the tables of a kind that a directory has into a manifest, and those that cannot be read among the
/// failures.
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

/// The endings of which a directory has tables of a kind, by their files' names.
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
