//! Verdict tables without distance tables.

use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;

use sakmak::board::{Color, Fen, Lettering};
use sakmak::game::GameState;
use sakmak::probe::Tablebase;
use sakmak::rules::{Category, Count, RuleSet};
use tempfile::TempDir;

use super::talk::{Talk, after, tables};
use crate::making::made_verdicts;

/// A directory with the verdict tables of the other tests' endings.
fn verdicts() -> &'static Path {
    static VERDICTS: OnceLock<TempDir> = OnceLock::new();
    let directory = VERDICTS.get_or_init(|| made_verdicts("KRvKN"));
    directory.path()
}

/// Positions that are won, lost, and drawn by the count.
const POSITIONS: [&str; 7] = [
    // White to move mates with the last move of the count: one slip draws.
    "8/8/8/8/8/2k5/8/K6R w - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - 32 20 1",
    "8/8/8/8/8/2k5/8/K6R b - 32 6 1",
    "8/8/8/4k3/8/2n5/8/K6R w - - 0 1",
    "8/8/8/8/8/1k6/2n5/K6R w - - 0 1",
    "7k/5K2/8/8/8/8/7n/R7 b - - 0 1",
];

#[test]
fn no_move_throws_a_win_away_and_missing_distances_are_told_once() {
    let mut distances = Tablebase::new();
    distances.add_directory(tables()).unwrap();
    let mut talk = Talk::start_with(verdicts(), &[]);
    let mut told = 0;
    for text in POSITIONS {
        let fen = Fen::parse(text, Lettering::Makruk).unwrap();
        let count = Count::from_fen(&fen);
        let ranked = distances.best_moves(&fen.position, RuleSet::Makruk, &count);
        let ranked = ranked.unwrap();
        talk.say(&format!("position fen {text}"));
        let lines = talk.ask("go", "bestmove");
        let played = after(lines.last().unwrap(), "bestmove")[0].to_string();
        let played = ranked.iter().find(|ranked| ranked.m.to_string() == played);
        let [played, best] = [played.unwrap(), &ranked[0]].map(|ranked| ranked.category);
        if count == Count::Fresh && fen.position.turn() == Color::White {
            assert_eq!(played, best, "{text}: {lines:?}");
        } else {
            // Whether the count leaves enough may be open, but not which side can win.
            let on_board = |category| match category {
                Category::CursedWin => Category::Win,
                Category::BlessedLoss => Category::Loss,
                category => category,
            };
            assert_eq!(on_board(played), on_board(best), "{text}: {lines:?}");
        }
        assert!(
            lines.iter().any(|line| line.contains(" score cp ")),
            "{lines:?}"
        );
        told += lines
            .iter()
            .filter(|line| line.contains("no distance tables of 3 endings, for instance K"))
            .count();
        assert!(
            !lines.iter().any(|line| line.contains("has no tables")),
            "{lines:?}"
        );
    }
    assert_eq!(told, 1);
    talk.say("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let lines = talk.ask("d", "Tables:");
    assert!(
        lines
            .last()
            .unwrap()
            .starts_with("Tables: win; there is no table of KRvK"),
        "{lines:?}"
    );
}

/// With nothing counted.
#[test]
fn a_count_that_is_off_leaves_a_win_one() {
    let mut talk = Talk::start_with(verdicts(), &[]);
    talk.say("setoption name SakmakCount value off");
    talk.say("position fen 8/8/8/8/8/2k5/8/K6R w - 32 20 1");
    let lines = talk.ask("go", "bestmove");
    assert!(lines.contains(&"info string win".to_string()), "{lines:?}");
}

#[test]
fn won_games_are_won_from_verdicts_alone() {
    let mut distances = Tablebase::new();
    distances.add_directory(tables()).unwrap();
    let mut talk = Talk::start_with(verdicts(), &[]);
    for fen in [
        "8/8/4R3/8/k5K1/8/8/8 w - - 0 1",
        "6k1/8/8/8/8/1R6/8/3K4 w - - 0 1",
        "8/3k4/8/3K1R2/4n3/8/8/8 w - - 0 1",
    ] {
        let mut state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
        let mut moves = String::from("moves");
        let mut seen = HashMap::new();
        while !state.board.is_checkmate() {
            let (position, count) = state.tabled().unwrap();
            let times = seen.entry(position).or_insert(0);
            *times += 1;
            assert!(*times < 3, "{fen} {moves}");
            assert!(!state.counters.is_over(RuleSet::Makruk), "{fen} {moves}");
            let m = match position.turn() {
                Color::White => {
                    talk.say(&format!("position fen {fen} {moves}"));
                    let lines = talk.ask("go nodes 40000", "bestmove");
                    after(lines.last().unwrap(), "bestmove")[0].to_string()
                }
                Color::Black => {
                    let ranked = distances.best_moves(&position, RuleSet::Makruk, &count);
                    ranked.unwrap()[0].m.to_string()
                }
            };
            state = state.play(state.parse_uci(&m).unwrap());
            moves += &format!(" {m}");
        }
    }
}

#[test]
fn a_win_is_not_repeated_while_another_winning_move_is_there() {
    let fen = "7k/8/8/8/8/8/K7/1R6 w - - 0 1";
    let shuffled = ["a2a1", "h8g8", "a1a2", "g8h8"].repeat(2);
    let mut state = GameState::from_fen(fen, RuleSet::Makruk).unwrap();
    let mut seen = Vec::new();
    for text in &shuffled {
        seen.push(*state.board.position());
        state = state.play(state.parse_uci(text).unwrap());
    }
    let mut talk = Talk::start_with(verdicts(), &[]);
    // With nothing counted, every move but a loss of the rook wins.
    talk.say("setoption name SakmakCount value off");
    talk.say(&format!("position fen {fen} moves {}", shuffled.join(" ")));
    // Even without a search.
    for go in ["go nodes 0", "go nodes 40000"] {
        let lines = talk.ask(go, "bestmove");
        let played = after(lines.last().unwrap(), "bestmove")[0];
        let next = state.play(state.parse_uci(played).unwrap());
        assert!(!seen.contains(next.board.position()), "{lines:?}");
    }
}

#[test]
fn missing_distances_are_told_with_the_directories() {
    let mut talk = Talk::start(&[]);
    let set = format!("setoption name SakmakPath value {}", verdicts().display());
    let lines = talk.ask(&set, "info string found");
    assert!(
        lines[0].starts_with("info string no distance tables of 3 endings"),
        "{lines:?}"
    );
}
