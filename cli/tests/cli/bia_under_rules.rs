//! Endings with bia under the rules of ouk and ASEAN chess, through the commands that answer.

use std::path::Path;
use std::sync::OnceLock;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::annotate::annotate_from;
use crate::bia_questions::ASKED;
use crate::common::{assert_fails, json, run};
use crate::making::make_all;

/// Tables of endings with bia for every rule set.
fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    let directory = TABLES.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        make_all(&["KRPvK", "KRPvK-asean"], directory.path());
        directory
    });
    directory.path()
}

fn probe(rules: &str, fen: &str) -> Json {
    json(tables(), ["probe", fen, "--rules", rules, "--json"])
}

#[test]
fn probe_and_line_answer_with_bia_under_every_rule_set() {
    for (rules, fen, category) in ASKED {
        let answer = probe(rules, fen);
        assert_eq!(answer["category"], category, "{rules} {fen}");
        let line = json(tables(), ["line", fen, "--rules", rules, "--json"]);
        let first = &answer["moves"][0]["uci"];
        if category == "win" || category == "loss" {
            assert_eq!(line["end"], "checkmate", "{rules} {fen}");
            assert_eq!(&line["moves"][0]["uci"], first, "{rules} {fen}");
        } else {
            assert_ne!(line["end"], "checkmate", "{rules} {fen}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_engine_plays_bia_under_every_rule_set_as_probe_answers() {
    let mut talk = crate::uci::talk::Talk::start_with(tables(), &[]);
    for (rules, fen, _) in ASKED {
        let variant = if rules == "ouk" { "cambodian" } else { rules };
        talk.say(&format!("setoption name UCI_Variant value {variant}"));
        talk.say(&format!("position fen {fen}"));
        let lines = talk.ask("go", "bestmove");
        let answer = probe(rules, fen);
        let best = answer["moves"][0]["uci"].as_str().unwrap();
        let played = format!("bestmove {best}");
        assert!(lines.last().unwrap().starts_with(&played), "{lines:?}");
        let category = answer["category"].as_str().unwrap();
        assert!(lines[0].contains(category), "{category}: {lines:?}");
    }
    // A promotion with the letters of ASEAN chess, after which its count begins at 0.
    talk.say("setoption name UCI_Variant value asean");
    talk.say("position fen 8/1P6/8/8/8/3k4/8/7K w - - 7 1 moves b7b8r");
    let lines = talk.ask("d", "Tables:");
    let fen = "Fen: 1R6/8/8/8/8/3k4/8/7K b - 32 0 1";
    assert!(lines.iter().any(|line| line == fen), "{lines:?}");
    talk.say("position fen 8/1P6/8/8/8/3k4/8/7K w - - 7 1 moves b7b8m");
    let lines = talk.ask("d", "Tables:");
    let told = lines.iter().any(|line| line.contains("b7b8m"));
    assert!(told, "{lines:?}");
}

#[test]
fn games_with_bia_are_annotated_under_every_rule_set_as_probe_answers() {
    for (variant, rules, fen, moves, known) in [
        (
            "ASEAN",
            "asean",
            "8/8/2P5/8/3k4/1R6/8/7K w - - 0 8",
            "8. c7 Kd5 9. c8=B Ke5 10. Kg2 Ke4 1/2-1/2",
            7,
        ),
        (
            "ASEAN",
            "asean",
            "8/2P5/8/8/3k4/1R6/8/7K w - - 0 8",
            "8. c8=Q Kd5 9. Kg2 1/2-1/2",
            4,
        ),
        (
            "Cambodian",
            "ouk",
            "8/8/8/4P3/8/3k4/8/R6K w - 126 20 8",
            "8. Ra5 Ke4 9. Kg2 Kd4 10. e6=M 1/2-1/2",
            6,
        ),
    ] {
        let game = format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n{moves}\n");
        let annotated = annotate_from(tables(), game.as_bytes(), &["--json"]);
        assert_eq!(annotated.code, 0, "{}", annotated.err);
        let document: Json = serde_json::from_str(&annotated.out).unwrap();
        let positions = document["positions"].as_array().unwrap();
        assert_eq!(positions.len(), known, "{moves}");
        for position in positions {
            let fen = position["fen"].as_str().unwrap();
            let answer = probe(rules, fen);
            for field in ["category", "dtm", "dth", "count"] {
                assert_eq!(position["known"][field], answer[field], "{rules} {fen}");
            }
        }
    }
}

#[test]
fn positions_with_bia_are_found_under_every_rule_set_as_probe_answers() {
    for rules in ["asean", "ouk"] {
        for filter in [
            &["--verdict", "win", "--only-move"][..],
            &["--turn", "b", "--verdict", "loss"],
            &["--dtm", "5"],
        ] {
            let args = ["find", "KRPvK", "--rules", rules, "--json", "--limit", "5"];
            let found = run(tables(), [&args[..], filter].concat());
            assert_eq!(found.code, 0, "{rules} {filter:?}: {}", found.err);
            assert_eq!(found.out.lines().count(), 5, "{rules} {filter:?}");
            for line in found.out.lines() {
                let document: Json = serde_json::from_str(line).unwrap();
                let answer = probe(rules, document["fen"].as_str().unwrap());
                for field in ["category", "dtm", "dth"] {
                    assert_eq!(document[field], answer[field], "{rules} {line}");
                }
            }
        }
    }
    for rules in ["asean", "ouk"] {
        let filter = [
            "find",
            "KRPvK",
            "--rules",
            rules,
            "--promotion",
            "throws-win",
        ];
        let found = run(tables(), filter);
        assert_eq!(found.code, 0, "{}", found.err);
        for fen in found.out.lines() {
            let answer = probe(rules, fen);
            let moves = answer["moves"].as_array().unwrap();
            let promotes = |m: &Json| m["uci"].as_str().unwrap().len() == 5;
            let throws = |m: &Json| promotes(m) && m["category"] != "win";
            assert_eq!(answer["category"], "win", "{fen}");
            assert!(moves.iter().any(throws), "{fen}");
        }
    }
}

#[test]
fn bad_input_with_bia_is_refused_under_every_rule_set() {
    let refused = |rules: &str, fen: &str, code: i32, says: &str| {
        for command in ["probe", "line"] {
            assert_fails(tables(), &[command, fen, "--rules", rules], code, &[says]);
        }
    };
    for rules in ["makruk", "ouk", "asean"] {
        let behind = "e2 is behind its starting rank";
        refused(rules, "8/8/8/3k4/8/3K4/4P3/8 w", 1, behind);
    }
    // Ranks 6 and 7 are for bia of ASEAN chess alone.
    for fen in ["8/8/2P5/8/3k4/1R6/8/7K w", "8/2P5/8/8/3k4/1R6/8/7K w"] {
        assert_eq!(probe("asean", fen)["category"], "win", "{fen}");
        for rules in ["makruk", "ouk"] {
            refused(rules, fen, 1, "on or past its promotion rank");
        }
    }
    // A count while a bia stands runs in ouk alone, and there with one limit.
    let counted = |limit: u32| format!("8/8/8/2P5/3k4/1R6/8/7K w - {limit} 12 1");
    refused("makruk", &counted(32), 2, "makruk counts nothing");
    refused("asean", &counted(32), 2, "asean counts nothing");
    refused("ouk", &counted(30), 2, "ouk counts to 63");
    let board = "8/8/8/2P5/3k4/1R6/8/7K w";
    let at = |clock: u32| probe("asean", &format!("{board} - - {clock} 1"));
    assert_eq!(at(101)["category"], "cursed-win");
    assert_eq!(at(5_000)["category"], "cursed-win");
    // Promotions of another game, and none at all.
    for (variant, fen, moves, says) in [
        ("ASEAN", "8/2P5/8/8/3k4/1R6/8/7K w", "c8", "ambiguous move"),
        ("Cambodian", board, "c6=Q1", "c6=Q1"),
        ("Cambodian", board, "c6=R", "write c6=M"),
    ] {
        let game = format!("[Variant \"{variant}\"]\n[FEN \"{fen} - - 0 1\"]\n\n1. {moves} *\n");
        let said = annotate_from(tables(), game.as_bytes(), &[]);
        assert_eq!(said.code, 2, "{moves}: {}", said.out);
        assert!(said.err.contains(says), "{moves}: {}", said.err);
    }
}

#[test]
fn a_makruk_file_asked_for_asean_chess_is_refused() {
    let directory = TempDir::new().unwrap();
    for name in ["KRvK.skm", "KPvK.skm", "KRPvK.skm"] {
        std::fs::copy(tables().join(name), directory.path().join(name)).unwrap();
    }
    let fen = "8/8/8/2P5/3k4/1R6/8/7K w";
    let asked = ["probe", fen, "--rules", "asean"];
    assert_fails(directory.path(), &asked, 1, &["no table of KRPvK-asean"]);
    let stolen = directory.path().join("KRPvK-asean.skm");
    std::fs::copy(tables().join("KRPvK.skm"), stolen).unwrap();
    assert_fails(directory.path(), &asked, 3, &["KRPvK-asean.skm"]);
}
