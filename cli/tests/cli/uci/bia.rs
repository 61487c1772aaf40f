//! Positions with bia, alone and before an engine.

use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::filter::Fake;
use super::talk::Talk;
use crate::common::run;

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
