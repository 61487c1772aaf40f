//! The report as a self-contained HTML page.

mod ending;
mod intro;
mod overview;
mod parts;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::parts::Page;
use super::exporter::{Exporter, Fault};
use crate::report::Report;
use crate::report::details::details;
use crate::report::findings::findings;
use crate::svg::symbols;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// The page's texts with their Thai translations. Each line is a text, a tab and the translation.
/// The translations have not yet been proofread by a Thai player.
const THAI: &str = include_str!("thai.txt");

/// The HTML format. If the address of an explorer is given, positions link to the explorer.
pub struct Html<'a> {
    pub explorer: Option<&'a str>,
}

impl Exporter for Html<'_> {
    fn export(&self, report: &Report) -> Result<String, Fault> {
        let page = Page::new(report, self.explorer);
        let html = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { "Which endings beat the count" }
                    link rel="icon" href="data:,";
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    (symbols())
                    (intro::header())
                    (intro::rules())
                    (found(&page, report))
                    (overview::section(&page, report))
                    section id="tables" {
                        h2 { "What decides" }
                        @for table in details(&report.all()) { (page.table(&table)) }
                    }
                    section id="endings" {
                        h2 { "Ending by ending" }
                        @for ending in &report.endings { (ending::article(&page, ending, &report.rules)) }
                    }
                    footer {
                        p { "Made by sakmak from its endgame tables. The drawings of the men are sakmak's own." }
                    }
                    script type="text/plain" id="thai" { (PreEscaped(THAI)) }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        Ok(html.into_string() + "\n")
    }
}

/// Writes the findings, if there are any.
fn found(page: &Page, report: &Report) -> Markup {
    let findings = findings(report);
    html! {
        @if !findings.is_empty() {
            section id="findings" {
                h2 { "Findings" }
                ul class="found" {
                    @for finding in findings {
                        li {
                            b { (finding.title) } " " (page.prose(&finding.text))
                            div class="boards" {
                                @for fen in &finding.positions { figure { (page.board(fen, finding.rules)) } }
                            }
                            span class="cmd" {
                                @for command in &finding.commands { code { (command) } " " }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_are_pairs() {
        let mut words: Vec<&str> = Vec::new();
        for line in THAI.lines() {
            let (english, thai) = line.split_once('\t').unwrap();
            assert!(!thai.is_empty() && !thai.contains(['\t', '<']), "{line}");
            words.push(english);
        }
        let all = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all, "each once");
    }

    #[test]
    fn the_page_loads_nothing() {
        for text in [STYLE, SCRIPT, THAI] {
            for forbidden in ["http:", "https:", "@import", "fetch(", "url("] {
                assert!(!text.contains(forbidden), "{forbidden}");
            }
        }
    }
}
