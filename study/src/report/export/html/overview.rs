//! The overview of the page: all endings in one table.

use crate::{Row, RulesStudy, Standing};
use maud::{Markup, html};
use sakmak::rules::RuleSet;

use super::ending::{anchor, has_line};
use super::parts::{Page, badge, head};
use crate::report::columns::{COLUMNS, legend};
use crate::report::words::{in_time, list, name, or_dash, share, short_name, verdict};
use crate::report::{Ending, Report};

/// A column of the overview: its heading, a flag that is true if the column contains text, and its
/// explanation. If the explanation is empty, it is that of the entry of `COLUMNS` with the same
/// heading.
type Head = (&'static str, bool, String);

/// The rule sets that have a column besides makruk's.
fn others() -> impl Iterator<Item = RuleSet> {
    RuleSet::ALL.into_iter().skip(1)
}

fn heads() -> impl Iterator<Item = Head> {
    let known = |words, headings: &'static [&str]| {
        let headings = headings.iter();
        headings.map(move |&heading| (heading, words, String::new()))
    };
    let of_rules = others().map(|rules| {
        let help = format!("the share won in time in {}", name(rules));
        (short_name(rules), false, help)
    });
    let men = "the men on the board, both kings included".to_string();
    known(true, &["ending", "wins", "verdict"])
        .chain(known(false, &["in time", "won"]))
        .chain(of_rules)
        .chain(known(false, &["moves", "longest", "fits", "misses"]))
        .chain([("men", false, men)])
}

/// Makes the overview.
pub fn section(page: &Page, report: &Report) -> Markup {
    html! {
        section id="overview" {
            h2 { "All endings" }
            p {
                "One line for each side that can win, with that side to move, under makruk's count; then the shares won in time "
                (list(&others().map(|rules| format!("in {}", name(rules))).collect::<Vec<_>>()))
                ". Click a heading to sort, an ending to see its boards and charts, a number under fits or misses to see that game."
            }
            details class="legend" {
                summary { "How to read the columns" }
                @for line in legend().lines() {
                    p { @match line.split_once(": ") {
                        Some((word, help)) if word.len() < 8 => { b { (word) } ": " (page.prose(help)) },
                        _ => (page.prose(line)),
                    } }
                }
            }
            (filter(report))
            div class="scroll page" {
                table class="sortable" id="all" {
                    thead { tr { @for (heading, words, help) in heads() {
                        @let column = COLUMNS.iter().find(|column| column.heading == heading);
                        (head(heading, column.map_or(help.as_str(), |column| column.help), words))
                    } } }
                    tbody { @for ending in &report.endings {
                        @if let Some(rules) = ending.makruk() {
                            @for row in rules.winners() { (line(ending, rules, row)) }
                        }
                    } }
                }
            }
            @if report.has_gaps() {
                div class="missing" { @for line in report.missing_in_words().lines() { p { (line) } } }
            }
        }
    }
}

/// The input field that filters the table and the sections below it.
fn filter(report: &Report) -> Markup {
    let mut men: Vec<usize> = report.endings.iter().map(|e| e.material().men()).collect();
    men.sort_unstable();
    men.dedup();
    html! {
        form id="filter" role="search" {
            label { span { "men" } " " input name="name" type="search" placeholder="KSM, vKN" autocomplete="off"; }
            label { span { "number" } " " select name="men" {
                option value="" { "any" }
                @for men in men { option { (men) } }
            } }
            label { span { "against" } " " select name="kind" {
                option value="" { "any" }
                option value="bare" { "bare king" }
                option value="both" { "king and men" }
            } }
            label { span { "verdict" } " " select name="verdict" {
                option value="" { "any" }
                @for standing in Standing::ALL {
                    @let word = verdict(standing);
                    option value=(word) { (word) }
                }
            } }
            button type="reset" { "clear" }
            " " output {}
        }
    }
}

fn line(ending: &Ending, rules: &RulesStudy, row: &Row) -> Markup {
    let material = ending.material();
    let timely = |set| {
        let row = ending
            .study
            .under(set)
            .and_then(|rules| rules.row(row.winner, true));
        let percent = row.map_or(0.0, |row| row.share(row.in_time).percent());
        html! {
            td class="m" style={ "--v:" (format!("{percent:.1}")) "%" } { (or_dash(row.map(in_time))) }
        }
    };
    let first = rules.rows.first() == Some(row);
    let linked = |moves: Option<usize>, what| {
        let id = anchor(ending, row.winner, what);
        html! {
            td {
                @if moves.is_some() && has_line(ending, &id) {
                    a href={ "#" (id) } { (or_dash(moves)) }
                } @else { (or_dash(moves)) }
            }
        }
    };
    html! {
        tr id=[first.then(|| format!("all-{material}"))] data-kind=(if material.is_bare() { "bare" } else { "both" }) {
            th scope="row" { a href={ "#" (material) } { (material) } }
            td class="l" { (material.army(row.winner)) }
            td class="l" { (badge(row)) }
            (timely(RuleSet::Makruk))
            td { (share(row.share(row.won))) }
            @for rules in others() { (timely(rules)) }
            td { (or_dash(row.moves_available)) }
            td {
                (or_dash(row.longest))
                @if !material.is_bare() { abbr title="moves to honor" { " h" } }
            }
            (linked(row.longest_in_time, "hardest-win"))
            (linked(row.shortest_too_long, "nearest-miss"))
            td { (material.men()) }
        }
    }
}
