//! Signs of praise and of evaluation, and the glyphs that stand for them.

/// The signs that have a glyph. The others are only known not to be moves.
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

/// The numeric glyph of a sign: 14 for `⩲` and for `+/=`. A lone `=` has none, for behind a move it
/// offers a draw.
pub fn glyph_of_sign(sign: &str) -> Option<u32> {
    let found = GLYPHS.iter().find(|(known, _)| *known == sign);
    found.map(|&(_, glyph)| glyph)
}

/// A move as it is written, and the sign of praise or evaluation behind it: `Nf3` and `⩲`. Marks of
/// check and offers of a draw stay with neither.
pub fn split_sign(written: &str) -> (&str, &str) {
    let bare = written.trim_end_matches(|c: char| !c.is_alphanumeric());
    let behind = &written[bare.len()..];
    // `Qd5+±` is a check, `Qd5+-` a verdict.
    let sign = [behind, behind.trim_start_matches(['+', '#', '~', '='])]
        .into_iter()
        .find(|sign| glyph_of_sign(sign).is_some());
    (bare, sign.unwrap_or_default())
}

/// True for a word of the moves that is a sign, or a lone letter of a printed book.
pub(super) fn is_sign(word: &str) -> bool {
    let is_null = word.chars().count() > 1 && word.chars().all(|c| "-−–—".contains(c));
    let is_text = |c: char| c.is_alphanumeric() || c.is_control() || c == '@';
    glyph_of_sign(word).is_some() || word == "D" || (!is_null && !word.contains(is_text))
}
