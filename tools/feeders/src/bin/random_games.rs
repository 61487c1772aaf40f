//! Prints random games with what the full board here says at every ply, one JSON object a line, for
//! a comparison with Fairy-Stockfish (`tools/crosscheck/run-games`).
//!
//! ```text
//! random_games makruk|asean|ouk GAMES [SEED]
//! ```
//!
//! Half the games begin at the start position, half at a position of few men and bia, from which
//! pawnless endings are more often reached.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail};
use sakmak::board::Move;
use sakmak::game::GameState;
use sakmak::rules::RuleSet;
use sakmak_feeders::Random;
use serde_json::{Value as Json, json};

/// The most plies of a game.
const LONGEST: usize = 300;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (rules, games, seed) = match arguments.as_slice() {
        [rules, games] => (rules, games, "1"),
        [rules, games, seed] => (rules, games, seed.as_str()),
        _ => bail!("usage: random_games makruk|asean|ouk GAMES [SEED]"),
    };
    let rules: RuleSet = rules.parse()?;
    let games: usize = games.parse().context("GAMES must be a number")?;
    let mut random = Random::new(seed.parse().context("SEED must be a number")?);

    let mut out = BufWriter::new(io::stdout().lock());
    for number in 0..games {
        let start = match number % 2 {
            0 => GameState::start(rules),
            _ => few_men(&mut random, rules),
        };
        writeln!(out, "{}", game(&mut random, start))?;
    }
    out.flush()?;
    Ok(())
}

/// A legal position of two kings, up to five men and up to four bia, perhaps with a count or a
/// clock, and in ouk perhaps with first leaps.
fn few_men(random: &mut Random, rules: RuleSet) -> GameState {
    let men = match rules {
        RuleSet::Asean => b"RNBQ",
        _ => b"RNSM",
    };
    loop {
        let mut squares = [None; 64];
        let mut put = |random: &mut Random, letter: u8, from: usize, to: usize| {
            let square = from + random.below(to - from);
            squares[square] = Some(char::from(letter));
        };
        for _ in 0..random.below(6) {
            let letter = men[random.below(4)];
            let black = random.below(2) == 1;
            put(
                random,
                if black {
                    letter.to_ascii_lowercase()
                } else {
                    letter
                },
                0,
                64,
            );
        }
        for _ in 0..random.below(5) {
            let letter = [b'P', b'p'][random.below(2)];
            put(random, letter, 24, 40);
        }
        let home = rules == RuleSet::Ouk && random.below(2) == 1;
        match home {
            true => {
                put(random, b'K', 3, 4);
                put(random, b'M', 4, 5);
                put(random, b'm', 59, 60);
                put(random, b'k', 60, 61);
            }
            false => {
                put(random, b'K', 0, 64);
                put(random, b'k', 0, 64);
            }
        }
        let board: Vec<String> = (0..8)
            .rev()
            .map(|rank| {
                let squares = &squares[8 * rank..8 * rank + 8];
                squares.iter().map(|man| man.unwrap_or('1')).collect()
            })
            .collect();
        let turn = ["w", "b"][random.color().index()];
        let leaps = if home { "DEde" } else { "-" };
        let fen = format!(
            "{} {turn} {leaps} - {} 30",
            board.join("/"),
            random.below(90)
        );
        if let Ok(state) = GameState::from_fen(&fen, rules) {
            return state;
        }
    }
}

fn game(random: &mut Random, start: GameState) -> Json {
    let mut state = start;
    let mut plies = vec![ply(&state, None, String::new())];
    for _ in 0..LONGEST {
        let moves = state.board.legal_moves();
        if moves.is_empty() {
            break;
        }
        let lively: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|&m| state.board.is_capture(m) || m.promotion.is_some())
            .collect();
        let mate = moves.iter().find(|&&m| state.board.play(m).is_checkmate());
        let choice = match random.below(3) {
            // Chance alone hardly ever mates.
            _ if mate.is_some() => mate.copied().unwrap_or(moves[0]),
            0 if !lively.is_empty() => lively[random.below(lively.len())],
            _ => moves[random.below(moves.len())],
        };
        let san = state.board.san(choice);
        let next = state.play(choice);
        plies.push(ply(&next, Some((&state, choice)), san));
        state = next;
    }
    json!({ "fen": start.to_string(), "plies": plies })
}

fn ply(state: &GameState, made: Option<(&GameState, Move)>, san: String) -> Json {
    let moves = state.board.legal_moves();
    let mut legal: Vec<String> = moves
        .iter()
        .map(|m| m.uci(state.lettering()).to_string())
        .collect();
    legal.sort();
    let irreversible = made.is_some() && state.counters.clock == 0;
    json!({
        "move": made.map(|(before, m)| m.uci(before.lettering()).to_string()),
        "san": san,
        "fen": state.to_string(),
        "promoted": state.fen_with_promoted(),
        "legal": legal,
        "check": state.board.is_check(),
        "over": state.counters.is_over(state.rules()),
        "irreversible": irreversible,
    })
}
