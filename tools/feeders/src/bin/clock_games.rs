//! Prints lines of best play in ASEAN chess from random positions with random clocks, one JSON
//! object a line, for another program to play out (`tools/crosscheck/run-clocks`).
//!
//! ```text
//! clock_games TABLES GAMES [SEED]
//! ```
//!
//! TABLES is a directory of tables, or several separated as in PATH. There are GAMES lines from
//! positions that are won with the plies since the last capture that their FEN gives, 0 to 99. As
//! many lines are from positions that could be won but for those plies or another limit of the
//! rules. In three of four positions both sides have men. Half of the clocks are just short enough,
//! or just too long.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail, ensure};
use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Moves, Tablebase};
use sakmak::rules::{Category, Count, RuleSet, pieces_honor_limit};
use sakmak_feeders::{Arguments, BestPlay, Random, place_ending};
use serde_json::{Value as Json, json};

const RULES: RuleSet = RuleSet::Asean;

/// After this number of random positions without a wanted one, the search is given up.
const ATTEMPTS: usize = 1_000_000;

fn main() -> anyhow::Result<()> {
    let Arguments {
        tablebase,
        number: games,
        mut random,
    } = Arguments::parse("clock_games TABLES GAMES [SEED]")?;
    let (bare, two_sided): (Vec<_>, Vec<_>) = tablebase
        .inventory()
        .materials()
        .filter(|material| material.men() > 3 && !outlasts_the_clock(*material))
        .partition(|material| material.is_bare());
    ensure!(
        !bare.is_empty() && !two_sided.is_empty(),
        "there are no tables of four men or more of both kinds"
    );
    let mut out = BufWriter::new(io::stdout().lock());
    for kind in [Category::Win, Category::CursedWin] {
        for game in 0..games {
            let materials = if game % 4 == 0 { &bare } else { &two_sided };
            let (position, count) = find(&tablebase, materials, kind, &mut random)?;
            writeln!(out, "{}", play(&tablebase, kind, &position, count)?)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// A random position, with a clock, that one side wins or would win if the rules set no limits.
fn find(
    tablebase: &Tablebase,
    materials: &[CanonicalMaterial],
    kind: Category,
    random: &mut Random,
) -> anyhow::Result<(Position, Count)> {
    for _ in 0..ATTEMPTS {
        let material = materials[random.below(materials.len())];
        let Some(position) = random_position(material, random) else {
            continue;
        };
        let fresh = tablebase.probe(&position, RULES, &Count::Fresh)?;
        let Some(Moves(moves)) = fresh.dth.unwrap_or(fresh.dtm).moves().filter(|m| m.0 > 0) else {
            continue;
        };
        let chosen = random.below(100) as u32;
        let clock = match random.below(2) {
            0 => chosen,
            _ => (97 + chosen % 6)
                .saturating_sub(2 * u32::from(moves))
                .min(99),
        };
        let count = begun(&position, clock);
        let category = tablebase.category(&position, RULES, &count)?;
        if category == kind || category == -kind {
            return Ok((position, count));
        }
    }
    bail!("no position of this kind was found in {ATTEMPTS} tries")
}

/// True if the count against a bare king is longer than fifty moves. A FEN has the count then and not
/// the clock, which Fairy-Stockfish begins anew when it reads one.
fn outlasts_the_clock(material: CanonicalMaterial) -> bool {
    let limit = pieces_honor_limit(RULES, material.army(Color::White));
    material.is_bare() && limit.is_some_and(|limit| limit > 50)
}

/// One attempt at a position of an ending, either side having the colour White.
fn random_position(material: CanonicalMaterial, random: &mut Random) -> Option<Position> {
    let first = random.color();
    let turn = match material.is_bare() {
        // A FEN cannot say that ASEAN chess's count begins with the next move but one.
        true => !first,
        false => random.color(),
    };
    place_ending(random, material, first, turn)
}

/// The clock, which against a bare king is the count too if there is one: both began with the same
/// capture.
fn begun(position: &Position, clock: u32) -> Count {
    let material = position.material();
    let limit = material
        .bare_side()
        .and_then(|bare| pieces_honor_limit(RULES, material.army(!bare)));
    Count::of_plies(limit.map_or(0, |limit| 2 * limit), clock)
}

/// Best play from a position with a count.
fn play(
    tablebase: &Tablebase,
    kind: Category,
    position: &Position,
    start: Count,
) -> anyhow::Result<Json> {
    let lettering = RULES.lettering();
    let dtm: Distance = tablebase.dtm(position)?;
    let winner = dtm.winner(position.turn()).context("somebody mates")?;
    let BestPlay { moves, end } = BestPlay::new(tablebase, RULES, position, start, winner)?;
    Ok(json!({
        "rules": RULES,
        "kind": if kind == Category::Win { "clock-win" } else { "clock-draw" },
        "fen": start.to_fen(*position, 1).display(lettering).to_string(),
        "winner": if winner == Color::White { "w" } else { "b" },
        "moves": moves,
        "end": end,
    }))
}
