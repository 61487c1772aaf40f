//! The second program of `docs/engine/rust.md`: walks an ending for promotions that throw the win away.
//!
//! ```text
//! cargo run --release --example premature_promotions
//! ```

use std::collections::HashMap;
use std::error::Error;

use sakmak::{Category, Color, Count, Role, RuleSet, Square, Tablebase};

fn main() -> Result<(), Box<dyn Error>> {
    for (square, promotions) in premature_promotions("tables", "KRPvK")? {
        println!("{square}: {promotions} promotions throw the win away");
    }
    Ok(())
}

/// The promotions that throw a win away, by the square of the bia.
pub fn premature_promotions(
    directory: &str,
    ending: &str,
) -> Result<HashMap<Square, u32>, Box<dyn Error>> {
    let rules = RuleSet::Makruk;
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory)?;
    let mut premature = HashMap::new();
    for answer in tablebase.ending(ending.parse()?, rules, Color::White) {
        let (position, value) = answer?;
        if value.category != Category::Win {
            continue;
        }
        let moves = position.legal_moves();
        for m in moves.iter().filter(|m| m.promotion == Some(Role::Met)) {
            let next = position.play(*m);
            if tablebase.category(&next, rules, &Count::Fresh)? != Category::Loss {
                *premature.entry(m.from).or_insert(0) += 1;
            }
        }
    }
    Ok(premature)
}
