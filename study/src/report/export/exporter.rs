//! The common interface of the formats.

use std::error::Error;

use crate::report::Report;

/// The reason why a figure has no form in a format.
pub type Fault = Box<dyn Error + Send + Sync>;

/// A format of the report.
pub trait Exporter {
    /// Formats the whole report.
    fn export(&self, report: &Report) -> Result<String, Fault>;
}
