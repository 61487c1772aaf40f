//! Checks that the naive solver agrees with published counts, since other tests rely on it.

use std::collections::BTreeMap;

use crate::naive::{NaiveTable, Value};
use sakmak::board::Color;
use sakmak::material::CanonicalMaterial;
use serde_json::Value as Json;

/// The number of legal positions, and of each side's wins by moves, with one side to move.
fn count(table: &NaiveTable, turn: Color) -> (u64, [BTreeMap<u32, u64>; 2]) {
    let mut legal = 0;
    let mut wins = [BTreeMap::new(), BTreeMap::new()];
    for squares in table.placements() {
        match table.value(&squares, turn) {
            Value::Illegal => continue,
            Value::Draw => {}
            Value::Win(winner, moves) => *wins[winner.index()].entry(moves).or_default() += 1,
        }
        legal += 1;
    }
    (legal, wins)
}

fn reference() -> Json {
    let text = include_str!("../data/dtm-3-4-men.json");
    serde_json::from_str::<Json>(text).unwrap()["materials"].take()
}

/// The wins that the reference lists for its White.
fn listed(entry: &Json) -> BTreeMap<u32, u64> {
    let list = entry["white_wins"].as_array().unwrap();
    (0..)
        .zip(list.iter().map(|wins| wins.as_u64().unwrap()))
        .filter(|&(_, wins)| wins > 0)
        .collect()
}

fn assert_counts_agree(name: &str) {
    let material: CanonicalMaterial = name.parse().unwrap();
    assert_eq!(material.to_string(), name);
    let table = NaiveTable::shared(material);
    let reference = reference();
    // The reference has an entry for each side as the winner.
    let (white, black) = name.split_once('v').unwrap();
    let turned = &reference[format!("{black}v{white}")];
    for (turn, key, other) in [
        (Color::White, "white_to_move", "black_to_move"),
        (Color::Black, "black_to_move", "white_to_move"),
    ] {
        let (legal, wins) = count(&table, turn);
        let entry = &reference[name][key];
        assert_eq!(Some(legal), entry["legal"].as_u64(), "{name} {key}");
        assert_eq!(wins[0], listed(entry), "{name} {key}, White wins");
        match turned.is_null() {
            true => assert_eq!(wins[1], BTreeMap::new(), "{name} {key}, Black wins"),
            false => assert_eq!(wins[1], listed(&turned[other]), "{name} {key}, Black wins"),
        }
    }
}

#[test]
fn three_men_count_as_the_reference_does() {
    for name in ["KRvK", "KNvK", "KSvK", "KMvK"] {
        assert_counts_agree(name);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn four_men_count_as_the_reference_does() {
    assert_counts_agree("KSMvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn like_men_count_as_the_reference_does() {
    assert_counts_agree("KSSvK");
}

#[test]
#[ignore = "slow: run with --ignored"]
fn men_on_both_sides_count_as_the_reference_does() {
    assert_counts_agree("KRvKS");
}
