//! A set of tables, and probes of it.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::{CacheStatistics, PageCache};
use super::contents::Contents;
use super::distance::{Distance, Plies};
use super::error::ProbeError;
use super::lookup::Lookup;
use super::measure::{Honor, HonorDistance, InMoves, InPlies};
use super::options::Options;
use super::shelf::Replaced;
use super::store::Store;
use super::value::Value;
use crate::board::Position;
use crate::material::CanonicalMaterial;
use crate::rules::{Category, Count, RuleSet, RuleSets};
use crate::stats::Statistics;
use crate::table::{Elsewhere, FileBytes, Metric, Source, TableError, TableFile, file_name};

/// A set of tables, in directories or in memory.
///
/// All threads call it by `&self` and share the cache of decoded blocks. A probe of cached blocks
/// takes no lock, and no probe allocates once its thread has decoded a block of each size.
#[derive(Debug)]
pub struct Tablebase {
    store: Store,
}

impl Default for Tablebase {
    fn default() -> Tablebase {
        let options = Options::default();
        // Half of the default if memory is short, or a quarter, and so on.
        let sizes = (0..12).map(|halved| options.cache_bytes >> halved);
        let cache = sizes.into_iter().find_map(PageCache::new);
        Tablebase {
            store: Store::new(&options, cache.unwrap_or_else(PageCache::none)),
        }
    }
}

impl Tablebase {
    /// The tables of this tablebase.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// A tablebase without tables, with default [`Options`]. If memory is short, its cache is
    /// smaller.
    pub fn new() -> Tablebase {
        Tablebase::default()
    }

    /// A tablebase without tables, with these options.
    ///
    /// ```
    /// use sakmak::probe::{Options, Tablebase};
    ///
    /// // An engine short of memory and of file descriptors.
    /// let tablebase = Tablebase::with_options(&Options {
    ///     cache_bytes: 16 << 20,
    ///     most_open: Some(8),
    ///     ..Options::default()
    /// })?;
    /// assert_eq!(tablebase.cache_statistics().hits, 0);
    /// # Ok::<(), sakmak::probe::ProbeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ProbeError::NoMemory`] if the cache exceeds the machine's memory or cannot be allocated.
    pub fn with_options(options: &Options) -> Result<Tablebase, ProbeError> {
        let bytes = options.cache_bytes;
        let cache = PageCache::new(bytes).ok_or(ProbeError::NoMemory { bytes })?;
        Ok(Tablebase {
            store: Store::new(options, cache),
        })
    }

    /// Adds the distance table or verdict table in these bytes, a whole file, and returns its
    /// ending. If there is a table of the same kind and ending already, the earlier table is used.
    ///
    /// It needs neither a file system nor any other system call:
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
    /// // Or the bytes of `include_bytes!`.
    /// let material = tablebase.add_bytes(received)?;
    /// assert_eq!(material.to_string(), "KRvK");
    /// let fen = Fen::parse("8/8/8/8/8/2k5/8/K6R w", Lettering::Makruk)?;
    /// assert_eq!(tablebase.dtm(&fen.position)?, Distance::Win(Moves(14)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Table::new`](crate::table::Table::new) and
    /// [`Verdicts::new`](crate::verdict::Verdicts::new), and if its header is wrong for its ending.
    pub fn add_bytes(
        &mut self,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<CanonicalMaterial, TableError> {
        self.store.add_bytes(FileBytes::Memory(bytes.into()))
    }

    /// Adds an ending's distance table from a source, unless there is one.
    ///
    /// Reads nothing now. A probe that needs missing bytes fails with the source's error, and can
    /// be repeated when they have arrived. So a program can fetch only the parts of a table that it
    /// needs.
    pub fn add_source(
        &mut self,
        material: CanonicalMaterial,
        source: impl Source + Send + Sync + 'static,
    ) {
        self.store.add_source(material, Elsewhere::new(source));
    }

    /// Adds an ending's verdict table from a source, as [`Tablebase::add_source`] does a distance
    /// table.
    pub fn add_verdict_source(
        &mut self,
        material: CanonicalMaterial,
        source: impl Source + Send + Sync + 'static,
    ) {
        let source = Elsewhere::new(source);
        self.store.add_verdict_source(material, source);
    }

    /// Adds the tables of a directory: the files with the canonical name of a material, such as
    /// `KSMvK.skm` or, for verdicts, `KSMvK.skv`. Returns the number of endings that had none
    /// before.
    ///
    /// Reads only the names; a table is opened when a position first needs it. If several
    /// directories have a table of the same kind and ending, the first is used; a later one only if
    /// the first lacks the rule set asked about or turns out to be corrupt: see
    /// [`replaced`](Tablebase::replaced).
    ///
    /// # Errors
    ///
    /// If the directory is missing or cannot be read. Corrupt tables are not detected here.
    pub fn add_directory(&mut self, path: impl AsRef<Path>) -> io::Result<usize> {
        let directory = path.as_ref();
        self.store.add_directory(directory);
        let before = self.endings();
        for entry in std::fs::read_dir(directory)? {
            self.store.add_file(entry?.path());
        }
        Ok(self.endings() - before)
    }

    /// The directories in the order of addition.
    pub fn directories(&self) -> &[PathBuf] {
        self.store.directories()
    }

    /// Number of distance tables.
    pub fn len(&self) -> usize {
        self.store.distances.len()
    }

    /// True if there are neither distance tables nor verdict tables.
    pub fn is_empty(&self) -> bool {
        self.endings() == 0
    }

    /// Number of endings with a distance table or a verdict table.
    pub fn endings(&self) -> usize {
        self.materials()
            .chain(self.verdict_materials())
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// The most men of a table, kings included; 0 without tables. Positions with more men need not
    /// be probed.
    pub fn most_men(&self) -> usize {
        let all = self.materials().chain(self.verdict_materials());
        all.map(CanonicalMaterial::men).max().unwrap_or(0)
    }

    /// The endings with distance tables, smaller ones first.
    pub fn materials(&self) -> impl Iterator<Item = CanonicalMaterial> + use<> {
        self.store.distances.tables().map(|(material, _)| material)
    }

    /// The endings with verdict tables, smaller ones first.
    pub fn verdict_materials(&self) -> impl Iterator<Item = CanonicalMaterial> + use<> {
        self.store.verdicts.tables().map(|(material, _)| material)
    }

    /// The distance tables in directories with their files, smaller endings first.
    pub fn tables(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        self.store.distances.files()
    }

    /// The file of an ending's distance table, if it is in a directory.
    pub fn path(&self, material: CanonicalMaterial) -> Option<&Path> {
        self.store
            .distances
            .path(self.store.distances.first(material)?)
    }

    /// The verdict tables in directories with their files, smaller endings first.
    pub fn verdict_tables(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        self.store.verdicts.files()
    }

    /// The file of an ending's verdict table, if it is in a directory.
    pub fn verdict_path(&self, material: CanonicalMaterial) -> Option<&Path> {
        self.store
            .verdicts
            .path(self.store.verdicts.first(material)?)
    }

    /// Number of files in directories that are open or mapped.
    pub fn open_files(&self) -> usize {
        self.store.open_files()
    }

    /// The file of an ending's distance table that probes read first: that of [`Tablebase::path`]
    /// unless its header is corrupt and a later directory has another. Opens files only if there
    /// are several.
    pub fn path_in_use(&self, material: CanonicalMaterial) -> Option<&Path> {
        self.store.path_in_use(material)
    }

    /// The file of an ending's verdict table that probes read first, as [`Tablebase::path_in_use`]
    /// for distance tables.
    pub fn verdict_path_in_use(&self, material: CanonicalMaterial) -> Option<&Path> {
        self.store.verdict_path_in_use(material)
    }

    /// The distance table of an ending, opened if necessary: of the first directory with a valid
    /// header.
    ///
    /// # Errors
    ///
    /// If no directory has it, or its file cannot be used.
    pub fn table(&self, material: CanonicalMaterial) -> Result<Arc<TableFile>, ProbeError> {
        self.store.usable_file(material)
    }

    /// Sets the corrupt table of an error aside if a later directory has its ending.
    ///
    /// # Errors
    ///
    /// The error itself, if there is no other table or it has another cause.
    pub(crate) fn set_aside(&self, error: ProbeError) -> Result<(), ProbeError> {
        self.store.set_aside(error)
    }

    /// Fails unless an ending has a distance table that answers this rule set.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::table`], and [`ProbeError::MissingRules`].
    pub fn require(&self, material: CanonicalMaterial, rules: RuleSet) -> Result<(), ProbeError> {
        let found = self.rule_sets(material)?;
        match found.contains(rules) {
            true => Ok(()),
            false => {
                let (men, name) = (material.material(), file_name(material));
                Err(self.store.missing_rules(men, name, found, rules))
            }
        }
    }

    /// The distance table of an ending that answers this rule set, opened if necessary.
    pub(crate) fn table_under(
        &self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Arc<TableFile>, ProbeError> {
        let slot = Lookup::under(&self.store, rules).slot(material)?;
        Ok(self.store.file(slot)?)
    }

    /// The rule sets that an ending's distance tables answer, those of all directories together.
    /// Opens the tables if necessary.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::table`].
    pub fn rule_sets(&self, material: CanonicalMaterial) -> Result<RuleSets, ProbeError> {
        self.store.rule_sets(material.material())
    }

    /// The rule sets that an ending's verdict tables answer; none without a verdict table.
    ///
    /// # Errors
    ///
    /// If no file can be used.
    pub fn verdict_rule_sets(
        &self,
        material: CanonicalMaterial,
    ) -> Result<Option<RuleSets>, ProbeError> {
        Ok(self.store.verdict_rule_sets(material.material())?)
    }

    /// Reads the headers of all tables, so that probes need not, and faults show now. Takes a tenth
    /// of a millisecond a table or less; reads no block.
    ///
    /// # Errors
    ///
    /// The first error of a file without a replacement in a later directory, distance tables before
    /// verdict tables and smaller endings before larger ones.
    pub fn open_all(&self) -> Result<(), ProbeError> {
        Ok(self.store.open_all()?)
    }

    /// The corrupt tables found so far that were replaced by tables of later directories. They are
    /// not read again.
    pub fn replaced(&self) -> Vec<Replaced> {
        self.store.replaced().collect()
    }

    /// Cache hits and misses in cells. A probe of a position that is stored with this side to move
    /// needs one cell, any other probe one for each move.
    pub fn cache_statistics(&self) -> CacheStatistics {
        self.store.cache.statistics()
    }

    /// The statistics of an ending by distance to mate, from its table's header.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::table`].
    pub fn statistics(&self, material: CanonicalMaterial) -> Result<&Statistics, ProbeError> {
        let (_, contents) = self.store.usable(material.material())?;
        Ok(match statistics_of(contents, &[Metric::Dtm]) {
            Some(statistics) => statistics,
            None => Err(self.table(material)?.damaged("it has no distances to mate"))?,
        })
    }

    /// The statistics of an ending by distance to honor under a rule set. None against a bare king,
    /// where the distance to mate decides.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::table`], and if the table lacks this rule set.
    pub fn honor_statistics(
        &self,
        material: CanonicalMaterial,
        rules: RuleSet,
    ) -> Result<Option<&Statistics>, ProbeError> {
        self.require(material, rules)?;
        if material.material().is_bare_without_bia() {
            return Ok(None);
        }
        let metric = Metric::Dth(rules);
        // A metric without a section equals its base.
        let metrics: Vec<Metric> = [Some(metric), metric.base(material)]
            .into_iter()
            .flatten()
            .collect();
        let (_, contents) = self.store.usable_under(material.material(), rules)?;
        match statistics_of(contents, &metrics) {
            Some(statistics) => Ok(Some(statistics)),
            None => Err(self
                .table_under(material, rules)?
                .damaged("it has no distances to honor"))?,
        }
    }

    /// The distance to mate for the side to move, with nothing counted.
    ///
    /// # Errors
    ///
    /// If a table is missing or cannot be used: its own or, if the position is not stored with this
    /// side to move, one of a subending.
    pub fn dtm(&self, position: &Position) -> Result<Distance, ProbeError> {
        Lookup::new(&self.store).distance(InMoves::DTM, position)
    }

    /// [`dtm`](Tablebase::dtm) or, if the distance is `enough` or better, any distance between
    /// `enough` and it: after a move that is good enough the others are not looked up.
    pub(crate) fn dtm_up_to(
        &self,
        position: &Position,
        enough: Distance,
    ) -> Result<Distance, ProbeError> {
        Lookup::new(&self.store).distance_up_to(InMoves::DTM, position, enough)
    }

    /// The distance to honor for the side to move: to mate, or to the capture of the last enemy man
    /// into an ending that is won inside the rule set's new count. None against a bare king.
    ///
    /// While there are bia nothing is counted. The distance is then to mate, or to the end of the
    /// last bia, by capture or promotion, into an ending won inside the count, also against a bare
    /// king. If the loser must end it, the last move is not the winner's, and a loss in 0 moves
    /// need not be mate.
    ///
    /// In ASEAN chess the distance ends with any capture by either side after which the win stands,
    /// since the fifty-move rule then restarts; a win stopped by that rule is a draw.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    pub fn dth(&self, position: &Position, rules: RuleSet) -> Result<Option<Distance>, ProbeError> {
        if position.material().is_bare_without_bia() {
            return Ok(None);
        }
        let distance = Lookup::under(&self.store, rules).honor(rules, position)?;
        Ok(Some(distance.in_moves()))
    }

    /// The distance to honor of a move, for the player who makes it; the position after it has men
    /// on both sides, or bia.
    pub(super) fn distance_after(
        &self,
        next: &Position,
        rules: RuleSet,
        capture: bool,
    ) -> Result<HonorDistance, ProbeError> {
        let distance = Lookup::under(&self.store, rules).honor(rules, next)?;
        Ok(match distance {
            Honor::Moves(moves) => Honor::Moves(moves.before_move()),
            Honor::Plies(plies) if capture => Honor::Plies(plies.after_restart().before_ply()),
            Honor::Plies(plies) => Honor::Plies(plies.before_ply()),
        })
    }

    /// The category of a move with a bare king on the board, for the player who makes it, from the
    /// distance to mate counted from before the move.
    pub(super) fn category_against_bare_king(
        &self,
        position: &Position,
        next: &Position,
        rules: RuleSet,
        count: &Count,
        dtm: Distance,
    ) -> Result<Category, ProbeError> {
        let mut lookup = Lookup::under(&self.store, rules);
        let value = lookup.move_against_bare_king((position, next), rules, count, dtm)?;
        Ok(value.category)
    }

    /// The distance to mate computed from the positions after the moves, even if the position
    /// itself is stored: for checking.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    pub fn dtm_by_moves(&self, position: &Position) -> Result<Distance, ProbeError> {
        Lookup::new(&self.store).by_moves(InMoves::DTM, position)
    }

    /// The distance to honor, computed like [`Tablebase::dtm_by_moves`].
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    pub fn dth_by_moves(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Distance, ProbeError> {
        let mut lookup = Lookup::under(&self.store, rules);
        match Honor::of(rules) {
            Honor::Moves(measure) => lookup.by_moves(measure, position),
            Honor::Plies(measure) => Ok(lookup.by_moves(measure, position)?.in_moves()),
        }
    }

    /// The plies to honor in ASEAN chess or, against a bare king in an ending in which [late
    /// captures matter](crate::rules::late_captures_matter), until mate or a capture by that king.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    #[doc(hidden)]
    pub fn asean_plies(&self, position: &Position) -> Result<Distance<Plies>, ProbeError> {
        Lookup::under(&self.store, RuleSet::Asean).distance(InPlies, position)
    }

    /// [`Tablebase::asean_plies`], computed from the positions after the moves.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    #[doc(hidden)]
    pub fn asean_plies_by_moves(&self, position: &Position) -> Result<Distance<Plies>, ProbeError> {
        Lookup::under(&self.store, RuleSet::Asean).by_moves(InPlies, position)
    }

    /// The value of a position for the side to move, under a rule set and a count.
    ///
    /// # Errors
    ///
    /// If the position cannot have this count, and as for [`Tablebase::dtm`].
    pub fn probe(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        validate(position, rules, count)?;
        Lookup::under(&self.store, rules).probe(position, rules, count)
    }

    /// The category of [`Tablebase::probe`], with fewer lookups: it stops as soon as the category
    /// is certain. If the position is not stored with this side to move, the first move that wins
    /// inside the count is enough; with men on both sides a draw on the board is, which no count
    /// changes.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::probe`].
    pub fn category(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        validate(position, rules, count)?;
        Lookup::under(&self.store, rules).category(position, rules, count)
    }

    /// [`Tablebase::category`] from decoded blocks only. It never opens a file, reads, allocates or
    /// waits, so a search may call it at any node.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block is not decoded, else as for [`Tablebase::category`].
    pub fn category_cached(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(&self.store, rules).category(position, rules, count)
    }

    /// The bounds of the category for the side to move, from one lookup in a verdict table. They
    /// differ only under a running count that leaves a winner fewer moves than a fresh one: the win
    /// may be in time or too late. Without a verdict table both are the
    /// [category](Tablebase::category).
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::category`].
    pub fn category_bounds(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<[Category; 2], ProbeError> {
        validate(position, rules, count)?;
        Lookup::under(&self.store, rules).category_bounds(position, rules, count)
    }

    /// The category with a fresh count, from the verdict table alone. None without a verdict table
    /// of the position's men.
    ///
    /// # Errors
    ///
    /// If that table cannot be used.
    pub fn verdict(
        &self,
        position: &Position,
        rules: RuleSet,
    ) -> Result<Option<Category>, ProbeError> {
        Lookup::under(&self.store, rules).verdict(position, rules)
    }

    /// [`Tablebase::probe`] from decoded blocks only. It never opens a file, reads, allocates or
    /// waits, so a search may call it at any node.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block is not decoded, else as for [`Tablebase::probe`].
    pub fn probe_cached(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(&self.store, rules).probe(position, rules, count)
    }

    /// The values of many positions, in their order, as by [`Tablebase::probe`].
    ///
    /// Positions are looked up in the order of their blocks, so that each block is decoded once,
    /// and files are read forwards. An error of one position does not affect the others.
    ///
    /// ```
    /// use sakmak::board::{Fen, Lettering};
    /// use sakmak::probe::Tablebase;
    /// use sakmak::rules::{Category, Count, RuleSet};
    ///
    /// let kings = Fen::parse("8/8/8/3k4/8/3K4/8/8 w", Lettering::Makruk)?.position;
    /// let khon = Fen::parse("8/8/8/3k4/8/3K4/2S5/8 w", Lettering::Makruk)?.position;
    /// // Two kings need no table; the table of the other position was not added.
    /// let answers = Tablebase::new().probe_many(&[khon, kings], RuleSet::Makruk, &Count::Fresh);
    /// assert!(answers[0].is_err());
    /// assert!(matches!(&answers[1], Ok(value) if value.category == Category::Draw));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe_many(
        &self,
        positions: &[Position],
        rules: RuleSet,
        count: &Count,
    ) -> Vec<Result<Value, ProbeError>> {
        let mut lookup = Lookup::new(&self.store);
        let mut order: Vec<(u64, usize)> = positions
            .iter()
            .enumerate()
            .map(|(place, position)| (lookup.order(Metric::Dtm, position), place))
            .collect();
        order.sort_unstable();
        let mut answers: Vec<_> = positions.iter().map(|_| None).collect();
        for (_, place) in order {
            answers[place] = Some(self.probe(&positions[place], rules, count));
        }
        answers.into_iter().flatten().collect()
    }
    /// True if the position is stored with this side to move. Then a probe needs one cell of one
    /// block, otherwise a cell for each move. A search may probe only stored positions.
    ///
    /// # Errors
    ///
    /// If the table of its ending is missing or cannot be used.
    pub fn is_stored(&self, position: &Position) -> Result<bool, ProbeError> {
        Lookup::new(&self.store).is_stored(position)
    }
}

/// Rejects a count that has no meaning in the position.
pub(super) fn validate(
    position: &Position,
    rules: RuleSet,
    count: &Count,
) -> Result<(), ProbeError> {
    if *count != Count::Fresh {
        count.validate(rules, position.material())?;
    }
    Ok(())
}

/// The statistics of the first of these metrics with a section.
fn statistics_of<'a>(contents: &'a Contents, metrics: &[Metric]) -> Option<&'a Statistics> {
    let sections = metrics.iter();
    let mut sections = sections.filter_map(|&metric| contents.of_metric(metric));
    sections.next().map(|stored| &stored.header.info.statistics)
}
