//! Boards and verdicts in words.

use crate::board::{Color, Square};
use crate::game::GameState;
use crate::probe::Distance;
use crate::rules::LimitKind;

use super::tables::Known;

/// The board in letters, the FEN below it.
pub(super) fn board(state: &GameState) -> String {
    let mut text = String::from("\n");
    for rank in (0..8).rev() {
        text += &format!(" {}", rank + 1);
        for file in 0..8 {
            let man = state
                .board
                .position()
                .man_at(Square::wrapping(rank * 8 + file));
            let letter = man.map_or('.', |(color, role)| {
                let letter = state.lettering().letter(role);
                match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                }
            });
            text += &format!(" {letter}");
        }
        text.push('\n');
    }
    text + &format!("   a b c d e f g h\n\nFen: {state}")
}

/// What the tables say, in one line.
pub(super) fn verdict(known: &Known) -> String {
    let turn = known.question.position.turn();
    let Some(best) = known.moves.first() else {
        return "no legal move".to_string();
    };
    let mut words = match best.category {
        category if category.is_count_draw() => format!("{category} (drawn by the count)"),
        category => category.to_string(),
    };
    if let (Some(winner), Some(moves)) = (best.dtm.winner(turn), best.dtm.moves()) {
        words += &format!(", {winner} can force mate in {moves}");
    }
    let Some(value) = known.value else {
        return words;
    };
    if let Some(moves) = value.dth.and_then(Distance::moves) {
        words += &format!(", mate or the last man in {moves}");
    }
    match value.allowance {
        None => words + ", nothing is counted",
        Some(allowance) => {
            let kind = match allowance.kind {
                LimitKind::PiecesHonor => "pieces' honor",
                LimitKind::BoardsHonor => "board's honor",
                LimitKind::FiftyMoves => "fifty-move rule",
            };
            words
                + &format!(
                    "; {kind} {} of {}{}, {} {} left",
                    allowance.counted,
                    allowance.limit,
                    if allowance.started {
                        ""
                    } else {
                        " (not begun)"
                    },
                    allowance.moves_available,
                    if allowance.moves_available == 1 {
                        "move"
                    } else {
                        "moves"
                    }
                )
        }
    }
}
