//! The common interface of the formats.

use crate::Failure;
use crate::study::report::Report;

/// A format of the report.
pub trait Exporter {
    /// Formats the whole report.
    fn export(&self, report: &Report) -> Result<String, Failure>;
}
