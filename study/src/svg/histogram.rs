//! Draws a histogram of positions by distance.

use maud::{Markup, html};

use super::chart::{Axis, BOTTOM, HEIGHT, TOP, chart, grid, mark};
use super::length;
use crate::text::counted;

/// A histogram of positions by distance.
pub struct Histogram<'a> {
    /// The accessible name of the histogram.
    pub label: &'a str,
    /// The event to which the distances lead: `mate` or `honor`.
    pub event: &'a str,
    /// The number of positions at each distance, indexed by distance.
    pub positions: &'a [u64],
    /// The number of moves that a fresh count leaves. `None` if nothing is counted.
    pub count: Option<u32>,
}

/// Formats a number of positions briefly, for example `1.2M`.
fn brief(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => format!("{}k", length(n as f64 / 1e3)),
        _ => format!("{}M", length(n as f64 / 1e6)),
    }
}

impl Histogram<'_> {
    /// Draws the histogram on a linear scale. The attributes `data-y` and `data-h` of each bar
    /// store its position and height on the logarithmic scale, to which the page can switch.
    pub fn svg(&self) -> Markup {
        let bottom = HEIGHT - BOTTOM;
        let most = self.positions.iter().copied().max().unwrap_or(0).max(1);
        let last = self.positions.iter().rposition(|&n| n > 0).unwrap_or(0);
        let count = self.count.map_or(0, |count| count as usize + 1);
        let axis = Axis {
            moves: (last + 1).max(count + 1),
        };
        let scale = |part: f64| (part, brief((most as f64 * part).round() as u64));
        let plain: Vec<_> = [0.0, 0.5, 1.0].into_iter().map(scale).collect();
        let log = |n: u64| ((n + 1) as f64).log10() / ((most + 1) as f64).log10();
        let tens = (0..=most.ilog10()).map(|power| 10u64.pow(power));
        let step = most.ilog10() as usize / 5 + 1;
        let decades: Vec<_> = tens.step_by(step).map(|n| (log(n), brief(n))).collect();
        let bars = self.positions.iter().enumerate().filter(|&(_, &n)| n > 0);
        let content = html! {
            (grid("lin", &plain, TOP, bottom))
            (grid("log", &decades, TOP, bottom))
            @for (moves, &n) in bars {
                (self.bar(&axis, moves, n, [n as f64 / most as f64, log(n)]))
            }
            (axis.ticks(0.5, bottom, &format!("moves to {}", self.event)))
            @if let Some(count) = self.count {
                (mark(axis.x(f64::from(count) + 1.0), TOP, bottom, &format!("the count: {count} moves"), "makruk", 12.0))
            }
        };
        chart(self.label, "histogram", &content)
    }

    /// Draws the bar of one distance. `parts` are the heights of the bar on the linear and the
    /// logarithmic scale, from 0 to 1.
    fn bar(&self, axis: &Axis, moves: usize, n: u64, parts: [f64; 2]) -> Markup {
        let (left, right) = (axis.x(moves as f64), axis.x(moves as f64 + 1.0));
        let bottom = HEIGHT - BOTTOM;
        // Every bar is high enough to be seen and pointed at.
        let [tall, tall_log] = parts.map(|part| ((bottom - TOP) * part).max(1.0));
        let late = self.count.is_some_and(|count| moves > count as usize);
        html! {
            rect class=(if late { "late" } else { "bar" })
                x=(length(left)) width=(length((right - left - 0.6).max(0.8)))
                y=(length(bottom - tall)) height=(length(tall))
                data-y=(length(bottom - tall_log)) data-h=(length(tall_log)) {
                title { (self.event) " in " (moves) ": " (counted(n, "position")) @if late { ", too late" } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_a_bar_for_each_distance_that_occurs() {
        let svg = Histogram {
            label: "a <label>",
            event: "mate",
            positions: &[0, 5, 0, 7, 1],
            count: Some(3),
        }
        .svg()
        .into_string();
        assert_eq!(svg.matches("class=\"bar\"").count(), 2);
        assert_eq!(svg.matches("class=\"late\"").count(), 1);
        assert!(svg.contains("mate in 3: 7 positions<"));
        assert!(svg.contains("mate in 4: 1 position, too late<"));
        assert!(svg.contains("a &lt;label&gt;"));
    }
}
