//! Published facts, and the tables' answers.

use std::collections::BTreeSet;

use sakmak::board::{Color, Fen, Lettering, Position, Role, Square};
use sakmak::index::Transform;
use sakmak::probe::{Distance, Moves, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};
use serde_json::Value as Json;

use crate::common::{json, tables};

fn stats(name: &str) -> Json {
    json(tables(), ["stats", name, "--json"])
}

fn tablebase() -> Tablebase {
    let mut tablebase = Tablebase::new();
    tablebase.add_directory(tables()).unwrap();
    tablebase
}

/// A list of numbers.
fn list(json: &Json) -> Vec<u64> {
    serde_json::from_value(json.clone()).unwrap()
}

/// The share in percent, to two places.
fn percent(part: u64, of: u64) -> f64 {
    (part as f64 / of as f64 * 1e4).round() / 1e2
}

/// The longest win of White, with either side to move.
fn longest(stats: &Json) -> usize {
    let of = |turn: &str| {
        list(&stats[turn]["white_wins"])
            .iter()
            .rposition(|&n| n > 0)
    };
    of("white_to_move").max(of("black_to_move")).unwrap()
}

#[test]
fn published_facts_knight_and_met() {
    let stats = stats("KNMvK");
    let white = &stats["white_to_move"];
    let legal = white["legal"].as_u64().unwrap();
    let won: u64 = list(&white["white_wins"]).iter().sum();
    assert_eq!(legal, 11_930_016, "11.93 million positions");
    assert_eq!((won, percent(won, legal)), (472_900, 3.96));
    let makruk = &stats["rules"][0];
    assert_eq!(
        makruk["white_to_move"]["win"], 472_900,
        "all inside the count"
    );
    assert_eq!(longest(&stats), 36);
}

#[test]
fn published_facts_khon_and_met() {
    let stats = stats("KSMvK");
    let white = &stats["white_to_move"];
    let legal = white["legal"].as_u64().unwrap();
    let wins = list(&white["white_wins"]);
    assert_eq!(legal, 12_170_304, "12.17 million positions");
    assert_eq!(percent(wins.iter().sum(), legal), 85.77);
    assert_eq!(
        wins[42..].iter().sum::<u64>(),
        278_040,
        "more than 41 moves"
    );
    let makruk = &stats["rules"][0];
    assert_eq!(makruk["moves_available"]["white_to_move"], 41);
    assert_eq!(makruk["white_to_move"]["cursed_win"], 278_040);
    let inside = makruk["white_to_move"]["win"].as_u64().unwrap();
    assert_eq!(percent(inside, legal), 83.49);
    assert_eq!(longest(&stats), 57);
}

#[test]
fn published_facts_rook() {
    assert_eq!(longest(&stats("KRvK")), 16);
    // Symmetric images count as one.
    let tablebase = tablebase();
    let mut longest = [BTreeSet::new(), BTreeSet::new()];
    for turn in Color::ALL {
        let seen = &mut longest[turn.index()];
        for king in Square::all() {
            for rook in Square::all() {
                for bare in Square::all() {
                    let men = [
                        (king, Color::White, Role::King),
                        (rook, Color::White, Role::Rook),
                        (bare, Color::Black, Role::King),
                    ];
                    let Ok(position) = Position::from_men(men, turn) else {
                        continue;
                    };
                    let moves = tablebase.dtm(&position).unwrap().moves();
                    if moves == Some(Moves(16)) {
                        let images = Transform::all()
                            .map(|t| [king, rook, bare].map(|square| t.square(square)));
                        seen.insert(images.min().unwrap());
                    }
                }
            }
        }
    }
    assert_eq!(longest.map(|positions| positions.len()), [121, 390]);
}

#[test]
fn published_facts_three_knights() {
    let stats = stats("KNNNvK");
    for turn in ["white_to_move", "black_to_move"] {
        let wins = list(&stats[turn]["white_wins"]);
        assert_eq!(wins.iter().rposition(|&n| n > 0), Some(21), "{turn}");
    }
}

#[test]
fn published_facts_a_game_won_inside_the_count() {
    let text = "8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78";
    let fen = Fen::parse(text, Lettering::Makruk).unwrap();
    let count = Count::from_fen(&fen);
    let value = tablebase().probe(&fen.position, RuleSet::Makruk, &count);
    let value = value.unwrap();
    assert_eq!(value.allowance.unwrap().moves_available, 59);
    assert_eq!(value.category, Category::Loss);
    // White was mated on move 35, perhaps not by the shortest way.
    let Distance::Loss(Moves(moves)) = value.dtm else {
        panic!("{:?}", value.dtm);
    };
    assert!((1..=35).contains(&moves), "{moves}");
    println!("mate in {moves}");
}
