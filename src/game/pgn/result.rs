//! Results of games, as players and federations write them.

use crate::board::thai;

/// The ways to write half a point.
const HALVES: [&str; 5] = ["1/2", "½", "0.5", "0,5", ".5"];

/// The result that a word means; `None` if the word is not a result.
///
/// The points of both sides may be separated by any dash or a colon, and have Thai digits. Thailand's
/// federation writes a draw as `0.5-0.5`.
pub(super) fn result(word: &str) -> Option<&'static str> {
    if word == "*" {
        return Some("*");
    }
    let word: String = word.chars().map(thai::arabic).collect();
    if ["1/2", "½", "=-="].contains(&&*word) {
        return Some("1/2-1/2");
    }
    let (white, black) = word.split_once(|c| "-‐‑‒–—−:".contains(c))?;
    match (white, black) {
        ("1", "0") => Some("1-0"),
        ("0", "1") => Some("0-1"),
        _ if HALVES.contains(&white) && HALVES.contains(&black) => Some("1/2-1/2"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_read_as_federations_write_it() {
        for draw in [
            "1/2-1/2",
            "1/2–1/2",
            "½-½",
            "½–½",
            "½:½",
            "1/2",
            "½",
            "0.5-0.5",
            "0.5–0.5",
            "0,5-0,5",
            "0.5:0.5",
            ".5-.5",
            "๐.๕-๐.๕",
            "=-=",
            "½−½",
        ] {
            assert_eq!(result(draw), Some("1/2-1/2"), "{draw}");
        }
    }

    #[test]
    fn a_win_is_read_with_any_dash_and_in_thai_digits() {
        for (text, wins) in [
            ("1-0", "1-0"),
            ("1—0", "1-0"),
            ("๑-๐", "1-0"),
            ("0:1", "0-1"),
        ] {
            assert_eq!(result(text), Some(wins), "{text}");
        }
    }

    #[test]
    fn moves_numbers_and_half_results_are_no_results() {
        for text in [
            "", "-", "0-0", "1-1", "1-½", "0.5-0", "0.5", "1", "e2-e4", "+-", "O-O",
        ] {
            assert_eq!(result(text), None, "{text}");
        }
    }
}
