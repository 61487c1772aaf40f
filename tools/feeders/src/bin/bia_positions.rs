//! Prints random positions with bia, what the tables say of them and of the positions after each move, one
//! JSON object a line, for another program to play the moves (`tools/crosscheck/run-bia`).
//!
//! ```text
//! bia_positions TABLES POSITIONS [SEED]
//! ```
//!
//! Prints POSITIONS positions of makruk, and as many of ouk, under the board's honor or, against a bare king,
//! without a count too.

use std::io::{self, BufWriter, Write};

use anyhow::ensure;
use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Tablebase};
use sakmak::rules::{Count, RuleSet, begins_afresh};
use sakmak_feeders::{Arguments, Random, place_ending};
use serde_json::{Value as Json, json};

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
    for rules in [RuleSet::Makruk, RuleSet::Ouk] {
        let mut printed = 0;
        while printed < positions {
            let material = materials[random.below(materials.len())];
            let (first, turn) = (random.color(), random.color());
            if let Some(position) = place_ending(&mut random, material, first, turn) {
                let count = count(rules, &position, &mut random);
                writeln!(out, "{}", looked_up(&tablebase, rules, &position, &count)?)?;
                printed += 1;
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// A count that the position can have in a game. The last moves of a count are as frequent as all others.
fn count(rules: RuleSet, position: &Position, random: &mut Random) -> Count {
    let is_bare = position.material().bare_side().is_some();
    if !rules.counts_with_bia() || is_bare && random.below(2) == 0 {
        return Count::Fresh;
    }
    let counted_plies = match random.below(2) {
        0 => random.below(126),
        _ => 96 + random.below(30),
    };
    Count::Explicit {
        limit_plies: 126,
        counted_plies: counted_plies as u32,
    }
}

/// A position, and the positions after its moves.
fn looked_up(
    tablebase: &Tablebase,
    rules: RuleSet,
    position: &Position,
    count: &Count,
) -> anyhow::Result<Json> {
    let lettering = rules.lettering();
    let mut moves = Vec::new();
    for m in position.legal_moves() {
        let next = position.play(m);
        // Whoever would win: where a count begins with this move it is the same.
        let after = count.after(rules, position, &next, position.turn());
        let fullmove = 1 + u32::from(position.turn() == Color::Black);
        let fen = after.to_fen(next, fullmove).display(lettering).to_string();
        let mut standing = standing(tablebase, rules, &next, &after)?;
        standing["uci"] = json!(m.to_string());
        standing["san"] = json!(position.san(m, lettering));
        standing["fen"] = json!(fen);
        standing["begins"] = json!(begins_afresh(rules, position.material(), next.material()));
        moves.push(standing);
    }
    let mut document = standing(tablebase, rules, position, count)?;
    document["rules"] = json!(rules);
    let fen = count.to_fen(*position, 1);
    document["fen"] = json!(fen.display(lettering).to_string());
    document["moves"] = json!(moves);
    Ok(document)
}

/// What the tables say of a position, to the side to move.
fn standing(
    tablebase: &Tablebase,
    rules: RuleSet,
    position: &Position,
    count: &Count,
) -> anyhow::Result<Json> {
    let value = tablebase.probe(position, rules, count)?;
    Ok(json!({
        "category": value.category,
        "dtm": signed(value.dtm),
        "dth": value.dth.map(signed),
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
