//! The page of one ending.

use maud::{Markup, html};

use super::diagram::{diagram, symbols};
use super::figures::{Catalogue, Figures};
use super::frame::{self, Head, Place, file};
use super::sentences::{caption, distance, long_name, remark, rules, share, short_name};

use sakmak::board::{Color, Fen};

/// Makes the page of an ending.
pub(super) fn page(catalogue: &Catalogue, figures: &Figures, place: &Place) -> String {
    let words = place.words;
    let title = short_name(&figures.material.to_string());
    let finding = remark(figures, words);
    let smaller = figures.material.after_a_move().into_iter();
    let smaller: Vec<String> = smaller
        .filter(|&material| catalogue.endings.contains_key(&material))
        .map(|material| material.to_string())
        .collect();
    let content = html! {
        (symbols())
        h1 { (title) }
        p.quiet { (long_name(figures.material, words)) }
        p.finding { (finding) }
        (table(figures, place))
        @if let Some(longest) = figures.longest_mate {
            p.quiet { (words.with("longestMate", &[("n", &longest.to_string())])) }
        }
        @if !figures.records.is_empty() {
            h2 { (words.t("hardest")) }
            div.boards {
                @for record in &figures.records {
                    figure {
                        (diagram(&record.0.fen))
                        figcaption {
                            b { (to_move(&record.0.fen, place)) } " "
                            (caption(figures, record, words)) " "
                            a href=(place.position(&record.0.fen)) { (words.t("openHere")) }
                        }
                    }
                }
            }
        }
        @if !smaller.is_empty() {
            h2 { (words.t("leadsTo")) }
            p {
                @for name in smaller {
                    a href=(file(&name)) { (short_name(&name)) } " "
                }
            }
        }
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
    };
    frame::page(place, &head, &content)
}

/// Names the side to move.
fn to_move(fen: &Fen, place: &Place) -> String {
    let words = place.words;
    let side = match fen.position.turn() {
        Color::White => words.t("white"),
        Color::Black => words.t("black"),
    };
    words.with("toMove", &[("side", side)]) + "."
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
                    @let winner = match row.winner {
                        Color::White => words.t("white"),
                        Color::Black => words.t("black"),
                    };
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
