//! Best play, in the form that other programs read.

use sakmak::board::{Color, Position};
use sakmak::probe::{End, ProbeError, Tablebase};
use sakmak::rules::{Count, RuleSet};

/// Best play from a position.
pub struct BestPlay {
    /// Each move in coordinates, and the FEN after it.
    pub moves: Vec<(String, String)>,
    /// What ends the game, as the documents of a line say it.
    pub end: &'static str,
}

impl BestPlay {
    /// Best play from a position with a count, of which `winner` is the stronger side.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::line`].
    pub fn new(
        tablebase: &Tablebase,
        rules: RuleSet,
        position: &Position,
        start: Count,
        winner: Color,
    ) -> Result<BestPlay, ProbeError> {
        let line = tablebase.line(position, rules, &start)?;
        let (mut count, mut fullmove) = (start, 1);
        let moves = line.moves.iter().map(|played| {
            let after = played.before.play(played.m);
            count = count.after(rules, &played.before, &after, winner);
            fullmove += u32::from(played.before.turn() == Color::Black);
            let fen = count.to_fen(after, fullmove);
            (
                played.m.to_string(),
                fen.display(rules.lettering()).to_string(),
            )
        });
        Ok(BestPlay {
            moves: moves.collect(),
            end: match line.end {
                End::Checkmate => "checkmate",
                End::Stalemate => "stalemate",
                End::Counted => "count",
                End::Draw => "draw",
            },
        })
    }
}
