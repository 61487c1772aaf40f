//! Tables of some rule sets only: generated, recognised, and never used in place of complete ones.

use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::common::{assert_fails, copies, json, run, sakmak, tables};

/// White to move has a rook against a knight, in each game's letters.
const POSITION: &str = "7k/8/8/3n4/8/8/8/R3K3 w - - 0 1";

/// Generates the table of K+R v K+N and its subendings with these options.
#[track_caller]
fn make(directory: &Path, options: &[&str]) -> String {
    let made = run(directory, [&["generate", "KRvKN"], options].concat());
    assert_eq!(made.code, 0, "{}", made.err);
    made.err + &made.out
}

/// The rule sets of its tables according to `list --json`.
fn rule_sets(directory: &Path) -> Json {
    let list: Json = json(directory, ["list", "KRvKN", "--json"]);
    let of = |list: &Json| {
        let mut tables = list.as_array().unwrap().iter();
        tables
            .find(|table| table["material"] == "KRvKN")
            .map(|table| table["rule_sets"].clone())
    };
    match of(&list["verdict_tables"]) {
        None => of(&list["tables"]).unwrap(),
        Some(verdicts) => serde_json::json!([of(&list["tables"]).unwrap(), verdicts]),
    }
}

fn bytes(directory: &Path, file: &str) -> Vec<u8> {
    fs::read(directory.join(file)).unwrap()
}

fn whole() -> Vec<u8> {
    bytes(tables(), "KRvKN.skm")
}

#[test]
fn makruk_alone_is_made_and_the_others_are_added_when_they_are_asked_for() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    make(path, &["--rules", "makruk", "--verdicts"]);
    let makruk = serde_json::json!(["makruk"]);
    let all = serde_json::json!(["makruk", "asean", "ouk"]);
    assert_eq!(rule_sets(path), serde_json::json!([makruk, makruk]));
    assert!(bytes(path, "KRvKN.skm").len() < whole().len());
    // Against a bare king there is nothing to leave out.
    assert!(bytes(path, "KRvK.skm") == bytes(tables(), "KRvK.skm"));
    let manifest: Json = serde_json::from_slice(&bytes(path, "manifest.json")).unwrap();
    assert_eq!(manifest["tables"]["KRvKN"]["rule_sets"], makruk);
    assert_eq!(manifest["tables"]["KRvK"].get("rule_sets"), None);
    assert_eq!(manifest["verdict_tables"]["KRvKN"]["rule_sets"], makruk);
    // A second run does nothing.
    let before = fs::metadata(path.join("KRvKN.skm")).unwrap();
    make(path, &["--rules", "makruk", "--verdicts"]);
    let after = fs::metadata(path.join("KRvKN.skm")).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());

    let verified = run(path, ["verify", "KRvKN"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let as_published = "verdict table OK, as published; as published";
    assert_eq!(
        verified.out.matches(as_published).count(),
        3,
        "{}",
        verified.out
    );
    // The sections equal those found by a search for the best packing.
    let searched = TempDir::new().unwrap();
    make(searched.path(), &["--rules", "makruk", "--search-orders"]);
    assert!(bytes(searched.path(), "KRvKN.skm") == bytes(path, "KRvKN.skm"));

    // A missing rule set is added to the existing ones.
    let said = make(path, &["--rules", "ouk"]);
    assert!(
        said.contains(
            "KRvKN.skm has results for makruk only: generating it again with makruk and ouk"
        ),
        "{said}"
    );
    let said = make(path, &["--rules", "asean"]);
    assert!(said.contains("again with makruk, asean and ouk"), "{said}");
    assert!(bytes(path, "KRvKN.skm") == whole());
    assert_eq!(rule_sets(path), serde_json::json!([all, makruk]));
    make(path, &["--verdicts"]);
    assert_eq!(rule_sets(path), serde_json::json!([all, all]));
}

#[test]
fn a_whole_table_is_replaced_by_a_smaller_one_by_force_alone() {
    let directory = copies(&["KRvK", "KNvK", "KRvKN"]);
    let path = directory.path();
    make(path, &["--verdicts"]);
    let verdicts = bytes(path, "KRvKN.skv");
    make(path, &["--rules", "makruk", "--verdicts"]);
    for only in [&["--only"][..], &["--only", "--verdicts"]] {
        make(path, &[only, &["--rules", "makruk"]].concat());
    }
    assert!(bytes(path, "KRvKN.skm") == whole());
    assert!(bytes(path, "KRvKN.skv") == verdicts);
    make(path, &["--rules", "makruk", "--verdicts", "--force"]);
    let makruk = serde_json::json!(["makruk"]);
    assert_eq!(rule_sets(path), serde_json::json!([makruk, makruk]));
    // A job replaces the table and records it.
    make(path, &["--only", "--verdicts"]);
    assert!(bytes(path, "KRvKN.skm") == whole());
    assert!(bytes(path, "KRvKN.skv") == verdicts);
}

#[test]
fn a_whole_table_in_a_later_directory_is_enough() {
    let first = copies(&["KRvK", "KNvK"]);
    make(first.path(), &["--rules", "makruk"]);
    let smaller = bytes(first.path(), "KRvKN.skm");
    let both = std::env::join_paths([first.path(), tables()]).unwrap();
    let said = make(Path::new(&both), &[]);
    assert!(!said.contains("again"), "{said}");
    assert!(bytes(first.path(), "KRvKN.skm") == smaller);
}

#[test]
fn a_job_that_made_a_smaller_table_is_not_taken_for_the_whole_one() {
    let directory = copies(&["KRvK", "KNvK"]);
    let path = directory.path();
    let other = TempDir::new().unwrap();
    make(other.path(), &["--rules", "makruk"]);
    // The state after a job was killed before it could move its table into place.
    fs::create_dir(path.join("KRvKN.job")).unwrap();
    let left = path.join("KRvKN.job/KRvKN.skm");
    fs::write(&left, bytes(other.path(), "KRvKN.skm")).unwrap();
    make(path, &["--only"]);
    assert!(bytes(path, "KRvKN.skm") == whole());
}

#[test]
fn every_command_says_which_rule_sets_are_missing() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    make(path, &["--rules", "makruk"]);
    let probed = run(path, ["probe", POSITION]);
    assert_eq!(probed.code, 0, "{}", probed.err);
    let words = "KRvKN.skm has results for makruk only, not for asean";
    let remedy = "sakmak generate KRvKN --rules asean";
    for command in [
        &["probe", POSITION][..],
        &["probe", POSITION, "--json"],
        &["line", POSITION],
        &["find", "KRvKN"],
    ] {
        let args = [command, &["--rules", "asean"]].concat();
        assert_fails(path, &args, 1, &[words, remedy]);
    }
    let listed = run(path, ["list"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let line = "tables with results for makruk only: KRvKN\n";
    assert!(listed.out.contains(line), "{}", listed.out);
    let stats = run(path, ["stats", "KRvKN"]);
    let line = "The table has results for makruk only";
    assert!(stats.out.contains(line), "{}", stats.out);
    let stats: Json = json(path, ["stats", "KRvKN", "--json"]);
    assert_eq!(stats["missing_rules"], serde_json::json!(["asean", "ouk"]));
    assert_eq!(stats["rules"].as_array().unwrap().len(), 1);
    let stats: Json = json(path, ["stats", "KRvK", "--json"]);
    assert_eq!(stats.get("missing_rules"), None);
    let study = run(path, ["study", "KRvKN", "--rules", "asean", "--no-scan"]);
    assert_eq!(study.code, 1, "{}", study.err);
    assert!(study.out.contains(words), "{}", study.out);
    let study = run(path, ["study", "KRvK", "KRvKN", "--no-scan"]);
    assert_eq!(study.code, 0, "{}", study.err);
    let line = "The tables of KRvKN have results for makruk only.";
    let said = study.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(line), "{}", study.out);
}

#[test]
fn an_engine_plays_on_without_the_rule_set() {
    let directory = TempDir::new().unwrap();
    make(directory.path(), &["--rules", "makruk"]);
    let asked =
        format!("setoption name UCI_Variant value asean\nposition fen {POSITION}\ngo\nquit\n");
    let mut engine = sakmak(directory.path());
    let output = engine.arg("uci").write_stdin(asked).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("KRvKN.skm has results for makruk only, not for asean"),
        "{said}"
    );
    assert!(said.contains("bestmove "), "{said}");
}

#[test]
fn annotate_says_that_the_table_lacks_the_rules_of_the_game() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    make(path, &["--rules", "makruk"]);
    let game = format!("[Variant \"ASEAN\"]\n[FEN \"{POSITION}\"]\n[SetUp \"1\"]\n\n1. Ra5 *\n");
    let file = path.join("game.pgn");
    fs::write(&file, game).unwrap();
    let annotated = run(path, ["annotate", file.to_str().unwrap()]);
    let said = annotated
        .out
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let words = "the table of KRvKN lacks asean";
    assert!(said.contains(words), "{}{}", annotated.out, annotated.err);
}

#[test]
fn rules_that_are_none_are_refused() {
    let directory = TempDir::new().unwrap();
    for (rules, words) in [
        (
            "chess",
            "\"chess\" is not a rule set: write makruk, asean or ouk",
        ),
        ("makruk,", "\"\" is not a rule set"),
        ("", "\"\" is not a rule set"),
        ("makruk ouk", "\"makruk ouk\" is not a rule set"),
    ] {
        let refused = run(directory.path(), ["generate", "KRvK", "--rules", rules]);
        assert_eq!((refused.code, &*refused.out), (2, ""), "{}", refused.err);
        assert!(refused.err.contains(words), "{}", refused.err);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
    // In any case, by ouk's other name, repeated, and in any order.
    let args = [
        "generate",
        "KRvK",
        "--rules",
        "cambodian,Makruk",
        "--rules",
        "ASEAN",
        "--plan",
    ];
    assert_eq!(run(directory.path(), args).code, 0);
}

#[test]
fn a_table_with_other_rule_sets_than_the_published_ones_is_said_to_be_published_with_those() {
    let directory = TempDir::new().unwrap();
    let says = |args: &[&str], sentence: &str| {
        let made = run(directory.path(), [&["generate"], args].concat());
        assert_eq!(made.code, 0, "{}", made.err);
        let words = made.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(sentence), "{words}");
        assert!(!words.contains("not published"), "{words}");
    };
    says(
        &["KMvKM", "--rules", "ouk"],
        "1 of 2 tables is one of the published ones, byte for byte; \
         1 of 2 tables is published with all rule sets or with makruk only: KMvKM.",
    );
    says(
        &["KMMvKM", "--rules", "makruk"],
        "1 of 4 tables is published with all rule sets only: KMMvKM",
    );
    let verified = json(
        directory.path(),
        ["verify", "KMMvKM", "--checksums-only", "--json"],
    );
    let of = |name: &str| {
        let mut tables = verified["tables"].as_array().unwrap().iter();
        tables.find(|table| table["material"] == name).unwrap()["published"].clone()
    };
    assert_eq!([of("KMvK"), of("KMMvKM")], ["same", "other-rules"]);
}
