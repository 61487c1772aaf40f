//! The report as text for the terminal.

use super::exporter::{Exporter, Fault};
use crate::report::Report;
use crate::report::columns::{legend, overview};
use crate::report::details::details;
use crate::report::tables::Table;
use crate::text::{Columns, wrap};

/// The results of scans are printed only if the report has at most this many endings.
const FEW: usize = 8;

pub struct Text<'a> {
    pub more: Option<&'a str>,
}

impl Exporter for Text<'_> {
    fn export(&self, report: &Report) -> Result<String, Fault> {
        let all = report.endings.len() <= FEW;
        let mut text = String::new();
        for group in report.groups() {
            let mut tables = overview(&group, &report.rules);
            if all {
                tables.extend(details(&group));
            }
            text += &format!("{}\n\n", group.title.to_uppercase());
            for table in tables {
                text += &format!("{}\n", terminal(&table));
            }
        }
        text += &wrap(&legend());
        if let Some(more) = self.more.filter(|_| !all) {
            text += &wrap(more);
        }
        Ok(text + &wrap(&report.missing_in_words()))
    }
}

fn terminal(table: &Table) -> String {
    let headings: Vec<&str> = table.headings.iter().map(String::as_str).collect();
    let mut columns = Columns::new(table.left, &headings);
    for row in &table.rows {
        columns.row(row.iter().map(ToString::to_string));
    }
    let mut words = wrap(&table.words.replace('`', ""));
    if !words.is_empty() {
        words.push('\n');
    }
    format!("{}\n\n{words}{columns}", table.title.to_uppercase())
}
