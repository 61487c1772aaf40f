//! Draws boards and men.

use super::men::{SIDE, corner, dark_squares, shape};
use maud::{Markup, PreEscaped, html};
use sakmak::board::{Color, Fen, Lettering, Position, Role, Square, attacks};

/// The SVG definitions of the men and of the empty board. A page must contain them once, before its
/// first drawing.
pub fn symbols() -> Markup {
    let board = SIDE * 8;
    html! {
        svg width="0" height="0" aria-hidden="true" style="position:absolute" {
            defs {
                (man_symbols())
                g id="squares" {
                    rect class="sq" width=(board) height=(board) {}
                    path class="dk" d=(dark_squares()) {}
                    g class="co" {
                        @for (i, file) in ('a'..='h').enumerate() {
                            @let middle = i as u32 * SIDE + SIDE / 2;
                            text x=(middle) y=(board + 15) { (file) }
                            text x="-9" y=(middle + 4) { (8 - i) }
                        }
                    }
                }
            }
        }
    }
}

/// The SVG definitions of the men.
pub fn man_symbols() -> Markup {
    html! {
        @for role in Role::ALL {
            symbol id={ "man-" (role.letter()) } viewBox={ "0 0 " (SIDE) " " (SIDE) } {
                (PreEscaped(shape(role)))
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

/// Draws a man within a line of text.
pub fn glyph(role: Role, color: Color) -> Markup {
    html! {
        svg class="man" viewBox={ "0 0 " (SIDE) " " (SIDE) } role="img" aria-label=(role.letter()) {
            use href={ "#man-" (role.letter()) } class=(class(color)) {}
        }
    }
}

fn framed(label: &str, content: &Markup) -> Markup {
    html! {
        svg class="board" viewBox={ "-18 -4 " (SIDE * 8 + 22) " " (SIDE * 8 + 24) } role="img" aria-label=(label) {
            use href="#squares" {}
            (content)
        }
    }
}

fn man(role: Role, color: Color, square: Square) -> Markup {
    let (x, y) = corner(square);
    html! {
        use href={ "#man-" (role.letter()) } class=(class(color)) x=(x) y=(y) width=(SIDE) height=(SIDE) {}
    }
}

/// Draws the board of a position. Its label is the FEN in makruk's letters.
pub fn board(fen: &Fen) -> Markup {
    let label = fen.display(Lettering::Makruk).to_string();
    framed(&label, &men_of(&fen.position))
}

/// Draws the men of a position, each on its square.
pub fn men_of(position: &Position) -> Markup {
    let men = Square::all().filter_map(|square| Some((position.man_at(square)?, square)));
    html! {
        @for ((color, role), square) in men { (man(role, color, square)) }
    }
}

/// Draws a board with one man, and dots on the squares that it can reach.
pub fn moves_of(role: Role) -> Markup {
    let from = Square::wrapping(27);
    let targets = attacks::attacks(role, Color::White, from, from.set());
    framed(
        &format!("moves of {}", role.letter()),
        &html! {
            @for square in targets {
                @let (x, y) = corner(square);
                circle class="to" cx=(x + SIDE / 2) cy=(y + SIDE / 2) r="8" {}
            }
            (man(role, Color::White, from))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_has_its_men_and_their_squares() {
        let fen = Fen::parse("7k/8/8/8/3SM3/8/8/K7 w - - 0 1", Lettering::Makruk).unwrap();
        let board = board(&fen).into_string();
        assert_eq!(board.matches("href=\"#man-").count(), 4);
        assert!(board.contains("href=\"#man-K\" class=\"b\" x=\"315\" y=\"0\""));
        assert!(board.contains("href=\"#man-S\" class=\"w\" x=\"135\" y=\"180\""));
    }

    #[test]
    fn the_khon_goes_to_five_squares_and_the_met_to_four() {
        let dots = |role| moves_of(role).into_string().matches("class=\"to\"").count();
        assert_eq!(dots(Role::Khon), 5);
        assert_eq!(dots(Role::Met), 4);
    }
}
