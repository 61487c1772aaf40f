//! Common parts of charts: the size, the axis of moves, and grid lines.

use maud::{Markup, html};

use super::length;

const WIDTH: f64 = 640.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
pub(super) const TOP: f64 = 30.0;
pub(super) const BOTTOM: f64 = 34.0;
pub(super) const HEIGHT: f64 = 230.0;

/// The horizontal axis of a chart, in moves.
pub(super) struct Axis {
    /// The number of moves at the end of the axis.
    pub moves: usize,
}

impl Axis {
    /// The horizontal position of a number of moves.
    pub fn x(&self, moves: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * moves / self.moves as f64
    }

    /// Draws the numbers and the title under the axis. Each number is centred on its bar or line.
    pub fn ticks(&self, offset: f64, bottom: f64, title: &str) -> Markup {
        let step = match self.moves {
            0..=12 => 1,
            13..=30 => 5,
            31..=80 => 10,
            _ => 20,
        };
        html! {
            g class="ax" {
                @for moves in (0..=self.moves).step_by(step) {
                    text x=(length(self.x(moves as f64 + offset))) y=(bottom + 15.0) { (moves) }
                }
                text x=(length(LEFT + (WIDTH - LEFT - RIGHT) / 2.0)) y=(bottom + 30.0) { (title) }
            }
        }
    }
}

pub(super) fn chart(label: &str, class: &str, content: &Markup) -> Markup {
    html! {
        svg class={ "chart " (class) } viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            (content)
        }
    }
}

/// Draws grid lines with numbers, at these fractions of the height.
pub(super) fn grid(class: &str, lines: &[(f64, String)], top: f64, bottom: f64) -> Markup {
    html! {
        g class={ "gr " (class) } {
            @for (part, label) in lines {
                @let y = bottom - (bottom - top) * part;
                path d={ "M" (LEFT) " " (length(y)) "H" (WIDTH - RIGHT) } {}
                text x=(LEFT - 6.0) y=(length(y + 4.0)) { (label) }
            }
        }
    }
}

/// True if a vertical line at `x` is so far right that its label fits only on its left side.
pub(super) fn at_the_right(x: f64) -> bool {
    x > WIDTH * 0.6
}

/// Draws a vertical line with a label, on the side with enough space.
pub(super) fn mark(x: f64, top: f64, bottom: f64, label: &str, class: &str, raise: f64) -> Markup {
    let (anchor, shift) = match at_the_right(x) {
        true => ("end", -5.0),
        false => ("start", 5.0),
    };
    html! {
        g class={ "mk " (class) } {
            path d={ "M" (length(x)) " " (length(top - 4.0 - raise)) "V" (bottom) } {}
            text x=(length(x + shift)) y=(length(top + 4.0 - raise)) text-anchor=(anchor) { (label) }
        }
    }
}
