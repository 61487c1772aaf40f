//! A line as a document for programs: what `line --json` prints.

use serde::Serialize;

use super::distance::Moves;
use super::line::{End, Line, Played};
use crate::board::{Color, Fen};
use crate::rules::{Category, RuleSet};

/// A line as programs are told it.
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
    category: Option<Category>,
    dtm: Option<Moves>,
    counted: Option<u32>,
}

impl Line {
    /// The line as a document, from the FEN that it began with.
    pub fn document(&self, fen: &Fen, rules: RuleSet) -> LineDocument {
        let lettering = rules.lettering();
        let move_document = |played: &Played| MoveDocument {
            uci: played.m.to_string(),
            san: played.before.san(played.m, lettering),
            player: played.before.turn().to_string(),
            category: played.category,
            dtm: played.dtm.moves(),
            counted: played.counted,
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

    /// The position at the end with its count, of a line that began with this FEN.
    pub fn last_fen(&self, fen: &Fen) -> Fen {
        let black_moves = self
            .moves
            .iter()
            .filter(|m| m.before.turn() == Color::Black);
        let fullmove = fen.fullmove.saturating_add(black_moves.count() as u32);
        self.count.to_fen(self.last, fullmove)
    }

    /// The result as a PGN has it.
    pub fn result(&self) -> &'static str {
        match (self.end, self.last.turn()) {
            (End::Checkmate, Color::White) => "0-1",
            (End::Checkmate, Color::Black) => "1-0",
            _ => "1/2-1/2",
        }
    }
}
