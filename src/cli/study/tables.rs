//! Tables of a report, in any form.

use crate::cli::text::{Columns, wrap};

/// A table with what is said above it.
pub struct Table {
    /// Its heading.
    pub title: String,
    /// What it shows and how to read it.
    pub words: String,
    /// The headings of the columns.
    pub headings: Vec<String>,
    /// How many columns at the left hold words rather than numbers.
    pub left: usize,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(title: &str, words: &str, left: usize, headings: &[&str]) -> Table {
        Table {
            title: title.to_string(),
            words: words.to_string(),
            headings: headings.iter().map(ToString::to_string).collect(),
            left,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// For the terminal.
    pub fn text(&self) -> String {
        let headings: Vec<&str> = self.headings.iter().map(String::as_str).collect();
        let mut columns = Columns::new(self.left, &headings);
        for row in &self.rows {
            columns.row(row.iter().cloned());
        }
        let words = wrap(&self.words.replace('`', ""));
        let words = if words.is_empty() {
            words
        } else {
            words + "\n"
        };
        format!("{}\n\n{words}{columns}", self.title.to_uppercase())
    }

    /// As Markdown, under a heading of this level.
    pub fn markdown(&self, level: usize) -> String {
        let mut text = format!("{} {}\n\n", "#".repeat(level), self.title);
        if !self.words.is_empty() {
            text += &format!("{}\n\n", self.words);
        }
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        text += &line(&self.headings);
        let rule = (0..self.headings.len()).map(|i| match i < self.left {
            true => "---",
            false => "---:",
        });
        text += &format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
        for row in &self.rows {
            text += &line(row);
        }
        text + "\n"
    }
}
