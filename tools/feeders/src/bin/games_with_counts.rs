//! Makes random games with counts, and plays such games, for a comparison with the programs that
//! follow a count in C (`tools/bindings/run`).
//!
//! ```text
//! games_with_counts make makruk|asean|ouk GAMES SEED
//! games_with_counts play makruk|asean|ouk automatic|not-counted|white|black < games.txt
//! ```
//!
//! The games are written as `capi/examples/game.c` reads them, and played to the lines that it
//! prints.

use std::io::{self, BufRead, BufWriter, Write};

use anyhow::{Context, bail};
use sakmak::board::{Color, Move, Role};
use sakmak::game::{BoardsHonor, GameCount, GameState};
use sakmak::rules::RuleSet;
use sakmak_feeders::{Random, place};

const USAGE: &str = "usage: games_with_counts make RULES GAMES SEED, or play RULES CHOICE";

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments.as_slice() {
        ["make", rules, games, seed] => {
            let rules: RuleSet = rules.parse()?;
            let mut random = Random::new(seed.parse().context("SEED must be a number")?);
            for _ in 0..games.parse().context("GAMES must be a number")? {
                writeln!(out, "{}", game(&mut random, rules))?;
            }
        }
        ["play", rules, choice] => {
            let rules: RuleSet = rules.parse()?;
            let choice = match *choice {
                "automatic" => BoardsHonor::Automatic,
                "not-counted" => BoardsHonor::NotCounted,
                "white" => BoardsHonor::By(Color::White),
                "black" => BoardsHonor::By(Color::Black),
                _ => bail!(USAGE),
            };
            for line in io::stdin().lock().lines() {
                play(&mut out, rules, choice, &line?)?;
            }
        }
        _ => bail!(USAGE),
    }
    Ok(out.flush()?)
}

/// A random game: from the start position or from random men, with a liking for captures and
/// promotions, so that many counts begin.
fn game(random: &mut Random, rules: RuleSet) -> String {
    let (mut text, mut state) = match random.below(4) {
        0 => ("startpos".to_string(), GameState::start(rules)),
        _ => {
            let state = few_men(random, rules);
            (format!("fen {state}"), state)
        }
    };
    text += " moves";
    let mut count = GameCount::start(&state, BoardsHonor::NotCounted);
    for _ in 0..20 + random.below(200) {
        match random.below(30) {
            0 => {
                if let Some(begun) = count.begin(rules, state.board.position()) {
                    count = begun;
                    text += " begin";
                }
            }
            1 => text += " stop",
            _ => {}
        }
        let moves = state.board.legal_moves();
        let is_lively = |m: &&Move| m.promotion.is_some() || state.board.is_capture(**m);
        let lively: Vec<Move> = moves.iter().filter(is_lively).copied().collect();
        let from = match random.below(3) {
            0 if !lively.is_empty() => &lively[..],
            _ => &moves,
        };
        if from.is_empty() {
            break;
        }
        let m = from[random.below(from.len())];
        text += &format!(" {}", m.uci(rules.lettering()));
        state = state.play(m);
    }
    text
}

/// A random position of a few men, often with a count in its FEN.
fn few_men(random: &mut Random, rules: RuleSet) -> GameState {
    loop {
        let mut men = vec![(Color::White, Role::King), (Color::Black, Role::King)];
        for _ in 0..1 + random.below(6) {
            men.push((random.color(), Role::ALL[1 + random.below(5)]));
        }
        let turn = random.color();
        let Some(position) = place(random, rules.game(), &men, turn, |square| square) else {
            continue;
        };
        let count = match random.below(4) {
            0 => format!("126 {}", random.below(130)),
            1 => format!("- {}", random.below(110)),
            2 => format!("{} {}", 2 * random.below(65), random.below(130)),
            _ => "- 0".to_string(),
        };
        let fen = sakmak::board::Fen::new(position);
        let fen = fen.display(rules.lettering()).to_string();
        let board = fen.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let text = format!("{board} - {count} {}", 1 + random.below(150));
        if let Ok(state) = GameState::from_fen(&text, rules)
            && is_valid(&state, rules)
        {
            return state;
        }
    }
}

/// True if the rules have the count of the state.
fn is_valid(state: &GameState, rules: RuleSet) -> bool {
    let count = state.counters.count(rules);
    let material = state.board.position().material();
    count.validate(rules, material).is_ok()
}

/// Plays a game and prints each position as the program in C does, without the tables.
fn play(
    out: &mut impl Write,
    rules: RuleSet,
    choice: BoardsHonor,
    line: &str,
) -> anyhow::Result<()> {
    let (start, moves) = line.split_once(" moves").unwrap_or((line, ""));
    let mut state = match start.strip_prefix("fen ") {
        Some(fen) => GameState::from_fen(fen, rules)?,
        None => GameState::start(rules),
    };
    let mut count = GameCount::start(&state, choice);
    let first = start.split(' ').next().unwrap_or_default();
    for word in [first].into_iter().chain(moves.split_whitespace()) {
        let position = *state.board.position();
        match word {
            "startpos" | "fen" => {}
            "begin" => {
                let begun = count.begin(rules, &position);
                count = begun.with_context(|| format!("no count can begin in {state}"))?;
            }
            "stop" => count = count.stop(&position),
            uci => {
                state = state.replay([uci])?;
                count = count.after(rules, &position, state.board.position());
            }
        }
        let counters = count.counters;
        writeln!(
            out,
            "{word} {} {} {} {} {}",
            counters.limit,
            counters.counted,
            counters.clock,
            count.number().unwrap_or(0),
            u8::from(count.is_over(rules)),
        )?;
    }
    Ok(())
}
