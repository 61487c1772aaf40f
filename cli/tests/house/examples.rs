//! The examples print what they should. Each is compiled here as a module, and its function called.

// Their `main` functions only pass arguments on.
#![allow(dead_code)]

#[path = "../../../examples/answers.rs"]
mod answers;
#[path = "../../../examples/best_moves.rs"]
mod best_moves;
#[path = "../../../examples/engine.rs"]
mod engine;
#[path = "../../../examples/from_bytes.rs"]
mod from_bytes;
#[path = "../../../examples/generate.rs"]
mod generate;
#[path = "../../../examples/premature_promotions.rs"]
mod premature_promotions;
#[path = "../../../examples/probe.rs"]
mod probe;
#[path = "../../../examples/readme.rs"]
mod readme;

use std::fs;

use sakmak::probe::{Distance, Moves};
use sakmak::rules::Category;

/// Black to move, beyond the limit: without the count White mates in 14.
const FEN: &str = "8/8/8/8/8/2k5/8/K6R w";

#[test]
fn the_engine_follows_the_count_and_probes() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    generate::generate(directory.path(), "KRvK").unwrap();
    let fen = "8/8/8/3k4/3m4/2K5/3R4/8 w";
    let said = engine::play(path, fen, &["d2d4"]).unwrap();
    assert!(said.ends_with(" loss"), "{said}");
    let said = engine::play(path, fen, &[]).unwrap();
    assert_eq!(said, "not in the tables");
    let mut tablebase = sakmak::Tablebase::new();
    tablebase.add_directory(directory.path()).unwrap();
    let position = sakmak::Fen::parse(FEN, sakmak::Lettering::Makruk).unwrap();
    let score = |depth| engine::node(&tablebase, &position.position, &sakmak::Count::Fresh, depth);
    assert_eq!((score(1), score(9)), (None, Some(1.0)));
}

#[test]
fn examples_generate_and_probe() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let made = generate::generate(directory.path(), "KRvK").unwrap();
    assert_eq!(made.len(), 1);
    assert!(made[0].starts_with("KRvK: ") && made[0].ends_with(" bytes, right"));

    // Makruk's rook must mate by 16, of which 3 are already counted.
    let said = probe::probe(path, FEN).unwrap();
    assert_eq!(said, "win: white mates in 14, the count leaves 14 moves");
    let said = probe::probe(path, &FEN.replace(" w", " w - 32 8 1")).unwrap();
    assert_eq!(
        said,
        "cursed-win: white mates in 14, the count leaves 13 moves"
    );
    assert!(probe::probe(path, "not a FEN").is_err());

    let moves = best_moves::best_moves(path, "asean", FEN).unwrap();
    assert_eq!(moves.len(), 15);
    assert_eq!(moves[0], "Rd1 win, mate in 14");
    assert_eq!(moves[14], "Rh3+ win, mate in 17");

    let mut documents = Vec::new();
    answers::answers(path, "makruk", FEN.as_bytes(), &mut documents).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&documents).unwrap();
    assert_eq!(
        (&document["category"], &document["dtm"]),
        (&"win".into(), &14.into())
    );

    let bytes = fs::read(directory.path().join("KRvK.skm")).unwrap();
    let distance = from_bytes::from_bytes(vec![bytes.clone()], FEN).unwrap();
    assert_eq!(distance, Distance::Win(Moves(14)));
    assert!(from_bytes::from_bytes(vec![bytes[1..].to_vec()], FEN).is_err());
}

/// The code on the page about Rust is that of its example, and respects the count in a FEN.
#[test]
fn documented_code_uses_the_count_of_the_fen() {
    let page = include_str!("../../../docs/engine/rust.md");
    for example in [
        include_str!("../../../examples/readme.rs"),
        include_str!("../../../examples/premature_promotions.rs"),
    ] {
        let (_, code) = example.split_once("\n\n").unwrap();
        assert!(page.contains(&format!("```rust,no_run\n{code}```\n")));
    }

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    generate::generate(directory.path(), "KRvK").unwrap();
    for (count, expected) in [
        ("", Category::Win),
        (" - 32 6 1", Category::Win),
        (" - 32 8 1", Category::CursedWin),
    ] {
        let moves = readme::best_moves(path, &format!("{FEN}{count}")).unwrap();
        assert_eq!(moves[0].category, expected, "{count:?}");
    }
}

#[test]
fn an_ending_is_walked_for_promotions_that_throw_the_win_away() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    generate::generate(directory.path(), "KPPvK").unwrap();
    let promotions = premature_promotions::premature_promotions(path, "KPPvK").unwrap();
    let squares: Vec<_> = promotions.keys().map(|square| square.rank()).collect();
    assert!(
        !squares.is_empty() && squares.iter().all(|&rank| rank == 4),
        "{promotions:?}"
    );
}

#[test]
fn every_example_is_tested() {
    let examples = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples")).unwrap();
    let this = include_str!("examples.rs");
    for example in examples {
        let name = example.unwrap().file_name().into_string().unwrap();
        assert!(
            this.contains(&format!("\"../../../examples/{name}\"")),
            "{name}"
        );
    }
}
