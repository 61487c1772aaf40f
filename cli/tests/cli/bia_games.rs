//! Games that reach the tables with bia on the board.

use serde_json::Value as Json;

use crate::annotate::annotate_from;
use crate::common::{bia_tables, json};

/// White's h6=M comes too early; Sc4 is the only move that wins.
const TOO_EARLY: &str = "8/8/8/7P/8/1S6/8/1K1k4 w - - 0 8";
/// The position [`TOO_EARLY`] with the colors exchanged.
const FOR_BLACK: &str = "1k1K4/8/1s6/8/7p/8/8/8 b - - 0 8";
/// White's a6=M wins, and so do other moves.
const IN_TIME: &str = "8/8/8/P3k3/8/3SK3/8/8 w - - 0 8";

fn game(fen: &str, moves: &str) -> String {
    format!("[Variant \"Makruk\"]\n[FEN \"{fen}\"]\n\n{moves}\n")
}

/// The text of an annotated game, in one line.
fn annotated(fen: &str, moves: &str, args: &[&str]) -> String {
    let run = annotate_from(bia_tables(), game(fen, moves).as_bytes(), args);
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.replace('\n', " ")
}

#[test]
fn a_promotion_that_starts_too_short_a_count_comes_too_early() {
    for (fen, moves, sentence, comment) in [
        (
            TOO_EARLY,
            "8. h6=M 1/2-1/2",
            "8. h6=M?? promotes too early: 44 moves needed, 40 left; 8. Sc4 first.",
            "(8. Sc4 {[%sakmak line] only 8. Sc4 wins}",
        ),
        (
            FOR_BLACK,
            "8... h3=M 1/2-1/2",
            "8... h3=M?? promotes too early: 44 moves needed, 40 left; 8... Sc5 first.",
            "(8... Sc5 {[%sakmak line] only 8... Sc5 wins}",
        ),
    ] {
        let text = annotated(fen, moves, &[]);
        for part in [
            sentence,
            comment,
            "It promotes too early: 44 moves needed, 40 left.",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.contains(", with limit 44."), "{text}");
        let summary = annotated(fen, moves, &["--summary"]);
        assert!(summary.contains(sentence), "{summary}");
    }
}

#[test]
fn a_promotion_that_keeps_the_win_has_no_mark_though_another_move_mates_sooner() {
    let text = annotated(IN_TIME, "8. a6=M 1-0", &[]);
    assert!(!text.contains("??"), "{text}");
    assert!(
        text.contains("No move in a position of the tables changed the verdict"),
        "{text}"
    );
    // Another move wins too, though the last bia goes later.
    let waits = annotated(IN_TIME, "8. Kd2 1-0", &[]);
    assert!(!waits.contains("??"), "{waits}");
    // A move that throws the win away without a promotion is not called an early promotion.
    let thrown = annotated(IN_TIME, "8. Se2 1/2-1/2", &[]);
    assert!(thrown.contains("Se2?? {"), "{thrown}");
    assert!(thrown.contains("It throws the win away"), "{thrown}");
    assert!(!thrown.contains("too early"), "{thrown}");
}

#[test]
fn a_game_is_followed_from_bia_to_mate_as_probe_answers() {
    let moves = "8. Sc4 Ke2 9. Kc2 Ke3 10. Kc3 Ke4 11. h6=M 1-0";
    let run = annotate_from(bia_tables(), game(TOO_EARLY, moves).as_bytes(), &["--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let document: Json = serde_json::from_str(&run.out).unwrap();
    let positions = document["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 8);
    for position in positions {
        let fen = position["fen"].as_str().unwrap();
        let answer = json(bia_tables(), ["probe", "--json", fen]);
        for field in ["category", "dtm", "dth", "count"] {
            assert_eq!(position["known"][field], answer[field], "{fen}");
        }
    }
}

#[test]
fn promotions_are_read_however_they_are_written_and_others_are_told() {
    for written in ["h6=M", "h6", "h6=P", "h6=Q", "h6=F", "Ph6", "h5h6m", "h5h6"] {
        let text = annotated(TOO_EARLY, &format!("8. {written} *"), &[]);
        assert!(text.contains("8. h6=M??"), "{written}: {text}");
    }
    for (written, says) in [
        (
            "h6=N",
            "\"h6=N\" is not one of this game's promotions: write h6=M",
        ),
        (
            "h6=R",
            "\"h6=R\" is not one of this game's promotions: write h6=M",
        ),
        (
            "h5h6s",
            "\"h5h6s\" is not one of this game's promotions: write h6=M",
        ),
        // A bia moves one step, and promotes when it reaches the sixth rank.
        ("h7", "\"h7\" is not a legal move here"),
        ("h7=M", "\"h7=M\" is not a legal move here"),
        ("h5=M", "\"h5=M\" is not a legal move here"),
        ("h8=M", "\"h8=M\" is not a legal move here"),
        ("hxg6=M", "\"hxg6=M\" is not a legal move here"),
    ] {
        let text = game(TOO_EARLY, &format!("8. {written} Ke2 9. Sc4 *"));
        let run = annotate_from(bia_tables(), text.as_bytes(), &[]);
        assert_eq!(run.code, 2, "{written}: {}", run.err);
        let place = "at move 8. (ply 1), in line 4, ";
        assert!(
            run.err.contains(&format!("{place}{says}")),
            "{written}: {}",
            run.err
        );
        assert!(!run.err.contains("panicked"), "{}", run.err);
    }
    // A double step, as in chess.
    let start = b"[Variant \"Makruk\"]\n\n1. e4 e5 2. e6 *\n";
    let run = annotate_from(bia_tables(), start, &[]);
    assert_eq!(run.code, 2, "{}", run.err);
    let says = "at move 2. (ply 3), in line 3, \"e6\" is not a legal move here";
    assert!(run.err.contains(says), "{}", run.err);
}

#[test]
fn a_game_under_rules_without_tables_with_bia_is_told_so() {
    for (variant, fen) in [
        ("ASEAN", "8/8/8/P3k3/8/3BK3/8/8 w - - 0 8"),
        ("Cambodian", "8/8/8/P3k3/8/3SK3/8/8 w - - 0 8"),
    ] {
        let text = game(fen, "8. Kf3 *").replace("Makruk", variant);
        let run = annotate_from(bia_tables(), text.as_bytes(), &["--summary"]);
        let words = run.out.replace('\n', " ");
        let sentence = "it ends with 4 men, one of them a bia; the tables here cover up to 4 men, without bia.";
        assert!(words.contains(sentence), "{words}");
    }
}
