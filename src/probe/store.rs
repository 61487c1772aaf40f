//! The tables of a tablebase, of all kinds, with their cache and the options that size them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::cache::PageCache;
use super::error::ProbeError;
use super::probe_header::{ProbeHeader, Probed};
use super::tables_of::{Files, Found, Place, Replaced, TableIn, TablesOf};
use crate::container::{CallerSource, FileBytes, TableError, kind_of};
use crate::material::{CanonicalMaterial, Material};
use crate::rules::{NotInTables, RuleSet, RuleSets};
use crate::table::{Access, Distances, TableFile, TableKind};
use crate::verdict::VerdictSets;

/// Options of a [`Tablebase`](super::Tablebase). They do not affect answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the cache of decoded blocks, in bytes: 64 MiB by default, at least 18 KiB. All
    /// threads share the cache. The system provides the memory as the cache fills, on Linux in
    /// steps of 2 MiB where possible.
    pub cache_bytes: usize,
    /// How files in directories are read; memory-mapped by default. Choose [`Access::Blocks`] in a
    /// program that must survive a failing disk, or that writes tables itself.
    pub access: Access,
    /// The largest number of files that are open or memory-mapped at once; no limit by default. At
    /// the limit, the least recently used file is closed before another is opened. A closed file is
    /// opened again when it is needed. A thread that is reading from a file keeps it open until the
    /// read is done.
    pub most_open: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cache_bytes: 64 << 20,
            access: Access::default(),
            most_open: None,
        }
    }
}

/// Evaluates an expression with the tables of one kind in a [`Store`].
macro_rules! with_tables {
    (&mut $store:expr, $kind:expr, $tables:ident => $value:expr) => {
        with_tables!(@ (&mut) $store, $kind, $tables => $value)
    };
    (&$store:expr, $kind:expr, $tables:ident => $value:expr) => {
        with_tables!(@ (&) $store, $kind, $tables => $value)
    };
    (@ ($($borrow:tt)+) $store:expr, $kind:expr, $tables:ident => $value:expr) => {
        match $kind {
            TableKind::Distances => {
                let $tables = $($borrow)+ $store.distances;
                $value
            }
            TableKind::Verdicts => {
                let $tables = $($borrow)+ $store.verdicts;
                $value
            }
        }
    };
}
pub(super) use with_tables;

/// The tables, and the cache of their blocks.
#[derive(Debug)]
pub(super) struct Store {
    directories: Vec<PathBuf>,
    /// The directories as errors share them, made for the first error after a change.
    searched: OnceLock<Arc<[PathBuf]>>,
    /// The distance tables.
    pub distances: TablesOf<Distances>,
    /// The verdict tables.
    pub verdicts: TablesOf<VerdictSets>,
    /// The open files of all kinds.
    pub files: Files,
    /// The cache of decoded blocks.
    pub cache: PageCache,
}

impl Store {
    /// A store without tables.
    pub fn new(options: &Options, cache: PageCache) -> Store {
        Store {
            directories: Vec::new(),
            searched: OnceLock::new(),
            distances: TablesOf::default(),
            verdicts: TablesOf::default(),
            files: Files::new(options.access, options.most_open),
            cache,
        }
    }

    /// The directories, in the order in which they were added.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// Adds a directory to [`Store::directories`]. Its tables are added with [`Store::add_file`].
    pub fn add_directory(&mut self, directory: &Path) {
        self.directories.push(directory.to_path_buf());
        self.searched = OnceLock::new();
    }

    /// Adds the table in a file, if the file has the name of a table. It is used only if no valid
    /// table of its kind and ending was added before.
    pub fn add_file(&mut self, path: PathBuf) {
        if let Some((kind, material)) = TableKind::of_path(&path)
            && with_tables!(&mut self, kind, tables => {
                tables.add(material, Place::on_disk(path), OnceLock::new())
            })
        {
            self.files.add();
        }
    }

    /// Adds a table from the bytes of its file, unless its ending has a table of its kind. Parses
    /// the header immediately.
    pub fn add_bytes(&mut self, bytes: FileBytes) -> Result<CanonicalMaterial, TableError> {
        // The parser reports bytes that are not a table.
        let kind = kind_of(&bytes).unwrap_or(TableKind::Distances);
        with_tables!(&mut self, kind, tables => add_given(tables, bytes, &self.files))
    }

    /// Adds the table with this file name from a source, unless there is a table of its kind and
    /// ending. Returns the ending, or `None` if the name is not that of a table.
    pub fn add_source(&mut self, name: &Path, source: CallerSource) -> Option<CanonicalMaterial> {
        let (kind, material) = TableKind::of_path(name)?;
        with_tables!(&mut self, kind, tables => {
            tables.add(material, Place::source(source), OnceLock::new());
        });
        Some(material)
    }

    /// The distance table for these men, as given or with exchanged colours.
    ///
    /// # Errors
    ///
    /// If there is no table of these men.
    #[inline]
    pub fn find(&self, men: Material) -> Result<Found, ProbeError> {
        match self.distances.find(men) {
            Some(found) => Ok(found),
            None => Err(self.missing(men)),
        }
    }

    /// The file of an ending's distance table, from the first directory where its header is valid.
    ///
    /// # Errors
    ///
    /// If there is no table, or no table can be used.
    pub fn usable_file(&self, material: CanonicalMaterial) -> Result<Arc<TableFile>, ProbeError> {
        let (found, _) = self.usable(material.material())?;
        Ok(self.file(found.slot)?)
    }

    /// The rule sets for which the distance tables of these men, taken together, have results.
    ///
    /// # Errors
    ///
    /// If there is no table, or no table can be used.
    pub fn rule_sets(&self, men: Material) -> Result<RuleSets, ProbeError> {
        let rules = self.distances.rule_sets(men, &self.files)?;
        rules.ok_or_else(|| self.missing(men))
    }

    /// The directories, for an error.
    fn searched(&self) -> Arc<[PathBuf]> {
        let searched = self
            .searched
            .get_or_init(|| self.directories.as_slice().into());
        searched.clone()
    }

    #[cold]
    fn missing(&self, men: Material) -> ProbeError {
        match men.check_men() {
            Ok(()) => ProbeError::Missing {
                material: men.canonical().0,
                directories: self.searched(),
            },
            Err(error) => NotInTables::from(error).into(),
        }
    }

    /// The error for a table of this kind without results for this rule set. The table has results
    /// for the rule sets in `found`.
    #[cold]
    pub fn missing_rules(
        &self,
        kind: TableKind,
        men: Material,
        found: RuleSets,
        rules: RuleSet,
    ) -> ProbeError {
        ProbeError::MissingRules {
            material: men.canonical().0,
            kind,
            found,
            rules,
            directories: self.searched(),
        }
    }

    /// The distance table for these men with its parsed header.
    ///
    /// # Errors
    ///
    /// If there is no table of these men, or none can be used.
    pub fn usable(&self, men: Material) -> Result<(Found, &ProbeHeader), ProbeError> {
        let usable = self.distances.usable(men, &self.files)?;
        usable.ok_or_else(|| self.missing(men))
    }

    /// The distance table to use for these men under a rule set: a table with results for the rule
    /// set, if there is one, and otherwise the first valid table.
    ///
    /// # Errors
    ///
    /// If there is no table of these men, or none can be used.
    pub fn usable_under(
        &self,
        men: Material,
        rules: RuleSet,
    ) -> Result<(Found, &ProbeHeader), ProbeError> {
        let usable = self.distances.usable_under(men, rules, &self.files)?;
        usable.ok_or_else(|| self.missing(men))
    }

    /// Reads the headers of all tables.
    ///
    /// # Errors
    ///
    /// The first error of a table without a valid replacement in a later directory.
    pub fn open_all(&self) -> Result<(), TableError> {
        for kind in TableKind::ALL {
            with_tables!(&self, kind, tables => for (material, _) in tables.tables() {
                tables.usable(material.material(), &self.files)?;
            });
        }
        Ok(())
    }

    /// Sets aside the corrupt table that `error` names, if a later directory has a table of the
    /// same kind and ending. The caller can then try again.
    ///
    /// # Errors
    ///
    /// The given error, if there is no later table or if the error has another cause.
    #[cold]
    pub fn set_aside(&self, error: ProbeError) -> Result<(), ProbeError> {
        match error {
            ProbeError::Table(error) => {
                let kind = error.table_kind().unwrap_or(TableKind::Distances);
                Ok(with_tables!(&self, kind, tables => tables.set_aside(error))?)
            }
            error => Err(error),
        }
    }

    /// The corrupt tables that were set aside, with their replacements.
    pub fn replaced(&self) -> Vec<Replaced> {
        let of_kind =
            |kind| with_tables!(&self, kind, tables => tables.replaced().collect::<Vec<_>>());
        TableKind::ALL.into_iter().flat_map(of_kind).collect()
    }

    /// The file of a distance table, opened if necessary.
    pub fn file(&self, slot: usize) -> Result<Arc<TableFile>, TableError> {
        self.distances.file(slot, &self.files)
    }
}

/// Adds a table from the bytes of its file, unless its ending has a table of this kind.
fn add_given<K: Probed>(
    tables: &mut TablesOf<K>,
    bytes: FileBytes,
    files: &Files,
) -> Result<CanonicalMaterial, TableError> {
    let file = TableIn::<K>::new(bytes)?;
    file.check_whole()?;
    let material = file.material();
    let contents = OnceLock::from(K::contents(&file, &files.next_page)?);
    tables.add(material, Place::given(file), contents);
    Ok(material)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::materials_of;
    use crate::table::file_name;

    #[test]
    fn tables_are_found_from_either_side() {
        let mut store = Store::new(&Options::default(), PageCache::none());
        let mut all = Vec::new();
        for men in 3..=6 {
            all.extend(materials_of(men));
        }
        for &material in &all {
            assert!(store.distances.first(material).is_none(), "{material}");
            store.add_file(file_name(material).into());
        }
        for (slot, material) in all.iter().enumerate() {
            let men = material.material();
            let found = |swapped| Found { slot, swapped };
            assert_eq!(store.find(men).unwrap(), found(false), "{material}");
            let swapped = found(men.white != men.black);
            assert_eq!(store.find(men.exchanged()).unwrap(), swapped, "{material}");
        }
        let tables = store.distances.tables();
        assert!(tables.map(|(material, _)| material).is_sorted());
        assert_eq!(store.distances.len(), all.len());
    }
}
