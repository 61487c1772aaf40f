//! Boards and men.
//!
//! The shapes are original, after the turned men of Thai sets: khun, khon and met are stupas of
//! three sizes, the ma is a horse's head, and the ruea is a boat, as its name says.

use maud::{Markup, PreEscaped, html};
use sakmak::board::{Color, Fen, Lettering, Role, Square, attacks};

/// The side of a square.
const SIDE: u32 = 45;

/// The SVG shape of a man, in a square of 45 units.
fn shape(role: Role) -> &'static str {
    match role {
        Role::King => {
            "<path d='M22.5 3.5l1.6 6.5h-3.2zM20.9 10h3.2c.2 3 1.2 4.6 3 6.2 4.3 3.6 6.2 8.8 7 16.3H10.9c.8-7.5 2.7-12.7 7-16.3 1.8-1.6 2.8-3.2 3-6.2z'/><path class='l' d='M17 18.5h11M14 24h17'/><path d='M9 39.5c0-4.2 1.5-6.5 4-7h19c2.5.5 4 2.8 4 7z'/>"
        }
        Role::Khon => {
            "<circle cx='22.5' cy='10.5' r='3'/><path d='M22.5 13.5c6.6 1.9 9.3 9.3 9.9 19H12.6c.6-9.7 3.3-17.1 9.9-19z'/><path class='l' d='M15 23h15'/><path d='M10 39.5c0-4.2 1.5-6.5 4-7h17c2.5.5 4 2.8 4 7z'/>"
        }
        Role::Met => {
            "<path d='M22.5 17c1.5 5.5 7.5 7.5 8.5 15.5H14c1-8 7-10 8.5-15.5z'/><path d='M12 39.5c0-4.2 1.3-6.5 3.5-7h14c2.2.5 3.5 2.8 3.5 7z'/>"
        }
        Role::Bia => {
            "<circle cx='22.5' cy='21' r='4.5'/><path d='M22.5 25.5c3.5 1 5.5 3 6 7.5h-12c.5-4.5 2.5-6.5 6-7.5z'/><path d='M13 39.5c0-4 1.2-6 3.3-6.5h12.4c2.1.5 3.3 2.5 3.3 6.5z'/>"
        }
        Role::Knight => {
            "<path d='M13.5 33.5c-.3-6.5 4.2-9.5 5.8-13.3l-4.6 2.5c-1.7.8-3.4-.8-2.7-2.6 1-2.8 3.3-5 4.3-8.3l3-2.1.9-4.2 3.4 3.5c7.2 1.6 10.3 9 9.4 24.5z'/><circle class='e' cx='20.3' cy='13.8' r='1.3'/><path d='M10 39.5c0-3.7 1.3-5.7 3.5-6h20c2.2.3 3.5 2.3 3.5 6z'/>"
        }
        Role::Rook => {
            "<path d='M14 25v-7.5h17V25z'/><path d='M11.5 17.5c2.5-5 6-7.5 11-7.5s8.5 2.5 11 7.5z'/><path class='l' d='M19.7 18v6.5M25.3 18v6.5'/><path d='M5 24.5c4 1.3 8 1.5 17.5 1.5s13.5-.2 17.5-1.5c-.8 8.5-4.5 15-9.5 15h-16c-5 0-8.7-6.5-9.5-15z'/>"
        }
    }
}

/// The definitions of the men and the empty board, once in a page, before the first drawing.
pub fn symbols() -> Markup {
    let board = SIDE * 8;
    let dark = Square::all().filter(|square| !square.is_light());
    let dark: String = dark
        .map(|square| {
            let (x, y) = corner(square);
            format!("M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z")
        })
        .collect();
    html! {
        svg width="0" height="0" aria-hidden="true" style="position:absolute" {
            defs {
                @for role in Role::ALL {
                    symbol id={ "man-" (role.letter()) } viewBox={ "0 0 " (SIDE) " " (SIDE) } {
                        (PreEscaped(shape(role)))
                    }
                }
                g id="squares" {
                    rect class="sq" width=(board) height=(board) {}
                    path class="dk" d=(dark) {}
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

fn class(color: Color) -> &'static str {
    match color {
        Color::White => "w",
        Color::Black => "b",
    }
}

/// A man in a line of text.
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

/// The corner of a square.
fn corner(square: Square) -> (u32, u32) {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    (file * SIDE, (7 - rank) * SIDE)
}

fn man(role: Role, color: Color, square: Square) -> Markup {
    let (x, y) = corner(square);
    html! {
        use href={ "#man-" (role.letter()) } class=(class(color)) x=(x) y=(y) width=(SIDE) height=(SIDE) {}
    }
}

/// A board with a position in makruk's letters. Empty for an invalid FEN.
pub fn board(fen: &str) -> Markup {
    let Ok(parsed) = Fen::parse(fen, Lettering::Makruk) else {
        return html! {};
    };
    let position = parsed.position;
    let men = Square::all().filter_map(|square| Some((position.man_at(square)?, square)));
    framed(
        fen,
        &html! {
            @for ((color, role), square) in men { (man(role, color, square)) }
        },
    )
}

/// A board with one man and dots on the squares it can reach.
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
        let board = board("7k/8/8/8/3SM3/8/8/K7 w - - 0 1").into_string();
        assert_eq!(board.matches("href=\"#man-").count(), 4);
        assert!(board.contains("href=\"#man-K\" class=\"b\" x=\"315\" y=\"0\""));
        assert!(board.contains("href=\"#man-S\" class=\"w\" x=\"135\" y=\"180\""));
        assert_eq!(super::board("no position").into_string(), "");
    }

    #[test]
    fn the_khon_goes_to_five_squares_and_the_met_to_four() {
        let dots = |role| moves_of(role).into_string().matches("class=\"to\"").count();
        assert_eq!(dots(Role::Khon), 5);
        assert_eq!(dots(Role::Met), 4);
    }
}
