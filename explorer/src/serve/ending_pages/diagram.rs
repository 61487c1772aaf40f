//! Draws positions for the pages about endings.

use maud::{Markup, html};

use super::frame::Place;
use super::sentences::side_name;
use crate::serve::words::Words;
use sakmak::board::{Fen, Lettering};
use sakmak::rules::RuleSet;
use sakmak_study::svg::{SIDE, dark_squares, man_symbols, men_of};

/// The SVG definitions of the men and the board. A page needs them only once.
pub(super) fn symbols(words: &Words) -> Markup {
    html! {
        svg.unseen aria-hidden="true" {
            defs {
                (man_symbols())
                g id="ground" {
                    rect.light width=(8 * SIDE) height=(8 * SIDE) {}
                    @if words.t("boardGround") == "lined" {
                        @for i in 1..8 {
                            @let (at, edge) = (i * SIDE, 8 * SIDE);
                            path.rule d={ "M" (at) " 0V" (edge) "M0 " (at) "H" (edge) } {}
                        }
                    } @else {
                        path.dark d=(dark_squares()) {}
                    }
                    @for (i, file) in words.list("files").enumerate() {
                        @let (at, edge) = (i as u32 * SIDE, 8 * SIDE);
                        text x=(at + SIDE - 3) y=(edge - 4) { (file) }
                        text.rank x="3" y=(at + 11) { (8 - i) }
                    }
                }
            }
        }
    }
}

/// Draws the board of a position.
fn diagram(fen: &Fen) -> Markup {
    html! {
        svg.diagram viewBox={ "0 0 " (8 * SIDE) " " (8 * SIDE) } role="img" aria-label=(fen.display(Lettering::Makruk)) {
            use href="#ground" {}
            (men_of(&fen.position))
        }
    }
}

/// A drawing of a position under a rule set, with its side to move, a caption, and links to boards.
pub(super) fn board(fen: &Fen, rules: RuleSet, place: &Place, caption: &Markup) -> Markup {
    let words = place.words;
    let side = side_name(fen.position.turn(), words);
    html! {
        figure {
            (diagram(fen))
            figcaption {
                b { (words.with("toMove", &[("side", side)])) "." } " "
                (caption) " "
                a href=(place.position(fen, rules)) { (words.t("openHere")) }
                " · " a href=(Place::pychess(fen, rules)) rel="noreferrer" { (words.t("openPychess")) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sakmak::board::Role;
    use sakmak_study::svg::shape;

    /// The explorer's page must draw the same men. A base that several men share may occur in the
    /// page only once.
    #[test]
    fn the_page_has_these_shapes() {
        let page = include_str!("../../../web/js/men.js");
        let base = page.split_once("const BASE = \"").unwrap().1;
        let (base, rest) = base.split_once('"').unwrap();
        let thai = rest.split_once("THAI").unwrap().1;
        let thai = thai.split_once("};").unwrap().0;
        let thai = thai.replace("${BASE}", base);
        for role in Role::ALL {
            assert!(thai.contains(&shape(role)), "{role:?}");
        }
    }
}
