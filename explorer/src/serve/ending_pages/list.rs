//! The page that lists all endings.

use maud::{Markup, html};

use super::figures::{Catalogue, Figures};
use super::frame::{self, Head, Place, file};
use super::notation::short_name;
use super::sentences::{distance, finding, long_name, share};

use sakmak::material::CanonicalMaterial;

/// The script that sorts and narrows the list.
const SCRIPT: &str = "endings.js";

/// A function that returns true for the endings of one section of the list.
type Filter = fn(CanonicalMaterial) -> bool;

/// Makes the page that lists all endings.
pub(super) fn page(catalogue: &Catalogue, place: &Place) -> String {
    let words = place.words;
    let kinds: [(&str, Filter); 3] = [
        (words.t("endingsBare"), |m| m.is_pawnless() && m.is_bare()),
        (words.t("endingsBoth"), |m| m.is_pawnless() && !m.is_bare()),
        (words.t("endingsBia"), |m| !m.is_pawnless()),
    ];
    let content = html! {
        h1 { (words.t("endings")) }
        p.quiet { (words.t("endingsIntro")) }
        // The script shows it: without the script it would do nothing.
        p #narrow hidden {
            label { (words.t("narrow")) " " input type="search" name="narrow" data-men=(words.t("shortMen")) placeholder=(words.t("narrowExample")) autocomplete="off"; }
            " " output {}
        }
        @for (title, holds) in kinds {
            @let mut endings: Vec<&Figures> =
                catalogue.endings.values().filter(|figures| holds(figures.material)).collect();
            @if !endings.is_empty() {
                @let () = endings.sort_by_key(|figures| figures.material.men());
                h2 { (title) }
                (table(&endings, place))
            }
        }
    };
    let head = Head {
        title: words.t("endings"),
        description: words.t("endingsIntro"),
        picture: place.pictures.first(),
        script: Some(SCRIPT),
    };
    frame::page(place, &head, &content)
}

fn table(endings: &[&Figures], place: &Place) -> Markup {
    let words = place.words;
    let heads = [
        words.t("ofEnding"),
        words.t("menOnBoard"),
        words.t("wonOnBoard"),
        words.t("wonInTime"),
        words.t("longestInTime"),
        words.t("finding"),
    ];
    html! {
        table {
            thead { tr { @for head in heads { th scope="col" { (head) } } } }
            tbody {
                @for figures in endings {
                    @let row = &figures.main;
                    @let name = figures.material.to_string();
                    tr id=(name) {
                        th scope="row" {
                            a href=(file(&name)) { (short_name(figures.material, words)) }
                            small { (long_name(figures.material, words)) }
                        }
                        td.n data-label=(heads[1]) { (row.men) }
                        td.n data-label=(heads[2]) { (share(row.share(row.won))) }
                        td.n data-label=(heads[3]) { (share(row.share(row.in_time))) }
                        td data-label=(heads[4]) { (distance(row.longest_in_time, row, words)) }
                        td { (finding(figures, words)) }
                    }
                }
            }
        }
    }
}
