//! Histograms of distances, and what share is won in how many moves.

use super::{escape, length};
use crate::cli::text::number;

const WIDTH: f64 = 640.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 34.0;

/// A line through a chart: so many moves the count leaves.
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

    /// Numbers under the axis, each in the middle of its unit's bar or on its line.
    fn ticks(&self, offset: f64, bottom: f64) -> String {
        let step = match self.moves {
            0..=12 => 1,
            13..=30 => 5,
            31..=80 => 10,
            _ => 20,
        };
        let ticks = (0..=self.moves).step_by(step).map(|moves| {
            let x = length(self.x(moves as f64 + offset));
            format!("<text x=\"{x}\" y=\"{}\">{moves}</text>", bottom + 15.0)
        });
        ticks.collect()
    }
}

fn open(label: &str, height: f64, class: &str) -> String {
    format!(
        "<svg class=\"chart {class}\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(label)
    )
}

/// Lines with numbers, at parts of the height.
fn grid(class: &str, lines: &[(f64, String)], top: f64, bottom: f64) -> String {
    let mut text = format!("<g class=\"gr {class}\">");
    for (part, label) in lines {
        let y = bottom - (bottom - top) * part;
        text += &format!(
            "<path d=\"M{LEFT} {0}H{1}\"/><text x=\"{2}\" y=\"{3}\">{label}</text>",
            length(y),
            WIDTH - RIGHT,
            LEFT - 6.0,
            length(y + 4.0)
        );
    }
    text + "</g>"
}

/// True where a label has its room at the left.
fn at_the_right(x: f64) -> bool {
    x > WIDTH * 0.6
}

/// A vertical line with its label on the side where there is room.
fn mark(x: f64, top: f64, bottom: f64, label: &str, class: &str, raise: f64) -> String {
    let (anchor, shift) = match at_the_right(x) {
        true => ("end", -5.0),
        false => ("start", 5.0),
    };
    format!(
        "<g class=\"mk {class}\"><path d=\"M{0} {1}V{bottom}\"/><text x=\"{2}\" y=\"{3}\" text-anchor=\"{anchor}\">{4}</text></g>",
        length(x),
        length(top - 4.0 - raise),
        length(x + shift),
        length(top + 4.0 - raise),
        escape(label)
    )
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
    pub fn svg(&self) -> String {
        let height = 230.0;
        let bottom = height - BOTTOM;
        let most = self.positions.iter().copied().max().unwrap_or(0).max(1);
        let last = self.positions.iter().rposition(|&n| n > 0).unwrap_or(0);
        let count = self.count.map_or(0, |count| count as usize + 1);
        let axis = Axis {
            moves: (last + 1).max(count + 1),
        };
        let mut text = open(self.label, height, "histogram");
        let scale = |part: f64| (part, brief((most as f64 * part).round() as u64));
        let plain: Vec<_> = [0.0, 0.5, 1.0].into_iter().map(scale).collect();
        text += &grid("lin", &plain, TOP, bottom);
        let log = |n: u64| ((n + 1) as f64).log10() / ((most + 1) as f64).log10();
        let tens = (0..=most.ilog10()).map(|power| 10u64.pow(power));
        let step = most.ilog10() as usize / 5 + 1;
        let decades: Vec<_> = tens.step_by(step).map(|n| (log(n), brief(n))).collect();
        text += &grid("log", &decades, TOP, bottom);
        for (moves, &n) in self.positions.iter().enumerate() {
            if n == 0 {
                continue;
            }
            let (left, right) = (axis.x(moves as f64), axis.x(moves as f64 + 1.0));
            let span = bottom - TOP;
            // A bar that is there can be seen and pointed at.
            let tall = (span * n as f64 / most as f64).max(1.0);
            let tall_log = (span * log(n)).max(1.0);
            let late = self.count.is_some_and(|count| moves > count as usize);
            text += &format!(
                "<rect class=\"{}\" x=\"{}\" width=\"{}\" y=\"{}\" height=\"{}\" data-y=\"{}\" data-h=\"{}\"><title>{} in {moves}: {} positions{}</title></rect>",
                if late { "late" } else { "bar" },
                length(left),
                length((right - left - 0.6).max(0.8)),
                length(bottom - tall),
                length(tall),
                length(bottom - tall_log),
                length(tall_log),
                self.to,
                number(n),
                if late { ", too late" } else { "" }
            );
        }
        text += &format!("<g class=\"ax\">{}", axis.ticks(0.5, bottom));
        text += &format!(
            "<text x=\"{}\" y=\"{}\">moves to {}</text></g>",
            length(LEFT + (WIDTH - LEFT - RIGHT) / 2.0),
            bottom + 30.0,
            self.to
        );
        if let Some(count) = self.count {
            let label = format!("the count: {count} moves");
            text += &mark(
                axis.x(f64::from(count) + 1.0),
                TOP,
                bottom,
                &label,
                "makruk",
                12.0,
            );
        }
        text + "</svg>"
    }
}

/// The share that is won within so many moves.
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
    pub fn svg(&self) -> String {
        let height = 230.0;
        let bottom = height - BOTTOM;
        let last = |positions: &[u64]| positions.iter().rposition(|&n| n > 0);
        let lines = self.lines.iter();
        let last = lines.filter_map(|(_, positions)| last(positions)).max();
        let most = self.marks.iter().map(|mark| mark.moves as usize).max();
        let axis = Axis {
            moves: last.max(most).unwrap_or(0) + 2,
        };
        let mut text = open(self.label, height, "curve");
        let top = TOP + 10.0;
        let quarters = [0.0, 0.25, 0.5, 0.75, 1.0];
        let lines = quarters.map(|part| (part, format!("{} %", part * 100.0)));
        text += &grid("", &lines, top, bottom);
        for (class, positions) in self.lines.iter().rev() {
            let path = self.path(positions, &axis, top, bottom);
            text += &format!("<path class=\"ln {class}\" d=\"{path}\"/>");
        }
        let mut won = 0;
        for moves in 0..=axis.moves {
            let first = self.lines.first().and_then(|line| line.1.get(moves));
            won += first.copied().unwrap_or(0);
            let percent = 100.0 * won as f64 / self.legal.max(1) as f64;
            text += &format!(
                "<rect class=\"pt\" x=\"{}\" width=\"{}\" y=\"{top}\" height=\"{}\"><title>{moves} moves: {percent:.2} % won</title></rect>",
                length(axis.x(moves as f64)),
                length(axis.x(1.0) - axis.x(0.0)),
                bottom - top
            );
        }
        text += &format!("<g class=\"ax\">{}", axis.ticks(0.0, bottom));
        text += &format!(
            "<text x=\"{}\" y=\"{}\">moves allowed</text></g>",
            length(LEFT + (WIDTH - LEFT - RIGHT) / 2.0),
            bottom + 30.0
        );
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
        for (i, m) in marks.into_iter().enumerate() {
            let label = format!("{} {}", m.label, m.moves);
            let raise = 13.0 * i as f64;
            let x = axis.x(f64::from(m.moves));
            text += &mark(x, top, bottom, &label, &m.label.to_lowercase(), raise);
        }
        text + "</svg>"
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
        .svg();
        assert_eq!(svg.matches("class=\"bar\"").count(), 2);
        assert_eq!(svg.matches("class=\"late\"").count(), 1);
        assert!(svg.contains("mate in 3: 7 positions<"));
        assert!(svg.contains("mate in 4: 1 positions, too late<"));
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
        .svg();
        assert!(svg.contains("1 moves: 25.00 % won"));
        assert!(svg.contains("5 moves: 50.00 % won"));
        assert!(svg.contains("makruk 3"));
        assert_eq!(svg.matches("class=\"ln ").count(), 2);
    }
}
