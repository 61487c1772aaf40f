//! The tables of a report, in a form that all formats share.

use std::fmt;

use sakmak::board::Fen;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;

use super::words::short;

/// A table with its title and an introduction.
pub struct Table {
    /// The title of the table.
    pub title: String,
    /// The introduction, which explains the contents and how to read them.
    pub words: String,
    /// The headings of the columns.
    pub headings: Vec<String>,
    /// The number of columns that contain text. They come before the columns of numbers.
    pub left: usize,
    /// The rows of cells.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
pub enum Cell {
    /// The ending that the row is about.
    Ending(CanonicalMaterial),
    /// A position under a rule set, in whose letters it is written.
    Fen(Fen, RuleSet),
    /// Any other text.
    Text(String),
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<CanonicalMaterial> for Cell {
    fn from(material: CanonicalMaterial) -> Cell {
        Cell::Ending(material)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Ending(material) => material.fmt(f),
            Cell::Fen(fen, rules) => f.pad(&short(fen, *rules).to_string()),
            Cell::Text(text) => f.pad(text),
        }
    }
}

impl Table {
    /// Makes a table without rows.
    pub fn new(title: &str, words: &str, left: usize, headings: &[&str]) -> Table {
        Table {
            title: title.to_string(),
            words: words.to_string(),
            headings: headings.iter().map(ToString::to_string).collect(),
            left,
            rows: Vec::new(),
        }
    }

    /// Adds a row to the table.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }
}
