//! Prints random positions of given endings as FENs, one a line, with and without counts, for a
//! comparison of whatever answers them (`tools/bindings/run`). A few have a count that is
//! impossible, or are no FEN: all programs must refuse those.
//!
//! ```text
//! questions makruk|asean|ouk POSITIONS SEED SET...
//! ```

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail};
use sakmak::board::{Color, Fen, FenCount, Position};
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::rules::{RuleSet, boards_honor_limit, pieces_honor_limit};
use sakmak_feeders::{Random, place};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, positions, seed, sets @ ..] = arguments.as_slice() else {
        bail!("usage: questions makruk|asean|ouk POSITIONS SEED SET...");
    };
    let rules: RuleSet = rules.parse()?;
    let positions: u64 = positions.parse().context("POSITIONS must be a number")?;
    let mut random = Random::new(seed.parse().context("SEED must be a number")?);
    let mut materials: Vec<CanonicalMaterial> = Vec::new();
    for set in sets {
        materials.extend(parse_set(set)?);
    }
    if materials.is_empty() {
        bail!("name at least one ending");
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..positions {
        let material = materials[random.below(materials.len())];
        let position = position(&mut random, material);
        let fen = with_count(&mut random, rules, position);
        let mut text = fen.display(rules.lettering()).to_string();
        if random.below(50) == 0 {
            text = mangled(&mut random, text);
        }
        writeln!(out, "{text}")?;
    }
    out.flush()?;
    Ok(())
}

/// A random position of an ending, either side having either side's men.
fn position(random: &mut Random, material: CanonicalMaterial) -> Position {
    let swap = random.below(2) == 1;
    let owner = |color: Color| if swap { !color } else { color };
    let roles = material.material().roles();
    let men: Vec<_> = roles.map(|(color, role)| (owner(color), role)).collect();
    loop {
        let turn = random.color();
        if let Some(position) = place(random, material.game(), &men, turn, |square| square) {
            return position;
        }
    }
}

/// The position with a count, or without.
fn with_count(random: &mut Random, rules: RuleSet, position: Position) -> Fen {
    let mut fen = Fen::new(position);
    let material = position.material();
    let has_pieces_honor = material.bare_side().is_some() && material.is_pawnless();
    let limit = match material.bare_side() {
        // The board's honor of ouk runs on if a king is bared while there are bia.
        Some(_) if !material.is_pawnless() => rules.counts_with_bia().then_some(63),
        Some(bare) => pieces_honor_limit(rules, material.army(!bare)),
        None => boards_honor_limit(rules, material),
    };
    match (random.below(10), limit) {
        (0..=4, Some(limit)) => {
            let limit = 2 * limit;
            let least = match has_pieces_honor && rules != RuleSet::Asean {
                true => 2 * material.men(),
                false => 0,
            };
            let counted = least + random.below((limit as usize).saturating_sub(least) + 1);
            fen.count = FenCount::new(limit, counted as u32).ok();
        }
        (5, Some(limit)) => {
            // A count that is over.
            let counted = 2 * limit + 1 + random.below(9) as u32;
            fen.count = FenCount::new(2 * limit, counted).ok();
        }
        (5, None) => {
            // Where nothing is counted, or no longer.
            fen.count = FenCount::new(32, random.below(33) as u32).ok();
        }
        (6, _) => fen.clock = random.below(120) as u32,
        _ => {}
    }
    fen.fullmove = 1 + random.below(200) as u32;
    fen
}

/// The text with one character replaced at random, or cut short.
fn mangled(random: &mut Random, mut text: String) -> String {
    const CHARACTERS: &[u8] = b"kKrRsSbBmMqQpP~/19 -wbx\"\\";
    let at = random.below(text.len());
    match random.below(3) {
        0 => text.truncate(at.max(1)),
        _ => {
            let character = CHARACTERS[random.below(CHARACTERS.len())] as char;
            text.replace_range(at..=at, &character.to_string());
        }
    }
    text.trim().to_string()
}
