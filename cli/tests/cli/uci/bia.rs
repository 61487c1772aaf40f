//! Positions with bia, alone and before an engine.

use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::filter::Fake;
use super::talk::{Talk, after};
use crate::common::{bia_tables, json, run};

fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    let directory = TABLES.get_or_init(|| {
        let directory = tempfile::tempdir().unwrap();
        let made = run(directory.path(), ["generate", "KPvK"]);
        assert_eq!(made.code, 0, "{}", made.err);
        directory
    });
    directory.path()
}

const BEFORE: &str = "position fen 8/8/8/3P4/1k6/8/8/3K4 w - - 0 1";

#[test]
fn nothing_is_counted_while_a_bia_stands_and_its_promotion_begins_a_count() {
    let mut talk = Talk::start_with(tables(), &[]);
    talk.say(BEFORE);
    let lines = talk.ask("d", "Tables:");
    assert_eq!(lines.last().unwrap(), "Tables: draw, nothing is counted");
    let lines = talk.ask("go", "bestmove");
    assert!(lines[0].starts_with("info string draw"), "{lines:?}");
    assert!(lines[1].contains(" score cp 0 "), "{lines:?}");
    talk.say(&format!("{BEFORE} moves d5d6m"));
    let lines = talk.ask("d", "Tables:");
    let fen = "Fen: 8/8/3M4/8/1k6/8/8/3K4 b - 128 6 1";
    assert!(lines.iter().any(|line| line == fen), "{lines:?}");
    assert!(lines.last().unwrap().contains("3 of 64"), "{lines:?}");
}

#[test]
fn before_an_engine_drawn_bia_have_the_score_of_the_tables() {
    let mut fake = Fake::start_with(tables());
    fake.talk.say(BEFORE);
    let lines = fake.talk.ask("go depth 9", "bestmove");
    let shown = "info depth 9 score cp 0 pv found".to_string();
    assert!(lines.contains(&shown), "{lines:?}");
    let told = fake.told("go");
    let (_, moves) = told[0].split_once(" searchmoves ").unwrap();
    assert!(moves.split(' ').any(|m| m == "d5d6m"), "{moves}");
    // Behind its starting rank no table has it, so the engine plays.
    fake.talk
        .say("position fen 8/8/8/8/1k6/8/3P4/3K4 w - - 0 1");
    let lines = fake.talk.ask("go depth 9", "bestmove");
    let own = "info depth 9 score cp 7 pv found".to_string();
    assert!(lines.contains(&own), "{lines:?}");
}

/// The moves to mate that a line of `sakmak uci` names: in its sentence or in its score.
fn mate_in(line: &str) -> Option<u64> {
    let words = ["can force mate in ", " score mate "];
    let after = words.iter().find_map(|words| line.split_once(words))?.1;
    let number = after.split([' ', ',', ';']).next().unwrap();
    Some(number.trim_start_matches('-').parse().unwrap())
}

#[test]
fn the_moves_to_mate_are_those_of_probe() {
    let mut talk = Talk::start_with(bia_tables(), &[]);
    let mut scores = 0;
    for fen in [
        // The shortest mate loses the win to the count.
        "8/8/8/2P5/3k4/1R6/8/7K w",
        "8/8/8/7P/8/1S6/8/1K1k4 w",
        "8/8/8/2P5/4k3/1R6/8/7K b",
        "8/8/8/8/1R2p3/2k5/8/K7 w",
        "7k/8/6K1/7p/8/8/8/R7 w",
        "8/8/8/8/8/2k5/8/K6R w",
    ] {
        let probed = json(bia_tables(), ["probe", "--json", fen]);
        talk.say(&format!("position fen {fen}"));
        let lines = talk.ask("go", "bestmove");
        assert!(mate_in(&lines[0]).is_some(), "{fen}: {lines:?}");
        for found in lines.iter().filter_map(|line| mate_in(line)) {
            assert_eq!(Some(found), probed["dtm"].as_u64(), "{fen}: {lines:?}");
        }
        scores += lines
            .iter()
            .filter(|line| line.contains(" score mate "))
            .count();
    }
    assert!(scores > 1);
}

#[test]
fn a_known_win_is_preferred_to_a_move_whose_table_is_missing() {
    // Only Rb5 wins. The promotion leads to the ending whose table is missing.
    let fen = "8/8/8/2P5/3k4/1R6/8/7K w - - 0 1";
    for extension in ["skm", "skv"] {
        let some = tempfile::tempdir().unwrap();
        for ending in ["KRPvK", "KRvK", "KPvK"] {
            let name = format!("{ending}.{extension}");
            std::fs::copy(bia_tables().join(&name), some.path().join(&name)).unwrap();
        }
        let mut fake = Fake::start_with(some.path());
        for talk in [&mut Talk::start_with(some.path(), &[]), &mut fake.talk] {
            talk.say(&format!("position fen {fen}"));
            let lines = talk.ask("go movetime 1000", "bestmove");
            let played = after(lines.last().unwrap(), "bestmove")[0];
            let said = lines
                .iter()
                .any(|line| line.contains("there is no table of KRMvK"));
            assert!(said, "{lines:?}");
            assert!(["b3b5", "found"].contains(&played), "{lines:?}");
        }
        let told = fake.told("go");
        match extension {
            "skm" => assert!(told.is_empty(), "{told:?}"),
            _ => assert!(told[0].ends_with(" searchmoves b3b5"), "{told:?}"),
        }
    }
}

#[test]
fn a_promotion_without_its_letter_is_told_which_letter_to_add() {
    let mut talk = Talk::start_with(tables(), &[]);
    talk.say(&format!("{BEFORE} moves d5d6"));
    let lines = talk.ask("d", "Tables:");
    let is_hint = |line: &String| {
        line.starts_with("info string move 1 (d5d6) is illegal")
            && line.ends_with(": the bia is promoted, so give d5d6m")
    };
    assert!(lines.iter().any(is_hint), "{lines:?}");
}
