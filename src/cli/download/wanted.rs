//! Compares the requested files with those on disk and those of the host.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sakmak::directory::{DistanceSummary, Entry, Listed, Manifest, VerdictSummary};
use sakmak::generate::{Existing, MOST_VERDICT_MEN, existing_of};
use sakmak::material::{CanonicalMaterial, closure, parse_set};
use sakmak::published::PUBLISHED;
use sakmak::rules::RuleSets;
use sakmak::table::{self, Container, FileBytes, TableError};
use sakmak::verdict;

use super::args::Args;
use super::listing::{Listing, Offered};
use crate::cli::stderr::say;
use crate::cli::{Common, Failure};

/// The kind of a table: distances or verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    Distances,
    Verdicts,
}

/// A table to download.
#[derive(Clone, Debug)]
pub struct Item {
    pub material: CanonicalMaterial,
    pub which: Which,
    pub bytes: u64,
    pub blake3: String,
    pub published: bool,
    /// True if the download replaces a present file that is corrupt or has fewer rule sets.
    pub replaces: bool,
}

/// The requested files, sorted by what has to be done.
#[derive(Default)]
pub struct Wanted {
    pub items: Vec<Item>,
    /// The names of complete files that exist already.
    pub present: Vec<String>,
    /// The names of files that the host does not have.
    pub missing: Vec<String>,
    /// The names of files that the host has, but in versions other than the published ones.
    pub unpublished: Vec<String>,
    /// The endings whose files cannot be downloaded: the host lacks them, or has other versions
    /// than the published ones.
    pub not_to_be_had: BTreeSet<CanonicalMaterial>,
}

/// Lists the tables that the arguments request.
pub fn asked_for(args: &Args) -> Result<Vec<(CanonicalMaterial, Which)>, Failure> {
    let mut materials = BTreeSet::new();
    for word in &args.sets {
        match word.parse::<CanonicalMaterial>() {
            Ok(material) if args.only => drop(materials.insert(material)),
            _ => materials.extend(parse_set(word)?),
        }
    }
    if !args.only {
        materials = closure(materials).into_iter().collect();
    }
    let mut asked_for = Vec::new();
    for material in materials {
        if !args.verdicts_only {
            asked_for.push((material, Which::Distances));
        }
        if (args.verdicts || args.verdicts_only) && material.men() <= MOST_VERDICT_MEN {
            asked_for.push((material, Which::Verdicts));
        }
    }
    Ok(asked_for)
}

impl Which {
    /// The name of the file with this kind of table.
    pub fn file_name(self, material: CanonicalMaterial) -> String {
        match self {
            Which::Distances => table::file_name(material),
            Which::Verdicts => verdict::file_name(material),
        }
    }

    fn is_published(self, material: CanonicalMaterial, blake3: &str) -> bool {
        match self {
            Which::Distances => PUBLISHED.has(material, blake3),
            Which::Verdicts => PUBLISHED.has_verdicts(material, blake3),
        }
    }

    /// Adds the file's entry to a manifest. The file's hash is given.
    pub fn note(
        self,
        manifest: &mut Manifest,
        path: &Path,
        material: CanonicalMaterial,
        blake3: String,
    ) -> Result<(), TableError> {
        match self {
            Which::Distances => note::<DistanceSummary>(manifest, path, material, blake3),
            Which::Verdicts => note::<VerdictSummary>(manifest, path, material, blake3),
        }
    }

    /// Checks every block of a table's file.
    pub fn check(self, path: &Path, material: CanonicalMaterial) -> Result<(), TableError> {
        match self {
            Which::Distances => check::<DistanceSummary>(path, material),
            Which::Verdicts => check::<VerdictSummary>(path, material),
        }
    }
}

fn note<S: Listed>(
    manifest: &mut Manifest,
    path: &Path,
    material: CanonicalMaterial,
    blake3: String,
) -> Result<(), TableError> {
    let entry = Entry::<S>::of_hashed(path, material, blake3)?;
    manifest.insert(material, entry);
    Ok(())
}

fn check<S: Listed>(path: &Path, material: CanonicalMaterial) -> Result<(), TableError> {
    let table: Container<S::Kind, FileBytes> =
        Container::open_as(path, material, table::Access::Blocks)?;
    S::check(&table)
}

/// The result of looking for a table on disk.
enum There {
    /// No usable file exists.
    Nothing,
    /// A complete table exists, with at least the host's rule sets.
    Whole,
    /// A file exists that the download should replace.
    Less,
}

impl Wanted {
    /// Sorts the requested files into three lists: those present, those to download and those that
    /// the host lacks. A file in the first directory that its manifest does not list is read
    /// completely and added to the manifest.
    pub fn new(
        asked_for: &[(CanonicalMaterial, Which)],
        listing: &Listing,
        directories: &[PathBuf],
        manifest: &mut Manifest,
        args: &Args,
        common: &Common,
    ) -> Result<Wanted, Failure> {
        let mut wanted = Wanted::default();
        for &asked in asked_for {
            let (material, which) = asked;
            let offered = match which {
                Which::Distances => listing.table(material),
                Which::Verdicts => listing.verdict_table(material),
            };
            let there = match which {
                Which::Distances => {
                    there::<DistanceSummary>(asked, offered, directories, manifest, common)?
                }
                Which::Verdicts => {
                    there::<VerdictSummary>(asked, offered, directories, manifest, common)?
                }
            };
            let file = which.file_name(material);
            let replaces = match there {
                There::Whole => {
                    wanted.present.push(file);
                    continue;
                }
                There::Less => true,
                There::Nothing => false,
            };
            let trusted = args.unpublished || listing.signed;
            match offered.map(|offered| item(material, which, offered, replaces)) {
                Some(Some(item)) if item.published || trusted => {
                    wanted.items.push(item);
                    continue;
                }
                Some(_) => wanted.unpublished.push(file),
                None => wanted.missing.push(file),
            }
            wanted.not_to_be_had.insert(material);
        }
        Ok(wanted)
    }

    /// The number of bytes to download.
    pub fn bytes(&self) -> u64 {
        let bytes = self.items.iter().map(|item| item.bytes);
        bytes.fold(0, u64::saturating_add)
    }
}

/// Describes the download of a file. None if the host states no hash for it.
fn item(
    material: CanonicalMaterial,
    which: Which,
    offered: &Offered,
    replaces: bool,
) -> Option<Item> {
    let blake3 = offered.blake3.clone()?;
    Some(Item {
        material,
        which,
        bytes: offered.bytes,
        published: which.is_published(material, &blake3),
        blake3,
        replaces,
    })
}

/// Looks for a table in the directories. Downloads go to the first directory.
fn there<S: Listed>(
    (material, which): (CanonicalMaterial, Which),
    offered: Option<&Offered>,
    directories: &[PathBuf],
    manifest: &mut Manifest,
    common: &Common,
) -> Result<There, Failure> {
    let mut found = There::Nothing;
    for (i, directory) in directories.iter().enumerate() {
        let path = directory.join(which.file_name(material));
        let table = match existing_of::<S::Kind>(&path, material)? {
            Existing::Nothing => continue,
            Existing::Foreign(error) if i == 0 => return Err(error.into()),
            // A foreign file in a directory other than the first does no harm.
            Existing::Foreign(_) => continue,
            Existing::Corrupt(error) => Err(error),
            Existing::Table(table) => match i {
                0 => vouch::<S>(&table, &path, offered, manifest).map(|()| table),
                _ => Ok(table),
            },
        };
        let is_enough = |found: RuleSets| offered.is_none_or(|o| found.includes(o.rule_sets));
        match table {
            Ok(table) if is_enough(table.rule_sets()) => return Ok(There::Whole),
            Ok(_) if i == 0 => found = There::Less,
            Ok(_) => {}
            Err(error) => {
                if i == 0 {
                    found = There::Less;
                }
                if !common.quiet {
                    say(error);
                }
            }
        }
    }
    Ok(found)
}

/// Makes sure that a table is complete: it is listed in its directory's manifest, it equals the
/// host's table, or all its blocks are valid.
fn vouch<S: Listed>(
    table: &Container<S::Kind, FileBytes>,
    path: &Path,
    offered: Option<&Offered>,
    manifest: &mut Manifest,
) -> Result<(), TableError> {
    let material = table.material();
    let known = manifest.get::<S>(material);
    if known.is_some_and(|known| known.is_of(path)) {
        return Ok(());
    }
    let blake3 = table.hash()?;
    if offered.and_then(|offered| offered.blake3.as_deref()) != Some(&*blake3) {
        S::check(table)?;
    }
    manifest.insert(material, Entry::<S>::of_hashed(path, material, blake3)?);
    Ok(())
}
