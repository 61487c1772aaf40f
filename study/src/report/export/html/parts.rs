//! Building blocks of the HTML page.

use std::collections::BTreeSet;

use maud::{Markup, html};
use sakmak::board::Fen;
use sakmak::rules::RuleSet;

use crate::report::tables::{Cell, Table};
use crate::report::words::{short, verdict};
use crate::report::{Report, RulesOption};
use crate::svg;

/// The targets of links on the page.
pub struct Page<'a> {
    /// The names of the endings that have a section on the page.
    endings: BTreeSet<String>,
    /// The address of an explorer, without a final slash.
    explorer: Option<&'a str>,
    /// The program's option that chooses a rule set.
    pub rules_option: RulesOption,
}

impl<'a> Page<'a> {
    /// Makes a page whose texts link to the sections of the report's endings.
    pub fn new(report: &Report, explorer: Option<&'a str>) -> Page<'a> {
        Page {
            endings: report
                .endings
                .iter()
                .map(|e| e.material().to_string())
                .collect(),
            explorer: explorer.map(|address| address.trim_end_matches('/')),
            rules_option: report.rules_option,
        }
    }

    /// Draws a position, and links it to the explorer.
    pub fn board(&self, fen: &Fen, rules: RuleSet) -> Markup {
        html! {
            (svg::board(fen))
            @if let Some(address) = self.explorer {
                a class="explore" href={ (address) "/?fen=" (fen.display(rules.lettering()).to_string().replace(' ', "_")) "&rules=" (rules.name()) } {
                    "explore"
                }
            }
        }
    }

    /// Converts plain text to HTML: text between backticks becomes code, and names of endings
    /// become links.
    pub fn prose(&self, text: &str) -> Markup {
        let parts = text.split('`').enumerate();
        html! {
            @for (i, part) in parts {
                @if i % 2 == 1 { code { (part) } } @else { (self.linked(part)) }
            }
        }
    }

    fn linked(&self, text: &str) -> Markup {
        // The name of an ending may contain a hyphen: KRPvK-asean.
        let is_end = |c: char| !c.is_ascii_alphanumeric() && c != '-';
        let words = text.split_inclusive(is_end);
        html! {
            @for word in words {
                @let name = word.trim_end_matches(is_end);
                @if self.endings.contains(name) {
                    a href={ "#" (name) } { (name) } (word[name.len()..])
                } @else { (word) }
            }
        }
    }

    /// Makes a sortable table with a heading.
    pub fn table(&self, table: &Table) -> Markup {
        html! {
            details class="tbl" open {
                summary { h3 { (table.title) } }
                @if !table.words.is_empty() { p { (self.prose(&table.words)) } }
                div class="scroll" {
                    table class="sortable" {
                        thead {
                            tr {
                                @for (i, heading) in table.headings.iter().enumerate() {
                                    (head(heading, "", i < table.left))
                                }
                            }
                        }
                        tbody {
                            @for row in &table.rows {
                                tr { @for (i, cell) in row.iter().enumerate() { (self.cell(cell, i < table.left)) } }
                            }
                        }
                    }
                }
            }
        }
    }

    fn cell(&self, cell: &Cell, words: bool) -> Markup {
        html! {
            @match cell {
                Cell::Ending(material) => th scope="row" { a href={ "#" (material) } { (material) } },
                Cell::Fen(fen, rules) => td class="l" {
                    details class="fen" {
                        summary { code { (short(fen, *rules)) } }
                        (self.board(fen, *rules))
                    }
                },
                Cell::Text(text) => td class=[words.then_some("l")] { (text) },
            }
        }
    }
}

/// Makes the heading of a sortable column. `help` explains the column, or is empty. `words` is true
/// if the column contains text.
pub fn head(heading: &str, help: &str, words: bool) -> Markup {
    html! {
        th scope="col" class=[words.then_some("l")] {
            button type="button" title=[(!help.is_empty()).then_some(help)] { (heading) }
        }
    }
}

/// Makes a badge that states how many of a side's wins are in time: "beats" for at least 99 %,
/// "usually" for at least half of them, and so on.
pub fn badge(row: &crate::Row) -> Markup {
    let word = verdict(row.standing);
    html! { span class={ "v " (word.replace(' ', "-")) } data-word=(word) { (word) } }
}

#[cfg(test)]
mod tests {
    use sakmak::board::Lettering;

    use super::*;

    fn page(explorer: Option<&str>) -> Page<'_> {
        Page {
            endings: BTreeSet::from(["KRvK".to_string()]),
            explorer: explorer.map(|address| address.trim_end_matches('/')),
            rules_option: |rules| rules.to_string(),
        }
    }

    #[test]
    fn cells_are_escaped() {
        let mut table = Table::new("A & B", "say `<b>`", 1, &["<x>", "n"]);
        table.row([Cell::Text("<i>".to_string()), Cell::Text("1".to_string())]);
        let text = page(None).table(&table).into_string();
        assert!(!text.contains("<i>") && !text.contains("<x>") && !text.contains("<b>"));
        assert!(text.contains("A &amp; B") && text.contains("<code>&lt;b&gt;</code>"));
    }

    #[test]
    fn names_of_endings_are_links() {
        let text = page(None).prose("KRvK, not KRvKN or `KRvK`.").into_string();
        assert_eq!(
            text,
            "<a href=\"#KRvK\">KRvK</a>, not KRvKN or <code>KRvK</code>."
        );
    }

    #[test]
    fn boards_link_to_the_explorer() {
        let text = "7k/8/8/8/3SM3/8/8/K7 w - - 0 1";
        let fen = &Fen::parse(text, Lettering::Makruk).unwrap();
        let link = "href=\"http://x/y/?fen=7k/8/8/8/3SM3/8/8/K7_w_-_-_0_1&amp;rules=makruk\"";
        for address in ["http://x/y", "http://x/y/"] {
            let text = page(Some(address))
                .board(fen, RuleSet::Makruk)
                .into_string();
            assert!(text.contains(link), "{text}");
        }
        assert!(
            !page(None)
                .board(fen, RuleSet::Makruk)
                .into_string()
                .contains("href=\"http")
        );
    }
}
