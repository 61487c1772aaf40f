//! The scores of positions that are drawn according to the tables.

use sakmak::rules::Category;

/// The UCI score of a drawn position: 0 or, for a draw by the count, plus or minus a hundredth of a
/// pawn. None if the position is won or lost.
pub(super) fn of_draw(category: Category) -> Option<&'static str> {
    match category {
        Category::CursedWin => Some("cp 1"),
        Category::Draw => Some("cp 0"),
        Category::BlessedLoss => Some("cp -1"),
        Category::Win | Category::Loss => None,
    }
}

/// Replaces the score in a line of the engine, if the line contains one. An engine may score a
/// drawn position as lost, and a GUI that adjudicates by scores would then end the game.
pub(super) fn with_score(line: &str, score: &str) -> String {
    let mut words = line.split_whitespace();
    let mut text: Vec<&str> = Vec::new();
    if words.clone().next() != Some("info") {
        return line.to_string();
    }
    while let Some(word) = words.next() {
        text.push(word);
        match word {
            // After this word the rest of the line is free text or moves.
            "string" | "pv" => {
                text.extend(&mut words);
            }
            "score" => {
                // The kind and the value of the score. Some engines write a bound before them.
                let bound = |word: &str| word == "lowerbound" || word == "upperbound";
                let value = if words.clone().next().is_some_and(bound) {
                    3
                } else {
                    2
                };
                words.by_ref().take(value).for_each(drop);
                text.push(score);
            }
            "lowerbound" | "upperbound" => {
                text.pop();
            }
            "wdl" => {
                words.by_ref().take(3).for_each(drop);
                text.push("0 1000 0");
            }
            _ => {}
        }
    }
    text.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_chances_are_replaced_and_nothing_else() {
        for (line, expected) in [
            (
                "info depth 9 seldepth 12 multipv 1 score cp -4755 nodes 88 nps 9 pv e4e5 d4d5",
                "info depth 9 seldepth 12 multipv 1 score cp 0 nodes 88 nps 9 pv e4e5 d4d5",
            ),
            (
                "info depth 3 score mate -7 upperbound wdl 0 3 997 nodes 5",
                "info depth 3 score cp 0 wdl 0 1000 0 nodes 5",
            ),
            (
                "info score lowerbound cp 31 time 2",
                "info score cp 0 time 2",
            ),
            (
                "info depth 4 currmove e2e3 currmovenumber 2",
                "info depth 4 currmove e2e3 currmovenumber 2",
            ),
            ("info string score cp 31", "info string score cp 31"),
            ("bestmove e4e5 ponder d4d5", "bestmove e4e5 ponder d4d5"),
        ] {
            assert_eq!(with_score(line, "cp 0"), expected);
        }
    }
}
