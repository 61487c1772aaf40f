//! Some tables, asked about positions.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::cache::{CacheStatistics, PageCache};
use super::catalog::{Catalog, MenKey};
use super::disk::Disk;
use super::distance::Distance;
use super::error::ProbeError;
use super::look::Look;
use super::open::{Files, Slot};
use super::value::Value;
use crate::board::Position;
use crate::material::CanonicalMaterial;
use crate::rules::{Count, RuleSet};
use crate::stats::Statistics;
use crate::table::{Access, FileBytes, Metric, TableError, TableFile};

/// How a [`Tablebase`] uses the machine. None of it changes an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The bytes for decoded blocks, shared by all threads: 64 MiB unless said otherwise. The
    /// system gives the memory as it is used. A cache of less than 36 KiB is made that large.
    pub cache_bytes: usize,
    /// How files in directories are read.
    pub access: Access,
    /// The most files open, or mapped, at once; any number if none is given. The one used longest
    /// ago is closed when another is needed, and opened again when a block of it is. (Threads that
    /// read at that moment hold theirs a little longer.)
    pub most_open: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cache_bytes: 64 << 20,
            access: Access::Map,
            most_open: None,
        }
    }
}

/// Some tables: those of directories, or given as bytes.
///
/// It is asked by `&self`, from any number of threads, which share the blocks decoded last. A probe
/// whose blocks are there takes no lock, and none allocates once each thread has decoded a block
/// of every size it comes across.
#[derive(Debug)]
pub struct Tablebase {
    pub(super) directories: Vec<PathBuf>,
    pub(super) by_material: BTreeMap<CanonicalMaterial, usize>,
    pub(super) slots: Vec<Slot>,
    pub(super) catalog: Catalog,
    pub(super) files: Files,
    pub(super) cache: PageCache,
}

impl Default for Tablebase {
    fn default() -> Tablebase {
        Tablebase::with_options(&Options::default())
    }
}

impl Tablebase {
    /// A tablebase of no tables.
    pub fn new() -> Tablebase {
        Tablebase::default()
    }

    /// The same, to use the machine as said.
    ///
    /// ```
    /// use sakmak::probe::{Options, Tablebase};
    ///
    /// // An engine that is short of memory, and of file descriptors.
    /// let tablebase = Tablebase::with_options(&Options {
    ///     cache_bytes: 16 << 20,
    ///     most_open: Some(8),
    ///     ..Options::default()
    /// });
    /// assert_eq!(tablebase.cache_statistics().hits, 0);
    /// ```
    pub fn with_options(options: &Options) -> Tablebase {
        Tablebase {
            directories: Vec::new(),
            by_material: BTreeMap::new(),
            slots: Vec::new(),
            catalog: Catalog::default(),
            files: Files::new(Disk::new(options)),
            cache: PageCache::new(options.cache_bytes),
        }
    }

    /// Adds the table in these bytes, which are a whole file, and tells what ending it is of. Where there
    /// is a table of the ending already, the one added first is taken.
    ///
    /// This needs no files, and nothing else that the system would have to give:
    ///
    /// ```
    /// use sakmak::board::{Fen, Lettering};
    /// use sakmak::probe::{Distance, Moves, Tablebase};
    /// # let directory = tempfile::tempdir()?;
    /// # let mut library = sakmak::generate::Library::new();
    /// # let options = sakmak::table::WriteOptions::default();
    /// # let (material, path) = ("KRvK".parse()?, directory.path());
    /// # sakmak::generate::generate_table(material, path, &mut library, &options, &|_| {})?;
    /// # let received = std::fs::read(path.join("KRvK.skm"))?;
    ///
    /// let mut tablebase = Tablebase::new();
    /// // Or what `include_bytes!` has built into the program.
    /// let material = tablebase.add_bytes(received)?;
    /// assert_eq!(material.to_string(), "KRvK");
    /// let fen = Fen::parse("8/8/8/8/8/2k5/8/K6R w", Lettering::Makruk)?;
    /// assert_eq!(tablebase.dtm(&fen.position)?, Distance::Win(Moves(14)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Table::new`](crate::table::Table::new), and if its header is not what its ending's
    /// should be.
    pub fn add_bytes(
        &mut self,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<CanonicalMaterial, TableError> {
        let file = TableFile::new(FileBytes::Memory(bytes.into()))?;
        let slot = self.files.given(file)?;
        let material = slot.material;
        self.add(slot);
        Ok(material)
    }

    /// Adds a table, unless there is one of its ending.
    pub(super) fn add(&mut self, slot: Slot) {
        let material = slot.material;
        self.by_material.entry(material).or_insert_with(|| {
            self.slots.push(slot);
            self.catalog.push(material);
            self.slots.len() - 1
        });
    }

    /// The directories added, in that order.
    pub fn directories(&self) -> &[PathBuf] {
        &self.directories
    }

    /// The endings of which there are tables, smaller ones first.
    pub fn materials(&self) -> impl Iterator<Item = CanonicalMaterial> {
        self.by_material.keys().copied()
    }

    /// The table of an ending, opened now if it was not.
    ///
    /// # Errors
    ///
    /// If it is in none of the directories, or its file cannot be used.
    pub fn table(&self, material: CanonicalMaterial) -> Result<Arc<TableFile>, ProbeError> {
        Ok(self.files.file(&self.slots, self.slot(material)?)?)
    }

    /// Reads the headers of all tables, so that no probe has to, and what is wrong with one is
    /// known. A tenth of a millisecond a table or less; no block is read.
    ///
    /// # Errors
    ///
    /// If a file cannot be used: the first, those of smaller endings before those of larger ones.
    pub fn open_all(&self) -> Result<(), ProbeError> {
        for &slot in self.by_material.values() {
            self.files.contents(&self.slots, slot)?;
        }
        Ok(())
    }

    /// How often cells asked for were in a block that had been decoded. A probe of a position that
    /// is stored with this side to move asks for one cell, another for one a move.
    pub fn cache_statistics(&self) -> CacheStatistics {
        self.cache.statistics()
    }

    fn slot(&self, material: CanonicalMaterial) -> Result<usize, ProbeError> {
        let slot = self.by_material.get(&material);
        slot.copied().ok_or_else(|| self.missing(material))
    }

    #[cold]
    pub(super) fn missing(&self, material: CanonicalMaterial) -> ProbeError {
        ProbeError::Missing {
            material,
            directories: self.directories.clone(),
        }
    }

    /// The statistics of an ending by distance to mate, from its table's header.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table`].
    pub fn statistics(&self, material: CanonicalMaterial) -> Result<&Statistics, ProbeError> {
        let statistics = self.statistics_of(material, &[Metric::Dtm])?;
        Ok(match statistics {
            Some(statistics) => statistics,
            None => Err(self.table(material)?.damaged("it has no distances to mate"))?,
        })
    }

    /// The statistics of an ending by distance to honor under a rule set. None where a king is
    /// bare, for there the distance to mate decides.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table`].
    pub fn honor_statistics(
        &self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Option<&Statistics>, ProbeError> {
        if material.is_bare() {
            return Ok(None);
        }
        let metric = Metric::Dth { rules: rules.id() };
        // A metric without a section is what its base says.
        let metrics: Vec<Metric> = [Some(metric), metric.base()]
            .into_iter()
            .flatten()
            .collect();
        match self.statistics_of(material, &metrics)? {
            Some(statistics) => Ok(Some(statistics)),
            None => Err(self
                .table(material)?
                .damaged("it has no distances to honor"))?,
        }
    }

    /// The statistics of the first of the metrics that a table has.
    fn statistics_of(
        &self,
        material: CanonicalMaterial,
        metrics: &[Metric],
    ) -> Result<Option<&Statistics>, ProbeError> {
        let contents = self.files.contents(&self.slots, self.slot(material)?)?;
        let mut sections = metrics
            .iter()
            .filter_map(|&metric| contents.of_metric(metric));
        Ok(sections.next().map(|stored| &stored.header.info.statistics))
    }

    /// How a position ends for the side to move when nothing is counted.
    ///
    /// # Errors
    ///
    /// If a table it depends on is missing or cannot be used: its own or, if it is not stored with
    /// this side to move, that of an ending that one of its captures leads to.
    pub fn dtm(&self, position: &Position) -> Result<Distance, ProbeError> {
        Look::new(self).distance(Metric::Dtm, position)
    }

    /// The distance to honor for the side to move: to mate, or to the capture of the last enemy
    /// man into an ending that the rule set's count lets the winner win. Against a bare king
    /// there is none.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dth(&self, position: &Position, rules: RuleSet) -> Result<Option<Distance>, ProbeError> {
        if MenKey::of(position).has_bare_king() {
            return Ok(None);
        }
        let metric = Metric::Dth { rules: rules.id() };
        Look::new(self).distance(metric, position).map(Some)
    }

    /// The distance to mate worked out from the positions that the moves lead to, even if the
    /// position itself is stored: for checking the one against the other.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dtm_by_moves(&self, position: &Position) -> Result<Distance, ProbeError> {
        Look::new(self).by_moves(Metric::Dtm, position)
    }

    /// The same for the distance to honor.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dth_by_moves(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Distance, ProbeError> {
        Look::new(self).by_moves(Metric::Dth { rules: rules.id() }, position)
    }

    /// What a position is worth to the side to move, under a rule set and with a count.
    ///
    /// None if the tables there do not decide it: in ASEAN chess, with men on both sides, a win
    /// that takes more moves than the fifty-move rule leaves may or may not have a capture on the
    /// way.
    ///
    /// # Errors
    ///
    /// If no such count can run in the position, and as [`Tablebase::dtm`].
    pub fn probe(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Option<Value>, ProbeError> {
        if let Count::Explicit { .. } = count {
            count.validate(rules, position.material(), position.turn())?;
        }
        let dtm = self.dtm(position)?;
        Ok(match self.dth(position, rules)? {
            None => Some(Value::against_bare_king(position, rules, count, dtm)),
            Some(dth) => Value::with_men_on_both_sides(position, rules, count, dtm, dth),
        })
    }
}
