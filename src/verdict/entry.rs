//! What the manifest says of verdict tables.

use std::fs::{self, File};
use std::path::Path;

use super::name::material_of;
use super::read::VerdictFile;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSet;
use crate::table::{
    Access, Categories, IoAction, Manifest, ManifestError, RulesCategories, Stamp, TableError,
    VerdictEntry,
};

/// Reads a whole file to say what it is.
///
/// # Errors
///
/// If it cannot be read, is no verdict table of this material, or is damaged.
pub fn entry_of(path: &Path, material: CanonicalMaterial) -> Result<VerdictEntry, TableError> {
    entry_unless(path, material, |_| false)
}

/// The same, without a look at the blocks of a table whose hash `is_known` to be that of a good one.
///
/// # Errors
///
/// As [`entry_of`].
pub fn entry_unless(
    path: &Path,
    material: CanonicalMaterial,
    is_known: impl FnOnce(&str) -> bool,
) -> Result<VerdictEntry, TableError> {
    // What cannot be stamped is hashed again whenever its hash is wanted.
    let stamp = Stamp::before_reading(path).ok();
    let table = VerdictFile::open_as(path, material, Access::Blocks)?;
    let mut hasher = blake3::Hasher::new();
    File::open(path)
        .and_then(|file| hasher.update_reader(file).map(|_| ()))
        .map_err(|error| TableError::io(path, IoAction::Read, error))?;
    let blake3 = hasher.finalize().to_hex().to_string();
    if !is_known(&blake3) {
        table.check()?;
    }
    let name = path.file_name().unwrap_or_default();
    let categories = RuleSet::ALL.into_iter().zip(table.counts());
    Ok(VerdictEntry {
        file: name.to_string_lossy().into_owned(),
        bytes: table.file_bytes(),
        stamp: stamp.map(|stamp| stamp.with(&blake3)),
        blake3,
        categories: categories
            .map(|(rules, &[white, black])| RulesCategories {
                rules,
                white_to_move: in_words(white),
                black_to_move: in_words(black),
            })
            .collect(),
    })
}

fn in_words([win, cursed_win, draw, blessed_loss, loss]: [u64; 5]) -> Categories {
    Categories {
        win,
        cursed_win,
        draw,
        blessed_loss,
        loss,
    }
}

/// Puts the verdict tables that a directory has into a manifest, from the manifest of before where
/// that still is right, and returns what is wrong with those that cannot be read.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn gather(
    directory: &Path,
    before: &Manifest,
    manifest: &mut Manifest,
) -> Result<Vec<TableError>, ManifestError> {
    let unreadable = |source| ManifestError::Read {
        path: directory.to_path_buf(),
        source,
    };
    let mut failures = Vec::new();
    for file in fs::read_dir(directory).map_err(unreadable)? {
        let path = file.map_err(unreadable)?.path();
        let Some(material) = material_of(&path) else {
            continue;
        };
        match before.verdicts(material).filter(|entry| entry.is_of(&path)) {
            Some(entry) => manifest.insert_verdicts(material, entry.clone()),
            None => match entry_of(&path, material) {
                Ok(entry) => manifest.insert_verdicts(material, entry),
                Err(error) => failures.push(error),
            },
        }
    }
    Ok(failures)
}
