//! The notation of Thailand's federation: `มข1-ง2`, `รก4Xง4`, `บจ๖=ง`.
//!
//! A man's letter comes first: ข khun, ร ruea, ม ma, ค khon, ม็ met, บ bia, ง promoted bia. The files
//! are ก ข ค ง จ ฉ ช ญ, and the ranks have Thai or Arabic digits. Three letters name both a man and
//! a file, so a text may have two readings. The letter บ is not always written, for example by
//! Fairy-Stockfish.

/// The letters of the files, from a to h.
const FILES: [char; 8] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];
/// The letter of a bia.
pub(super) const BIA: char = 'บ';
/// The letter of a promoted bia.
pub(super) const PROMOTED: char = 'ง';
/// The words for mate and check, which may follow a move.
const CHECKS: [&str; 2] = ["จน", "รุก"];

/// True if the text has a Thai letter or digit.
pub(super) fn is_thai(text: &str) -> bool {
    text.contains(|c| matches!(c, '\u{e01}'..='\u{e5b}'))
}

/// True if a word is the letter of a man. A blank may stand between it and the squares.
pub(crate) fn is_man(word: &str) -> bool {
    let mut letters = joined(word).into_iter();
    matches!(
        (letters.next().and_then(man), letters.next()),
        (Some(_), None)
    ) && is_thai(word)
}

/// The ASCII digit for a Thai digit; other characters stay as they are.
pub(crate) fn arabic(digit: char) -> char {
    match digit {
        '๐'..='๙' => char::from(b'0' + (u32::from(digit) - u32::from('๐')) as u8),
        other => other,
    }
}

/// The readings of a Thai text in Latin letters, the likeliest first. บ and ง stay Thai as letters
/// of men, since no Latin letter means just one of the two.
pub(super) fn latin(text: &str) -> Vec<String> {
    let mut text = text.trim_end_matches(|c: char| "+#!?".contains(c));
    for word in CHECKS {
        text = text.strip_suffix(word).unwrap_or(text).trim_end();
    }
    let letters = joined(text);
    let is_digit = |&letter: &char| arabic(letter).is_ascii_digit();
    let end = letters.iter().rposition(is_digit).map_or(0, |at| at + 1);
    let (moved, promotion) = letters.split_at(end);
    let Some((&first, rest)) = moved.split_first() else {
        return Vec::new();
    };
    let squares = |letters: &[char]| letters.iter().copied().map(square).collect::<String>();
    let promotion: String = promotion
        .iter()
        .map(|&letter| match letter {
            PROMOTED => 'P',
            other => man(other).unwrap_or(other),
        })
        .collect();
    let named = man(first).map(|man| format!("{man}{}{promotion}", squares(rest)));
    let unnamed = FILES.contains(&first).then(|| squares(moved) + &promotion);
    named.into_iter().chain(unnamed).collect()
}

/// The characters of a text without blanks. The two characters of ม็ become M.
fn joined(text: &str) -> Vec<char> {
    let text = text.replace("ม็", "M");
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The letter with which a move of this man begins.
fn man(letter: char) -> Option<char> {
    Some(match letter {
        'ข' => 'K',
        'ร' => 'R',
        'ม' => 'N',
        'ค' => 'S',
        'M' | BIA | PROMOTED => letter,
        _ => return None,
    })
}

/// The Latin letter of a file, or the ASCII digit of a rank.
fn square(letter: char) -> char {
    match FILES.iter().position(|&file| file == letter) {
        Some(file) => char::from(b'a' + file as u8),
        None => arabic(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_that_names_a_man_and_a_file_has_two_readings() {
        assert_eq!(latin("มข1-ง2"), ["Nb1-d2"]);
        assert_eq!(latin("รก๔Xง๔"), ["Ra4Xd4"]);
        assert_eq!(latin("ม็จ๓-ฉ๔"), ["Me3-f4"]);
        assert_eq!(latin("ข-ค๒"), ["K-c2", "b-c2"]);
        assert_eq!(latin("คง๔"), ["Sd4", "cd4"]);
        assert_eq!(latin("ง ง๓-จ๔"), ["งd3-e4", "dd3-e4"]);
        assert_eq!(latin("บจ6=ง"), ["บe6=P"]);
        assert_eq!(latin("จ๖=ม็+"), ["e6=M"]);
        assert_eq!(latin("รญ8รุกจน"), ["Rh8"]);
        assert_eq!(latin("ก"), [""; 0]);
    }

    #[test]
    fn a_man_alone_is_told_from_a_move() {
        for word in ["ข", "ร", "ม", "ค", "ม็", "บ", "ง"] {
            assert!(is_man(word), "{word}");
        }
        for word in ["", "M", "ก", "ขก", "ม็จ๓"] {
            assert!(!is_man(word), "{word}");
        }
    }
}
