//! Describes the state of a count in prose.

use sakmak::board::Color;
use sakmak::rules::{Allowance, LimitKind};

use super::format::counted as number_of;

/// Describes the state of the count in a line of text.
pub fn count_in_words(allowance: &Allowance, winner: Color) -> String {
    let rule = match allowance.kind {
        LimitKind::PiecesHonor => "pieces' honor (sak mak, ศักดิ์หมาก)",
        LimitKind::BoardsHonor => "board's honor (sak kradan, ศักดิ์กระดาน)",
        LimitKind::FiftyMoves => "fifty moves without a capture",
    };
    let &Allowance {
        limit,
        counted,
        moves_available,
        started,
        ..
    } = allowance;
    let (counting, winner) = (capital(!winner), capital(winner));
    let left = number_of(u64::from(moves_available), "move");
    let spoken = allowance.kind != LimitKind::FiftyMoves && counted < limit;
    match (started, spoken) {
        (true, _) => {
            format!("count: {rule}, {counted} of {limit} counted, {winner} has {left} left\n")
        }
        (false, true) => format!(
            "count: {rule}: {counting} will say {} to {limit}; {winner} then moves once more, {left} in all\n",
            counted + 1
        ),
        (false, false) => {
            format!("count: {rule}, limit {limit}, counted from {counted}: {winner} has {left}\n")
        }
    }
}

/// The capitalised name of a side.
pub fn capital(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
