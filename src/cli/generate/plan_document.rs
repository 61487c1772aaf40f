//! What `generate --plan --json` prints: what each table needs, for whoever distributes the work.

use sakmak::generate::{Method, Plan, Slices};
use serde::Serialize;

/// The document.
#[derive(Serialize)]
pub struct PlanDocument {
    /// The memory that may be used, if there is a limit.
    pub memory_allowed: Option<u64>,
    /// The tables that would be generated.
    pub to_be_made: Vec<PlannedTable>,
    /// Each ending asked for with all it can become, the smaller ones first.
    pub endings: Vec<PlannedEnding>,
}

/// What a table takes.
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

/// An ending, and what its table takes, or took.
#[derive(Serialize)]
pub struct PlannedEnding {
    /// Whether its table exists.
    present: bool,
    /// The endings one capture or promotion away, whose tables `generate --only` and `verify --only` look for.
    needs: Vec<String>,
    /// The disk space that it takes where the work is done, until the table is moved to its place.
    scratch_bytes: u64,
    /// About how many seconds of one processor it takes.
    cpu_seconds: f64,
    #[serde(flatten)]
    table: PlannedTable,
}

impl PlannedTable {
    /// By a plan, with the bytes that its file will have.
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
    /// By a plan, with the bytes that its file will have, or has.
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

/// A method's name in a document.
fn word(method: Method) -> &'static str {
    match method {
        Method::InMemory => "memory",
        Method::OutOfCore(Slices::Whole) => "files",
        Method::OutOfCore(Slices::ByColor) => "slices",
        Method::InFiles(_) => "arrays in files",
    }
}
