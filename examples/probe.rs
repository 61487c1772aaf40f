//! Probes a position: the winner, the moves to mate, and the effect of the count.
//!
//! ```text
//! cargo run --release --example probe -- tables "8/8/8/3k4/8/3K4/2SM4/8 w"
//! ```

use std::error::Error;

use sakmak::probe::{Distance, Tablebase};
use sakmak::rules::{Count, RuleSet};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, fen] = arguments.as_slice() else {
        return Err("usage: probe DIRECTORY FEN".into());
    };
    println!("{}", probe(directory, fen)?);
    Ok(())
}

/// The tables' answer for a position, as text.
pub fn probe(directory: &str, fen: &str) -> Result<String, Box<dyn Error>> {
    let rules = RuleSet::Makruk;
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory)?;

    // The FEN may have a count, in plies. Without one the bare king has not begun to count.
    let fen = rules.read_fen(fen)?;
    let count = Count::from_fen(&fen);

    let value = tablebase.probe(&fen.position, rules, &count)?;
    // Distances are for the side to move, with nothing counted; the category includes the count. A
    // cursed win is won on the board and drawn by the count.
    let distance = match value.dtm {
        Distance::Win(moves) => format!("mates in {moves}"),
        Distance::Loss(moves) => format!("is mated in {moves}"),
        Distance::Draw => "cannot force mate".to_string(),
    };
    let mut answer = format!("{}: {} {distance}", value.category, fen.position.turn());
    if let Some(allowance) = value.allowance {
        answer += &format!(", the count leaves {} moves", allowance.moves_available);
    }
    Ok(answer)
}
