//! Options for annotating a game.

use std::str::FromStr;

use thiserror::Error;

use sakmak::board::Color;
use sakmak::rules::RuleSet;

/// Options for annotating a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnnotateOptions {
    /// The rule set of a game without a Variant tag.
    pub rules: RuleSet,
    /// The moment at which the players began to count board's honor.
    pub counting: Counting,
}

impl Default for AnnotateOptions {
    fn default() -> AnnotateOptions {
        AnnotateOptions {
            rules: RuleSet::Makruk,
            counting: Counting::NotSaid,
        }
    }
}

/// The moment at which the players began to count board's honor. They may count it or not while
/// both sides have men, and games rarely show their choice. (The count against a bare king follows
/// from the moves.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// The moment is taken from the game's first FEN or from the numbers in its comments. If
    /// neither shows a count, positions are judged with a fresh count, and the report states what a
    /// count from the first possible moment would change.
    #[default]
    NotSaid,
    /// The count begins at the first possible moment, as engines count.
    First,
    /// The count never begins.
    Never,
    /// The count begins with this move.
    From(CountFrom),
}

/// The move with which a side begins its count, announcing the number 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountFrom {
    /// The number of the move.
    pub number: u32,
    /// The side that counts. If None, the side that would be mated or, without a forced mate, the
    /// side to move.
    pub side: Option<Color>,
}

/// A text that does not say when a count begins.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{0:?} does not say when the count begins: give a move number such as 41, 41w or 41b, or `first` or `never`"
)]
pub struct CountingError(String);

impl FromStr for Counting {
    type Err = CountingError;

    /// Parses `first`, `never` or the number of a move, such as `41`. The side that counts may
    /// follow the number: `41w` or `41b`.
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
    fn a_move_number_with_an_optional_side_is_parsed() {
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
