//! The consequences of a move: the line after it ends in the move's result.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::client::Served;

fn ask(served: &Served, path: &str, rules: &str, fen: &str, more: &str) -> Json {
    let fen = fen.replace(' ', "_");
    let reply = served.get(&format!("{path}?rules={rules}&fen={fen}{more}"));
    assert_eq!(reply.status, 200, "{path} {rules} {fen} {more}");
    reply.json()
}

fn why(served: &Served, rules: &str, fen: &str, uci: &str) -> Json {
    ask(served, "/v1/why", rules, fen, &format!("&move={uci}"))
}

#[test]
fn a_capture_that_throws_the_win_away_is_followed_by_the_end_of_the_count() {
    let fen = "8/3k4/8/8/8/8/1nK5/2R5 w - - 0 1";
    let why = why(Served::shared(), "makruk", fen, "c2b2");
    assert_eq!(why["best_category"], "win");
    assert_eq!(why["move"]["category"], "cursed-win");
    assert_eq!(why["follows"], "count");
    assert_eq!(why["move"]["needed"], 14);
    assert_eq!(why["move"]["left"], 13);
    assert_eq!(why["moves"][0]["counted"], 4);
    assert_eq!(
        (&why["end"], &why["result"]),
        (&"count".into(), &"1/2-1/2".into())
    );
}

#[test]
fn a_man_that_is_left_to_be_taken_falls() {
    let fen = "8/8/8/8/4k3/8/8/K2R4 w - - 0 1";
    let why = why(Served::shared(), "makruk", fen, "d1d3");
    assert_eq!(why["follows"], "man-falls");
    let moves = why["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0]["uci"], "e4d3");
}

/// Checks each move of a position, and counts what follows.
fn check(served: &Served, rules: &str, fen: &str, found: &mut BTreeMap<String, usize>) {
    let probe = ask(served, "/v1/probe", rules, fen, "");
    for m in probe["moves"].as_array().unwrap() {
        let uci = m["uci"].as_str().unwrap();
        let why = why(served, rules, fen, uci);
        let at = format!("{rules} {fen} {uci}: {why}");
        assert_eq!(why["move"]["category"], m["category"], "{at}");
        let line = why["moves"].as_array().unwrap();
        let white = why["move"]["for"] == "white";
        let (won, lost) = if white {
            ("1-0", "0-1")
        } else {
            ("0-1", "1-0")
        };
        let (end, result) = match m["category"].as_str().unwrap() {
            "win" => ("checkmate", won),
            "loss" => ("checkmate", lost),
            "draw" => (why["end"].as_str().unwrap(), "1/2-1/2"),
            _ => ("count", "1/2-1/2"),
        };
        assert_eq!(why["end"], end, "{at}");
        assert_eq!(why["result"], result, "{at}");
        let follows = why["follows"].as_str().unwrap();
        let mut last = &why["move"];
        for step in line {
            assert_ne!(step["for"], last["for"], "{at}");
            // The moves that are needed never grow, unless a count begins.
            if !step["needed"].is_null()
                && step["left"].is_null() == last["left"].is_null()
                && !step["san"].as_str().unwrap().contains('x')
            {
                assert!(step["needed"].as_u64() <= last["needed"].as_u64(), "{at}");
            }
            last = step;
        }
        assert_eq!(last["fen"], why["last_fen"], "{at}");
        match follows {
            "mate" => assert_eq!(end, "checkmate", "{at}"),
            "count" | "count-late" => {
                assert_eq!(end, "count", "{at}");
                assert_eq!(last["left"], 0, "{at}");
            }
            "bia-falls" | "man-falls" => {
                assert!(last["san"].as_str().unwrap().contains('x'), "{at}");
                assert_ne!(last["for"], why["move"]["for"], "{at}");
            }
            "stalemate" => assert_eq!(end, "stalemate", "{at}"),
            "no-mate" => assert!(line.len() <= 1, "{at}"),
            other => panic!("{other}"),
        }
        *found.entry(follows.to_string()).or_default() += 1;
    }
}

#[test]
fn the_line_after_every_move_ends_in_the_result_of_the_move() {
    let mut found = BTreeMap::new();
    for (rules, ending) in [
        ("makruk", "KRvKN"),
        ("makruk", "KSMvK"),
        ("asean", "KRvKN"),
        ("ouk", "KSMvK"),
        ("makruk", "KNvKM"),
    ] {
        for seed in 0..6 {
            let query = format!("/v1/random?ending={ending}&rules={rules}&seed={seed}");
            let fen = Served::shared().get(&query).json()["fen"].clone();
            check(Served::shared(), rules, fen.as_str().unwrap(), &mut found);
        }
    }
    let bia = crate::bia::served();
    for seed in 0..12 {
        let fen = bia
            .get(&format!("/v1/random?ending=KSPvK&seed={seed}"))
            .json()["fen"]
            .clone();
        check(bia, "makruk", fen.as_str().unwrap(), &mut found);
    }
    for follows in [
        "mate",
        "count",
        "count-late",
        "bia-falls",
        "man-falls",
        "no-mate",
    ] {
        assert!(found.contains_key(follows), "{follows}: {found:?}");
    }
}

#[test]
fn a_move_that_is_illegal_is_refused_with_one_that_is_legal() {
    let served = Served::shared();
    for more in ["", "&move=a1a1", "&move=x"] {
        let reply = served.get(&format!("/v1/why?fen=8/8/8/8/8/2k5/8/K6R_w{more}"));
        assert_eq!(reply.status, 400);
        let message = reply.json()["error"]["message"].to_string();
        assert!(message.contains("give a legal move, such as "), "{message}");
    }
}
