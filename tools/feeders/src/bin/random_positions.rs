//! Prints random legal positions of 3 to 8 men, bia among them in one of two, with all that the board
//! knows about them, one JSON object a line, for a comparison with other programs
//! (`tools/crosscheck/run`).
//!
//! ```text
//! random_positions makruk|asean|ouk POSITIONS [SEED]
//! ```

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail};
use sakmak::board::{Color, Fen, Game, Position, Role};
use sakmak::material::MAX_MEN;
use sakmak::rules::RuleSet;
use sakmak_feeders::{Random, place};
use serde_json::json;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rules, positions, seed) = match arguments.as_slice() {
        [rules, positions] => (rules, positions, "1"),
        [rules, positions, seed] => (rules, positions, seed.as_str()),
        _ => bail!("usage: random_positions makruk|asean|ouk POSITIONS [SEED]"),
    };
    let game = rules.parse::<RuleSet>()?.game();
    let lettering = game.lettering();
    let positions: u64 = positions.parse().context("POSITIONS must be a number")?;
    let mut random = Random::new(seed.parse().context("SEED must be a number")?);

    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..positions {
        let position = random_position(&mut random, game);
        let mut moves: Vec<_> = position
            .legal_moves_in(game)
            .into_iter()
            .map(|m| (m.uci(lettering).to_string(), position.san(m, lettering)))
            .collect();
        moves.sort();
        let line = json!({
            "fen": Fen::new(position).display(lettering).to_string(),
            "check": position.is_check(),
            "checkmate": position.is_checkmate(),
            "stalemate": position.is_stalemate(),
            "moves": moves,
        });
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}

/// A random legal position. One in two is crowded into a corner, where checks, mates and
/// stalemates are common, and one in two has bia.
fn random_position(random: &mut Random, game: Game) -> Position {
    let men = 3 + random.below(MAX_MEN - 2);
    let crowded = random.below(2) == 0;
    // One in two is a bare-king ending.
    let bare = (random.below(2) == 0).then(|| random.color());
    let turn = random.color();
    let corner = random.below(64) & 0b100_100;
    let roles = &Role::MEN[..4 + random.below(2)];
    loop {
        let men: Vec<_> = (0..men)
            .map(|i| match i {
                0 | 1 => (Color::ALL[i], Role::King),
                _ => (
                    bare.map_or_else(|| random.color(), |bare| !bare),
                    roles[random.below(roles.len())],
                ),
            })
            .collect();
        let square = |anywhere| match crowded {
            true => (anywhere & 0b011_011) ^ corner,
            false => anywhere,
        };
        if let Some(position) = place(random, game, &men, turn, square) {
            return position;
        }
    }
}
