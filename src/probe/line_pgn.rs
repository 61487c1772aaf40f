//! Writes a line of play as PGN, for other programs to replay.

use crate::board::{Color, Fen, Lettering};
use crate::game::pgn::variant_of_rules;
use crate::rules::RuleSet;

use super::line::{End, Line};

/// The maximum length of a line of PGN, in characters.
const WIDTH: usize = 80;

/// Describes the end of the line of play.
pub fn line_end(line: &Line) -> String {
    match line.end {
        End::Checkmate => match line.last.turn() {
            Color::White => "White is checkmated".to_string(),
            Color::Black => "Black is checkmated".to_string(),
        },
        End::Stalemate => "stalemate: drawn".to_string(),
        End::Counted => match line.count.running() {
            Some((limit_plies, counted_plies)) if counted_plies >= limit_plies => {
                let limit = limit_plies / 2;
                format!("the count of {limit} is over: drawn by the count")
            }
            _ => "fifty moves without a capture: drawn".to_string(),
        },
        End::Draw => "neither side can force mate: drawn".to_string(),
    }
}

/// Writes the line of play as PGN. `event` is the value of the Event tag. Comments contain the
/// numbers that are counted aloud with the moves.
pub fn line_pgn(event: &str, fen: &Fen, rules: RuleSet, line: &Line) -> String {
    let lettering = rules.lettering();
    let tags = [
        ("Event", event),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "sakmak"),
        ("Black", "sakmak"),
        ("Result", line.result()),
        ("Variant", variant_of_rules(rules)),
        ("SetUp", "1"),
    ];
    let mut text: String = tags
        .iter()
        .map(|(tag, value)| format!("[{tag} \"{value}\"]\n"))
        .collect();
    text += &format!("[FEN \"{}\"]\n\n", fen.display(lettering));
    let mut width = 0;
    for word in words(fen, lettering, line) {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += &word;
        width += word.len();
    }
    text + "\n"
}

fn words(fen: &Fen, lettering: Lettering, line: &Line) -> Vec<String> {
    let mut words = Vec::new();
    let mut number = fen.fullmove;
    // After a comment, Black's move needs its number again.
    let mut commented = true;
    for played in &line.moves {
        let white = played.before.turn() == Color::White;
        match white {
            true => words.push(format!("{number}.")),
            false if commented => words.push(format!("{number}...")),
            false => {}
        }
        words.push(played.before.san(played.m, lettering));
        commented = false;
        if let Some(counted) = played.counted {
            words.push(format!("{{{counted}}}"));
            commented = true;
        }
        number += u32::from(!white);
    }
    words.push(format!("{{{}}}", line_end(line)));
    words.push(line.result().to_string());
    words
}
