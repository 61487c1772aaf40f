//! The directories of a tablebase.

use std::ffi::CString;
use std::path::PathBuf;

use pyo3::prelude::*;
use tablebase::probe::Tablebase as Tables;

use crate::errors::Failure;

/// Adds a directory to the tables. Returns the number of tables that it adds.
pub fn add(tables: &mut Tables, directory: PathBuf) -> Result<usize, Failure> {
    tables
        .add_directory(&directory)
        .map_err(|error| Failure::Directory(directory, error))
}

/// Warns that the directories have no tables: the names may be mistaken, which would not be noticed
/// until much later.
pub fn warn_without_tables(py: Python<'_>, directories: &[PathBuf]) -> PyResult<()> {
    let names: Vec<String> = directories
        .iter()
        .map(|directory| directory.display().to_string())
        .collect();
    let message = format!(
        "there are no tables in {}: make some with `sakmak generate bare-4`",
        names.join(", ")
    );
    let class = py.import("sakmak.errors")?.getattr("NoTablesWarning")?;
    PyErr::warn(py, &class, &CString::new(message)?, 1)
}
