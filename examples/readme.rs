//! The program of `docs/engine/rust.md`: ranks the moves of a position, with its FEN's count.
//!
//! ```text
//! cargo run --release --example readme
//! ```

use std::error::Error;

use sakmak::{Count, RankedMove, RuleSet, Tablebase};

fn main() -> Result<(), Box<dyn Error>> {
    // The fields behind the side to move are the count: 20 plies of 88 have been counted.
    for ranked in best_moves("tables", "8/8/8/3k4/8/3K4/2SM4/8 w - 88 20 1")? {
        println!("{} {} {:?}", ranked.m, ranked.category, ranked.dtm);
    }
    Ok(())
}

/// The moves of a position, the best first, with the count that its FEN has.
pub fn best_moves(directory: &str, fen: &str) -> Result<Vec<RankedMove>, Box<dyn Error>> {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory)?;
    let fen = RuleSet::Makruk.read_fen(fen)?;
    let count = Count::from_fen(&fen);
    Ok(tablebase.best_moves(&fen.position, RuleSet::Makruk, &count)?)
}
