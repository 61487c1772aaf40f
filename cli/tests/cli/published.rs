//! The published tables.

use std::path::Path;

use sakmak::generate::{SolvedEndings, generate_table};
use sakmak::table::WriteOptions;
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::common::{assert_fails, copies, json, run, tables};

const PUBLISHED: &str = include_str!("../../../tables/published.json");

#[test]
fn freshly_made_tables_are_the_published_ones() {
    let verified = json(tables(), ["verify", "bare-4", "--checksums-only", "--json"]);
    let generated = json(tables(), ["generate", "bare-4", "--json"]);
    for table in [&verified, &generated].map(|document| document["tables"].as_array().unwrap()) {
        assert_eq!(table.len(), 14);
        for table in table {
            let stale = "renew tables/published.json with tools/publish";
            assert_eq!(table["published"], "same", "{table}: {stale}");
        }
    }
    let text = run(tables(), ["generate", "bare-4"]).out;
    assert!(
        text.contains("14 of 14 tables are the published ones"),
        "{text}"
    );
}

/// A table has the same content whether it is packed like the published one or with the best
/// packing of a search; the same holds for its verdict table.
#[test]
fn the_published_packing_is_the_one_that_a_search_finds() {
    let sets = ["KRvKN", "KSvKM", "KNSvK", "KRRvK"];
    let made = |search: &[&str]| {
        let directory = TempDir::new().unwrap();
        let args = [&["generate", "--verdicts", "--json"][..], search, &sets[..]].concat();
        let document = json(directory.path(), args);
        let listed = json(directory.path(), ["list", "--json"]);
        let verdicts = listed["verdict_tables"].as_array().unwrap().iter();
        let verdicts: Vec<Json> = verdicts.map(|table| table["blake3"].clone()).collect();
        let tables = document["tables"].as_array().unwrap().clone();
        for table in &tables {
            assert_eq!(table["published"], "same", "{table}");
        }
        assert_eq!(verdicts.len(), tables.len());
        (tables, verdicts)
    };
    let searched = |table: &Json| table["phases"]["choosing"]["elapsed"].as_f64().unwrap() > 0.0;
    let (known, found) = (made(&[]), made(&["--search-orders"]));
    assert!(!known.0.iter().any(searched));
    assert!(found.0.iter().all(searched));
    assert_eq!(
        known.1, found.1,
        "renew tables/published.json with tools/publish"
    );
}

#[test]
fn what_is_published_can_be_made_again_from_the_tables() {
    let run = run(tables(), ["list", "--published", "bare-4"]);
    assert_eq!((run.code, &*run.err), (0, ""));
    let of = |text: &str| serde_json::from_str::<Json>(text).unwrap();
    let (ours, published) = (of(&run.out), of(PUBLISHED));
    assert_eq!(ours["format"], published["format"]);
    assert_eq!(ours["tables"].as_object().unwrap().len(), 14);
    for (name, entry) in ours["tables"].as_object().unwrap() {
        assert_eq!(*entry, published["tables"][name], "{name}");
    }
    let nothing = TempDir::new().unwrap();
    let args = ["list", "--published", "bare-4"];
    assert_fails(
        nothing.path(),
        &args,
        1,
        &["there is no table of", "generate"],
    );
}

#[test]
fn the_published_numbers_are_those_of_the_statistics() {
    let published: Json = serde_json::from_str(PUBLISHED).unwrap();
    for name in ["KSMvK", "KRvK"] {
        let stats = json(tables(), ["stats", name, "--json"]);
        let dtm = &published["tables"][name]["statistics"][0];
        for turn in ["white_to_move", "black_to_move"] {
            let wins = stats[turn]["white_wins"].as_array().unwrap();
            let sum: u64 = wins.iter().map(|n| n.as_u64().unwrap()).sum();
            assert_eq!(dtm[turn]["white_wins"], sum);
            assert_eq!(dtm[turn]["longest_white_win"], wins.len() - 1);
            assert_eq!(dtm[turn]["draws"], stats[turn]["draws"]);
            assert_eq!(dtm[turn]["legal"], stats[turn]["legal"]);
        }
    }
}

/// Generates KRvK with the quickest compression, which gives other bytes.
fn other_bytes(directory: &Path) {
    let options = WriteOptions {
        level: 1,
        ..WriteOptions::default()
    };
    let material = "KRvK".parse().unwrap();
    generate_table(
        material,
        directory,
        &mut SolvedEndings::new(),
        &options,
        &|_| {},
    )
    .unwrap();
}

#[test]
fn a_table_with_other_bytes_is_right_and_said_to_be_packed_otherwise() {
    let directory = copies(&["KSvK"]);
    other_bytes(directory.path());
    let verified = json(directory.path(), ["verify", "KRvK", "KSvK", "--json"]);
    let of = |name: &str| {
        let mut tables = verified["tables"].as_array().unwrap().iter();
        tables
            .find(|table| table["material"] == name)
            .unwrap()
            .clone()
    };
    assert_eq!(of("KRvK")["published"], "repacked");
    assert_eq!(of("KSvK")["published"], "same");
    assert_eq!(verified["right"], true);
    let text = run(directory.path(), ["verify", "KRvK", "KSvK"]).out;
    assert!(
        text.contains("; same contents as published, different packing"),
        "{text}"
    );
    let text = run(directory.path(), ["generate", "KRvK", "KSvK"]).out;
    assert!(
        text.contains(
            "1 of 2 tables has the contents of the published ones in a different packing"
        ),
        "{text}"
    );
}

#[test]
fn small_tables_are_the_same_tables_in_fewer_bytes() {
    let [usual, small] = [&["generate", "KNMvK", "KRRvK", "--json"][..], &["--small"]];
    let made = |args: &[&str]| {
        let directory = TempDir::new().unwrap();
        let document = json(directory.path(), args.iter().copied());
        let verified = json(directory.path(), ["verify", "KNMvK", "KRRvK", "--json"]);
        assert_eq!(verified["right"], true);
        let tables = document["tables"].as_array().unwrap().clone();
        assert!(tables.iter().all(|table| table["made"] == true));
        tables
    };
    let bytes = |tables: &[Json]| {
        let bytes = tables.iter().map(|table| table["bytes"].as_u64().unwrap());
        bytes.sum::<u64>()
    };
    let small = made(&[usual, small].concat());
    assert!(bytes(&small) < bytes(&made(usual)));
    for table in small {
        let published = table["published"].as_str().unwrap();
        assert!(["same", "repacked"].contains(&published), "{table}");
    }
}

#[test]
fn a_damaged_table_is_compared_with_nothing() {
    let directory = copies(&["KSvK"]);
    std::fs::write(directory.path().join("KSvK.skm"), b"short").unwrap();
    let run = run(directory.path(), ["verify", "KSvK", "--json"]);
    assert_eq!(run.code, 3);
    let verified: Json = serde_json::from_str(&run.out).unwrap();
    assert_eq!(verified["tables"][0]["published"], Json::Null);
}

fn hash(path: &Path) -> String {
    blake3::hash(&std::fs::read(path).unwrap()).to_string()
}

fn listed(directory: &Path) -> Json {
    let run = run(directory, ["list", "--json"]);
    serde_json::from_str::<Json>(&run.out).unwrap()["tables"][0].clone()
}

#[test]
fn nothing_is_claimed_of_a_changed_table() {
    let directory = copies(&["KRvK"]);
    let path = directory.path().join("KRvK.skm");
    let good = std::fs::read(&path).unwrap();
    let generated = || json(directory.path(), ["generate", "KRvK", "--json"]);
    assert_eq!(generated()["tables"][0]["published"], "same");
    assert_eq!(listed(directory.path())["blake3"], hash(&path));
    let study = || {
        let run = run(directory.path(), ["study", "KRvK", "--no-scan", "--json"]);
        serde_json::from_str::<Json>(&run.out).unwrap()["endings"][0]["scan"].clone()
    };
    assert_eq!(run(directory.path(), ["study", "KRvK"]).code, 0);
    assert_ne!(study(), Json::Null);
    // In place, with its previous time.
    let time = std::fs::metadata(&path).unwrap().modified().unwrap();
    let mut file = std::fs::File::options().write(true).open(&path).unwrap();
    let changed = [good[3000] ^ 0xff];
    std::os::unix::fs::FileExt::write_all_at(&file, &changed, 3000).unwrap();
    std::io::Write::flush(&mut file).unwrap();
    file.set_modified(time).unwrap();
    drop(file);
    assert_eq!(listed(directory.path())["blake3"], hash(&path));
    assert_eq!(study(), Json::Null, "what was found is not of this file");
    let again = run(directory.path(), ["generate", "KRvK"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(again.err.contains("generating it again"), "{}", again.err);
    assert!(again.out.contains("1 of 1"), "{}", again.out);
    assert_eq!(std::fs::read(&path).unwrap(), good);
    // Without a manifest it is not reported as a repacked table.
    std::fs::write(&path, [&good[..3000], &changed, &good[3001..]].concat()).unwrap();
    std::fs::remove_file(directory.path().join("manifest.json")).unwrap();
    assert_eq!(run(directory.path(), ["verify", "KRvK"]).code, 3);
    assert_eq!(generated()["tables"][0]["published"], "same");
    assert_eq!(std::fs::read(&path).unwrap(), good);
}

#[test]
fn wrong_hashes_in_the_manifest_are_mended() {
    let directory = copies(&["KRvK"]);
    let path = directory.path().join("KRvK.skm");
    let manifest = directory.path().join("manifest.json");
    let generate = || assert_eq!(run(directory.path(), ["generate", "KRvK"]).code, 0);
    generate();
    let right = std::fs::read_to_string(&manifest).unwrap();
    let wrong = right.replace(&hash(&path), &"0".repeat(64));
    assert_ne!(right, wrong);
    std::fs::write(&manifest, wrong).unwrap();
    assert_eq!(listed(directory.path())["blake3"], hash(&path));
    generate();
    assert_eq!(std::fs::read_to_string(&manifest).unwrap(), right);
}
