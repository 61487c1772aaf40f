//! What stands out, in words.

use super::Report;

/// A finding.
pub struct Finding {
    /// What it is about, as a sentence.
    pub title: String,
    /// What was found.
    pub words: String,
    /// The commands that show it.
    pub commands: Vec<String>,
}

/// What stands out in a report.
pub fn findings(_report: &Report) -> Vec<Finding> {
    Vec::new()
}
