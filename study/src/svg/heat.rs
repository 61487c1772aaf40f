//! Draws a heat map of a king's squares.

use crate::Tally;
use maud::{Markup, html};
use sakmak::board::Square;
use sakmak::probe::Share;

/// Draws a board with a shade on each square. The more positions are won in time against a king on
/// the square, the stronger the shade. `squares` has one tally per square, a1 first.
pub fn heat(squares: &[Tally]) -> Markup {
    let share = |square: Square| {
        let tally = squares.get(square.index()).copied().unwrap_or_default();
        Share {
            positions: tally.in_time,
            of: tally.legal,
        }
        .percent()
    };
    let all: Vec<f64> = Square::all().map(share).collect();
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let most = all.iter().copied().fold(0.0, f64::max);
    let strength = |percent: f64| match most > least {
        true => (percent - least) / (most - least),
        false => 0.0,
    };
    html! {
        svg class="heat" viewBox="-18 -4 342 344" role="img" aria-label="share of positions lost, by square of the king" {
            @for (square, &percent) in Square::all().zip(&all) {
                @let (x, y) = (40 * u32::from(square.file()), 40 * (7 - u32::from(square.rank())));
                @let strength = strength(percent);
                g {
                    title { "king on " (square) ": " (format!("{percent:.2}")) " % lost in time" }
                    // The safest square has the palest shade.
                    rect class="h" x=(x) y=(y) width="40" height="40" style={ "--p:" (format!("{:.0}", 8.0 + 84.0 * strength)) "%" } {}
                    text class=[(strength > 0.55).then_some("in")] x=(x + 20) y=(y + 24) { (figure(percent)) }
                }
            }
            g class="co" {
                @for (i, file) in ('a'..='h').enumerate() {
                    text x=(i * 40 + 20) y="335" { (file) }
                    text x="-9" y=(i * 40 + 24) { (8 - i) }
                }
            }
        }
    }
}

/// Formats a percentage in at most four characters.
fn figure(percent: f64) -> String {
    match percent {
        0.0 => "0".to_string(),
        p if p < 0.1 => "<.1".to_string(),
        p if p < 10.0 || (p > 90.0 && p < 99.95) => format!("{p:.1}"),
        p => format!("{p:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_squares_have_their_own_shares() {
        let mut squares = vec![Tally::default(); 64];
        for (i, tally) in squares.iter_mut().enumerate() {
            tally.legal = 100;
            tally.in_time = i as u64;
        }
        let svg = heat(&squares).into_string();
        assert!(svg.contains("king on a1: 0.00 %"));
        assert!(svg.contains("king on h8: 63.00 %"));
        assert_eq!(svg.matches("<rect").count(), 64);
    }
}
