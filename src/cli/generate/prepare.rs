//! Before the work: what there is, what is missing, and whether it can be made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sakmak::directory::{DistanceSummary, Manifest, VerdictSummary};
use sakmak::generate::{
    Existing, MOST_VERDICT_MEN, Method, Plan, checkpoint_bytes, existing, existing_verdicts, plan,
    plan_with_verdicts,
};
use sakmak::material::{CanonicalMaterial, closure, parse_set};
use sakmak::published::PUBLISHED;
use sakmak::rules::{RuleSet, RuleSets};
use sakmak::table::{TableError, WriteOptions, answered, file_name};
use sakmak::verdict::{self, Coding};

use super::args::Args;
use super::plan_document::{PlanDocument, PlannedEnding, PlannedTable};
use crate::cli::disk::free_disk;
use crate::cli::format::{Columns, bytes, counted, number};
use crate::cli::memory::{MemoryLimit, default_limit};
use crate::cli::stderr::say;
use crate::cli::{Common, Failure};

/// What was asked for.
pub struct Request {
    /// The endings asked for with all they can become, the smaller ones first.
    materials: BTreeSet<CanonicalMaterial>,
    /// The directories, the one to write to first.
    directories: Vec<PathBuf>,
    /// Those to generate even if they are there.
    pub forced: BTreeSet<CanonicalMaterial>,
    /// The memory that may be used, if there is a limit.
    memory: Option<u64>,
    /// Whether the files are to be smaller than they would be.
    small: bool,
    /// Whether orders and codings are to be searched for that are known.
    search_orders: bool,
    /// Whether verdict tables are wanted too.
    verdicts: bool,
    /// The rule sets that tables are to have, where their endings can.
    rules: RuleSets,
}

/// What is to be done for a request.
pub struct Job {
    request: Request,
    /// What is to be generated.
    pub plans: BTreeMap<CanonicalMaterial, Plan>,
    /// The rule sets that the tables of these endings are made with.
    rules: BTreeMap<CanonicalMaterial, RuleSets>,
    /// The table of each other ending.
    pub found: BTreeMap<CanonicalMaterial, PathBuf>,
    /// The endings whose verdict tables are to be generated, the smaller ones first.
    pub verdicts: Vec<CanonicalMaterial>,
}

/// What is missing of an ending.
pub struct Task<'a> {
    pub material: CanonicalMaterial,
    /// The making of its table, if that is missing.
    pub plan: Option<&'a Plan>,
    /// Whether its verdict table is.
    pub verdicts: bool,
    /// The cells that are solved: its share of the work.
    pub cells: u64,
}

impl Request {
    /// What the command line asks for.
    pub fn new(args: &Args, common: &Common) -> Result<Request, Failure> {
        if args.only {
            return Request::only(args, common);
        }
        let mut materials = BTreeSet::new();
        let mut forced = BTreeSet::new();
        for word in &args.sets {
            let set = parse_set(word)?;
            if args.force {
                // An ending's own table is meant, not all it can become; of a set all are named.
                match word.parse::<CanonicalMaterial>() {
                    Ok(material) => drop(forced.insert(material)),
                    Err(_) => forced.extend(&set),
                }
            }
            check_rules(word, args)?;
            materials.extend(closure(set));
        }
        Request::of(materials, forced, args, common)
    }

    /// One ending, without those that it can become.
    fn only(args: &Args, common: &Common) -> Result<Request, Failure> {
        let [word] = &args.sets[..] else {
            return Err(Failure::input(format_args!(
                "--only is for one ending, but {} are named",
                args.sets.len()
            ))
            .help("run one job for each"));
        };
        // A set of one ending would be a surprise when there are more men.
        let material = word.parse()?;
        check_rules(word, args)?;
        Request::of(BTreeSet::from([material]), BTreeSet::new(), args, common)
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
            rules: match args.rules.is_empty() {
                true => RuleSets::ALL,
                false => RuleSets::with(args.rules.iter().copied()),
            },
        })
    }

    /// The directory to write to.
    pub fn directory(&self) -> &Path {
        &self.directories[0]
    }

    /// The endings asked for with all they can become, the smaller ones first.
    pub fn materials(&self) -> &BTreeSet<CanonicalMaterial> {
        &self.materials
    }

    /// Finds out which tables are there and which are to be generated. With the manifest of the
    /// directory, tables there that it does not vouch for are checked.
    pub fn prepare(self, manifest: Option<&Manifest>, common: &Common) -> Result<Job, Failure> {
        let (mut plans, mut found) = (BTreeMap::new(), BTreeMap::new());
        let (mut verdicts, mut rules) = (Vec::new(), BTreeMap::new());
        for &material in &self.materials {
            let mut smaller = Vec::new();
            let path = self.look(material, manifest, &mut smaller, common)?;
            let lacks_verdicts = self.lacks_verdicts(material, manifest, &mut smaller, common)?;
            // Of what is there nothing is lost.
            let kept = smaller.iter().map(|(_, rules)| *rules);
            let made_with = kept.fold(self.possible(material), |all, rules| all | rules);
            let made_with = made_with & RuleSets::possible(material.material());
            rules.insert(material, made_with);
            if !common.quiet {
                for (file, found) in smaller {
                    say(format_args!(
                        "{file} has results of {found} alone: generating it again with {made_with}"
                    ));
                }
            }
            match path {
                Some(path) => drop(found.insert(material, path)),
                None => {
                    let plan = match lacks_verdicts {
                        // From the same solves, if there is the memory.
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

    /// The rule sets asked for that a table of an ending can have.
    fn possible(&self, material: CanonicalMaterial) -> RuleSets {
        self.rules & RuleSets::possible(material.material())
    }

    /// Whether the distance table of an ending that has these rule sets has all that are asked for.
    pub fn is_enough(&self, material: CanonicalMaterial, found: RuleSets) -> bool {
        found.includes(answered(material, self.rules))
    }

    /// Whether the verdict table of an ending is wanted, and not in the directory to write to. If one is there
    /// that lacks a rule set it is noted.
    fn lacks_verdicts(
        &self,
        material: CanonicalMaterial,
        manifest: Option<&Manifest>,
        smaller: &mut Vec<(String, RuleSets)>,
        common: &Common,
    ) -> Result<bool, Failure> {
        if !self.verdicts || material.men() > MOST_VERDICT_MEN {
            return Ok(false);
        }
        if self.forced.contains(&material) {
            return Ok(true);
        }
        let path = self.directory().join(verdict::file_name(material));
        let corrupt = match existing_verdicts(&path, material)? {
            Existing::Nothing => return Ok(true),
            Existing::Foreign(error) => return Err(error.into()),
            Existing::Corrupt(error) => error,
            Existing::Table(table) => {
                let known = |manifest: &Manifest| {
                    let entry = manifest.get::<VerdictSummary>(material);
                    entry.is_some_and(|entry| entry.is_of(&path))
                };
                let checked = match manifest.is_none_or(known) {
                    true => Ok(()),
                    false => table.check(),
                };
                let found = table.rule_sets();
                match checked {
                    Ok(()) if found.includes(self.possible(material)) => return Ok(false),
                    Ok(()) => {
                        smaller.push((verdict::file_name(material), found));
                        return Ok(true);
                    }
                    Err(error) => error,
                }
            }
        };
        again(&corrupt, common);
        Ok(true)
    }

    /// Looks for the table of an ending. If one is in the directory to write to that lacks a rule set it is
    /// noted.
    fn look(
        &self,
        material: CanonicalMaterial,
        manifest: Option<&Manifest>,
        smaller: &mut Vec<(String, RuleSets)>,
        common: &Common,
    ) -> Result<Option<PathBuf>, Failure> {
        if self.forced.contains(&material) {
            return Ok(None);
        }
        let mut corrupt = None;
        for (i, directory) in self.directories.iter().enumerate() {
            let path = directory.join(file_name(material));
            match existing(&path, material)? {
                Existing::Nothing => {}
                Existing::Table(table) => {
                    let unknown = |manifest: &Manifest| {
                        !manifest
                            .get::<DistanceSummary>(material)
                            .is_some_and(|known| known.is_of(&path))
                    };
                    let checked = match i == 0 && manifest.is_some_and(unknown) {
                        true => table.check(&|_| {}),
                        false => Ok(()),
                    };
                    let found = table.rule_sets();
                    match checked {
                        Ok(()) if self.is_enough(material, found) => return Ok(Some(path)),
                        Ok(()) if i == 0 => smaller.push((file_name(material), found)),
                        Ok(()) => {}
                        Err(error) => corrupt = corrupt.or(Some(error)),
                    }
                }
                Existing::Corrupt(error) => corrupt = corrupt.or(Some(error)),
                // Elsewhere it is not in the way.
                Existing::Foreign(error) if i == 0 => return Err(error.into()),
                Existing::Foreign(_) => {}
            }
        }
        if let Some(error) = corrupt {
            again(&error, common);
        }
        Ok(None)
    }
}

impl Job {
    /// The endings asked for with all they can become, the smaller ones first.
    pub fn materials(&self) -> &BTreeSet<CanonicalMaterial> {
        &self.request.materials
    }

    /// The rule sets that the tables of an ending are made with.
    pub fn rules(&self, material: CanonicalMaterial) -> RuleSets {
        let possible = || self.request.possible(material);
        self.rules.get(&material).copied().unwrap_or_else(possible)
    }

    /// How the table of an ending is to be written.
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

    /// How the wins of each side are to be coded in the verdict table of an ending, where it is known.
    pub fn codings(&self, material: CanonicalMaterial) -> Vec<Coding> {
        match self.request.search_orders {
            true => Vec::new(),
            false => PUBLISHED.codings(material, self.rules(material)),
        }
    }

    /// The endings that can have no verdict table, if verdict tables are wanted.
    pub fn without_verdicts(&self) -> impl Iterator<Item = CanonicalMaterial> {
        let wanted = self.request.verdicts;
        let materials = self.request.materials.iter().copied();
        materials.filter(move |material| wanted && material.men() > MOST_VERDICT_MEN)
    }

    /// Whether nothing is missing.
    pub fn is_done(&self) -> bool {
        self.plans.is_empty() && self.verdicts.is_empty()
    }

    /// Whether the tables of an ending are to be made even if they are there.
    pub fn is_forced(&self, material: CanonicalMaterial) -> bool {
        self.request.forced.contains(&material)
    }

    /// The endings with something missing, the smaller ones first.
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

    /// The directory to write to.
    pub fn directory(&self) -> &Path {
        self.request.directory()
    }

    /// Where the table of an ending is, or will be.
    pub fn path(&self, material: CanonicalMaterial) -> PathBuf {
        match self.found.get(&material) {
            Some(path) => path.clone(),
            None => self.directory().join(file_name(material)),
        }
    }

    /// Refuses endings that need more memory than is allowed.
    pub fn refuse_what_does_not_fit(&self) -> Result<(), Failure> {
        let Some(allowed) = self.request.memory else {
            return Ok(());
        };
        // The one that needs most, so that the next try is the last.
        let most = self.plans.values().max_by_key(|plan| plan.memory_bytes);
        match most.filter(|plan| plan.memory_bytes > allowed) {
            None => Ok(()),
            Some(plan) => Err(Failure::machine(format_args!(
                "{} needs {} bytes of memory ({}), but {} ({}) are allowed",
                plan.material,
                plan.memory_bytes,
                bytes(plan.memory_bytes),
                allowed,
                bytes(allowed),
            ))
            .help("allow more with --memory, or name smaller endings")),
        }
    }

    /// What `--plan` shows.
    pub fn plan_text(&self) -> String {
        let headings = [
            "ending",
            "men",
            "table",
            "cells",
            "size (est.)",
            "memory",
            "temp files",
            "method",
        ];
        let mut columns = Columns::new(3, &headings);
        for &material in self.materials() {
            let mut cells = vec![material.to_string(), material.men().to_string()];
            match self.plans.get(&material) {
                None => cells.push("present".to_string()),
                Some(plan) => cells.extend([
                    "to generate".to_string(),
                    number(plan.cells),
                    bytes(self.table_bytes(plan)),
                    bytes(plan.memory_bytes),
                    match plan.work_bytes {
                        0 => "-".to_string(),
                        work => bytes(work),
                    },
                    how(plan),
                ]),
            }
            columns.row(cells);
        }
        let mut text = format!(
            "{columns}\n{} of {} tables to generate in {}, about {} on disk",
            self.plans.len(),
            self.materials().len(),
            self.directory().display(),
            bytes(self.table_bytes_of_all())
        );
        if let Some(peak) = self.peak_text() {
            text += &format!(", {peak}");
        }
        text += "\n";
        if let Some(warning) = self.disk_warning() {
            text += &format!("{warning}\n");
        }
        text
    }

    /// Says what the work needs, before it begins, and warns if the disk seems too small.
    pub fn say_beforehand(&self) {
        self.say_peak();
        if let Some(warning) = self.disk_warning() {
            say(warning);
        }
    }

    /// Says what memory and temporary files the work needs.
    pub fn say_peak(&self) {
        if let Some(peak) = self.peak_text() {
            let tables = counted(self.plans.len() as u64, "table");
            say(format_args!("{tables} to generate: {peak}"));
        }
    }

    /// About how many bytes a table will have: what the published one has, if there is one, or what
    /// the published ones of smaller endings let expect.
    pub fn table_bytes(&self, plan: &Plan) -> u64 {
        let material = plan.material;
        let like_smaller = || {
            let smaller = PUBLISHED.bytes_a_cell_of_smaller(material)?;
            Some(plan.table_bytes_like(smaller))
        };
        let rules = answered(material, self.rules(material));
        let of_whole = || Some(plan.share(PUBLISHED.bytes(material, RuleSets::ALL)?));
        let usual = PUBLISHED.bytes(material, rules).or_else(of_whole);
        let usual = usual.or_else(like_smaller).unwrap_or(plan.table_bytes);
        match self.request.small {
            // As measured over all endings of up to five men: docs/develop/compression.md.
            true => usual / 20 * 17,
            false => usual,
        }
    }

    fn table_bytes_of_all(&self) -> u64 {
        self.plans.values().map(|plan| self.table_bytes(plan)).sum()
    }

    /// A sentence if the disk seems to have too little space.
    fn disk_warning(&self) -> Option<String> {
        let left = |plan: &Plan| work_bytes_left(plan, self.directory());
        let work = self.plans.values().map(left).max()?;
        let needed = self.table_bytes_of_all().saturating_add(work);
        let free = free_disk(self.directory())?;
        (free < needed).then(|| {
            format!(
                "warning: {} has {} of free space, and the tables need about {}",
                self.directory().display(),
                bytes(free),
                bytes(needed)
            )
        })
    }

    /// What the work will use at most, in words; nothing if there is none.
    pub fn peak_text(&self) -> Option<String> {
        let most = self.plans.values().map(|plan| plan.memory_bytes).max()?;
        let mut text = format!("{} of memory at most", bytes(most));
        if let Some(allowed) = self.request.memory {
            text += &format!(" ({} allowed)", bytes(allowed));
        }
        // One ending after the other: the steps of one are gone before the next begins.
        let work = self.plans.values().map(|plan| plan.work_bytes).max()?;
        if work > 0 {
            text += &format!(", up to {} of temporary files", bytes(work));
        }
        Some(text)
    }

    /// What `--plan --json` prints.
    pub fn plan_document(&self) -> PlanDocument {
        let table = |plan: &Plan| PlannedTable::new(plan, self.table_bytes(plan));
        let ending = |&material: &CanonicalMaterial| {
            let found = self.found.get(&material);
            let plan = match self.plans.get(&material) {
                Some(plan) => plan.clone(),
                None => plan(material, self.request.memory),
            };
            let bytes = found.and_then(|path| Some(std::fs::metadata(path).ok()?.len()));
            let bytes = bytes.unwrap_or_else(|| self.table_bytes(&plan));
            PlannedEnding::new(&plan, bytes, found.is_some())
        };
        PlanDocument {
            memory_allowed: self.request.memory,
            to_be_made: self.plans.values().map(table).collect(),
            endings: self.materials().iter().map(ending).collect(),
        }
    }
}

/// The bytes that a table's steps still need on the disk, beside the checkpoints in a directory.
pub fn work_bytes_left(plan: &Plan, directory: &Path) -> u64 {
    plan.work_bytes
        .saturating_sub(checkpoint_bytes(directory, plan.material))
}

/// How a table will be made, in words.
fn how(plan: &Plan) -> String {
    match (plan.method, plan.slices) {
        (Method::InMemory, 1) => "in memory".to_string(),
        (Method::InMemory, slices) => format!("in memory, {slices} slices"),
        (Method::InFiles(_), 1) => "out of core, arrays in files".to_string(),
        (Method::InFiles(_), slices) => format!("out of core, {slices} slices, arrays in files"),
        (_, 1) => "out of core".to_string(),
        (_, slices) => format!("out of core, {slices} slices"),
    }
}

/// Refuses a rule set that the table of an ending, if this word is one, cannot have.
fn check_rules(word: &str, args: &Args) -> Result<(), Failure> {
    let Ok(material) = word.parse::<CanonicalMaterial>() else {
        return Ok(());
    };
    let possible = RuleSets::possible(material.material());
    let impossible = |rules: &&RuleSet| !possible.contains(**rules);
    match args.rules.iter().find(impossible) {
        None => Ok(()),
        Some(rules) => Err(Failure::input(format_args!(
            "{material} has bia, and with bia there are results of {possible} alone, none of {rules}"
        ))),
    }
}

/// Says that a table is generated again.
fn again(error: &TableError, common: &Common) {
    if !common.quiet {
        say(format_args!("{error}: generating it again"));
    }
}
