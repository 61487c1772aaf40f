//! Probes tables in memory: built into a program, or received over a network. This needs
//! no file system.
//!
//! ```text
//! cargo run --release --example from_bytes -- "8/8/8/8/8/2k5/8/K6R w" tables/KRvK.skm
//! ```

use std::error::Error;

use sakmak::board::{Fen, Lettering};
use sakmak::probe::{Distance, Tablebase};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments
        .next()
        .ok_or("usage: from_bytes FEN TABLE.skm...")?;
    let tables = arguments.map(std::fs::read).collect::<Result<_, _>>()?;
    match from_bytes(tables, &fen)? {
        Distance::Win(moves) => println!("the side to move mates in {moves}"),
        Distance::Loss(moves) => println!("the side to move is mated in {moves}"),
        Distance::Draw => println!("neither side can force mate"),
    }
    Ok(())
}

/// The distance to mate of a position, from tables given as the bytes of their files. Tables of
/// subendings are needed too, for captures.
pub fn from_bytes(tables: Vec<Vec<u8>>, fen: &str) -> Result<Distance, Box<dyn Error>> {
    let mut tablebase = Tablebase::new();
    for bytes in tables {
        // The header is checked now, each block when a probe first needs it.
        tablebase.add_bytes(bytes)?;
    }
    let fen = Fen::parse(fen, Lettering::Makruk)?;
    Ok(tablebase.dtm(&fen.position)?)
}
