//! Compares the requested files with those on disk and those of the host.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use sakmak::directory::{Entry, Listed, Manifest, Summary};
use sakmak::generate::{Existing, MOST_VERDICT_MEN, existing_of, plan};
use sakmak::material::{CanonicalMaterial, closure, parse_set};
use sakmak::published::PUBLISHED;
use sakmak::rules::RuleSets;
use sakmak::table::{Access, Container, FileBytes, TableError, TableKind};
use sakmak::with_summary;

use super::args::Args;
use super::listing::{Listing, Offered};
use crate::format::number;
use crate::stderr::say;
use crate::threads_args::ThreadsArgs;
use crate::{Common, Failure};

/// A table to download.
#[derive(Clone, Debug)]
pub struct Item {
    pub material: CanonicalMaterial,
    pub which: TableKind,
    pub bytes: u64,
    pub blake3: String,
    pub published: bool,
    /// True if the download replaces an existing file that is corrupt or lacks rule sets.
    pub replaces: bool,
}

/// The requested files: those to download, those already present, and those that the host cannot
/// supply.
#[derive(Default)]
pub struct Wanted {
    pub items: Vec<Item>,
    /// The names of complete files that exist already.
    pub present: Vec<String>,
    /// The names of files that the host does not have.
    pub missing: Vec<String>,
    /// The names of files whose version on the host is not the published one.
    pub unpublished: Vec<String>,
    /// The endings of the `missing` and `unpublished` files, which cannot be downloaded.
    pub unavailable: BTreeSet<CanonicalMaterial>,
}

/// Lists the tables that the command line requests.
pub fn asked_for(args: &Args) -> Result<Vec<(CanonicalMaterial, TableKind)>, Failure> {
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
            asked_for.push((material, TableKind::Distances));
        }
        if (args.verdicts || args.verdicts_only) && material.men() <= MOST_VERDICT_MEN {
            asked_for.push((material, TableKind::Verdicts));
        }
    }
    Ok(asked_for)
}

impl Item {
    /// Fails unless the file at `path` is a table of this kind and ending. Reads only the header.
    pub fn require(&self, path: &Path) -> Result<(), TableError> {
        with_summary!(self.which, S => open::<S>(path, self.material).map(drop))
    }

    /// Adds an entry for the file at `path` to a manifest. `blake3` is the hash of the file.
    pub fn add_to_manifest(
        &self,
        manifest: &mut Manifest,
        path: &Path,
        blake3: String,
    ) -> Result<(), TableError> {
        with_summary!(self.which, S => {
            let entry = Entry::<S>::of_hashed(path, self.material, blake3)?;
            manifest.insert(self.material, entry);
        });
        Ok(())
    }

    /// Checks every block of the file at `path`.
    pub fn check(&self, path: &Path) -> Result<(), TableError> {
        with_summary!(self.which, S => S::check(&open::<S>(path, self.material)?))
    }
}

fn open<S: Listed>(
    path: &Path,
    material: CanonicalMaterial,
) -> Result<Container<S::Kind, FileBytes>, TableError> {
    Container::open_as(path, material, Access::Blocks)
}

/// The result of looking for a table on disk.
enum OnDisk {
    /// No usable file exists.
    Nothing,
    /// A complete table exists, and has all rule sets of the host's table.
    Complete,
    /// A file exists that the download should replace.
    ToReplace,
}

impl Wanted {
    /// Compares the requested files with those on disk and on the host. A file in the first
    /// directory that is not listed in the manifest of this directory is read completely and added
    /// to the manifest.
    pub fn new(
        asked_for: &[(CanonicalMaterial, TableKind)],
        listing: &Listing,
        directories: &[PathBuf],
        manifest: &mut Manifest,
        args: &Args,
        common: &Common,
    ) -> Result<Wanted, Failure> {
        let mut wanted = Wanted::default();
        for &asked in asked_for {
            let (material, which) = asked;
            let offered = listing.table(which, material);
            let on_disk = with_summary!(which, S => {
                look_on_disk::<S>(asked, offered, directories, manifest, common)?
            });
            let file = which.file_name(material);
            let replaces = match on_disk {
                OnDisk::Complete => {
                    wanted.present.push(file);
                    continue;
                }
                OnDisk::ToReplace => true,
                OnDisk::Nothing => false,
            };
            let trusted = args.unpublished || listing.signed;
            match offered.map(|offered| item(material, which, offered, replaces)) {
                Some(Some(item)) if item.published || trusted => {
                    item.require_bytes(listing)?;
                    wanted.items.push(item);
                    continue;
                }
                Some(_) => wanted.unpublished.push(file),
                None => wanted.missing.push(file),
            }
            wanted.unavailable.insert(material);
        }
        Ok(wanted)
    }

    /// The number of bytes to download.
    pub fn bytes(&self) -> u64 {
        let bytes = self.items.iter().map(|item| item.bytes);
        bytes.fold(0, u64::saturating_add)
    }
}

/// The bytes that an unpublished table may have besides two for each cell.
const MOST_BESIDES_CELLS: u64 = 16 << 20;

impl Item {
    /// Fails if the host's manifest gives the file another size than that of the published table
    /// or, for an unpublished table, a size that no table of the ending can have.
    fn require_bytes(&self, listing: &Listing) -> Result<(), Failure> {
        let bytes = self.bytes;
        let wrong = match PUBLISHED.bytes_of_hash(self.which, self.material, &self.blake3) {
            Some(published) if published != bytes => {
                format!("but the published table has {}", number(published))
            }
            Some(_) => return Ok(()),
            None => {
                let cells = plan(self.material, None).cells;
                let most = cells.saturating_mul(2).saturating_add(MOST_BESIDES_CELLS);
                if bytes <= most {
                    return Ok(());
                }
                format!("but a table of this ending has at most {}", number(most))
            }
        };
        let (host, file) = (listing.address(), self.which.file_name(self.material));
        let bytes = number(bytes);
        let fact = format_args!("{host} lists {file} with {bytes} bytes, {wrong}");
        Err(Failure::machine(fact)
            .help("report this to the owner of the host, or choose another host"))
    }
}

/// Describes the download of a file. `None` if the host's manifest has no hash for the file.
fn item(
    material: CanonicalMaterial,
    which: TableKind,
    offered: &Offered,
    replaces: bool,
) -> Option<Item> {
    let blake3 = offered.blake3.clone()?;
    Some(Item {
        material,
        which,
        bytes: offered.bytes,
        published: PUBLISHED.bytes_of_hash(which, material, &blake3).is_some(),
        blake3,
        replaces,
    })
}

/// Looks for a table in the directories. Downloads are written to the first directory.
fn look_on_disk<S: Listed>(
    (material, which): (CanonicalMaterial, TableKind),
    offered: Option<&Offered>,
    directories: &[PathBuf],
    manifest: &mut Manifest,
    common: &Common,
) -> Result<OnDisk, Failure> {
    let mut found = OnDisk::Nothing;
    for (i, directory) in directories.iter().enumerate() {
        let path = directory.join(which.file_name(material));
        let table = match existing_of::<S::Kind>(&path, material)? {
            Existing::Nothing => {
                // A link to nothing takes the name, although there is no file.
                if i == 0 && fs::symlink_metadata(&path).is_ok() {
                    let link = path.display();
                    return Err(
                        Failure::machine(format_args!("{link} is a link to nothing"))
                            .help("remove it, and run the same command again"),
                    );
                }
                continue;
            }
            Existing::Foreign(error) if i == 0 => return Err(error.into()),
            // A foreign file in a directory other than the first does no harm.
            Existing::Foreign(_) => continue,
            Existing::Corrupt(error) => Err(error),
            Existing::Table(table) => match i {
                0 => {
                    // Several threads may have to check its blocks.
                    ThreadsArgs::default().start(common.quiet)?;
                    require_intact::<S>(&table, &path, offered, manifest).map(|()| table)
                }
                _ => Ok(table),
            },
        };
        let is_enough = |found: RuleSets| offered.is_none_or(|o| found.includes(o.rule_sets));
        match table {
            Ok(table) if is_enough(table.rule_sets()) => return Ok(OnDisk::Complete),
            Ok(_) if i == 0 => found = OnDisk::ToReplace,
            Ok(_) => {}
            Err(error) => {
                if i == 0 {
                    found = OnDisk::ToReplace;
                }
                if !common.quiet {
                    say(error);
                }
            }
        }
    }
    Ok(found)
}

/// Fails unless a table is intact: its directory's manifest lists it, its hash is the one in the
/// host's manifest, or all its blocks are valid. Adds an unlisted table to the manifest.
fn require_intact<S: Listed>(
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
