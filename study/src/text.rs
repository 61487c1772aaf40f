//! Formats numbers, texts and tables of text for people.

use comfy_table::CellAlignment;

/// Formats a whole number in groups of three digits, for example `12,170,304`.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}

/// Formats a number with its noun, for example `1 move` or `12 moves`.
pub fn counted(n: u64, thing: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", number(n))
}

/// Formats a percentage. Prints 0 or 100 only if that is the exact value.
pub fn percent(percent: f64) -> String {
    let shown = match percent {
        p if p > 0.0 && p < 0.01 => return "<0.01 %".to_string(),
        p if p < 100.0 => p.min(99.99),
        p => p,
    };
    format!("{shown:.2} %")
}

/// The width of a line in the terminal, in characters.
const WIDTH: usize = 100;

/// Breaks a text into lines of the terminal's width.
pub fn wrap(text: &str) -> String {
    let options = textwrap::Options::new(WIDTH)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    let lines = text.lines().flat_map(|line| textwrap::wrap(line, &options));
    lines.map(|line| format!("{line}\n")).collect()
}

/// A table of text cells with headings. Each column is as wide as its widest cell.
pub struct Columns {
    rows: Vec<Vec<String>>,
    /// The number of left-aligned columns, which come first. All further columns are right-aligned.
    left_count: usize,
}

impl Columns {
    /// Makes a table with these headings. The first `left_count` columns are left-aligned.
    pub fn new(left_count: usize, headings: &[&str]) -> Columns {
        Columns {
            rows: vec![
                headings
                    .iter()
                    .map(|&heading| heading.to_string())
                    .collect(),
            ],
            left_count,
        }
    }

    /// Adds a row to the table.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl std::fmt::Display for Columns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut table = comfy_table::Table::new();
        table.load_preset(comfy_table::presets::NOTHING);
        for row in &self.rows {
            table.add_row(row);
        }
        for (i, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, 2));
            column.set_cell_alignment(match i < self.left_count {
                true => CellAlignment::Left,
                false => CellAlignment::Right,
            });
        }
        for line in table.lines() {
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_written_in_threes() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1000), "1,000");
        assert_eq!(number(12_170_304), "12,170,304");
    }

    #[test]
    fn a_share_is_all_or_nothing_only_if_it_is() {
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(percent(0.0001), "<0.01 %");
        assert_eq!(percent(99.9999), "99.99 %");
        assert_eq!(percent(100.0), "100.00 %");
        assert_eq!(percent(85.774), "85.77 %");
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(counted(0, "move"), "0 moves");
        assert_eq!(counted(1, "move"), "1 move");
        assert_eq!(counted(1000, "move"), "1,000 moves");
    }

    #[test]
    fn a_text_is_broken_between_words() {
        let text = format!("{} {}\n{}", "a".repeat(60), "b".repeat(39), "c d");
        let lines = wrap(&text);
        assert_eq!(lines.lines().map(str::len).collect::<Vec<_>>(), [100, 3]);
        let text = format!("{} {}", "a".repeat(60), "b".repeat(40));
        assert_eq!(wrap(&text).lines().count(), 2);
        assert_eq!(wrap(""), "");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut columns = Columns::new(1, &["ending", "n"]);
        columns.row(["KRvK".to_string(), "1,000".to_string()]);
        assert_eq!(columns.to_string(), "ending      n\nKRvK    1,000\n");
    }
}
