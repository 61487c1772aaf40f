//! The output of `generate --plan --json`: the resources that each table needs, for distributing
//! the work.

use sakmak::generate::{Method, Plan, Slices};
use serde::Serialize;

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
