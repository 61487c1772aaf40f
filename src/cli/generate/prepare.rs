//! Before the work: what there is, what is missing, and whether it can be made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use sakmak::generate::{Existing, Method, Plan, existing, plan};
use sakmak::material::{CanonicalMaterial, closure, parse_set};
use sakmak::table::{TableError, file_name};
use serde::Serialize;

use super::Args;
use crate::cli::memory::default_limit;
use crate::cli::text::{Columns, bytes, number};
use crate::cli::{Common, Failure};

/// What was asked for, and what has been found out about it.
pub struct Job {
    /// The endings asked for with all they can become, the smaller ones first.
    pub materials: BTreeSet<CanonicalMaterial>,
    /// The directories, the one to write to first.
    pub directories: Vec<PathBuf>,
    /// Those to be made even if they are there.
    forced: BTreeSet<CanonicalMaterial>,
    /// The memory that may be used, if there is a limit.
    memory: Option<u64>,
    /// Whether the files are to be smaller than they would be.
    pub small: bool,
    /// What is to be made.
    pub plans: BTreeMap<CanonicalMaterial, Plan>,
    /// The table of each other ending.
    pub found: BTreeMap<CanonicalMaterial, PathBuf>,
}

impl Job {
    /// What the command line asks for.
    pub fn new(args: &Args, common: &Common) -> Result<Job, Failure> {
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
            materials.extend(closure(set));
        }
        Ok(Job {
            materials,
            directories: common.tables.directories()?,
            forced,
            memory: args.memory.or_else(default_limit),
            small: args.small,
            plans: BTreeMap::new(),
            found: BTreeMap::new(),
        })
    }

    /// The directory to write to.
    pub fn directory(&self) -> &Path {
        &self.directories[0]
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
        let Some(allowed) = self.memory else {
            return Ok(());
        };
        // The one that needs most, so that the next try is the last.
        let most = self.plans.values().max_by_key(|plan| plan.memory_bytes);
        match most.filter(|plan| plan.memory_bytes > allowed) {
            None => Ok(()),
            Some(plan) => Err(Failure::machine(format!(
                "{} needs {} bytes of memory ({}), but {} ({}) are allowed: allow more with --memory, or name smaller endings",
                plan.material,
                plan.memory_bytes,
                bytes(plan.memory_bytes),
                allowed,
                bytes(allowed),
            ))),
        }
    }

    /// What `--plan` shows.
    pub fn plan_text(&self) -> String {
        let headings = [
            "ending",
            "men",
            "table",
            "cells",
            "size, about",
            "memory",
            "files beside",
            "how",
        ];
        let mut columns = Columns::new(3, &headings);
        for &material in &self.materials {
            let mut cells = vec![material.to_string(), material.men().to_string()];
            match self.plans.get(&material) {
                None => cells.push("is there".to_string()),
                Some(plan) => cells.extend([
                    "to be made".to_string(),
                    number(plan.cells),
                    bytes(plan.table_bytes),
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
        let disk: u64 = self.plans.values().map(|plan| plan.table_bytes).sum();
        let mut text = format!(
            "{columns}\n{} of {} tables to be made in {}, about {} on disk",
            self.plans.len(),
            self.materials.len(),
            self.directory().display(),
            bytes(disk)
        );
        if let Some(peak) = self.peak_text() {
            text += &format!(", {peak}");
        }
        text + "\n"
    }

    /// What the work will use at most, in words; nothing if there is none.
    pub fn peak_text(&self) -> Option<String> {
        let most = self.plans.values().map(|plan| plan.memory_bytes).max()?;
        let mut text = format!("{} of memory at most", bytes(most));
        if let Some(allowed) = self.memory {
            text += &format!(" ({} allowed)", bytes(allowed));
        }
        // One ending after the other: the steps of one are gone before the next begins.
        let work = self.plans.values().map(|plan| plan.work_bytes).max()?;
        if work > 0 {
            text += &format!(", up to {} for files beside the tables", bytes(work));
        }
        Some(text)
    }

    /// What `--plan --json` prints.
    pub fn plan_document(&self) -> PlanDocument {
        let tables = self.plans.values().map(|plan| PlannedTable {
            material: plan.material.to_string(),
            men: plan.material.men(),
            cells: plan.cells,
            memory_bytes: plan.memory_bytes,
            table_bytes: plan.table_bytes,
            work_bytes: plan.work_bytes,
            method: word(plan.method),
            slices: plan.slices,
        });
        PlanDocument {
            memory_allowed: self.memory,
            to_be_made: tables.collect(),
        }
    }
}

/// What `generate --plan --json` prints.
#[derive(Serialize)]
pub struct PlanDocument {
    memory_allowed: Option<u64>,
    to_be_made: Vec<PlannedTable>,
}

#[derive(Serialize)]
struct PlannedTable {
    material: String,
    men: usize,
    cells: u64,
    memory_bytes: u64,
    table_bytes: u64,
    work_bytes: u64,
    method: &'static str,
    slices: usize,
}

/// A method's name in a document.
fn word(method: Method) -> &'static str {
    match method {
        Method::Memory => "memory",
        Method::Files => "files",
        Method::Slices => "slices",
    }
}

/// How a table will be made, in words.
fn how(plan: &Plan) -> String {
    match (plan.method, plan.slices) {
        (Method::Memory, _) => "in memory".to_string(),
        (_, 1) => "through files".to_string(),
        (_, slices) => format!("through files, in {slices} slices"),
    }
}

/// Finds out which tables are there and which are to be made.
pub fn prepare(job: &mut Job, common: &Common) -> Result<(), Failure> {
    for &material in &job.materials.clone() {
        if !look(job, material, common)? {
            job.plans.insert(material, plan(material, job.memory));
        }
    }
    Ok(())
}

/// Looks for the table of an ending. True if it is there.
fn look(job: &mut Job, material: CanonicalMaterial, common: &Common) -> Result<bool, Failure> {
    if job.forced.contains(&material) {
        return Ok(false);
    }
    let mut spoilt = None;
    for (i, directory) in job.directories.iter().enumerate() {
        let path = directory.join(file_name(material));
        match existing(&path, material)? {
            Existing::Nothing => {}
            Existing::Table(_) => {
                job.found.insert(material, path);
                return Ok(true);
            }
            Existing::Corrupt(error) => spoilt = spoilt.or(Some(error)),
            // Elsewhere it is not in the way.
            Existing::Foreign(error) if i == 0 => return Err(error.into()),
            Existing::Foreign(_) => {}
        }
    }
    if let Some(error) = spoilt {
        again(&error, common);
    }
    Ok(false)
}

/// Says that a table is made again.
fn again(error: &TableError, common: &Common) {
    if !common.quiet {
        eprintln!("{error}: it is made again");
    }
}
