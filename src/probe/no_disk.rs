//! In place of `disk` where there are no files: all tables are provided.

use std::sync::Arc;

use super::options::Options;
use super::provided::Provided;
use crate::table::{TableError, TableFile};

/// The tables, by number.
#[derive(Debug)]
pub(super) struct Disk(Vec<Provided>);

impl Disk {
    /// No tables. What the options say of files in directories does not matter.
    pub fn new(_: &Options) -> Disk {
        Disk(Vec::new())
    }

    /// Adds the next table.
    pub fn add_provided(&mut self, table: Provided) {
        self.0.push(table);
    }

    /// A table, opened now if it was not.
    pub fn file(
        &self,
        number: usize,
        _check: impl FnOnce(&TableFile) -> Result<(), TableError>,
    ) -> Result<Arc<TableFile>, TableError> {
        self.0[number].file()
    }
}
