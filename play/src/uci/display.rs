//! Writes boards and verdicts as text.

use sakmak::board::{Color, Square};
use sakmak::game::GameState;
use sakmak::probe::{BoundedMove, Distance};
use sakmak::rules::{Allowance, Category, LimitKind};

use super::tables::{ByVerdicts, Known, Ranked};

/// Draws the board in letters, with the FEN below it.
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

/// Describes the tables' answer in one line.
pub(super) fn verdict(known: &Known) -> String {
    let Some(best) = known.moves.first() else {
        return "no legal move".to_string();
    };
    let (dtm, dth) = match known.value {
        Some(value) => (value.dtm, value.dth),
        None => (best.dtm, best.dth),
    };
    let allowance = known.value.map(|value| value.allowance);
    let words = in_words(known, best, (dtm, dth), allowance);
    match &known.lacking {
        None => words,
        Some(why) => format!("{words}; other moves are unknown: {why}"),
    }
}

/// Describes the best of the moves in `searchmoves` in one line.
pub(super) fn verdict_of_chosen(known: &Known) -> String {
    let Some(best) = known.moves.first() else {
        return "no legal move".to_string();
    };
    let question = &known.question;
    let (position, turn) = (&question.position, question.position.turn());
    let winner = best.dtm.winner(turn).unwrap_or(turn);
    let allowance = known.value.map(|_| {
        let material = position.material();
        Allowance::new(question.rules, material, winner, turn, &question.count)
    });
    let words = in_words(known, best, (best.dtm, best.dth), allowance);
    format!("of the moves in searchmoves {} is best: {words}", best.m)
}

/// Describes the value of the best move. `allowance` is None if the count is unknown or switched
/// off.
fn in_words(
    known: &Known,
    best: &Ranked,
    (dtm, dth): (Distance, Option<Distance>),
    allowance: Option<Option<Allowance>>,
) -> String {
    let turn = known.question.position.turn();
    let mut words = match best.category {
        category if category.is_count_draw() => format!("{category} (drawn by the count)"),
        category => category.to_string(),
    };
    if let (Some(winner), Some(moves)) = (dtm.winner(turn), dtm.moves()) {
        words += &format!(", {winner} can force mate in {moves}");
    }
    if let Some(moves) = dth.and_then(Distance::moves) {
        words += &format!(", mate or a decisive capture or promotion in {moves}");
    }
    let Some(allowance) = allowance else {
        return words;
    };
    match allowance {
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

/// Describes the answer of verdict tables in one line.
pub(super) fn by_verdicts(known: &ByVerdicts) -> String {
    let best = known.moves.first().map(bounds).unwrap_or_default();
    format!("{best}; {}", known.why)
}

/// Describes the value of a move, which may be uncertain.
pub(super) fn bounds(best: &BoundedMove) -> String {
    match best.bounds {
        [Category::CursedWin, Category::Win] => {
            "win or cursed-win, depending on the count".to_string()
        }
        [Category::Loss, Category::BlessedLoss] => {
            "loss or blessed-loss, depending on the count".to_string()
        }
        [category, _] => category.to_string(),
    }
}

/// The score as UCI writes it. If it is uncertain whether a win is inside the count, the score is
/// that of a draw by the count.
pub(super) fn score_of_bounds(best: &BoundedMove) -> &'static str {
    match best.bounds {
        [Category::Win, _] => "cp 10000",
        [Category::CursedWin, _] => "cp 1",
        [_, Category::Loss] => "cp -10000",
        [_, Category::BlessedLoss] => "cp -1",
        _ => "cp 0",
    }
}
