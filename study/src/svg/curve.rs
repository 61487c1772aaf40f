//! Draws a chart of the share of positions won within a number of moves, with one line per rule
//! set.

use maud::{Markup, html};

use super::chart::{Axis, BOTTOM, HEIGHT, TOP, at_the_right, chart, grid, mark};
use super::length;
use crate::text::counted;

/// A vertical line that marks how many moves a count leaves.
pub struct Mark {
    /// The label of the mark.
    pub label: String,
    /// The number of moves that the count leaves.
    pub moves: u32,
}

/// A chart of the share of positions won within a number of moves.
pub struct Curve<'a> {
    /// The accessible name of the chart.
    pub label: &'a str,
    /// The lines of the chart, each with the name of its rule set and the number of positions won
    /// at each distance. Tooltips show the values of the first line.
    pub lines: Vec<(&'a str, &'a [u64])>,
    /// The number of all legal positions, which is 100 % on the chart.
    pub legal: u64,
    /// The vertical lines, one for each rule set. Each marks the number of moves that the rule
    /// set's count leaves.
    pub marks: Vec<Mark>,
}

impl Curve<'_> {
    /// Draws the chart.
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
        // No label may cross the line of another mark. Labels on the left of their lines are
        // therefore raised, the more the further right the line is. Labels on the right are raised
        // the less, the further right the line is.
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

    /// The path of one line, as steps.
    fn path(&self, positions: &[u64], axis: &Axis, top: f64, bottom: f64) -> String {
        let mut won = 0;
        let mut path = format!("M{} {}", length(axis.x(0.0)), length(bottom));
        for moves in 0..=axis.moves {
            let more = positions.get(moves).copied().unwrap_or(0);
            won += more;
            // A distance without new positions continues the line horizontally.
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
    fn a_curve_ends_at_the_share_of_all_wins() {
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
