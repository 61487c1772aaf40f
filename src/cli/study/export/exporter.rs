//! The common interface of the formats.

use crate::cli::Failure;
use crate::cli::study::report::Report;

/// A format of the report.
pub trait Exporter {
    /// Formats the whole report.
    fn export(&self, report: &Report) -> Result<String, Failure>;
}
