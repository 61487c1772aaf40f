//! Writes lines of moves as HTML.

use maud::{Markup, html};

use sakmak::board::{Color, Lettering};
use sakmak::probe::Played;

/// Writes the moves of a line, each with the number that is counted aloud with the move. `spoken`
/// turns algebraic notation into that of a language.
pub fn moves_in_words(
    moves: &[Played],
    lettering: Lettering,
    spoken: impl Fn(String) -> String,
) -> Markup {
    let first = moves.first().map(|played| played.before.turn());
    let black_first = first == Some(Color::Black);
    html! {
        @for (i, played) in moves.iter().enumerate() {
            @if played.before.turn() == Color::White {
                b { ((i + usize::from(black_first)) / 2 + 1) "." } "\u{a0}"
            } @else if i == 0 { b { "1…" } "\u{a0}" }
            (spoken(played.before.san(played.m, lettering)))
            @if let Some(counted) = played.counted { sup { (counted) } }
            " "
        }
    }
}
