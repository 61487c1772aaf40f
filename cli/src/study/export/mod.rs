//! The output formats of the report.

mod csv;
mod exporter;
mod html;
mod json;
mod markdown;
mod text;

use std::path::Path;

use self::exporter::Exporter;
use super::report::Report;
use crate::Failure;

/// A format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Tables for the terminal
    Text,
    /// Markdown
    Md,
    /// One line for each ending, rule set, winner and side to move
    Csv,
    /// One JSON document
    Json,
    /// One page with boards and charts that loads nothing from the network
    Html,
}

impl Format {
    /// The format for a file's extension. `None` if the extension is unknown.
    pub fn of_file(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "txt" => Format::Text,
            "md" | "markdown" => Format::Md,
            "csv" => Format::Csv,
            "json" => Format::Json,
            "html" | "htm" => Format::Html,
            _ => return None,
        })
    }

    /// The name of the format on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Md => "md",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Html => "html",
        }
    }

    /// Formats the report. `explorer` is the address of the explorer to which positions on an HTML
    /// page link.
    pub fn export(self, report: &Report, explorer: Option<&str>) -> Result<String, Failure> {
        let exporter: &dyn Exporter = match self {
            Format::Text => &text::Text,
            Format::Md => &markdown::Markdown,
            Format::Csv => &csv::Csv,
            Format::Json => &json::Json,
            Format::Html => &html::Html { explorer },
        };
        exporter.export(report)
    }
}
