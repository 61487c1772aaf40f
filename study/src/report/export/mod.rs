//! The output formats of the report.

mod csv;
mod exporter;
mod html;
mod json;
mod markdown;
mod text;

use std::error::Error as StdError;
use std::path::Path;

use self::exporter::Exporter;
use thiserror::Error;

use super::Report;

/// A format of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tables for the terminal.
    Text,
    /// Markdown.
    Md,
    /// One line for each ending, rule set, winner and side to move.
    Csv,
    /// One JSON document.
    Json,
    /// One page with boards and charts that loads nothing from the network.
    Html,
}

/// A fault of a format: the report's figures cannot be written in it.
#[derive(Debug, Error)]
#[error("the report cannot be written as {} ({source})", format.name())]
pub struct ReportError {
    /// The format.
    pub format: Format,
    /// The reason.
    pub source: Box<dyn StdError + Send + Sync>,
}

/// The reader's aids that a report adds to its figures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    /// The address of the explorer to which positions on an HTML page link.
    pub explorer: Option<&'a str>,
    /// The sentence that follows the tables of a text that leaves details out, and tells the reader
    /// how to get them.
    pub more: Option<&'a str>,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 5] = [
        Format::Text,
        Format::Md,
        Format::Csv,
        Format::Json,
        Format::Html,
    ];

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

    /// The short name of the format, which is also the usual extension of a file.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Md => "md",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Html => "html",
        }
    }

    /// Formats the report.
    ///
    /// # Errors
    ///
    /// If a figure has no form in the format.
    pub fn export(self, report: &Report, extras: Extras) -> Result<String, ReportError> {
        let exporter: &dyn Exporter = match self {
            Format::Text => &text::Text { more: extras.more },
            Format::Md => &markdown::Markdown,
            Format::Csv => &csv::Csv,
            Format::Json => &json::Json,
            Format::Html => &html::Html {
                explorer: extras.explorer,
            },
        };
        exporter.export(report).map_err(|source| ReportError {
            format: self,
            source,
        })
    }
}
