//! What the forms of the report have in common.

use crate::cli::Failure;
use crate::cli::study::report::Report;

/// One form of the report.
pub trait Exporter {
    /// The whole report.
    fn export(&self, report: &Report) -> Result<String, Failure>;
}
