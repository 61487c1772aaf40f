//! Records. The record of a table `KSMvK.skm` is the file `KSMvK.json` beside it: a manifest that
//! lists only this ending.
//!
//! Machines that generate tables into the same directory need not write to a common file. Each
//! writes the records of its tables, and [`gather`] makes the manifest from them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::entry::Entry;
use super::manifest::{Listed, Manifest, ManifestError};
use crate::container::{Kind, TableError};
use crate::material::CanonicalMaterial;
use crate::table::TableKind;
use crate::with_summary;

/// Writes the record of a table atomically. The ending's record may already have entries for
/// other kinds of tables, which are kept.
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
    let table = directory.join(S::Kind::FORMAT.kind.file_name(material));
    let entry = record.remove::<S>(material);
    Ok(entry.filter(|entry| entry.is_of(&table)))
}

/// Removes the records that `manifest`, which has been saved in the directory, makes superfluous:
/// those whose every entry it has too, and those of an earlier table. Returns their number.
///
/// # Errors
///
/// If the directory cannot be read, or a record cannot be removed.
pub fn remove_gathered(directory: &Path, manifest: &Manifest) -> Result<usize, ManifestError> {
    let mut removed = 0;
    for material in listed_by(directory, record_of)? {
        let path = path(directory, material);
        // A file that is not a record is somebody else's.
        let Ok(record) = Manifest::read(path.clone()) else {
            continue;
        };
        let name = material.to_string();
        let superfluous = TableKind::ALL.into_iter().all(|kind| {
            with_summary!(kind, S => {
                covers::<S>(directory, manifest, &record, material)
                    && record.all::<S>().all(|(listed, _)| listed == name)
            })
        });
        if superfluous {
            fs::remove_file(&path).map_err(|source| ManifestError::Write { path, source })?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// True if a record says nothing about an ending's table of one kind that the manifest does not say:
/// either has the same entry, or the record's is of a table that is gone.
fn covers<S: Listed>(
    directory: &Path,
    manifest: &Manifest,
    record: &Manifest,
    material: CanonicalMaterial,
) -> bool {
    let table = directory.join(S::Kind::FORMAT.kind.file_name(material));
    let recorded = record
        .get::<S>(material)
        .filter(|entry| entry.is_of(&table));
    recorded.is_none()
        || manifest
            .get::<S>(material)
            .is_some_and(|entry| entry.is_of(&table))
}

/// The ending of which a file is the record, by its name.
fn record_of(path: &Path) -> Option<CanonicalMaterial> {
    let material: CanonicalMaterial = path.file_stem()?.to_str()?.parse().ok()?;
    let name = format!("{material}.json");
    (path.file_name()?.to_str()? == name).then_some(material)
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
    /// The number of entries from each source, by the kind of table.
    pub origins: BTreeMap<TableKind, Origins>,
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

impl Origins {
    /// The number of all entries.
    pub fn all(self) -> usize {
        self.recorded + self.known + self.read
    }
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
        origins,
        failures,
    } = &mut gathered;
    for kind in TableKind::ALL {
        let of_kind = with_summary!(kind, S => {
            gather_kind::<S>(directory, &previous, manifest, failures)?
        });
        origins.insert(kind, of_kind);
    }
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
    for material in listed_by(directory, |path| S::Kind::FORMAT.kind.material_of(path))? {
        let path = directory.join(S::Kind::FORMAT.kind.file_name(material));
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

/// Lists the endings that have a file of one kind in a directory, by the names of the files.
fn listed_by(
    directory: &Path,
    material_of: impl Fn(&Path) -> Option<CanonicalMaterial>,
) -> Result<BTreeSet<CanonicalMaterial>, ManifestError> {
    let unreadable = |source| ManifestError::Read {
        path: directory.to_path_buf(),
        source,
    };
    let mut endings = BTreeSet::new();
    for entry in fs::read_dir(directory).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        endings.extend(material_of(&path));
    }
    Ok(endings)
}
