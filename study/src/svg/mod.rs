//! Drawings for pages, as SVG.
//!
//! The page's style sheet sets the colours by CSS class, for a light and a dark theme.

mod board;
mod chart;
mod curve;
mod heat;
mod histogram;
mod men;

pub use board::{board, glyph, man_symbols, men_of, moves_of, symbols};
pub use curve::{Curve, Mark};
pub use heat::heat;
pub use histogram::Histogram;
pub use men::{Part, SIDE, corner, dark_squares, parts, shape};

/// Formats a length with at most one decimal.
fn length(x: f64) -> String {
    let text = format!("{x:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_short() {
        assert_eq!(
            [length(3.0), length(0.25), length(10.04)],
            ["3", "0.2", "10"]
        );
    }
}
