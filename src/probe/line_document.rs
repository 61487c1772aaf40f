//! A line as a JSON document: the output of `line --json`.

use serde::Serialize;

use super::distance::Moves;
use super::line::{End, Line, Played};
use crate::board::{Color, Fen};
use crate::rules::{Category, RuleSet};

/// A line of best play, as the JSON document that `line --json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct LineDocument {
    fen: String,
    rules: RuleSet,
    unit: &'static str,
    moves: Vec<MoveDocument>,
    last_fen: String,
    end: &'static str,
    result: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct MoveDocument {
    uci: String,
    san: String,
    #[serde(rename = "for")]
    player: String,
    category: Category,
    dtm: Option<Moves>,
    counted: Option<u32>,
    /// The FEN after the move, with its count.
    fen: String,
}

impl Line {
    /// Converts the line to a JSON document; `fen` is the position at the start of the line.
    pub fn document(&self, fen: &Fen, rules: RuleSet) -> LineDocument {
        let lettering = rules.lettering();
        let mut fullmove = fen.fullmove;
        let move_document = |played: &Played| {
            let turn = played.before.turn();
            let next = played.before.play(played.m);
            fullmove = fullmove.saturating_add(u32::from(turn == Color::Black));
            MoveDocument {
                uci: played.m.uci(lettering).to_string(),
                san: played.before.san(played.m, lettering),
                player: turn.to_string(),
                category: played.category,
                dtm: played.dtm.moves(),
                counted: played.counted,
                fen: (played.count.to_fen(next, fullmove))
                    .display(lettering)
                    .to_string(),
            }
        };
        LineDocument {
            fen: fen.display(lettering).to_string(),
            rules,
            unit: "moves",
            moves: self.moves.iter().map(move_document).collect(),
            last_fen: self.last_fen(fen).display(lettering).to_string(),
            end: match self.end {
                End::Checkmate => "checkmate",
                End::Stalemate => "stalemate",
                End::Counted => "count",
                End::Draw => "draw",
            },
            result: self.result(),
        }
    }

    /// The FEN of the last position of the line, with the count there; `fen` is the position at the
    /// start of the line.
    pub fn last_fen(&self, fen: &Fen) -> Fen {
        let black_moves = self
            .moves
            .iter()
            .filter(|m| m.before.turn() == Color::Black);
        let fullmove = fen.fullmove.saturating_add(black_moves.count() as u32);
        self.count.to_fen(self.last, fullmove)
    }

    /// The result as in PGN: `1-0`, `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match (self.end, self.last.turn()) {
            (End::Checkmate, Color::White) => "0-1",
            (End::Checkmate, Color::Black) => "1-0",
            _ => "1/2-1/2",
        }
    }
}
