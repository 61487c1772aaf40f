//! The report as one page that needs nothing from anywhere else.

mod ending;
mod intro;

use sakmak::board::Color;
use sakmak::rules::RuleSet;
use sakmak::study::{RECORD_RULES, SideStudy};

use super::findings::findings;
use super::sections::{Group, in_time, legend, missing, more, moves, share, word};
use super::svg::{escape, glyphs};
use super::tables::Table;
use super::{Ending, Report};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The page.
pub fn page(report: &Report) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>Which endings beat the count</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}",
        glyphs()
    );
    page += &intro::intro();
    page += &found(report);
    page += &overview(report);
    page += "<section id=\"tables\"><h2>What decides</h2>\n";
    let all = Group {
        title: String::new(),
        endings: report.endings.iter().collect(),
    };
    for table in more(&all) {
        page += &html(&table);
    }
    page += "</section>\n<section id=\"endings\"><h2>Ending by ending</h2>\n";
    for ending in &report.endings {
        page += &ending::section(ending, &report.rules);
    }
    page += &format!(
        "</section>\n<footer><p>Made by sakmak from its endgame tables. The drawings of the men are sakmak's own.</p></footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    );
    page
}

/// The findings, if there are any.
fn found(report: &Report) -> String {
    let findings = findings(report);
    if findings.is_empty() {
        return String::new();
    }
    let mut text = "<section id=\"findings\"><h2>Findings</h2>\n<ul class=\"found\">\n".to_string();
    for finding in findings {
        let commands = finding.commands.iter();
        let commands: String = commands
            .map(|command| format!("<code>{}</code> ", escape(command)))
            .collect();
        text += &format!(
            "<li><b>{}</b> {} <span class=\"cmd\">{commands}</span></li>\n",
            escape(&finding.title),
            escape(&finding.words)
        );
    }
    text + "</ul></section>\n"
}

/// Paragraphs of plain text, in which `…` is code.
fn paragraphs(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| {
            let parts = line.split('`').enumerate();
            let line: String = parts
                .map(|(i, part)| match i % 2 {
                    0 => escape(part),
                    _ => format!("<code>{}</code>", escape(part)),
                })
                .collect();
            format!("<p>{line}</p>\n")
        })
        .collect()
}

/// A table that can be sorted.
fn html(table: &Table) -> String {
    let mut text = format!(
        "<details class=\"tbl\" open><summary><h3>{}</h3></summary>\n{}<div class=\"scroll\"><table class=\"sortable\"><thead><tr>",
        escape(&table.title),
        paragraphs(&table.words)
    );
    for (i, heading) in table.headings.iter().enumerate() {
        text += &head(heading, i < table.left);
    }
    text += "</tr></thead><tbody>\n";
    for row in &table.rows {
        text += "<tr>";
        for (i, cell) in row.iter().enumerate() {
            text += &match i {
                0 => format!(
                    "<th scope=\"row\"><a href=\"#{0}\">{0}</a></th>",
                    escape(cell)
                ),
                i if i < table.left => format!("<td class=\"l\">{}</td>", escape(cell)),
                _ if cell.contains('/') => {
                    format!("<td class=\"l\"><code>{}</code></td>", escape(cell))
                }
                _ => format!("<td>{}</td>", escape(cell)),
            };
        }
        text += "</tr>\n";
    }
    text + "</tbody></table></div></details>\n"
}

/// The head of a column by which one can sort.
fn head(heading: &str, words: bool) -> String {
    let class = if words { " class=\"l\"" } else { "" };
    format!(
        "<th scope=\"col\"{class}><button type=\"button\">{}</button></th>",
        escape(heading)
    )
}

/// The share won in time under a rule set, with the winner to move.
fn won_in_time(ending: &Ending, rules: RuleSet, winner: Color) -> (String, f64) {
    let side = ending
        .study
        .under(rules)
        .and_then(|rules| rules.side(winner));
    side.map_or(("-".to_string(), 0.0), |side| {
        let turn = &side.to_move;
        (in_time(turn), turn.share(turn.in_time).percent())
    })
}

/// Every ending in a line.
fn overview(report: &Report) -> String {
    let mut text = format!(
        "<section id=\"overview\"><h2>All endings</h2>\n<p>One line for each side that can win, with that side to move: the verdict and the share won in time in makruk, the share won if nothing were counted, and the shares won in time in ASEAN chess and in ouk; then the moves that makruk's count leaves, the longest win, the longest that fits and the shortest that does not. Click a heading to sort; click an ending to see its boards and charts.</p>\n<details class=\"legend\"><summary>How to read the columns</summary>{}</details>\n<div class=\"scroll\"><table class=\"sortable\" id=\"all\"><thead><tr>",
        paragraphs(&legend())
    );
    for (heading, words) in [
        ("ending", true),
        ("wins", true),
        ("verdict", true),
        ("in time", false),
        ("won", false),
        ("ASEAN", false),
        ("ouk", false),
        ("moves", false),
        ("longest", false),
        ("fits", false),
        ("misses", false),
        ("men", false),
    ] {
        text += &head(heading, words);
    }
    text += "</tr></thead><tbody>\n";
    for ending in &report.endings {
        let Some(rules) = ending.study.under(RECORD_RULES) else {
            continue;
        };
        for side in &rules.sides {
            text += &line(ending, side);
        }
    }
    text += "</tbody></table></div>\n";
    if let Some(words) = missing(report) {
        text += &format!("<div class=\"missing\">{}</div>\n", paragraphs(&words));
    }
    text + "</section>\n"
}

fn line(ending: &Ending, side: &SideStudy) -> String {
    let material = ending.study.material;
    let turn = &side.to_move;
    let shown = |rules| {
        let (shown, percent) = won_in_time(ending, rules, side.winner);
        format!(
            "<td class=\"m\" style=\"--v:{percent:.1}%\">{}</td>",
            escape(&shown)
        )
    };
    let mut text = format!(
        "<tr><th scope=\"row\"><a href=\"#{material}\">{material}</a></th><td class=\"l\">{}</td><td class=\"l\">{}</td>{}<td>{}</td>{}{}",
        material.army(side.winner),
        badge(side),
        shown(RuleSet::Makruk),
        share(turn.share(turn.won)),
        shown(RuleSet::Asean),
        shown(RuleSet::Ouk)
    );
    let available = turn.moves_available;
    let available = available.map_or("-".to_string(), |n| n.to_string());
    text += &format!("<td>{available}</td>");
    for (record, what) in [
        (&turn.longest, None),
        (&turn.longest_in_time, Some("hardest-win")),
        (&turn.shortest_too_long, Some("nearest-miss")),
    ] {
        let shown = moves(record.as_ref());
        let id = what.map(|what| ending::anchor(ending, side.winner, what));
        let id = id.filter(|id| record.is_some() && ending::has_line(ending, id));
        text += &match id {
            Some(id) => format!("<td><a href=\"#{id}\">{shown}</a></td>"),
            None => format!("<td>{shown}</td>"),
        };
    }
    text + &format!("<td>{}</td></tr>\n", material.men())
}

/// The word for a side, to be seen from afar.
fn badge(side: &SideStudy) -> String {
    let word = word(side.standing);
    format!("<span class=\"v {word}\">{word}</span>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_without_any_markup_of_its_cells() {
        let mut table = Table::new("A & B", "say `<b>`", 1, &["<x>", "n"]);
        table.row(["<i>".to_string(), "1".to_string()]);
        let text = html(&table);
        assert!(!text.contains("<i>") && !text.contains("<x>") && !text.contains("<b>"));
        assert!(text.contains("A &amp; B") && text.contains("<code>&lt;b&gt;</code>"));
    }

    #[test]
    fn the_page_loads_nothing() {
        for text in [STYLE, SCRIPT] {
            for forbidden in ["http:", "https:", "@import", "fetch(", "url("] {
                assert!(!text.contains(forbidden), "{forbidden}");
            }
        }
    }
}
