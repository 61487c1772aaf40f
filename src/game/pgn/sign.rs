//! Annotation signs and their numeric glyphs (NAGs).

/// The annotation signs that have a numeric glyph. Other signs are recognised, but ignored.
const GLYPHS: [(&str, u32); 39] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("‼", 3),
    ("??", 4),
    ("⁇", 4),
    ("!?", 5),
    ("⁉", 5),
    ("?!", 6),
    ("⁈", 6),
    ("□", 7),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("+/−", 16),
    ("∓", 17),
    ("-/+", 17),
    ("−/+", 17),
    ("+-", 18),
    ("+−", 18),
    ("+–", 18),
    ("-+", 19),
    ("−+", 19),
    ("–+", 19),
    ("⨀", 22),
    ("⊙", 22),
    ("→", 40),
    ("↑", 36),
    ("⇆", 132),
    ("∆", 140),
    ("⌓", 142),
    ("RR", 145),
    ("N", 146),
];

/// The glyph of a sign: 14 for `⩲` and for `+/=`. A lone `=` has no glyph, since after a move it
/// offers a draw.
pub fn glyph_of_sign(sign: &str) -> Option<u32> {
    let found = GLYPHS.iter().find(|(known, _)| *known == sign);
    found.map(|&(_, glyph)| glyph)
}

/// Splits a written move into the move and its annotation sign: `Nf3⩲` into `Nf3` and `⩲`. Check
/// marks and draw offers are dropped.
pub fn split_sign(written: &str) -> (&str, &str) {
    let bare = written.trim_end_matches(|c: char| !c.is_alphanumeric());
    let behind = &written[bare.len()..];
    // `Qd5+±` is a check with a sign; `Qd5+-` is a move with a sign.
    let sign = [behind, behind.trim_start_matches(['+', '#', '~', '='])]
        .into_iter()
        .find(|sign| glyph_of_sign(sign).is_some());
    (bare, sign.unwrap_or_default())
}

/// True if the word is an annotation sign. Letters such as `N`, as printed books use them, are
/// signs too.
pub(super) fn is_sign(word: &str) -> bool {
    let is_null = word.chars().count() > 1 && word.chars().all(|c| "-−–—".contains(c));
    let is_text = |c: char| c.is_alphanumeric() || c.is_control() || c == '@';
    glyph_of_sign(word).is_some() || word == "D" || (!is_null && !word.contains(is_text))
}
