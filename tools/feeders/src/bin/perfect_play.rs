//! Prints lines of best play from random positions, one JSON object a line, for another program to
//! play out (`tools/crosscheck/run-play`).
//!
//! ```text
//! perfect_play TABLES WINS [SEED]
//! ```
//!
//! TABLES is a directory of tables, or several separated as in PATH. Under makruk there are WINS
//! lines from won positions with a bare king, as many from count draws with a bare king, and half
//! as many from wins with men on both sides; under ouk and ASEAN chess a fifth of each. Every ending
//! that has a table and such positions is as likely as any other.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, ensure};
use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Moves, Tablebase, Value};
use sakmak::rules::{Category, Count, RuleSet, boards_honor_limit, pieces_honor_limit};
use sakmak_feeders::{Arguments, BestPlay, Random, place_ending};
use serde::Serialize;
use serde_json::{Value as Json, json};

/// An ending is given up after this number of random positions without a wanted one.
const ATTEMPTS: usize = 2000;

fn main() -> anyhow::Result<()> {
    let Arguments {
        tablebase,
        number: wins,
        mut random,
    } = Arguments::parse("perfect_play TABLES WINS [SEED]")?;

    let mut out = BufWriter::new(io::stdout().lock());
    for rules in RuleSet::ALL {
        let wins = match rules {
            RuleSet::Makruk => wins,
            RuleSet::Asean | RuleSet::Ouk => wins.div_ceil(5),
        };
        for (kind, lines) in [
            (Kind::Win, wins),
            (Kind::CountDraw, wins),
            (Kind::TwoSidedWin, wins.div_ceil(2)),
        ] {
            let mut search = Search::new(&tablebase, rules, kind);
            for _ in 0..lines {
                let (position, value) = search.next(&mut random)?;
                let line = play(&tablebase, rules, kind, &position, &value)?;
                writeln!(out, "{line}")?;
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// The kind of line to play.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    /// The bare king is mated inside the count.
    Win,
    /// The bare king would be mated, but not inside the count.
    CountDraw,
    /// Both sides have men, and one of them wins.
    TwoSidedWin,
}

impl Kind {
    /// True if a position of this value is one.
    fn fits(self, value: &Value) -> bool {
        let category = match self {
            Kind::Win | Kind::TwoSidedWin => Category::Win,
            Kind::CountDraw => Category::CursedWin,
        };
        let play_on = value.dtm.moves() != Some(Moves(0));
        play_on && (value.category == category || value.category == -category)
    }
}

/// Looks for random positions of a kind.
struct Search<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    kind: Kind,
    materials: Vec<CanonicalMaterial>,
}

impl Search<'_> {
    fn new(tablebase: &Tablebase, rules: RuleSet, kind: Kind) -> Search<'_> {
        let bare = kind != Kind::TwoSidedWin;
        Search {
            tablebase,
            rules,
            kind,
            materials: tablebase
                .inventory()
                .tables()
                .map(|(material, _)| material)
                .filter(|material| material.is_bare() == bare)
                .collect(),
        }
    }

    fn next(&mut self, random: &mut Random) -> anyhow::Result<(Position, Value)> {
        loop {
            ensure!(
                !self.materials.is_empty(),
                "the tables have no such positions under {}",
                self.rules
            );
            let i = random.below(self.materials.len());
            for _ in 0..ATTEMPTS {
                let Some(position) = self.position(self.materials[i], random) else {
                    continue;
                };
                let value = self.tablebase.probe(&position, self.rules, &Count::Fresh)?;
                if self.kind.fits(&value) {
                    return Ok((position, value));
                }
            }
            self.materials.swap_remove(i);
        }
    }

    /// One attempt at a position of an ending, either side having the colour White.
    fn position(&self, material: CanonicalMaterial, random: &mut Random) -> Option<Position> {
        let first = random.color();
        let turn = match self.kind {
            Kind::TwoSidedWin => random.color(),
            // A FEN cannot say that ASEAN chess's count begins with the next move but one.
            _ if self.rules == RuleSet::Asean => !first,
            // Most often the bare king's, with which the count begins.
            _ if random.below(4) > 0 => !first,
            _ => first,
        };
        place_ending(random, material, first, turn)
    }
}

/// Best play from a position with a fresh count.
fn play(
    tablebase: &Tablebase,
    rules: RuleSet,
    kind: Kind,
    position: &Position,
    value: &Value,
) -> anyhow::Result<Json> {
    let lettering = rules.lettering();
    let winner = winner(value, position.turn())?;
    let BestPlay { moves, end } = BestPlay::new(tablebase, rules, position, Count::Fresh, winner)?;
    let start = begun(rules, position, winner).to_fen(*position, 1);
    Ok(json!({
        "rules": rules,
        "kind": kind,
        "fen": start.display(lettering).to_string(),
        "winner": if winner == Color::White { "w" } else { "b" },
        "dtm": value.dtm.moves(),
        "available": value.allowance.map(|allowance| allowance.moves_available),
        "moves": moves,
        "end": end,
    }))
}

/// The side that wins, or would if nothing were counted.
fn winner(value: &Value, turn: Color) -> anyhow::Result<Color> {
    let distance = value
        .dth
        .filter(|&dth| dth != Distance::Draw)
        .unwrap_or(value.dtm);
    distance.winner(turn).context("a win has a winner")
}

/// A fresh count as the fields of a FEN. Another program may begin a count one move later if the
/// FEN has none, so the fields state it. If that program would begin at the right move anyway, the
/// fields are left out.
fn begun(rules: RuleSet, position: &Position, winner: Color) -> Count {
    let material = position.material();
    let early = u32::from(position.turn() == winner);
    let (limit, counted_plies) = match material.army(!winner).is_empty() {
        true => {
            let men = match rules {
                RuleSet::Asean => 0,
                RuleSet::Makruk | RuleSet::Ouk => material.men() as u32,
            };
            let counted_plies = 2 * men - early;
            (
                pieces_honor_limit(rules, material.army(winner)),
                counted_plies,
            )
        }
        false if early > 0 => return Count::Fresh,
        false => (boards_honor_limit(rules, material), 0),
    };
    limit.map_or(Count::Fresh, |limit| Count::Explicit {
        limit_plies: 2 * limit,
        counted_plies,
    })
}
