//! A set of tables, and the questions it answers.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::{CacheStatistics, PageCache};
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
use crate::table::{Elsewhere, FileBytes, Metric, Source, TableError, TableFile};

/// A set of tables: those of directories, or given as bytes.
///
/// It is asked by `&self`, from any number of threads, which share the blocks decoded last. A probe
/// whose blocks are there takes no lock, and none allocates once each thread has decoded a block
/// of every size it comes across.
#[derive(Debug)]
pub struct Tablebase {
    store: Store,
}

impl Default for Tablebase {
    fn default() -> Tablebase {
        let options = Options::default();
        // As much of the default as the system gives: half of it, a quarter...
        let sizes = (0..12).map(|halved| options.cache_bytes >> halved);
        let cache = sizes.into_iter().find_map(PageCache::new);
        Tablebase {
            store: Store::new(&options, cache.unwrap_or_else(PageCache::none)),
        }
    }
}

impl Tablebase {
    /// Its tables.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// A tablebase of no tables, with the default [`Options`]. Where memory is short its cache is
    /// smaller.
    pub fn new() -> Tablebase {
        Tablebase::default()
    }

    /// A tablebase of no tables that uses the machine as the options say.
    ///
    /// ```
    /// use sakmak::probe::{Options, Tablebase};
    ///
    /// // An engine that is short of memory, and of file descriptors.
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
    /// [`ProbeError::NoMemory`] if there is not the memory for the cache, or the machine has not as
    /// much.
    pub fn with_options(options: &Options) -> Result<Tablebase, ProbeError> {
        let bytes = options.cache_bytes;
        let cache = PageCache::new(bytes).ok_or(ProbeError::NoMemory { bytes })?;
        Ok(Tablebase {
            store: Store::new(options, cache),
        })
    }

    /// Adds the table in these bytes, which are a whole file, of distances or of verdicts, and tells what
    /// ending it is of. Where there is one of its kind and ending already, the one added first is taken.
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
    /// As [`Table::new`](crate::table::Table::new) and [`Verdicts::new`](crate::verdict::Verdicts::new), and
    /// if its header is not what its ending's should be.
    pub fn add_bytes(
        &mut self,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<CanonicalMaterial, TableError> {
        self.store.add_bytes(FileBytes::Memory(bytes.into()))
    }

    /// Adds the distance table of an ending whose bytes a source provides, unless there is one of it.
    ///
    /// Nothing is read now. A probe that needs bytes which the source does not have yet fails with
    /// the source's error, and can be asked again once they are there: so a program reads a table
    /// of which it fetches parts only.
    pub fn add_source(
        &mut self,
        material: CanonicalMaterial,
        source: impl Source + Send + Sync + 'static,
    ) {
        self.store.add_source(material, Elsewhere::new(source));
    }

    /// Adds the verdict table of an ending in the same way.
    pub fn add_verdict_source(
        &mut self,
        material: CanonicalMaterial,
        source: impl Source + Send + Sync + 'static,
    ) {
        let source = Elsewhere::new(source);
        self.store.add_verdict_source(material, source);
    }

    /// Adds the tables of a directory: the files named after a material in its canonical form, such
    /// as `KSMvK.skm` or, of verdicts, `KSMvK.skv`. Returns how many endings had none before.
    ///
    /// Only the names are read. A table is opened when a position first needs it. Where several
    /// directories have a table of the same kind and ending, the one added first is taken; a later one
    /// only if that turns out damaged when it is read, which [`replaced`](Tablebase::replaced) tells.
    ///
    /// # Errors
    ///
    /// If the directory is not there or cannot be read. A table in it that is damaged is not
    /// noticed here.
    pub fn add_directory(&mut self, path: impl AsRef<Path>) -> io::Result<usize> {
        let directory = path.as_ref();
        self.store.add_directory(directory);
        let before = self.endings();
        for entry in std::fs::read_dir(directory)? {
            self.store.add_file(entry?.path());
        }
        Ok(self.endings() - before)
    }

    /// The directories added, in that order.
    pub fn directories(&self) -> &[PathBuf] {
        self.store.directories()
    }

    /// The number of distance tables.
    pub fn len(&self) -> usize {
        self.store.distances.len()
    }

    /// True if there are no tables, neither of distances nor of verdicts.
    pub fn is_empty(&self) -> bool {
        self.endings() == 0
    }

    /// The number of endings that have a table, of distances or of verdicts.
    pub fn endings(&self) -> usize {
        self.materials()
            .chain(self.verdict_materials())
            .collect::<BTreeSet<_>>()
            .len()
    }

    /// The most men of a table, of distances or of verdicts, kings included; 0 if there are no tables.
    /// A position with more men need not be asked about.
    pub fn most_men(&self) -> usize {
        let all = self.materials().chain(self.verdict_materials());
        all.map(CanonicalMaterial::men).max().unwrap_or(0)
    }

    /// The endings of which there are distance tables, smaller ones first.
    pub fn materials(&self) -> impl Iterator<Item = CanonicalMaterial> + use<> {
        self.store.distances.tables().map(|(material, _)| material)
    }

    /// The endings of which there are verdict tables, smaller ones first.
    pub fn verdict_materials(&self) -> impl Iterator<Item = CanonicalMaterial> + use<> {
        self.store.verdicts.tables().map(|(material, _)| material)
    }

    /// The distance tables in directories, those of smaller endings first, each with its file.
    pub fn tables(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        self.store.distances.files()
    }

    /// The file of an ending's distance table, if it is in one of the directories.
    pub fn path(&self, material: CanonicalMaterial) -> Option<&Path> {
        self.store
            .distances
            .path(self.store.distances.first(material)?)
    }

    /// The verdict tables in directories, those of smaller endings first, each with its file.
    pub fn verdict_tables(&self) -> impl Iterator<Item = (CanonicalMaterial, &Path)> {
        self.store.verdicts.files()
    }

    /// The file of an ending's verdict table, if it is in one of the directories.
    pub fn verdict_path(&self, material: CanonicalMaterial) -> Option<&Path> {
        self.store
            .verdicts
            .path(self.store.verdicts.first(material)?)
    }

    /// The number of files of directories that are open, or mapped.
    pub fn open_files(&self) -> usize {
        self.store.open_files()
    }

    /// The distance table of an ending, opened now if it was not.
    ///
    /// # Errors
    ///
    /// If it is in none of the directories, or its file cannot be used.
    pub fn table(&self, material: CanonicalMaterial) -> Result<Arc<TableFile>, ProbeError> {
        self.store.first_file(material)
    }

    /// Fails unless there is a distance table of an ending, and it answers this rule set.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table`], and [`ProbeError::MissingRules`].
    pub fn require(&self, material: CanonicalMaterial, rules: RuleSet) -> Result<(), ProbeError> {
        Lookup::under(&self.store, rules).require(material)
    }

    /// The rule sets that an ending's distance table answers. The table is opened now if it was not.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::table`].
    pub fn rule_sets(&self, material: CanonicalMaterial) -> Result<RuleSets, ProbeError> {
        let (_, contents) = self.store.usable(material.material())?;
        Ok(contents.rules)
    }

    /// The rule sets that an ending's verdict table answers; none if there is no such table.
    ///
    /// # Errors
    ///
    /// If its file cannot be used.
    pub fn verdict_rule_sets(
        &self,
        material: CanonicalMaterial,
    ) -> Result<Option<RuleSets>, ProbeError> {
        let usable = self.store.usable_verdicts(material.material())?;
        Ok(usable.map(|(_, contents)| contents.rules()))
    }

    /// Reads the headers of all tables, so that no probe has to, and what is wrong with one is
    /// known. A tenth of a millisecond a table or less; no block is read.
    ///
    /// # Errors
    ///
    /// If a file cannot be used and no later directory has another: the first, distance tables before
    /// verdict tables and smaller endings before larger ones.
    pub fn open_all(&self) -> Result<(), ProbeError> {
        Ok(self.store.open_all()?)
    }

    /// The tables that have turned out damaged so far, and were replaced by those of later directories.
    /// They are not read again.
    pub fn replaced(&self) -> Vec<Replaced> {
        self.store.replaced().collect()
    }

    /// How often cells asked for were in a block that had been decoded. A probe of a position that
    /// is stored with this side to move asks for one cell, another for one a move.
    pub fn cache_statistics(&self) -> CacheStatistics {
        self.store.cache.statistics()
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
    /// As [`Tablebase::table`], and if the table has not this rule set.
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
        // A metric without a section is what its base says.
        let metrics: Vec<Metric> = [Some(metric), metric.base(material)]
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
        let (_, contents) = self.store.usable(material.material())?;
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
        Lookup::new(&self.store).distance(InMoves::DTM, position)
    }

    /// As [`dtm`](Tablebase::dtm), but if that is `enough` or better, any distance between the two:
    /// a move that is enough spares a look at the others.
    pub(crate) fn dtm_up_to(
        &self,
        position: &Position,
        enough: Distance,
    ) -> Result<Distance, ProbeError> {
        Lookup::new(&self.store).distance_up_to(InMoves::DTM, position, enough)
    }

    /// The distance to honor for the side to move: to mate, or to the capture of the last enemy
    /// man into an ending that the rule set's count lets the winner win. Against a bare king
    /// there is none.
    ///
    /// While a bia stands nothing is counted, and the distance is to mate or to the end of the last bia,
    /// by its capture or promotion, that the count then lets the winner win, against a bare king as well.
    /// If it is the loser that has to end it, the last move is none of the winner's: a loss in 0 moves
    /// need not be mate.
    ///
    /// In ASEAN chess any capture after which the win stands ends it, by either side, since the
    /// fifty-move rule then starts again; a win that this rule stops is a draw.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dth(&self, position: &Position, rules: RuleSet) -> Result<Option<Distance>, ProbeError> {
        if position.material().is_bare_without_bia() {
            return Ok(None);
        }
        let distance = Lookup::under(&self.store, rules).honor(rules, position)?;
        Ok(Some(distance.in_moves()))
    }

    /// What a move is worth that leads to a position with men on both sides, or with bia, to honor, for the player
    /// who makes it.
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

    /// What a move is worth with a king bare, to the player who makes it, from the distance to mate
    /// counted from before it.
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

    /// The distance to mate worked out from the positions that the moves lead to, even if the
    /// position itself is stored: for checking the one against the other.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    pub fn dtm_by_moves(&self, position: &Position) -> Result<Distance, ProbeError> {
        Lookup::new(&self.store).by_moves(InMoves::DTM, position)
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
        let mut lookup = Lookup::under(&self.store, rules);
        match Honor::of(rules) {
            Honor::Moves(measure) => lookup.by_moves(measure, position),
            Honor::Plies(measure) => Ok(lookup.by_moves(measure, position)?.in_moves()),
        }
    }

    /// Under ASEAN chess's rules the plies to honor or, in an ending against a bare king in which [late
    /// captures matter](crate::rules::late_captures_matter), until mate or a capture by that king.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    #[doc(hidden)]
    pub fn asean_plies(&self, position: &Position) -> Result<Distance<Plies>, ProbeError> {
        Lookup::under(&self.store, RuleSet::Asean).distance(InPlies, position)
    }

    /// The same worked out from the positions that the moves lead to.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::dtm`].
    #[doc(hidden)]
    pub fn asean_plies_by_moves(&self, position: &Position) -> Result<Distance<Plies>, ProbeError> {
        Lookup::under(&self.store, RuleSet::Asean).by_moves(InPlies, position)
    }

    /// What a position is worth to the side to move, under a rule set and with a count.
    ///
    /// # Errors
    ///
    /// If no such count can run in the position, and as [`Tablebase::dtm`].
    pub fn probe(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        validate(position, rules, count)?;
        Lookup::under(&self.store, rules).probe(position, rules, count)
    }

    /// The category of [`Tablebase::probe`] and nothing else, which takes fewer lookups: it stops at
    /// the first thing that settles it. Where the side to move is not stored the first move that
    /// wins inside the count does, and where both sides have men a draw on the board, which stays
    /// one under any count.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`].
    pub fn category(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        validate(position, rules, count)?;
        Lookup::under(&self.store, rules).category(position, rules, count)
    }

    /// As [`Tablebase::category`], but only from blocks that have been decoded. It opens, reads and
    /// allocates nothing and waits for nobody, so a search may ask it at any node.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block it needs is not there, else as [`Tablebase::category`].
    pub fn category_cached(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(&self.store, rules).category(position, rules, count)
    }

    /// The least and the most that a position can be worth to the side to move, by the verdict table of
    /// its men alone: one question to a small table. They differ only where a count runs that leaves a
    /// winner fewer moves than a fresh one would: he wins, or too late. Without a verdict table both
    /// are the [category](Tablebase::category).
    ///
    /// # Errors
    ///
    /// As [`Tablebase::category`].
    pub fn category_bounds(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<[Category; 2], ProbeError> {
        validate(position, rules, count)?;
        Lookup::under(&self.store, rules).category_bounds(position, rules, count)
    }

    /// The category with a count that begins now, from the verdict table alone. None if there is no
    /// verdict table of the position's men.
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

    /// As [`Tablebase::probe`], but only from blocks that have been decoded. It opens, reads and
    /// allocates nothing and waits for nobody, so a search may ask it at any node.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block it needs is not there, else as [`Tablebase::probe`].
    pub fn probe_cached(
        &self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(&self.store, rules).probe(position, rules, count)
    }

    /// What each of many positions is worth, as [`Tablebase::probe`] tells of one, in their order.
    ///
    /// They are looked up in the order of the blocks they lie in, so that each block is decoded
    /// once however many there are, and files are read forwards. One that fails does not keep the
    /// others from being answered.
    ///
    /// ```
    /// use sakmak::board::{Fen, Lettering};
    /// use sakmak::probe::Tablebase;
    /// use sakmak::rules::{Category, Count, RuleSet};
    ///
    /// let kings = Fen::parse("8/8/8/3k4/8/3K4/8/8 w", Lettering::Makruk)?.position;
    /// let khon = Fen::parse("8/8/8/3k4/8/3K4/2S5/8 w", Lettering::Makruk)?.position;
    /// // Two kings need no table; the other position's has not been added.
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
    /// True if the position is stored with this side to move, which makes a probe cheap: one cell,
    /// of one block, where the other side to move takes a cell for each of its moves. A search may
    /// ask only where it is cheap.
    ///
    /// # Errors
    ///
    /// If the table of its ending is missing or cannot be used.
    pub fn is_stored(&self, position: &Position) -> Result<bool, ProbeError> {
        Lookup::new(&self.store).is_stored(position)
    }
}

/// Refuses a count that means nothing in the position.
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
