//! The section of the page for one ending: figures, boards and charts.

use crate::{
    RECORD_RULES, Record, RecordKind, RecordLine, Row, RulesStudy, Scan, moves_in_words, records,
};
use maud::{Markup, html};
use sakmak::board::{Color, Role};
use sakmak::probe::line_end;
use sakmak::rules::RuleSet;

use super::parts::{Page, badge};
use crate::report::Ending;
use crate::report::columns::columns;
use crate::report::words::{capital, command, name, short_name};
use crate::svg::{Curve, Histogram, Mark, glyph, heat};
use crate::text::number;

/// The smallest percentage of positions that a side must win to get charts.
const WORTH_A_CHART: f64 = 0.1;

/// The HTML anchor of the line of play from a record position, for example the hardest win.
pub fn anchor(ending: &Ending, winner: Color, what: &str) -> String {
    format!("{}-{winner}-{what}", ending.material())
}

/// True if the page has one of the ending's lines of play under this anchor.
pub fn has_line(ending: &Ending, id: &str) -> bool {
    let mut lines = ending.findings.iter().flat_map(|found| &found.lines);
    lines.any(|line| line_anchor(ending, line) == id)
}

fn line_anchor(ending: &Ending, line: &RecordLine) -> String {
    let Record { kind, rules, .. } = line.record;
    let mut what = kind.words().replace(' ', "-");
    if rules != RECORD_RULES {
        what = format!("{what}-{rules}");
    }
    anchor(ending, line.record.winner(), &what)
}

/// The event to which the ending's distances lead: mate or honor.
fn goal(ending: &Ending) -> &'static str {
    match ending.material().material().is_bare_without_bia() {
        true => "mate",
        false => "honor",
    }
}

/// Makes the section of an ending.
pub fn article(page: &Page, ending: &Ending, rules: &[RuleSet]) -> Markup {
    let material = ending.material();
    let men = |color: Color| std::iter::once(Role::King).chain(material.army(color).men());
    let winners: Vec<&Row> = ending
        .makruk()
        .into_iter()
        .flat_map(|r| r.winners())
        .collect();
    let lines: Vec<RecordLine> = match &ending.findings {
        Some(found) => found.lines.clone(),
        // Without a scan, the section has boards of the records but no lines.
        None => records(&ending.study, &[], &[])
            .into_iter()
            .map(|record| RecordLine {
                record,
                line: Vec::new(),
                end: String::new(),
            })
            .collect(),
    };
    html! {
        article id=(material) {
            h3 {
                (material) " "
                span class="army" {
                    @for role in men(Color::White) { (glyph(role, Color::White)) }
                    " " i { "against" } " "
                    @for role in men(Color::Black) { (glyph(role, Color::Black)) }
                }
                " "
                // A badge for White, and one for Black if Black wins often enough.
                @for row in &winners {
                    @if row.winner == Color::White { (badge(row)) }
                    @else if wins_often(row) {
                        " " i { (material.army(row.winner)) } " " (badge(row))
                    }
                }
                " " a class="back" href={ "#all-" (material) } { "↑ all endings" }
            }
            (figures(ending, rules))
            div class="boards" {
                @for line in &lines { (figure(page, ending, line)) }
                @if let Some(scan) = ending.scan() { (king_squares(ending, scan)) }
            }
            @if let Some(makruk) = ending.makruk() {
                @for row in winners.iter().filter(|row| wins_often(row)) {
                    (charts(ending, makruk, row))
                }
            }
        }
    }
}

/// True if a side wins often enough for charts and a badge.
fn wins_often(row: &Row) -> bool {
    row.share(row.won).percent() >= WORTH_A_CHART
}

/// Tabulates the figures under each rule set.
fn figures(ending: &Ending, rules: &[RuleSet]) -> Markup {
    let bare = ending.material().is_bare();
    // The first column is left out, since every row belongs to this ending.
    let columns = || columns(bare).skip(1);
    let left = if bare { 1 } else { 2 };
    let class = |i: usize| (i < left).then_some("l");
    html! {
        div class="scroll" {
            table {
                thead { tr {
                    th class="l" { "rules" }
                    @for (i, column) in columns().enumerate() {
                        th class=[class(i)] title=(column.help) { (column.heading(bare)) }
                    }
                } }
                tbody { @for row in ending.rows(rules) { tr {
                    td class="l" { (capital(name(row.rules))) }
                    @for (i, column) in columns().enumerate() {
                        @if column.heading == "verdict" { td { @if row.winner_to_move { (badge(row)) } } }
                        @else { td class=[class(i)] { ((column.cell)(row)) } }
                    }
                } } }
            }
        }
    }
}

/// Draws a record position with its line of play.
fn figure(page: &Page, ending: &Ending, line: &RecordLine) -> Markup {
    let record = &line.record;
    let to_move = match record.fen.position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    html! {
        figure id=(line_anchor(ending, line)) {
            (page.board(&record.fen, record.rules))
            figcaption {
                b { (capital(record.kind.words())) }
                " for " (ending.material().army(record.winner())) ": " (to_move) " to move, "
                @match (record.kind, record.moves) {
                    (RecordKind::HardestCountDraw, Some(moves)) => {
                        "mate in " (moves) " if nothing were counted"
                        @if record.rules != RECORD_RULES { ", in " (name(record.rules)) }
                    },
                    (_, Some(moves)) => { (goal(ending)) " in " (moves) },
                    (_, None) => "mate can be forced, but the last man is taken too late",
                }
                "."
                @if let Some((fen, moves)) = line.replay() {
                    details {
                        summary { "best play: " (line_end(&moves)) }
                        p class="moves" { (moves_in_words(&moves.moves, record.rules.lettering(), |san| san)) }
                        p { code { (command("line", &fen, record.rules, page.rules_option)) } }
                    }
                }
            }
        }
    }
}

/// Draws the heat map of Black's king.
fn king_squares(ending: &Ending, scan: &Scan) -> Markup {
    let won = scan.black_king.iter().any(|tally| tally.in_time > 0);
    let king = match ending.material().is_bare() {
        true => "bare king",
        false => "black king",
    };
    html! {
        @if won {
            figure {
                (heat(&scan.black_king))
                figcaption {
                    b { "Where the " (king) " is safest" }
                    ": the percentage of positions that White, to move, wins in time, for each square of Black's king. The fainter the colour of a square, the safer the king."
                }
            }
        }
    }
}

/// Draws two charts: a histogram of the wins by length, and a curve of the share of positions won
/// within a number of moves.
fn charts(ending: &Ending, makruk: &RulesStudy, row: &Row) -> Markup {
    let material = ending.material();
    let army = material.army(row.winner);
    let positions = makruk.distances.to_move(row.winner).wins(row.winner);
    let title = format!("{army} to move: number of won positions by length of the win");
    let histogram = Histogram {
        label: &title,
        event: goal(ending),
        positions,
        count: row.moves_available,
    };
    let studies = RuleSet::ALL
        .into_iter()
        .filter_map(|set| ending.study.under(set));
    let marks = studies.clone().filter_map(|study| {
        Some(Mark {
            label: short_name(study.overlay.rules).to_string(),
            moves: study.row(row.winner, true)?.moves_available?,
        })
    });
    let marks = marks.collect();
    // Against a bare king the distances to mate are the same under every rule set.
    let lines = studies.take(if material.is_bare() { 1 } else { 3 });
    let lines = lines.map(|study| {
        let wins = study.distances.to_move(row.winner).wins(row.winner);
        (study.overlay.rules.name(), wins)
    });
    let curve_title =
        format!("{army} to move: the share of positions won within a number of moves");
    let curve = Curve {
        label: &curve_title,
        lines: lines.collect(),
        legal: row.legal,
        marks,
    };
    html! {
        div class="charts" {
            figure {
                (histogram.svg())
                figcaption {
                    (title) " (" (number(positions.iter().sum())) " in all, by makruk's rules). "
                    button type="button" class="scale" aria-pressed="false" { "log scale" }
                }
            }
            figure {
                (curve.svg())
                figcaption {
                    (curve_title) "."
                    @if !material.is_bare() {
                        " The distances to honor differ between the rule sets: " b class="c makruk" { "makruk" } ", "
                        b class="c ouk" { "ouk" } ", and " b class="c asean" { "ASEAN chess" }
                        ", where only the fifty-move rule counts while both sides have men."
                    }
                }
            }
        }
    }
}
