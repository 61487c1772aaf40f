//! Tables of a report, independent of the format.

use std::fmt;

use sakmak::material::CanonicalMaterial;

use super::words::short;

/// A table with an introduction.
pub struct Table {
    /// Its heading.
    pub title: String,
    /// The introduction: what the table contains, and how to read it.
    pub words: String,
    /// The headings of the columns.
    pub headings: Vec<String>,
    /// How many columns, on the left, contain text.
    pub left: usize,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
pub enum Cell {
    /// The ending of the row.
    Ending(CanonicalMaterial),
    /// A position in makruk's letters.
    Fen(String),
    /// Anything else.
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
            Cell::Fen(fen) => f.pad(short(fen)),
            Cell::Text(text) => f.pad(text),
        }
    }
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
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.rows.push(cells.into_iter().collect());
    }
}
