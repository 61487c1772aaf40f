//! Ranks the legal moves of a position under a rule set, best first.
//!
//! ```text
//! cargo run --release --example best_moves -- tables asean "8/8/8/3k4/8/3K4/2BQ4/8 w"
//! ```

use std::error::Error;

use sakmak::probe::Tablebase;
use sakmak::rules::{Count, RuleSet};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, rules, fen] = arguments.as_slice() else {
        return Err("usage: best_moves DIRECTORY RULES FEN".into());
    };
    for line in best_moves(directory, rules, fen)? {
        println!("{line}");
    }
    Ok(())
}

/// The moves of a position, each with its category.
pub fn best_moves(directory: &str, rules: &str, fen: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory)?;

    // The letters of a FEN are those of the rule set: K R N S M, or K R N B Q in ASEAN chess.
    let rules: RuleSet = rules.parse()?;
    let fen = rules.read_fen(fen)?;
    let moves = tablebase.best_moves(&fen.position, rules, &Count::from_fen(&fen))?;

    // Categories and distances are for the player who makes the move.
    let line = |ranked: sakmak::probe::RankedMove| {
        let name = fen.position.san(ranked.m, rules.lettering());
        let category = ranked.category;
        match ranked.dtm.moves() {
            Some(moves) => format!("{name} {category}, mate in {moves}"),
            None => format!("{name} {category}"),
        }
    };
    Ok(moves.into_iter().map(line).collect())
}
