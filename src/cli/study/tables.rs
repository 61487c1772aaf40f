//! Tables of a report, in any form.

use crate::cli::text::Columns;

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
        format!("{}\n\n{words}\n{columns}", self.title.to_uppercase())
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

/// The most characters of a line for the terminal.
const WIDTH: usize = 100;

/// Breaks a text into lines of the terminal's width.
pub fn wrap(text: &str) -> String {
    let mut lines = String::new();
    for paragraph in text.lines() {
        let mut width = 0;
        for word in paragraph.split(' ') {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > WIDTH {
                lines.push('\n');
                width = 0;
            } else if width > 0 {
                lines.push(' ');
                width += 1;
            }
            lines += word;
            width += length;
        }
        lines.push('\n');
    }
    lines
}
