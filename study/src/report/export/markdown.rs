//! The report as Markdown, without a title above it.

use super::exporter::{Exporter, Fault};
use crate::report::Report;
use crate::report::columns::{COLUMNS, legend, overview};
use crate::report::details::details;
use crate::report::findings::findings;
use crate::report::tables::Table;

pub struct Markdown;

impl Exporter for Markdown {
    fn export(&self, report: &Report) -> Result<String, Fault> {
        let mut text = "## Findings\n\n".to_string();
        for finding in findings(report) {
            text += &format!("* **{}** {}", finding.title, finding.text);
            for command in &finding.commands {
                text += &format!("\n  `{command}`");
            }
            text.push('\n');
        }
        text += "\n## How to read the tables\n";
        let mut listed = false;
        for line in legend().lines() {
            let column = line
                .split_once(": ")
                .filter(|(word, _)| COLUMNS.iter().any(|c| c.heading == *word));
            if column.is_none() || !listed {
                text.push('\n');
            }
            listed = column.is_some();
            text += &match column {
                Some((word, help)) => format!("* **{word}**: {help}\n"),
                None => format!("{line}\n"),
            };
        }
        for group in report.groups() {
            text += &format!("\n## {}\n\n", group.title);
            let tables = overview(&group, &report.rules).into_iter();
            let tables: Vec<String> = tables.chain(details(&group)).map(markdown).collect();
            text += &tables.join("\n");
        }
        if report.has_gaps() {
            text += &format!("\n## Missing\n\n{}", report.missing_in_words());
        }
        Ok(text)
    }
}

fn markdown(table: Table) -> String {
    let mut text = format!("### {}\n\n", table.title);
    if !table.words.is_empty() {
        text += &format!("{}\n\n", table.words);
    }
    text += &format!("| {} |\n", table.headings.join(" | "));
    let rule = (0..table.headings.len()).map(|i| match i < table.left {
        true => "---",
        false => "---:",
    });
    text += &format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}
