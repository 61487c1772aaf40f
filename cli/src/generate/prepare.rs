//! Prepares a run: finds existing and missing tables, and checks whether the missing tables can be
//! made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sakmak::directory::{DistanceSummary, Manifest, VerdictSummary};
use sakmak::generate::{
    Existing, MOST_VERDICT_MEN, Plan, checkpoint_bytes, existing, existing_verdicts, plan,
    plan_with_verdicts,
};
use sakmak::material::{CanonicalMaterial, MaterialError, closure, parse_set};
use sakmak::published::PUBLISHED;
use sakmak::rules::{RuleSet, RuleSets};
use sakmak::table::{TableError, WriteOptions, file_name, rule_sets_answered};
use sakmak::verdict::{self, Coding};

use super::args::Args;
use crate::format::bytes;
use crate::memory::{MemoryLimit, default_limit};
use crate::stderr::say;
use crate::{Common, Failure};

/// A request to generate tables, from the command line.
pub struct Request {
    /// The requested endings with their subendings. Subendings come first.
    materials: BTreeSet<CanonicalMaterial>,
    /// The directories of tables. New tables are written to the first directory.
    directories: Vec<PathBuf>,
    /// The endings to generate even if their tables exist.
    pub forced: BTreeSet<CanonicalMaterial>,
    /// The memory limit in bytes, if there is one.
    pub(super) memory: Option<u64>,
    /// True if smaller files are requested.
    small: bool,
    /// True if the best orders and codings should be searched for, even if they are known from the
    /// published tables.
    search_orders: bool,
    /// True if verdict tables are requested too.
    verdicts: bool,
    /// The rule sets that the user requests, if any. Not every ending can have all of them.
    rules: Option<RuleSets>,
}

/// The work that a request requires.
pub struct Job {
    pub(super) request: Request,
    /// The plans of the tables to generate.
    pub plans: BTreeMap<CanonicalMaterial, Plan>,
    /// The rule sets of each table to generate.
    rules: BTreeMap<CanonicalMaterial, RuleSets>,
    /// The paths of the existing distance tables that are not generated again, by ending.
    pub found: BTreeMap<CanonicalMaterial, PathBuf>,
    /// The endings whose verdict tables are to be generated, subendings first.
    pub verdicts: Vec<CanonicalMaterial>,
}

/// The missing tables of an ending.
pub struct Task<'a> {
    pub material: CanonicalMaterial,
    /// The plan of the ending's distance table. `None` if that table exists.
    pub plan: Option<&'a Plan>,
    /// True if the ending's verdict table is missing.
    pub verdicts: bool,
    /// The number of cells to solve, as a measure of the work.
    pub cells: u64,
}

impl Request {
    /// Reads the request from the command line.
    pub fn new(args: &Args, common: &Common) -> Result<Request, Failure> {
        if args.only {
            return Request::only(args, common);
        }
        let mut materials = BTreeSet::new();
        let mut forced = BTreeSet::new();
        for word in &args.sets {
            let set = in_games(parse_set(word)?, &args.rules)?;
            if args.force {
                // With `--force`, an ending's name stands only for its own table, a set for all its
                // tables.
                match word.parse::<CanonicalMaterial>() {
                    Ok(material) => forced.extend(in_games([material], &args.rules)?),
                    Err(_) => forced.extend(&set),
                }
            }
            check_rules(word, args)?;
            materials.extend(closure(set));
        }
        Request::of(materials, forced, args, common)
    }

    /// Reads a request for one ending, without its subendings.
    fn only(args: &Args, common: &Common) -> Result<Request, Failure> {
        let [word] = &args.sets[..] else {
            return Err(Failure::input(format_args!(
                "--only takes one ending, but {} are named",
                args.sets.len()
            ))
            .help("run one job per ending"));
        };
        // Only the name of an ending is accepted. A set that happens to contain a single ending is
        // refused, because with a larger number it would contain more.
        let materials = in_games([word.parse()?], &args.rules)?;
        check_rules(word, args)?;
        if materials.len() > 1 {
            let job = |material: &CanonicalMaterial| {
                let rules = RuleSets::of_game(material.game());
                let names: Vec<_> = rules.iter().map(RuleSet::name).collect();
                format!("--rules {}", names.join(","))
            };
            let jobs: Vec<String> = materials.iter().map(job).collect();
            return Err(Failure::input(format_args!(
                "--only takes one ending, but {word} has a table for each game"
            ))
            .help(format!("run one job for each game: {}", jobs.join(" and "))));
        }
        Request::of(materials, BTreeSet::new(), args, common)
    }

    fn of(
        materials: BTreeSet<CanonicalMaterial>,
        forced: BTreeSet<CanonicalMaterial>,
        args: &Args,
        common: &Common,
    ) -> Result<Request, Failure> {
        Ok(Request {
            materials,
            directories: common.directories()?,
            forced,
            memory: match args.memory {
                Some(MemoryLimit::Bytes(bytes)) => Some(bytes),
                Some(MemoryLimit::Unlimited) => None,
                None => default_limit(),
            },
            small: args.small,
            search_orders: args.search_orders,
            verdicts: args.verdicts,
            rules: (!args.rules.is_empty()).then(|| RuleSets::with(args.rules.iter().copied())),
        })
    }

    /// The directory for new tables.
    pub fn directory(&self) -> &Path {
        &self.directories[0]
    }

    /// The requested endings with their subendings. Subendings come first.
    pub fn materials(&self) -> &BTreeSet<CanonicalMaterial> {
        &self.materials
    }

    /// Finds the existing tables and plans the missing ones. `manifest` is the manifest of the
    /// first directory, where new tables are written. If it is given, checks every table of that
    /// directory that the manifest does not list.
    pub fn prepare(self, manifest: Option<&Manifest>, common: &Common) -> Result<Job, Failure> {
        let (mut plans, mut found) = (BTreeMap::new(), BTreeMap::new());
        let (mut verdicts, mut rules) = (Vec::new(), BTreeMap::new());
        for &material in &self.materials {
            let mut incomplete_tables = Vec::new();
            let path =
                self.find_distance_table(material, manifest, &mut incomplete_tables, common)?;
            let lacks_verdicts =
                self.lacks_verdicts(material, manifest, &mut incomplete_tables, common)?;
            // A new table also has the rule sets of the table that it replaces.
            let kept = incomplete_tables.iter().map(|(_, rules)| *rules);
            let made_with = kept.fold(self.possible(material), |all, rules| all | rules);
            let made_with = made_with & RuleSets::possible(material.material());
            rules.insert(material, made_with);
            if !common.quiet {
                for (file, found) in incomplete_tables {
                    say(format_args!(
                        "{file} has results for {found} only: generating it again with {made_with}"
                    ));
                }
            }
            match path {
                Some(path) => drop(found.insert(material, path)),
                None => {
                    let plan = match lacks_verdicts {
                        // If memory suffices, both tables come from the same solves.
                        true => plan_with_verdicts(material, self.memory),
                        false => plan(material, self.memory),
                    };
                    plans.insert(material, plan.for_rules(made_with));
                }
            }
            if lacks_verdicts {
                verdicts.push(material);
            }
        }
        Ok(Job {
            request: self,
            plans,
            rules,
            found,
            verdicts,
        })
    }

    /// The requested rule sets that are possible for an ending; by default those of its published
    /// table.
    fn possible(&self, material: CanonicalMaterial) -> RuleSets {
        match self.rules {
            Some(rules) => rules.for_men(material.material()),
            None => RuleSets::published(material.material()),
        }
    }

    /// True if the rule sets in `found` include all requested rule sets that the ending can have.
    pub fn is_enough(&self, material: CanonicalMaterial, found: RuleSets) -> bool {
        found.includes(rule_sets_answered(material, self.possible(material)))
    }

    /// True if an ending's verdict table is requested, and no directory has one with all requested
    /// rule sets. If a verdict table in the first directory lacks some of them, adds its file name
    /// and its rule sets to `incomplete_tables`.
    fn lacks_verdicts(
        &self,
        material: CanonicalMaterial,
        manifest: Option<&Manifest>,
        incomplete_tables: &mut Vec<(String, RuleSets)>,
        common: &Common,
    ) -> Result<bool, Failure> {
        if !self.verdicts || material.men() > MOST_VERDICT_MEN {
            return Ok(false);
        }
        let tables = Search {
            file: verdict::file_name(material),
            open: &|path| existing_verdicts(path, material),
            is_listed: &|manifest, path| {
                let entry = manifest.get::<VerdictSummary>(material);
                entry.is_some_and(|entry| entry.is_of(path))
            },
            check: &|table| table.check(),
            rule_sets: &|table| table.rule_sets(),
            is_enough: &|found| found.includes(self.possible(material)),
        };
        let found = self.search(material, &tables, manifest, incomplete_tables, common)?;
        Ok(found.is_none())
    }

    /// Looks for an ending's distance table with all requested rule sets. If there is none, but the
    /// first directory has a table that lacks some rule sets, adds that table's file name and rule
    /// sets to `incomplete_tables`.
    fn find_distance_table(
        &self,
        material: CanonicalMaterial,
        manifest: Option<&Manifest>,
        incomplete_tables: &mut Vec<(String, RuleSets)>,
        common: &Common,
    ) -> Result<Option<PathBuf>, Failure> {
        let tables = Search {
            file: file_name(material),
            open: &|path| existing(path, material),
            is_listed: &|manifest, path| {
                let entry = manifest.get::<DistanceSummary>(material);
                entry.is_some_and(|entry| entry.is_of(path))
            },
            check: &|table| table.check(&|_| {}),
            rule_sets: &|table| table.rule_sets(),
            is_enough: &|found| self.is_enough(material, found),
        };
        self.search(material, &tables, manifest, incomplete_tables, common)
    }

    /// Searches all directories for an ending's table with enough rule sets. `kind` describes the
    /// kind of table. If there is none, but the first directory has a table with too few rule sets,
    /// adds that table's file name and rule sets to `incomplete_tables`.
    fn search<T>(
        &self,
        material: CanonicalMaterial,
        kind: &Search<T>,
        manifest: Option<&Manifest>,
        incomplete_tables: &mut Vec<(String, RuleSets)>,
        common: &Common,
    ) -> Result<Option<PathBuf>, Failure> {
        if self.forced.contains(&material) {
            return Ok(None);
        }
        let (mut corrupt, mut lacking) = (None, None);
        for (i, directory) in self.directories.iter().enumerate() {
            let path = directory.join(&kind.file);
            match (kind.open)(&path)? {
                Existing::Nothing => {}
                Existing::Table(table) => {
                    let is_unlisted = |manifest| !(kind.is_listed)(manifest, &path);
                    let checked = match i == 0 && manifest.is_some_and(is_unlisted) {
                        true => (kind.check)(&table),
                        false => Ok(()),
                    };
                    let found = (kind.rule_sets)(&table);
                    match checked {
                        Ok(()) if (kind.is_enough)(found) => return Ok(Some(path)),
                        Ok(()) if i == 0 => lacking = Some((kind.file.clone(), found)),
                        Ok(()) => {}
                        Err(error) => corrupt = corrupt.or(Some(error)),
                    }
                }
                Existing::Corrupt(error) => corrupt = corrupt.or(Some(error)),
                // A foreign file in a directory other than the first does no harm.
                Existing::Foreign(error) if i == 0 => return Err(error.into()),
                Existing::Foreign(_) => {}
            }
        }
        if let Some(error) = corrupt {
            again(&error, common);
        }
        incomplete_tables.extend(lacking);
        Ok(None)
    }
}

/// A search for tables of one kind.
struct Search<'a, T> {
    /// The name of the table's file.
    file: String,
    /// Opens the file at a path.
    open: &'a dyn Fn(&Path) -> Result<Existing<T>, TableError>,
    /// True if a manifest lists the file at a path.
    is_listed: &'a dyn Fn(&Manifest, &Path) -> bool,
    /// Checks all blocks of a table.
    check: &'a dyn Fn(&T) -> Result<(), TableError>,
    /// The rule sets for which a table has results.
    rule_sets: &'a dyn Fn(&T) -> RuleSets,
    /// True if these rule sets are enough.
    is_enough: &'a dyn Fn(RuleSets) -> bool,
}

impl Job {
    /// The requested endings with their subendings. Subendings come first.
    pub fn materials(&self) -> &BTreeSet<CanonicalMaterial> {
        &self.request.materials
    }

    /// The rule sets that an ending's tables will have.
    pub fn rules(&self, material: CanonicalMaterial) -> RuleSets {
        let possible = || self.request.possible(material);
        self.rules.get(&material).copied().unwrap_or_else(possible)
    }

    /// The options for writing an ending's table.
    pub fn options(&self, material: CanonicalMaterial) -> WriteOptions {
        let rules = self.rules(material);
        if self.request.small {
            return WriteOptions {
                rules,
                ..WriteOptions::small(material)
            };
        }
        let known = match self.request.search_orders {
            true => Vec::new(),
            false => PUBLISHED.packing(material),
        };
        WriteOptions {
            rules,
            known,
            ..WriteOptions::of(material)
        }
    }

    /// The codings of an ending's verdict table, if they are known from the published tables.
    pub fn codings(&self, material: CanonicalMaterial) -> Vec<Coding> {
        match self.request.search_orders {
            true => Vec::new(),
            false => PUBLISHED.codings(material, self.rules(material)),
        }
    }

    /// The endings that are too large for the requested verdict tables.
    pub fn without_verdicts(&self) -> impl Iterator<Item = CanonicalMaterial> {
        let wanted = self.request.verdicts;
        let materials = self.request.materials.iter().copied();
        materials.filter(move |material| wanted && material.men() > MOST_VERDICT_MEN)
    }

    /// True if no table is missing.
    pub fn is_done(&self) -> bool {
        self.plans.is_empty() && self.verdicts.is_empty()
    }

    /// True if an ending's tables are generated even if they exist.
    pub fn is_forced(&self, material: CanonicalMaterial) -> bool {
        self.request.forced.contains(&material)
    }

    /// The endings with missing tables. Subendings come first.
    pub fn tasks(&self) -> impl Iterator<Item = Task<'_>> {
        self.materials().iter().filter_map(|&material| {
            let plan = self.plans.get(&material);
            let verdicts = self.verdicts.contains(&material);
            (plan.is_some() || verdicts).then(|| Task {
                material,
                plan,
                verdicts,
                cells: plan.map_or_else(|| self::plan(material, None).cells, |plan| plan.cells),
            })
        })
    }

    /// The directory for new tables.
    pub fn directory(&self) -> &Path {
        self.request.directory()
    }

    /// The path of an ending's existing or planned table.
    pub fn path(&self, material: CanonicalMaterial) -> PathBuf {
        match self.found.get(&material) {
            Some(path) => path.clone(),
            None => self.directory().join(file_name(material)),
        }
    }

    /// Fails if a table needs more memory than the limit.
    pub fn require_memory(&self) -> Result<(), Failure> {
        let Some(allowed) = self.request.memory else {
            return Ok(());
        };
        // The largest need is reported, so that a limit above it suffices.
        let most = self.plans.values().max_by_key(|plan| plan.memory_bytes);
        match most.filter(|plan| plan.memory_bytes > allowed) {
            None => Ok(()),
            Some(plan) => Err(Failure::machine(format_args!(
                "{} needs {} bytes of memory ({}), but only {} ({}) are allowed",
                plan.material,
                plan.memory_bytes,
                bytes(plan.memory_bytes),
                allowed,
                bytes(allowed),
            ))
            .help("allow more with --memory, or name smaller endings")),
        }
    }

    /// Estimates the size of a table in bytes: the size of the published table, or an extrapolation
    /// from the published tables of its subendings.
    pub fn table_bytes(&self, plan: &Plan) -> u64 {
        let material = plan.material;
        let like_smaller = || {
            let smaller = PUBLISHED.bytes_a_cell_of_smaller(material)?;
            Some(plan.table_bytes_like(smaller))
        };
        let rules = rule_sets_answered(material, self.rules(material));
        let published = RuleSets::published(material.material());
        let of_whole = || Some(plan.share(PUBLISHED.bytes(material, published)?));
        let usual = PUBLISHED.bytes(material, rules).or_else(of_whole);
        let usual = usual.or_else(like_smaller).unwrap_or(plan.table_bytes);
        match self.request.small {
            // Measured over all endings of up to five men: docs/develop/compression.md.
            true => usual / 20 * 17,
            false => usual,
        }
    }

    /// The estimated size of all tables in bytes.
    pub fn table_bytes_of_all(&self) -> u64 {
        self.plans.values().map(|plan| self.table_bytes(plan)).sum()
    }
}

/// The disk space in bytes that the remaining steps of a solve need: the planned space minus the
/// size of the existing checkpoints.
pub fn work_bytes_left(plan: &Plan, directory: &Path) -> u64 {
    plan.work_bytes
        .saturating_sub(checkpoint_bytes(directory, plan.material))
}

/// The endings in the game of each of these rule sets. Without rule sets, and for an ending that is
/// named as one of ASEAN chess, the endings as they are.
fn in_games(
    materials: impl IntoIterator<Item = CanonicalMaterial>,
    rules: &[RuleSet],
) -> Result<BTreeSet<CanonicalMaterial>, Failure> {
    let mut found = BTreeSet::new();
    for material in materials {
        match rules {
            [] => drop(found.insert(material)),
            rules => {
                let games = rules.iter().map(|rules| rules.game());
                found.extend(games.map(|game| material.in_game_unless_named(game)));
            }
        }
    }
    for material in &found {
        material
            .material()
            .check_men()
            .map_err(MaterialError::from)?;
    }
    Ok(found)
}

/// Fails if the word is the name of an ending of ASEAN chess, and another rule set is requested.
fn check_rules(word: &str, args: &Args) -> Result<(), Failure> {
    let Ok(material) = word.parse::<CanonicalMaterial>() else {
        return Ok(());
    };
    let possible = RuleSets::possible(material.material());
    let is_named = material.game().is_named();
    let impossible = |rules: &&RuleSet| is_named && !possible.contains(**rules);
    match args.rules.iter().find(impossible) {
        None => Ok(()),
        Some(rules) => Err(Failure::input(format_args!(
            "{material} has bia of ASEAN chess: its table has results for {possible} only, not for {rules}"
        ))),
    }
}

/// Reports that a table has to be generated again, and why.
fn again(error: &TableError, common: &Common) {
    if !common.quiet {
        say(format_args!("{error}: generating it again"));
    }
}
