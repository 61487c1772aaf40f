//! Writes moves and the men of endings in the letters of a language, as `explorer/web/js/notation.js`
//! does.

use crate::serve::words::Words;
use sakmak::board::{Color, Role};
use sakmak::material::{Army, CanonicalMaterial};
use sakmak::rules::RuleSet;

/// The Latin letters of the files.
const FILES: &str = "abcdefgh";

/// The letter of a man. ASEAN chess's letters B and Q mean khon and met.
fn man(letter: char, words: &Words) -> &str {
    let latin = match letter {
        'B' => 'S',
        'Q' => 'M',
        other => other,
    };
    let roles = Role::ALL.iter();
    let mut letters = roles.zip(words.list("shortMen"));
    let found = letters.find(|(role, _)| role.letter() == latin);
    found.map_or("", |(_, letter)| letter)
}

/// The squares or files of a move, with the language's letters of files.
fn squares(text: &str, words: &Words) -> String {
    let files: Vec<&str> = words.list("files").collect();
    let mut written = String::new();
    for c in text.chars() {
        match FILES.find(c).and_then(|at| files.get(at)) {
            Some(file) => written += file,
            None => written.push(c),
        }
    }
    written
}

/// A move in the letters of the language. In Thai a hyphen precedes the target square of a man that
/// takes nothing.
pub(super) fn spoken(san: &str, words: &Words) -> String {
    if man('K', words) == "K" {
        return san.to_string();
    }
    let checks = san.trim_end_matches(['+', '#']);
    let (moved, promoted) = checks.split_once('=').unwrap_or((checks, ""));
    let name = moved.chars().next().filter(char::is_ascii_uppercase);
    let moved = moved.trim_start_matches(|c: char| c.is_ascii_uppercase());
    let (from, to) = moved.split_at(moved.len().saturating_sub(2));
    let link = match name {
        Some(_) if !from.ends_with('x') => "-",
        _ => "",
    };
    let mut written = name.map_or(String::new(), |name| man(name, words).to_string());
    written += &format!("{}{link}{}", squares(from, words), squares(to, words));
    for role in promoted.chars() {
        written += &format!("={}", man(role, words));
    }
    written + &san[checks.len()..]
}

/// A short name such as `K+S+M v K`, with the rule set if the ending is of one only.
pub(in crate::serve) fn short_name(material: CanonicalMaterial, words: &Words) -> String {
    let men = material.material();
    let letters = |army: Army| {
        let men = std::iter::once(Role::King).chain(army.men());
        let letters = men.map(|role| man(role.letter(), words));
        letters.collect::<Vec<_>>().join("+")
    };
    let [one, other] = Color::ALL.map(|color| letters(men.army(color)));
    let name = words.with("versus", &[("one", &one), ("other", &other)]);
    let first = RuleSet::first_of(material.game());
    match material.is_pawnless() || first == RuleSet::Makruk {
        true => name,
        false => format!("{name} ({})", words.t(first.name())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_have_short_names() {
        let name = |material: &str, language| {
            short_name(material.parse().unwrap(), Words::of(language).unwrap())
        };
        assert_eq!(name("KSMvK", "en"), "K+S+M v K");
        assert_eq!(name("KSMMvKP", "th"), "ข+ค+ม็+ม็ – ข+บ");
        assert_eq!(name("KRPvK-asean", "en"), "K+R+P v K (ASEAN chess)");
    }

    #[test]
    fn moves_have_the_letters_of_the_language() {
        let moves = [
            ("Sc4", "ค-ค4"),
            ("Nbd2+", "มข-ง2+"),
            ("Rxa5#", "รxก5#"),
            ("h6=M", "ญ6=ม็"),
            ("exd8=R+", "จxง8=ร+"),
            ("Q1e3", "ม็1-จ3"),
        ];
        for (san, thai) in moves {
            assert_eq!(spoken(san, Words::of("th").unwrap()), thai);
            assert_eq!(spoken(san, Words::of("en").unwrap()), san);
        }
    }
}
