//! Prints random positions with bia, what the tables say of them and of the positions after each move, one
//! JSON object a line, for another program to play the moves (`tools/crosscheck/run-bia`).
//!
//! ```text
//! bia_positions TABLES POSITIONS [SEED]
//! ```

use std::io::{self, BufWriter, Write};

use anyhow::ensure;
use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Tablebase};
use sakmak::rules::{Count, RuleSet};
use sakmak_feeders::{Arguments, place_ending};
use serde_json::{Value as Json, json};

const RULES: RuleSet = RuleSet::Makruk;

fn main() -> anyhow::Result<()> {
    let Arguments {
        tablebase,
        number: positions,
        mut random,
    } = Arguments::parse("bia_positions TABLES POSITIONS [SEED]")?;
    let materials: Vec<CanonicalMaterial> = tablebase
        .inventory()
        .materials()
        .filter(|material| !material.is_pawnless())
        .collect();
    ensure!(!materials.is_empty(), "there are no tables with bia");
    let mut out = BufWriter::new(io::stdout().lock());
    let mut printed = 0;
    while printed < positions {
        let material = materials[random.below(materials.len())];
        let (first, turn) = (random.color(), random.color());
        if let Some(position) = place_ending(&mut random, material, first, turn) {
            writeln!(out, "{}", looked_up(&tablebase, &position)?)?;
            printed += 1;
        }
    }
    out.flush()?;
    Ok(())
}

/// A position, and the positions after its moves.
fn looked_up(tablebase: &Tablebase, position: &Position) -> anyhow::Result<Json> {
    let lettering = RULES.lettering();
    let mut moves = Vec::new();
    for m in position.legal_moves() {
        let next = position.play(m);
        // Whoever would win: where a count begins with this move it is the same.
        let count = Count::Fresh.after(RULES, position, &next, position.turn());
        let fullmove = 1 + u32::from(position.turn() == Color::Black);
        let fen = count.to_fen(next, fullmove).display(lettering).to_string();
        let mut standing = standing(tablebase, &next, &count)?;
        standing["uci"] = json!(m.to_string());
        standing["san"] = json!(position.san(m, lettering));
        standing["fen"] = json!(fen);
        moves.push(standing);
    }
    let mut document = standing(tablebase, position, &Count::Fresh)?;
    let fen = Count::Fresh.to_fen(*position, 1);
    document["fen"] = json!(fen.display(lettering).to_string());
    document["moves"] = json!(moves);
    Ok(document)
}

/// What the tables say of a position, to the side to move.
fn standing(tablebase: &Tablebase, position: &Position, count: &Count) -> anyhow::Result<Json> {
    let value = tablebase.probe(position, RULES, count)?;
    Ok(json!({
        "category": value.category,
        "dtm": signed(value.dtm),
        "dth": value.dth.map(signed),
        "pawnless": position.is_pawnless(),
    }))
}

/// "win" or "loss" and the moves; none for a draw.
fn signed(distance: Distance) -> Json {
    match distance {
        Distance::Win(moves) => json!(["win", moves]),
        Distance::Draw => Json::Null,
        Distance::Loss(moves) => json!(["loss", moves]),
    }
}
