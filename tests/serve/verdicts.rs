//! A server of verdict tables only.

use sakmak::generate::{Library, generate_verdicts};
use sakmak::material::{closure, parse_set};
use sakmak::rules::RuleSets;
use sakmak::serve::{Options, Patience};
use tempfile::TempDir;

use crate::client::{Served, tablebase, tables};

/// A directory with the verdict tables of K+R v K+N and its subendings.
fn verdicts() -> TempDir {
    let directory = TempDir::new().unwrap();
    let mut library = Library::new();
    for material in closure(parse_set("KRvKN").unwrap()) {
        generate_verdicts(material, RuleSets::ALL, directory.path(), &mut library, &[]).unwrap();
    }
    directory
}

#[test]
fn verdict_tables_are_listed_sent_and_answer_without_distances() {
    let directory = verdicts();
    let served = Served::new(directory.path(), Options::default(), Patience::default());
    let manifest = served.get("/v1/manifest.json").json();
    assert_eq!(manifest["tables"].as_object().unwrap().len(), 0);
    let listed = manifest["verdict_tables"].as_object().unwrap();
    assert_eq!(listed.len(), 3);
    for (name, entry) in listed {
        let file = std::fs::read(directory.path().join(format!("{name}.skv"))).unwrap();
        assert_eq!(entry["file"], format!("{name}.skv"));
        assert_eq!(entry["bytes"], file.len());
        assert_eq!(served.get(&format!("/tables/{name}.skv")).body, file);
    }
    served
        .get("/tables/KRvKN.skm")
        .is_error(404, "missing-table");
    // Categories as a server with distances gives them, but no distances.
    let full = Served::shared();
    for fen in [
        "8/8/8/8/8/2k5/8/K6R_w",
        "7k/8/6K1/8/8/8/8/R7_w",
        "8/8/8/4k3/8/2n5/8/K6R_w",
        "8/8/8/8/8/1k6/2n5/K6R_w",
        "8/8/8/3k4/8/3K4/8/8_w",
    ] {
        for rules in ["makruk", "ouk"] {
            let path = format!("/{rules}?fen={fen}");
            let (ours, theirs) = (served.get(&path).json(), full.get(&path).json());
            for field in [
                "category",
                "insufficient_material",
                "checkmate",
                "stalemate",
            ] {
                assert_eq!(ours[field], theirs[field], "{path}: {ours}");
            }
            assert_eq!(ours["count"], theirs["count"], "{path}");
            assert!(ours["dtm"].is_null() && ours["dth"].is_null());
            let moves = ours["moves"].as_array().unwrap();
            assert_eq!(moves.len(), theirs["moves"].as_array().unwrap().len());
            for found in moves {
                let same = |other: &&serde_json::Value| other["uci"] == found["uci"];
                let other = theirs["moves"].as_array().unwrap().iter().find(same);
                assert_eq!(
                    found["category"],
                    other.unwrap()["category"],
                    "{path} {found}"
                );
            }
        }
    }
    // While a count runs it may be open whether a win is in time.
    let open = served
        .get("/makruk?fen=7k/8/6K1/8/8/8/8/R7_b_-_32_20_1")
        .json();
    assert_eq!(open["category"], "maybe-loss", "{open}");
    // A question that needs distances names the missing table.
    let probe = served.get("/v1/probe?fen=8/8/8/8/8/2k5/8/K6R_w");
    probe.is_error(404, "missing-table");
    // With tables of both kinds, each is listed.
    assert!(tablebase(tables()).verdict_tables().next().is_none());
    assert!(full.get("/v1/manifest.json").json()["verdict_tables"].is_null());
}
