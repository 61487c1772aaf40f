//! Histograms of distances, and what share is won in how many moves.

use maud::{Markup, html};

use super::length;
use crate::cli::format::counted;

const WIDTH: f64 = 640.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 34.0;
const HEIGHT: f64 = 230.0;

/// A line through a chart at the moves that a count leaves.
pub struct Mark {
    /// What it is the count of.
    pub label: String,
    /// The moves.
    pub moves: u32,
}

/// How many positions there are of each distance.
pub struct Histogram<'a> {
    /// What the bars count, for those who hear the page.
    pub label: &'a str,
    /// What a distance is: `mate` or `honor`.
    pub to: &'a str,
    /// The positions by distance.
    pub positions: &'a [u64],
    /// Where the count ends, if it does.
    pub count: Option<u32>,
}

/// The place of moves on the axis.
struct Axis {
    moves: usize,
}

impl Axis {
    /// From 0 to this many moves.
    fn x(&self, moves: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * moves / self.moves as f64
    }

    /// Numbers under the axis, each in the middle of its unit's bar or on its line, and its title.
    fn ticks(&self, offset: f64, bottom: f64, title: &str) -> Markup {
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

fn chart(label: &str, class: &str, content: &Markup) -> Markup {
    html! {
        svg class={ "chart " (class) } viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            (content)
        }
    }
}

/// Lines with numbers, at parts of the height.
fn grid(class: &str, lines: &[(f64, String)], top: f64, bottom: f64) -> Markup {
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

/// True where a label has its place at the left.
fn at_the_right(x: f64) -> bool {
    x > WIDTH * 0.6
}

/// A vertical line with its label on the side where there is space.
fn mark(x: f64, top: f64, bottom: f64, label: &str, class: &str, raise: f64) -> Markup {
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

/// A number of positions in few letters: `1.2M`.
fn brief(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => format!("{}k", length(n as f64 / 1e3)),
        _ => format!("{}M", length(n as f64 / 1e6)),
    }
}

impl Histogram<'_> {
    /// Draws it. Each bar has the height of either scale: the other's in `data-y` and `data-h`.
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
            (axis.ticks(0.5, bottom, &format!("moves to {}", self.to)))
            @if let Some(count) = self.count {
                (mark(axis.x(f64::from(count) + 1.0), TOP, bottom, &format!("the count: {count} moves"), "makruk", 12.0))
            }
        };
        chart(self.label, "histogram", &content)
    }

    /// The bar of one distance; `parts` are its heights on the plain and the logarithmic scale.
    fn bar(&self, axis: &Axis, moves: usize, n: u64, parts: [f64; 2]) -> Markup {
        let (left, right) = (axis.x(moves as f64), axis.x(moves as f64 + 1.0));
        let bottom = HEIGHT - BOTTOM;
        // Every bar can be seen and pointed at.
        let [tall, tall_log] = parts.map(|part| ((bottom - TOP) * part).max(1.0));
        let late = self.count.is_some_and(|count| moves > count as usize);
        html! {
            rect class=(if late { "late" } else { "bar" })
                x=(length(left)) width=(length((right - left - 0.6).max(0.8)))
                y=(length(bottom - tall)) height=(length(tall))
                data-y=(length(bottom - tall_log)) data-h=(length(tall_log)) {
                title { (self.to) " in " (moves) ": " (counted(n, "position")) @if late { ", too late" } }
            }
        }
    }
}

/// The share that is won within a number of moves.
pub struct Curve<'a> {
    /// What is drawn, for those who hear the page.
    pub label: &'a str,
    /// The lines: each with the rule set that it is drawn for and the positions won, by distance. The
    /// first can be pointed at.
    pub lines: Vec<(&'a str, &'a [u64])>,
    /// Of how many positions.
    pub legal: u64,
    /// What each rule set allows.
    pub marks: Vec<Mark>,
}

impl Curve<'_> {
    /// Draws it.
    pub fn svg(&self) -> Markup {
        let (top, bottom) = (TOP + 10.0, HEIGHT - BOTTOM);
        let last = |positions: &[u64]| positions.iter().rposition(|&n| n > 0);
        let lines = self.lines.iter();
        let last = lines.filter_map(|(_, positions)| last(positions)).max();
        let most = self.marks.iter().map(|mark| mark.moves as usize).max();
        let axis = Axis {
            moves: last.max(most).unwrap_or(0) + 2,
        };
        let quarters = [0.0, 0.25, 0.5, 0.75, 1.0];
        let lines = quarters.map(|part| (part, format!("{} %", part * 100.0)));
        let first = self.lines.first().map_or(&[][..], |line| line.1);
        let mut won = 0;
        let shares = (0..=axis.moves).map(|moves| {
            won += first.get(moves).copied().unwrap_or(0);
            (moves, 100.0 * won as f64 / self.legal.max(1) as f64)
        });
        // The labels at the left of their lines hang the higher the further right they begin, and
        // the other way round, so that none runs over a line.
        let mut marks: Vec<&Mark> = self.marks.iter().collect();
        marks.sort_by_key(|mark| mark.moves);
        if marks
            .last()
            .is_some_and(|m| !at_the_right(axis.x(f64::from(m.moves))))
        {
            marks.reverse();
        }
        let content = html! {
            (grid("", &lines, top, bottom))
            @for (class, positions) in self.lines.iter().rev() {
                path class={ "ln " (class) } d=(self.path(positions, &axis, top, bottom)) {}
            }
            @for (moves, percent) in shares {
                rect class="pt" x=(length(axis.x(moves as f64))) y=(top)
                    width=(length(axis.x(1.0) - axis.x(0.0))) height=(bottom - top) {
                    title { (counted(moves as u64, "move")) ": " (format!("{percent:.2}")) " % won" }
                }
            }
            (axis.ticks(0.0, bottom, "moves allowed"))
            @for (i, m) in marks.into_iter().enumerate() {
                (mark(axis.x(f64::from(m.moves)), top, bottom, &format!("{} {}", m.label, m.moves), &m.label.to_lowercase(), 13.0 * i as f64))
            }
        };
        chart(self.label, "curve", &content)
    }

    /// The steps of one line.
    fn path(&self, positions: &[u64], axis: &Axis, top: f64, bottom: f64) -> String {
        let mut won = 0;
        let mut path = format!("M{} {}", length(axis.x(0.0)), length(bottom));
        for moves in 0..=axis.moves {
            let more = positions.get(moves).copied().unwrap_or(0);
            won += more;
            // Where nothing is added the line goes on as it is.
            if more > 0 || moves == axis.moves {
                let y = bottom - (bottom - top) * won as f64 / self.legal.max(1) as f64;
                path += &format!("H{}V{}", length(axis.x(moves as f64)), length(y));
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_has_a_bar_for_each_distance_that_there_is() {
        let svg = Histogram {
            label: "a <label>",
            to: "mate",
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

    #[test]
    fn a_curve_ends_at_what_is_won_at_all() {
        let svg = Curve {
            label: "",
            lines: vec![("makruk", &[0, 1, 1]), ("ouk", &[1])],
            legal: 4,
            marks: vec![Mark {
                label: "makruk".to_string(),
                moves: 3,
            }],
        }
        .svg()
        .into_string();
        assert!(svg.contains("1 move: 25.00 % won"));
        assert!(svg.contains("5 moves: 50.00 % won"));
        assert!(svg.contains("makruk 3"));
        assert_eq!(svg.matches("class=\"ln ").count(), 2);
    }
}
