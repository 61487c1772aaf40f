//! The parts of an engine that use the tables, to be copied: the count of the game, the root, and a
//! node of the search.
//!
//! ```text
//! cargo run --release --example engine -- tables "8/8/8/3k4/3m4/2K5/3R4/8 w" d2d4 d5c5
//! ```

use std::error::Error;

use sakmak::board::Move;
use sakmak::game::{BoardsHonor, GameCount, GameState};
use sakmak::{Category, Count, Position, RuleSet, Tablebase};

const RULES: RuleSet = RuleSet::Makruk;

/// Probe only at depths from this one on: a node of the search costs less than a probe.
const LEAST_DEPTH: u32 = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, fen, moves @ ..] = arguments.as_slice() else {
        return Err("usage: engine DIRECTORY FEN [MOVE...]".into());
    };
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    println!("{}", play(directory, fen, &moves)?);
    Ok(())
}

/// Follows a game with its count, as after UCI's command `position`, and returns the best move.
pub fn play(directory: &str, fen: &str, moves: &[&str]) -> Result<String, Box<dyn Error>> {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(directory)?;
    let mut state = GameState::from_fen(fen, RULES)?;
    // As in games against engines, a side counts as soon as it may.
    let mut count = GameCount::start(&state, BoardsHonor::Automatic);
    for uci in moves {
        let next = state.replay([*uci])?;
        count = count.after(RULES, state.board.position(), next.board.position());
        state = next;
    }
    let position = state.board.position();
    let best = root(&tablebase, position, &count.count(RULES));
    Ok(
        best.map_or("not in the tables".to_string(), |(m, category)| {
            format!("{m} {category}")
        }),
    )
}

/// The best move and its category. `None` if the tables have no answer: then the engine searches
/// all moves.
fn root(tablebase: &Tablebase, position: &Position, count: &Count) -> Option<(Move, Category)> {
    let ranked = tablebase.best_moves(position, RULES, count).ok()?;
    ranked.first().map(|best| (best.m, best.category))
}

/// The score of a node for the side to move, between -1 and 1. `None` if the engine must search on.
pub fn node(tablebase: &Tablebase, position: &Position, count: &Count, depth: u32) -> Option<f32> {
    let men = position.occupied().len();
    if depth < LEAST_DEPTH || men > tablebase.inventory().most_men() {
        return None;
    }
    // One lookup in a verdict table; the bounds differ only if a running count decides.
    let bounds = tablebase.by_category().bounds(position, RULES, count);
    let [least, most] = bounds.ok()?;
    if least != most {
        return None;
    }
    Some(match least {
        // A count draw is a draw, but the opponent may forget to count.
        Category::CursedWin => 0.01,
        Category::BlessedLoss => -0.01,
        category => f32::from(category.points()),
    })
}
