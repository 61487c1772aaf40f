//! Drawings, as SVG that stands in a page.
//!
//! Colours come from the page's style sheet by classes, so that they follow light and dark.

mod board;
mod charts;
mod heat;

pub use board::{board, glyph, glyphs, moves_of};
pub use charts::{Curve, Histogram, Mark};
pub use heat::heat;

/// Text as it may stand in HTML and in its attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

/// A length with one digit behind the point, and none where it is 0.
fn length(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_becomes_markup() {
        assert_eq!(
            escape("<b a=\"1\" c='2'>&"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;"
        );
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            [length(3.0), length(0.25), length(10.04)],
            ["3", "0.2", "10"]
        );
    }
}
