//! The page of one ending.

use maud::{Markup, html};

use super::diagram::{board, symbols};
use super::figures::{Catalogue, Figures};
use super::frame::{self, Head, Place};
use super::notation::{short_name, spoken};
use super::sentences::{caption, distance, finding, long_name, rules, share, side_name};
use super::story::Story;
use super::{changes, promotions};

use sakmak::board::Fen;
use sakmak::probe::Tablebase;
use sakmak_study::{RECORD_RULES, moves_in_words};

/// Makes the page of an ending.
pub(super) fn page(
    catalogue: &Catalogue,
    tablebase: &Tablebase,
    figures: &Figures,
    place: &Place,
) -> String {
    let words = place.words;
    let title = short_name(figures.material, words);
    let finding = finding(figures, words);
    let story = figures.story(tablebase);
    let content = html! {
        (symbols(words))
        h1 { (title) }
        p.quiet { (long_name(figures.material, words)) }
        p.finding { (finding) }
        (table(figures, place))
        @if let Some(longest) = figures.longest_mate {
            p.quiet { (words.with("longestMate", &[("n", &longest.to_string())])) }
        }
        (promotions::section(figures, story, place))
        (hardest(figures, story, place))
        (changes::section(catalogue, figures, place))
    };
    let description = format!("{}. {finding}", long_name(figures.material, words));
    let name = figures.material.to_string();
    let head = Head {
        title: &title,
        description: &description,
        picture: match figures.hardest() {
            Some(fen) => place.pictures.ending(&name, fen),
            None => place.pictures.first(),
        },
        script: None,
    };
    frame::page(place, &head, &content)
}

/// The hardest positions with best play, and the end of the first line that mates.
fn hardest(figures: &Figures, story: &Story, place: &Place) -> Markup {
    let words = place.words;
    let say = |san: String| spoken(&san, words);
    html! {
        @if !figures.records.is_empty() {
            h2 { (words.t("hardest")) }
            div.boards.records {
                @for (record, line) in figures.records.iter().zip(&story.lines) {
                    (board(&record.0.fen, record.0.rules, place, &html! {
                        (caption(figures, record, words))
                        @if let Some(line) = line {
                            details {
                                summary { (words.t("bestPlay")) }
                                p.moves { (moves_in_words(&line.moves, record.0.rules.lettering(), say)) }
                            }
                        }
                    }))
                }
            }
        }
        @if let Some(mate) = story.mate() {
            h2 { (words.t("standardMate")) }
            div.boards {
                (board(&Fen::new(mate[0].before), RECORD_RULES, place, &html! {
                    span.moves { (moves_in_words(mate, RECORD_RULES.lettering(), say)) }
                }))
            }
        }
    }
}

fn table(figures: &Figures, place: &Place) -> Markup {
    let words = place.words;
    let heads = [
        words.t("rulesHeading"),
        words.t("wonOnBoard"),
        words.t("wonInTime"),
        words.t("countDrawn"),
        words.t("movesAllowed"),
        words.t("longestInTime"),
        words.t("longestWin"),
    ];
    html! {
        table {
            thead { tr { @for head in heads { th scope="col" { (head) } } } }
            tbody {
                @for row in &figures.winners {
                    @let winner = side_name(row.winner, words);
                    tr {
                        th scope="row" {
                            (rules(row.rules, words))
                            small { (words.with("toMove", &[("side", winner)])) }
                        }
                        td.n data-label=(heads[1]) { (share(row.share(row.won))) }
                        td.n data-label=(heads[2]) { (share(row.share(row.in_time))) }
                        td.n data-label=(heads[3]) { (share(row.share(row.count_draws))) }
                        td.n data-label=(heads[4]) {
                            (row.moves_available.map_or("–".to_string(), |moves| moves.to_string()))
                        }
                        td data-label=(heads[5]) { (distance(row.longest_in_time, row, words)) }
                        td data-label=(heads[6]) { (distance(row.longest, row, words)) }
                    }
                }
            }
        }
    }
}
