//! How safe each square is for a king.

use sakmak::board::Square;
use sakmak::study::{Share, Tally};

/// The board with each square shaded by the share that the other side wins in time with the king
/// on it. `squares` are in the order of their numbers, a1 first.
pub fn heat(squares: &[Tally]) -> String {
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
    let mut text =
        "<svg class=\"heat\" viewBox=\"-18 -4 342 344\" role=\"img\" aria-label=\"share lost by the square of the king\">"
            .to_string();
    for (square, percent) in Square::all().zip(&all) {
        let (x, y) = (
            40 * u32::from(square.file()),
            40 * (7 - u32::from(square.rank())),
        );
        let strength = match most > least {
            true => (percent - least) / (most - least),
            false => 0.0,
        };
        // The square with the least colour is the safest.
        text += &format!(
            "<g><title>king on {square}: {percent:.2} % lost in time</title><rect class=\"h\" x=\"{x}\" y=\"{y}\" width=\"40\" height=\"40\" style=\"--p:{:.0}%\"/><text class=\"{}\" x=\"{}\" y=\"{}\">{}</text></g>",
            8.0 + 84.0 * strength,
            if strength > 0.55 { "in" } else { "" },
            x + 20,
            y + 24,
            figure(*percent)
        );
    }
    text += "<g class=\"co\">";
    for i in 0..8u32 {
        let file = (b'a' + i as u8) as char;
        text += &format!(
            "<text x=\"{}\" y=\"335\">{file}</text><text x=\"-9\" y=\"{}\">{}</text>",
            i * 40 + 20,
            i * 40 + 24,
            8 - i
        );
    }
    text + "</g></svg>"
}

/// A share in three letters or so.
fn figure(percent: f64) -> String {
    match percent {
        0.0 => "0".to_string(),
        p if p < 0.1 => "&lt;.1".to_string(),
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
        let svg = heat(&squares);
        assert!(svg.contains("king on a1: 0.00 %"));
        assert!(svg.contains("king on h8: 63.00 %"));
        assert_eq!(svg.matches("<rect").count(), 64);
    }
}
