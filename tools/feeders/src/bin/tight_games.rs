//! Prints games of best play whose count is tight, one JSON object a line, for another program to
//! play out (`tools/crosscheck/run-tight`).
//!
//! ```text
//! tight_games TABLES GAMES [SEED]
//! ```
//!
//! GAMES games begin with a count that leaves the winner exactly the moves it needs, and as many
//! with one that leaves a move less. They are spread evenly over the rule sets, endings with a bare
//! king and with men on both sides, and counts that began with either side to move.
//!
//! If there are tables with bia, as many games again of makruk and of ouk begin with a bia on the board:
//! wins, and wins that any count comes too early for. The count begins on the way, and leaves as little to
//! spare as a few tries find. As many more games of ouk begin with a bia and a tight board's honor.

use std::io::{self, BufWriter, Write};

use anyhow::{bail, ensure};
use sakmak::board::{Color, Position};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{Distance, Moves, Tablebase};
use sakmak::rules::{
    Category, Count, RuleSet, boards_honor_limit, moves_available, pieces_honor_limit,
};
use sakmak_feeders::{Arguments, BestPlay, Random, place_ending};
use serde_json::{Value as Json, json};

/// The number of positions that are tried before the search is given up.
const ATTEMPTS: usize = 1_000_000;

/// The limit of the only count that runs while there are bia, in moves.
const BOARDS_HONOR_OF_OUK: u32 = 63;

/// Shorter wins leave nothing to go wrong.
const SHORTEST: u32 = 5;

fn main() -> anyhow::Result<()> {
    let Arguments {
        tablebase,
        number: games,
        mut random,
    } = Arguments::parse("tight_games TABLES GAMES [SEED]")?;

    let mut groups = Vec::new();
    for (rules, bare) in [
        (RuleSet::Makruk, true),
        (RuleSet::Makruk, false),
        (RuleSet::Ouk, true),
        (RuleSet::Ouk, false),
        // ASEAN chess counts only against a bare king.
        (RuleSet::Asean, true),
    ] {
        groups.extend([0, 1].map(|odd| Group {
            rules,
            bare,
            bia: false,
            odd,
        }));
    }
    let mut out = BufWriter::new(io::stdout().lock());
    for short in [0, 1] {
        for game in 0..games {
            let group = groups[game % groups.len()];
            writeln!(out, "{}", group.game(&tablebase, short, &mut random)?)?;
        }
    }
    let with_bia: Vec<CanonicalMaterial> = tablebase
        .inventory()
        .materials()
        .filter(|material| !material.is_pawnless())
        .collect();
    let games_with_bia = if with_bia.is_empty() { 0 } else { games };
    for wins in [true, false] {
        for rules in [RuleSet::Makruk, RuleSet::Ouk] {
            for _ in 0..games_with_bia {
                let game = bia_game(&tablebase, rules, &with_bia, wins, &mut random)?;
                writeln!(out, "{game}")?;
            }
        }
    }
    for short in [0, 1] {
        for game in 0..games_with_bia {
            let group = Group {
                rules: RuleSet::Ouk,
                bare: game / 2 % 2 == 1,
                bia: true,
                odd: game as u32 % 2,
            };
            writeln!(out, "{}", group.game(&tablebase, short, &mut random)?)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Games of which the tightest is taken.
const TRIES: usize = 12;

/// A game that begins with a bia on the board: a win in time, or one on the board alone.
fn bia_game(
    tablebase: &Tablebase,
    rules: RuleSet,
    materials: &[CanonicalMaterial],
    wins: bool,
    random: &mut Random,
) -> anyhow::Result<Json> {
    let mut best: Option<(u32, Json)> = None;
    let mut tries = 0;
    for _ in 0..ATTEMPTS {
        if tries == TRIES {
            break;
        }
        let material = materials[random.below(materials.len())];
        // With men on both sides ouk's count would begin before the first move.
        if rules.counts_with_bia() && !material.is_bare() {
            continue;
        }
        let (first, turn) = (random.color(), random.color());
        let Some(position) = place_ending(random, material, first, turn) else {
            continue;
        };
        let value = tablebase.probe(&position, rules, &Count::Fresh)?;
        let category = match wins {
            true => Category::Win,
            false => Category::CursedWin,
        };
        let long_enough = value
            .dtm
            .moves()
            .is_some_and(|Moves(moves)| u32::from(moves) >= SHORTEST);
        if ![category, -category].contains(&value.category) || !long_enough {
            continue;
        }
        let Some(winner) = value.dtm.winner(turn) else {
            continue;
        };
        tries += 1;
        let play = BestPlay::new(tablebase, rules, &position, Count::Fresh, winner)?;
        let Some(spare) = spare(tablebase, rules, &play, winner)? else {
            continue;
        };
        if best.as_ref().is_some_and(|(least, _)| *least <= spare) {
            continue;
        }
        let kind = if wins { "bia-win" } else { "bia-draw" };
        let fen = Count::Fresh.to_fen(position, 1);
        let game = json!({
            "rules": rules,
            "kind": kind,
            "fen": fen.display(rules.lettering()).to_string(),
            "winner": if winner == Color::White { "w" } else { "b" },
            "dtm": value.dtm.moves(),
            "available": null,
            "moves": play.moves,
            "end": play.end,
        });
        best = Some((spare, game));
    }
    match best {
        Some((_, game)) => Ok(game),
        None => bail!("no game with bia was found"),
    }
}

/// By how many moves the count that begins on the way differs from those that the winner then needs; none
/// if the game ends before.
fn spare(
    tablebase: &Tablebase,
    rules: RuleSet,
    play: &BestPlay,
    winner: Color,
) -> anyhow::Result<Option<u32>> {
    for (_, fen) in &play.moves {
        let fen = rules.read_fen(fen)?;
        let count = Count::from_fen(&fen);
        if count == Count::Fresh || !fen.position.is_pawnless() {
            continue;
        }
        let (men, turn) = (fen.position.material(), fen.position.turn());
        let left = moves_available(rules, men, winner, turn, &count);
        let value = tablebase.probe(&fen.position, rules, &count)?;
        let needed = value.dth.unwrap_or(value.dtm).moves();
        return Ok(left
            .zip(needed)
            .map(|(left, Moves(needed))| left.abs_diff(needed.into())));
    }
    Ok(None)
}

/// Which games are alike.
#[derive(Clone, Copy, Debug)]
struct Group {
    rules: RuleSet,
    /// True if one king is bare.
    bare: bool,
    /// True if there are bia.
    bia: bool,
    /// 1 if the count began with the winner to move, else 0.
    odd: u32,
}

impl Group {
    /// A game whose count leaves this many moves less than the winner needs.
    fn game(self, tablebase: &Tablebase, short: u32, random: &mut Random) -> anyhow::Result<Json> {
        let materials: Vec<CanonicalMaterial> = tablebase
            .inventory()
            .materials()
            .filter(|material| {
                material.is_pawnless() != self.bia && material.is_bare() == self.bare
            })
            .collect();
        ensure!(!materials.is_empty(), "there are no tables for {self:?}");
        for _ in 0..ATTEMPTS {
            let material = materials[random.below(materials.len())];
            let (first, turn) = (random.color(), random.color());
            let Some(position) = place_ending(random, material, first, turn) else {
                continue;
            };
            let needed = match tablebase.dth(&position, self.rules)? {
                Some(dth) => dth,
                None => tablebase.dtm(&position)?,
            };
            let (Some(winner), Some(Moves(moves))) =
                (needed.winner(position.turn()), needed.moves())
            else {
                continue;
            };
            let moves = u32::from(moves);
            if moves < SHORTEST {
                continue;
            }
            let Some(count) = self.count(&position, winner, moves - short) else {
                continue;
            };
            return self.play(tablebase, &position, winner, count, short);
        }
        bail!("no position was found for {self:?}")
    }

    /// A count that leaves exactly this many moves, if play can lead to it.
    fn count(self, position: &Position, winner: Color, moves: u32) -> Option<Count> {
        let (rules, material, turn) = (self.rules, position.material(), position.turn());
        let limit = match (self.bare, self.bia) {
            (_, true) => Some(BOARDS_HONOR_OF_OUK),
            (true, false) => pieces_honor_limit(rules, material.army(winner)),
            (false, false) => boards_honor_limit(rules, material),
        };
        let limit_plies = 2 * limit?;
        // The counter is odd with the winner to move if the count began with the other side.
        let odd = (turn == winner) != (self.odd == 1);
        (0..=limit_plies)
            .filter(|counted| (counted % 2 == 1) == odd)
            .map(|counted_plies| Count::Explicit {
                limit_plies,
                counted_plies,
            })
            .find(|count| {
                moves_available(rules, material, winner, turn, count) == Some(moves)
                    && count.note(rules, material, turn).is_none()
            })
    }

    fn play(
        self,
        tablebase: &Tablebase,
        position: &Position,
        winner: Color,
        start: Count,
        short: u32,
    ) -> anyhow::Result<Json> {
        let rules = self.rules;
        let lettering = rules.lettering();
        let fen = start.to_fen(*position, 1);
        let text = fen.display(lettering).to_string();
        let value = tablebase.probe(position, rules, &start)?;
        let category = match short {
            0 => Category::Win,
            _ => Category::CursedWin,
        };
        ensure!(
            value.category == category || value.category == -category,
            "{rules}: {text} is a {}",
            value.category
        );
        let BestPlay { moves, end } = BestPlay::new(tablebase, rules, position, start, winner)?;
        let distance = match short {
            0 => value.dth.unwrap_or(value.dtm),
            _ => Distance::Draw,
        };
        let kind = match (self.bia, short) {
            (false, 0) => "tight-win",
            (false, _) => "tight-draw",
            (true, 0) => "bia-tight-win",
            (true, _) => "bia-tight-draw",
        };
        Ok(json!({
            "rules": rules,
            "kind": kind,
            "fen": text,
            "winner": if winner == Color::White { "w" } else { "b" },
            "dtm": distance.moves(),
            "available": value.allowance.map(|allowance| allowance.moves_available),
            "moves": moves,
            "end": end,
        }))
    }
}
