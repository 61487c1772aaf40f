//! A set of tables, and probes of it: of one position, of many, of an ending, or of decoded blocks
//! only.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::by_category::ByCategory;
use super::cache::PageCache;
use super::distance::{Distance, Honor, HonorDistance, InMoves};
use super::error::ProbeError;
use super::inventory::Inventory;
use super::lookup::Lookup;
use super::store::{Options, Store};
use super::value::{Value, validate};
use crate::board::{Color, Game, Position};
use crate::material::{CanonicalMaterial, Material, Positions};
use crate::rules::{Category, Count, RuleSet};
use crate::table::{CallerSource, FileBytes, Metric, Source, TableError};

/// A set of tables, in directories or in memory.
///
/// Threads share a tablebase and its cache of decoded blocks: all methods that probe take `&self`.
/// A probe of cached blocks takes no lock. After a thread has decoded a block of each size, its
/// probes no longer allocate.
#[derive(Debug)]
pub struct Tablebase {
    pub(super) store: Store,
}

impl Default for Tablebase {
    fn default() -> Tablebase {
        let options = Options::default();
        // If memory is short, tries half of the default size, then a quarter, and so on.
        let sizes = (0..12).map(|halved| options.cache_bytes >> halved);
        let cache = sizes.into_iter().find_map(PageCache::new);
        Tablebase {
            store: Store::new(&options, cache.unwrap_or_else(PageCache::none)),
        }
    }
}

impl Tablebase {
    /// A tablebase without tables, with default [`Options`]. The cache is smaller if memory is
    /// short.
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
    /// assert_eq!(tablebase.inventory().cache_statistics().hits, 0);
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

    /// Adds a distance table or verdict table from the bytes of its whole file, and returns its
    /// ending. If there is a table of the same kind and ending already, the earlier table is used.
    ///
    /// This needs neither a file system nor any other service of the operating system:
    ///
    /// ```
    /// use sakmak::board::{Fen, Lettering};
    /// use sakmak::probe::{Distance, Moves, Tablebase};
    /// # let directory = tempfile::tempdir()?;
    /// # let mut solved_endings = sakmak::generate::SolvedEndings::new();
    /// # let options = sakmak::table::WriteOptions::default();
    /// # let (material, path) = ("KRvK".parse()?, directory.path());
    /// # sakmak::generate::generate_table(material, path, &mut solved_endings, &options, &|_| {})?;
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
    /// [`Verdicts::new`](crate::verdict::Verdicts::new), and if the header's values do not fit the
    /// ending.
    pub fn add_bytes(
        &mut self,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Result<CanonicalMaterial, TableError> {
        self.store.add_bytes(FileBytes::Memory(bytes.into()))
    }

    /// Adds the table with this file name, such as `KSMvK.skm` or, for verdicts, `KSMvK.skv`, from
    /// a source, and returns its ending. `None` if the name is not that of a table. If there is a
    /// table of the same kind and ending already, the earlier table is used.
    ///
    /// Nothing is read yet. A probe that needs bytes that the source does not have fails with the
    /// source's error, and can be repeated when they have arrived. So a program can fetch only
    /// those parts of a table that its probes need.
    pub fn add_source(
        &mut self,
        file_name: impl AsRef<Path>,
        source: impl Source + Send + Sync + 'static,
    ) -> Option<CanonicalMaterial> {
        let source = CallerSource::new(source);
        self.store.add_source(file_name.as_ref(), source)
    }

    /// Adds the tables of a directory: the files with the canonical name of a material, such as
    /// `KSMvK.skm` or, for verdicts, `KSMvK.skv`. Returns the number of endings that had no table
    /// before.
    ///
    /// Only the names are read; a table is opened when a position first needs it. If several
    /// directories have a table of the same kind and ending, the first one is used. A later table
    /// is used only if the first has no results for the probe's rule set, or if it is corrupt: see
    /// [`Inventory::replaced`].
    ///
    /// # Errors
    ///
    /// If the directory is missing or cannot be read. Corrupt tables are not detected here.
    pub fn add_directory(&mut self, path: impl AsRef<Path>) -> io::Result<usize> {
        let directory = path.as_ref();
        self.store.add_directory(directory);
        let before = self.inventory().endings();
        for entry in std::fs::read_dir(directory)? {
            self.store.add_file(entry?.path());
        }
        Ok(self.inventory().endings() - before)
    }

    /// The tables: their endings, files and headers.
    pub fn inventory(&self) -> Inventory<'_> {
        Inventory::new(&self.store)
    }

    /// Returns the probes that use verdict tables. They return categories without distances.
    pub fn by_category(&self) -> ByCategory<'_> {
        ByCategory::new(&self.store)
    }

    /// Returns the probes that use only decoded blocks.
    pub fn cached(&self) -> Cached<'_> {
        Cached::new(&self.store)
    }

    /// Sets aside the corrupt table that `error` names, if a later directory has a table of the
    /// same ending.
    ///
    /// # Errors
    ///
    /// The given error, if there is no later table or if the error has another cause.
    pub fn set_aside(&self, error: ProbeError) -> Result<(), ProbeError> {
        self.store.set_aside(error)
    }

    /// The distance to mate for the side to move, with nothing counted. If there are bia, in makruk
    /// and ouk.
    ///
    /// # Errors
    ///
    /// If the table of the position's ending is missing or cannot be used. A position that is not
    /// stored with this side to move may also need the table of a subending.
    pub fn dtm(&self, position: &Position) -> Result<Distance, ProbeError> {
        self.dtm_in(Game::Makruk, position)
    }

    /// Like [`dtm`](Tablebase::dtm), in a game. Games differ in the moves of bia.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    pub fn dtm_in(&self, game: Game, position: &Position) -> Result<Distance, ProbeError> {
        Lookup::of_game(&self.store, game).distance(InMoves::DTM, position)
    }

    /// The distance to mate as in [`dtm`](Tablebase::dtm), if it is worse than the distance in
    /// `enough`. Otherwise the result may be any distance between these two, since the search among
    /// the moves stops at a move that is good enough.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    pub fn dtm_up_to(&self, position: &Position, enough: Distance) -> Result<Distance, ProbeError> {
        self.dtm_up_to_in(Game::Makruk, position, enough)
    }

    /// Like [`dtm_up_to`](Tablebase::dtm_up_to), in a game.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::dtm`].
    pub fn dtm_up_to_in(
        &self,
        game: Game,
        position: &Position,
        enough: Distance,
    ) -> Result<Distance, ProbeError> {
        Lookup::of_game(&self.store, game).distance_up_to(InMoves::DTM, position, enough)
    }

    /// The distance to honor for the side to move. This is the distance to mate or to a capture of
    /// the last enemy man, if mate is then in time under the count that begins. `None` against a
    /// bare king without bia.
    ///
    /// While there are bia, nothing is counted. The distance is then to mate or to the capture or
    /// promotion of the last bia, if the ending after it is won inside the count. This holds
    /// against a bare king too. If the loser is forced to make that capture or promotion, the
    /// distance does not include it, so a loss in 0 moves need not be mate.
    ///
    /// In ASEAN chess the distance ends with any capture or bia's move by either side after which
    /// the win still stands, because it restarts the fifty-move rule. A win that this rule prevents
    /// is a draw.
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

    /// The distance to honor of a move to the position `next`, for the player who makes it. In
    /// `next`, both sides have men or there are bia. `restarts` is true for captures and for bia's
    /// moves, which restart the fifty-move rule.
    pub(super) fn distance_after(
        &self,
        next: &Position,
        rules: RuleSet,
        restarts: bool,
    ) -> Result<HonorDistance, ProbeError> {
        let distance = Lookup::under(&self.store, rules).honor(rules, next)?;
        Ok(match distance {
            Honor::Moves(moves) => Honor::Moves(moves.before_move()),
            Honor::Plies(plies) if restarts => Honor::Plies(plies.after_restart().before_ply()),
            Honor::Plies(plies) => Honor::Plies(plies.before_ply()),
        })
    }

    /// The category of a move from `position` to `next`, with a bare king on the board, for the
    /// player who makes the move. `dtm` is the distance to mate from `position` if this move is
    /// played.
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

    /// The category that [`Tablebase::probe`] returns, from fewer lookups: they stop as soon as the
    /// category is certain. If the position is not stored with this side to move, they stop at the
    /// first move that wins inside the count. With men on both sides, they stop if the position is
    /// drawn with nothing counted, since no count can change that.
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

    /// Probes many positions as [`Tablebase::probe`] does. Returns their values in the order of the
    /// positions.
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
        let mut answers: Vec<_> = positions.iter().map(|_| None).collect();
        for place in self.in_order_of_blocks(positions, rules) {
            answers[place] = Some(self.probe(&positions[place], rules, count));
        }
        answers.into_iter().flatten().collect()
    }

    /// The indices of positions in the order of the blocks that store them, as
    /// [`Tablebase::probe_many`] looks them up.
    pub fn in_order_of_blocks(&self, positions: &[Position], rules: RuleSet) -> Vec<usize> {
        let mut lookup = Lookup::of_game(&self.store, rules.game());
        let places = positions.iter().enumerate();
        let mut order: Vec<(u64, usize)> = places
            .map(|(place, position)| (lookup.order(Metric::Dtm, position), place))
            .collect();
        order.sort_unstable();
        order.into_iter().map(|(_, place)| place).collect()
    }

    /// True if the position is stored with this side to move. A probe then reads one cell;
    /// otherwise it reads a cell for each move. To save time, a search can probe only stored
    /// positions.
    ///
    /// # Errors
    ///
    /// If the table of its ending is missing or cannot be used.
    pub fn is_stored(&self, position: &Position) -> Result<bool, ProbeError> {
        self.is_stored_in(Game::Makruk, position)
    }

    /// Like [`is_stored`](Tablebase::is_stored), in a game.
    ///
    /// # Errors
    ///
    /// As for [`Tablebase::is_stored`].
    pub fn is_stored_in(&self, game: Game, position: &Position) -> Result<bool, ProbeError> {
        Lookup::of_game(&self.store, game).is_stored(position)
    }
}

/// Probes that use only decoded blocks, from [`Tablebase::cached`](super::Tablebase::cached). They
/// never open a file, read, allocate or wait, so a search may call them at any node.
#[derive(Clone, Copy, Debug)]
pub struct Cached<'a> {
    store: &'a Store,
}

impl<'a> Cached<'a> {
    pub(super) fn new(store: &'a Store) -> Cached<'a> {
        Cached { store }
    }

    /// [`Tablebase::category`](super::Tablebase::category), from decoded blocks only.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block is not decoded, else as for
    /// [`Tablebase::category`](super::Tablebase::category).
    pub fn category(
        self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Category, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(self.store, rules).category(position, rules, count)
    }

    /// [`Tablebase::probe`](super::Tablebase::probe), from decoded blocks only.
    ///
    /// # Errors
    ///
    /// [`ProbeError::NotDecoded`] if a block is not decoded, else as for
    /// [`Tablebase::probe`](super::Tablebase::probe).
    pub fn probe(
        self,
        position: &Position,
        rules: RuleSet,
        count: &Count,
    ) -> Result<Value, ProbeError> {
        validate(position, rules, count)?;
        Lookup::only_cached(self.store, rules).probe(position, rules, count)
    }
}

/// The positions of an ending with their values: see [`Tablebase::ending`].
#[derive(Clone, Debug)]
pub struct Ending<'a> {
    tablebase: &'a Tablebase,
    positions: Positions,
    rules: RuleSet,
}

impl Tablebase {
    /// All legal positions of an ending with one side to move, in the order of
    /// [`Material::positions`], each with its value under a fresh count. The table may store
    /// positions with either side to move; if it stores those with the other side, each position
    /// takes several lookups.
    ///
    /// ```no_run
    /// use sakmak::{Category, Color, RuleSet, Tablebase};
    ///
    /// let mut tablebase = Tablebase::new();
    /// tablebase.add_directory("tables")?;
    /// let mut drawn_by_the_count = 0;
    /// for answer in tablebase.ending("KSMvK".parse()?, RuleSet::Makruk, Color::White) {
    ///     let (_position, value) = answer?;
    ///     drawn_by_the_count += u32::from(value.category == Category::CursedWin);
    /// }
    /// println!("{drawn_by_the_count} positions are drawn only because of the count");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ending(&self, material: Material, rules: RuleSet, turn: Color) -> Ending<'_> {
        Ending {
            tablebase: self,
            positions: material.positions(rules.game(), turn),
            rules,
        }
    }
}

impl Iterator for Ending<'_> {
    type Item = Result<(Position, Value), ProbeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let position = self.positions.next()?;
        let value = self.tablebase.probe(&position, self.rules, &Count::Fresh);
        Some(value.map(|value| (position, value)))
    }
}
