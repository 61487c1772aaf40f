//! Positions with bia under the rules of ouk and ASEAN chess, each with its category.

/// The rule set, the FEN with its count or clock, and the category.
pub const ASKED: [(&str, &str, &str); 8] = [
    // Mate in 15 in makruk and ouk, where the count leaves less after the promotion.
    ("ouk", "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1", "cursed-win"),
    ("ouk", "8/8/6R1/Pk6/8/8/7K/8 b - - 0 1", "blessed-loss"),
    // A board's honor that runs while the bia stands.
    ("ouk", "8/8/8/4P3/8/3k4/8/R6K w - 126 20 1", "win"),
    ("ouk", "8/8/8/4P3/8/3k4/8/R6K w - 126 126 1", "cursed-win"),
    ("asean", "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1", "win"),
    ("asean", "8/8/6R1/Pk6/8/8/7K/8 b - - 0 1", "loss"),
    // The last ply before the fifty-move rule, with which the bia steps, and the ply after it.
    ("asean", "8/8/8/2P5/3k4/1R6/8/7K w - - 99 1", "win"),
    ("asean", "8/8/8/2P5/3k4/1R6/8/7K w - - 100 1", "cursed-win"),
];
