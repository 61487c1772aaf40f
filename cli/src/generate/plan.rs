//! The plan of a run: the text that `generate --plan` prints, and the document of `--plan --json` with
//! the resources that each table needs, for distributing the work.

use sakmak::generate::{Method, Plan, Slices, plan};
use sakmak::material::CanonicalMaterial;
use serde::Serialize;

use super::prepare::{Job, work_bytes_left};
use crate::disk::free_disk;
use crate::format::{Columns, bytes, counted, number};
use crate::stderr::say;

impl Job {
    /// The text that `--plan` prints.
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

    /// Before the work begins, reports the memory and the temporary disk space that it needs. Warns
    /// if the disk seems too small.
    pub fn say_beforehand(&self) {
        self.say_peak();
        if let Some(warning) = self.disk_warning() {
            say(warning);
        }
    }

    /// Reports the memory and the temporary disk space that the work needs.
    pub fn say_peak(&self) {
        if let Some(peak) = self.peak_text() {
            let tables = counted(self.plans.len() as u64, "table");
            say(format_args!("{tables} to generate: {peak}"));
        }
    }

    /// The warning for a disk that seems too small.
    fn disk_warning(&self) -> Option<String> {
        let left = |plan: &Plan| work_bytes_left(plan, self.directory());
        let work = self.plans.values().map(left).max()?;
        let needed = self.table_bytes_of_all().saturating_add(work);
        let free = free_disk(self.directory())?;
        (free < needed).then(|| {
            format!(
                "warning: {} has {} of free space, but the tables need about {}",
                self.directory().display(),
                bytes(free),
                bytes(needed)
            )
        })
    }

    /// The peak memory and temporary disk space of the work, as text. `None` if no distance table
    /// has to be made.
    pub fn peak_text(&self) -> Option<String> {
        let most = self.plans.values().map(|plan| plan.memory_bytes).max()?;
        let mut text = format!("{} of memory at most", bytes(most));
        if let Some(allowed) = self.request.memory {
            text += &format!(" ({} allowed)", bytes(allowed));
        }
        // Endings are made one after the other, and the work files of one ending are removed before
        // the next begins.
        let work = self.plans.values().map(|plan| plan.work_bytes).max()?;
        if work > 0 {
            text += &format!(", up to {} of temporary files", bytes(work));
        }
        Some(text)
    }

    /// The document that `--plan --json` prints.
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

/// Describes the method of solving as text.
fn how(plan: &Plan) -> String {
    match (plan.method, plan.slices) {
        (Method::InMemory, 1) => "in memory".to_string(),
        (Method::InMemory, slices) => format!("in memory, {slices} slices"),
        (Method::ByBia, slices) => format!("slice by slice, {slices} slices"),
        (Method::InFiles(_), 1) => "out of core, arrays in files".to_string(),
        (Method::InFiles(_), slices) => format!("out of core, {slices} slices, arrays in files"),
        (_, 1) => "out of core".to_string(),
        (_, slices) => format!("out of core, {slices} slices"),
    }
}

/// The document of a planned run.
#[derive(Serialize)]
pub struct PlanDocument {
    /// The memory limit in bytes, if there is one.
    pub memory_allowed: Option<u64>,
    /// The tables that would be generated.
    pub to_be_made: Vec<PlannedTable>,
    /// The endings of the set and all their subendings. Subendings come before the endings that
    /// need them.
    pub endings: Vec<PlannedEnding>,
}

/// The resources that a table needs.
#[derive(Serialize)]
pub struct PlannedTable {
    material: String,
    men: usize,
    cells: u64,
    memory_bytes: u64,
    table_bytes: u64,
    work_bytes: u64,
    method: &'static str,
    slices: usize,
}

/// An ending, and the resources that its table needs.
#[derive(Serialize)]
pub struct PlannedEnding {
    /// True if the ending's table exists.
    present: bool,
    /// The subendings that one move leads to. `generate --only` and `verify --only` need their
    /// tables.
    needs: Vec<String>,
    /// The temporary disk space in bytes: the work files, and the new table until it is moved to
    /// its final place.
    scratch_bytes: u64,
    /// The estimated time on one processor, in seconds.
    cpu_seconds: f64,
    #[serde(flatten)]
    table: PlannedTable,
}

impl PlannedTable {
    /// Describes a table that has this plan and a file of `table_bytes` bytes.
    pub fn new(plan: &Plan, table_bytes: u64) -> PlannedTable {
        PlannedTable {
            material: plan.material.to_string(),
            men: plan.material.men(),
            cells: plan.cells,
            memory_bytes: plan.memory_bytes,
            table_bytes,
            work_bytes: plan.work_bytes,
            method: word(plan.method),
            slices: plan.slices,
        }
    }
}

impl PlannedEnding {
    /// Describes an ending whose table has this plan and a file of `table_bytes` bytes. If
    /// `present` is false, the file does not exist, and its size is an estimate.
    pub fn new(plan: &Plan, table_bytes: u64, present: bool) -> PlannedEnding {
        let needs = plan.material.after_a_move();
        PlannedEnding {
            present,
            needs: needs.iter().map(ToString::to_string).collect(),
            scratch_bytes: plan.work_bytes.saturating_add(table_bytes),
            cpu_seconds: plan.cpu_seconds(table_bytes),
            table: PlannedTable::new(plan, table_bytes),
        }
    }
}

/// The name of a method in a JSON document.
fn word(method: Method) -> &'static str {
    match method {
        Method::InMemory => "memory",
        Method::OutOfCore(Slices::Whole) => "files",
        Method::OutOfCore(Slices::ByColor) | Method::ByBia => "slices",
        Method::InFiles(_) => "arrays in files",
    }
}
