//! How a game is to be annotated.

use std::str::FromStr;

use thiserror::Error;

use crate::board::Color;
use crate::rules::RuleSet;

/// How a game is to be annotated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The rules of a game without a Variant tag.
    pub rules: RuleSet,
    /// When board's honor was counted.
    pub counting: Counting,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rules: RuleSet::Makruk,
            counting: Counting::NotSaid,
        }
    }
}

/// When board's honor was counted, the count while both sides have men. A player may count or not,
/// and games do not say it. (The count against a bare king follows from the moves.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// The game says it, by the FEN that it begins with or by numbers in its comments, or nobody
    /// does: then it is judged as if nothing had been counted yet, and what the count would change
    /// is said too.
    #[default]
    NotSaid,
    /// From the first moment on, as engines count.
    First,
    /// Never.
    Never,
    /// From a move on.
    From(CountFrom),
}

/// The move with which a count begins: 1 is said with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountFrom {
    /// The number of the move.
    pub number: u32,
    /// The side that counts; if it is not given, the one at a disadvantage.
    pub side: Option<Color>,
}

/// A word that does not say when a count begins.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} does not say when the count begins: give the number of a move, for instance 41, 41w or 41b, or first or never"
)]
pub struct CountingError(String);

impl FromStr for Counting {
    type Err = CountingError;

    /// Reads `first`, `never`, or the number of a move: `41` or, with the side that counts, `41w`
    /// and `41b`.
    fn from_str(word: &str) -> Result<Counting, CountingError> {
        match word {
            "first" => return Ok(Counting::First),
            "never" => return Ok(Counting::Never),
            _ => {}
        }
        let (digits, side) = match word.as_bytes().last() {
            Some(b'w') => (&word[..word.len() - 1], Some(Color::White)),
            Some(b'b') => (&word[..word.len() - 1], Some(Color::Black)),
            _ => (word, None),
        };
        let number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = number.then(|| digits.parse().ok()).flatten();
        match number {
            Some(number @ 1..) => Ok(Counting::From(CountFrom { number, side })),
            _ => Err(CountingError(word.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_and_perhaps_a_side_are_read() {
        let from = |number, side| Ok(Counting::From(CountFrom { number, side }));
        assert_eq!("41".parse(), from(41, None));
        assert_eq!("41w".parse(), from(41, Some(Color::White)));
        assert_eq!("7b".parse(), from(7, Some(Color::Black)));
        assert_eq!("first".parse(), Ok(Counting::First));
        assert_eq!("never".parse(), Ok(Counting::Never));
        for word in ["", "0", "w", "-3", "41x", "4.1", "99999999999"] {
            assert!(word.parse::<Counting>().is_err(), "{word}");
        }
    }
}
