//! The legal moves of positions that no table has.

use serde_json::Value as Json;

use crate::client::{Reply, Served};

const VALUES: [(&str, &str); 5] = [
    ("win", "loss"),
    ("cursed-win", "blessed-loss"),
    ("draw", "draw"),
    ("blessed-loss", "cursed-win"),
    ("loss", "win"),
];

fn ask(path: &str, rules: &str, fen: &str) -> Reply {
    let fen = fen.replace(' ', "_");
    Served::shared().get(&format!("{path}?rules={rules}&fen={fen}"))
}

fn moves(rules: &str, fen: &str) -> Vec<Json> {
    let reply = ask("/v1/moves", rules, fen);
    assert_eq!(reply.status, 200, "{rules} {fen}");
    reply.json()["moves"].as_array().unwrap().clone()
}

fn uci(moves: &[Json]) -> Vec<&str> {
    moves.iter().map(|m| m["uci"].as_str().unwrap()).collect()
}

#[test]
fn a_game_can_be_played_from_its_first_move_under_each_rule_set() {
    for (rules, fen, number) in [
        (
            "makruk",
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            23,
        ),
        (
            "asean",
            "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1",
            23,
        ),
        (
            "ouk",
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
            25,
        ),
    ] {
        let mut fen = fen.to_string();
        assert_eq!(moves(rules, &fen).len(), number, "{rules}");
        for ply in 0..40 {
            let legal = moves(rules, &fen);
            let Some(played) = legal.get((ply * 7) % legal.len().max(1)) else {
                break;
            };
            fen = played["fen"].as_str().unwrap().to_string();
        }
    }
}

#[test]
fn a_bia_promotes_where_its_game_says() {
    let ends = |rules, fen: &str| {
        let legal = moves(rules, fen);
        let found = uci(&legal).into_iter().filter(|m| m.starts_with("b"));
        found.map(str::to_string).collect::<Vec<_>>()
    };
    assert_eq!(ends("makruk", "7k/8/8/1P6/8/8/8/7K w"), ["b5b6m"]);
    assert_eq!(ends("ouk", "7k/8/8/1P6/8/8/8/7K w"), ["b5b6m"]);
    assert_eq!(ends("asean", "7k/8/8/1P6/8/8/8/7K w"), ["b5b6"]);
    assert_eq!(
        ends("asean", "7k/1P6/8/8/8/8/8/7K w"),
        ["b7b8r", "b7b8n", "b7b8b", "b7b8q"]
    );
}

#[test]
fn a_move_that_enters_the_tables_has_the_value_of_the_position_after_it() {
    let mut entering = 0;
    for (rules, fen) in [
        // The rook takes a knight, or a king that is not bare yet takes the rook.
        ("makruk", "8/3k4/8/8/2n5/8/1nK5/2R5 w - - 0 1"),
        ("makruk", "8/8/8/8/2n5/8/1nk5/2R4K b - - 0 1"),
        ("asean", "8/3k4/8/8/2n5/8/1nK5/2R5 w - - 0 1"),
        ("ouk", "8/3k4/8/8/2n5/8/1nK5/2R5 w - - 0 1"),
        // The bia of a rule set without tables of bia promotes or falls.
        ("ouk", "8/8/8/1P2k3/8/8/8/1K1R4 w - - 0 1"),
        ("ouk", "8/8/1k6/1P6/8/8/8/1K1R4 b - - 0 1"),
        ("asean", "8/1P6/8/3k4/8/8/8/1K6 w - - 0 1"),
    ] {
        assert_eq!(ask("/v1/probe", rules, fen).status, 404, "{rules} {fen}");
        let legal = moves(rules, fen);
        assert!(!legal.is_empty(), "{rules} {fen}");
        for m in &legal {
            let after = ask("/v1/probe", rules, m["fen"].as_str().unwrap());
            let value = &m["value"];
            if value.is_null() {
                assert_eq!(after.status, 404, "{rules} {fen}: {m}");
                continue;
            }
            entering += 1;
            let after = after.json();
            let category = after["category"].as_str().unwrap();
            let (_, mine) = VALUES.iter().find(|(after, _)| *after == category).unwrap();
            assert_eq!(value["category"], *mine, "{rules} {fen}: {m}");
            // The move is one of the winner's.
            let moves = |of: &Json| of["dtm"].as_u64();
            let own = u64::from(["win", "cursed-win"].contains(mine));
            let expected = moves(&after).map(|moves| moves + own);
            assert_eq!(moves(value), expected, "{rules} {fen}: {m}");
        }
        // The best known move is first.
        let known = legal.iter().map(|m| !m["value"].is_null());
        assert!(known.is_sorted_by(|a, b| a >= b), "{rules} {fen}");
    }
    assert!(entering >= 5, "{entering} moves");
}

#[test]
fn an_illegal_position_has_no_moves() {
    let reply = ask("/v1/moves", "makruk", "8/8/8/3kK3/8/8/8/8 w");
    assert_eq!(reply.status, 400);
    assert_eq!(reply.json()["error"]["kind"], "input");
    let astray = ask("/v1/moves", "makruk", "8/P7/8/3k4/8/3K4/3R4/8 w");
    assert_eq!(astray.status, 404);
    assert_eq!(astray.json()["error"]["kind"], "not-in-tables");
}
