//! Prints random legal positions of 3 to 8 men with all that the board knows about them, one JSON
//! object a line, for a comparison with other programs (`tools/crosscheck/run`).
//!
//! ```text
//! random_positions makruk|asean POSITIONS [SEED]
//! ```

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail};
use sakmak::board::{Color, Fen, Lettering, MAX_MEN, Position, Role, Square};
use serde_json::json;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (lettering, positions, seed) = match arguments.as_slice() {
        [lettering, positions] => (lettering, positions, "1"),
        [lettering, positions, seed] => (lettering, positions, seed.as_str()),
        _ => bail!("usage: random_positions makruk|asean POSITIONS [SEED]"),
    };
    let lettering = match lettering.as_str() {
        "makruk" => Lettering::Makruk,
        "asean" => Lettering::Asean,
        other => bail!("{other:?} is no lettering: write makruk or asean"),
    };
    let positions: u64 = positions.parse().context("POSITIONS must be a number")?;
    let mut random = Random(seed.parse().context("SEED must be a number")?);

    let mut out = BufWriter::new(io::stdout().lock());
    for _ in 0..positions {
        let position = random.position();
        let mut moves: Vec<_> = position
            .legal_moves()
            .into_iter()
            .map(|m| (m.to_string(), position.san(m, lettering)))
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

/// SplitMix64: the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn color(&mut self) -> Color {
        Color::ALL[self.below(2)]
    }

    /// A random legal position. One in two is crowded into a corner, where checks, mates and
    /// stalemates are common.
    fn position(&mut self) -> Position {
        let men = 3 + self.below(MAX_MEN - 2);
        let crowded = self.below(2) == 0;
        // One in two is a bare-king ending.
        let bare = (self.below(2) == 0).then(|| self.color());
        let turn = self.color();
        let corner = self.below(64) & 0b100_100;
        loop {
            let placed: Vec<_> = (0..men)
                .map(|i| {
                    let anywhere = self.below(64);
                    let square = match crowded {
                        true => (anywhere & 0b011_011) ^ corner,
                        false => anywhere,
                    };
                    let (color, role) = match i {
                        0 | 1 => (Color::ALL[i], Role::King),
                        _ => (
                            bare.map_or_else(|| self.color(), |bare| !bare),
                            Role::MEN[self.below(4)],
                        ),
                    };
                    (Square::wrapping(square), color, role)
                })
                .collect();
            if let Ok(position) = Position::from_men(placed, turn) {
                return position;
            }
        }
    }
}
