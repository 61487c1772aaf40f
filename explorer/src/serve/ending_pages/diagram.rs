//! Draws positions for the pages about endings.

use maud::{Markup, PreEscaped, html};

use crate::drawing::{SIDE, corner, dark_squares, shape};
use sakmak::board::{Color, Fen, Lettering, Role, Square};

/// The SVG definitions of the men and the board. A page needs them only once.
pub(super) fn symbols() -> Markup {
    html! {
        svg.unseen aria-hidden="true" {
            defs {
                @for role in Role::ALL {
                    symbol id={ "man-" (role.letter()) } viewBox={ "0 0 " (SIDE) " " (SIDE) } {
                        (PreEscaped(shape(role)))
                    }
                }
                g id="ground" {
                    rect.light width=(8 * SIDE) height=(8 * SIDE) {}
                    path.dark d=(dark_squares()) {}
                    @for (i, file) in ('a'..='h').enumerate() {
                        @let (at, edge) = (i as u32 * SIDE, 8 * SIDE);
                        text x=(at + SIDE - 3) y=(edge - 4) { (file) }
                        text.rank x="3" y=(at + 11) { (8 - i) }
                    }
                }
            }
        }
    }
}

/// Draws the board of a FEN in makruk's letters. Empty if the FEN is invalid.
pub(super) fn diagram(fen: &str) -> Markup {
    let Ok(parsed) = Fen::parse(fen, Lettering::Makruk) else {
        return html! {};
    };
    let position = parsed.position;
    let men = Square::all().filter_map(|square| Some((position.man_at(square)?, square)));
    html! {
        svg.diagram viewBox={ "0 0 " (8 * SIDE) " " (8 * SIDE) } role="img" aria-label=(fen) {
            use href="#ground" {}
            @for ((color, role), square) in men {
                @let (x, y) = corner(square);
                use href={ "#man-" (role.letter()) } class=(class(color)) x=(x) y=(y) width=(SIDE) height=(SIDE) {}
            }
        }
    }
}

fn class(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}
