//! Several directories of tables. The last one has complete tables, and every command must answer
//! as if there were only that one, whatever is wrong with the tables of the others.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::common::{copies, json, run, tables};

const ROOK: &str = "8/8/8/8/8/2k5/8/K6R w";
/// A position that tables for makruk alone do not answer in ASEAN chess and ouk.
const BOTH: &str = "7k/8/8/3n4/8/8/8/R3K3 w";

/// Commands that read K+R v K.
const OF_ROOK: [&[&str]; 10] = [
    &["probe", ROOK],
    &["probe", ROOK, "--json"],
    &["line", ROOK],
    &["stats", "KRvK"],
    &["stats", "KRvK", "--json"],
    &["study", "KRvK"],
    &["study", "KRvK", "--json"],
    &["find", "KRvK", "--dtm", "10..12", "--limit", "5"],
    &["find", "KRvK", "--count"],
    &["find", "KRvK", "--puzzles", "2", "--seed", "3"],
];

/// Commands that need results of ASEAN chess or ouk.
const OF_RULES: [&[&str]; 8] = [
    &["probe", BOTH, "--rules", "asean"],
    &["line", BOTH, "--rules", "ouk"],
    &["stats", "KRvKN"],
    &["stats", "KRvKN", "--json"],
    &["study", "KRvKN", "--rules", "ouk", "--json"],
    &["study", "KRvKN", "--json"],
    &["find", "KRvKN", "--rules", "asean", "--limit", "3"],
    &[
        "find",
        "KRvKN",
        "--rules",
        "ouk",
        "--verdict",
        "loss",
        "--turn",
        "b",
        "--count",
    ],
];

fn both(first: &Path, second: &Path) -> OsString {
    std::env::join_paths([first, second]).unwrap()
}

/// The offset of the header, from the preamble.
fn header_place(bytes: &[u8]) -> usize {
    u64::from_le_bytes(bytes[24..32].try_into().unwrap()) as usize
}

type Damage = fn(&mut Vec<u8>);

/// Damage to a header and to blocks, and a file without contents.
const DAMAGES: [Damage; 4] = [
    |bytes| {
        let place = header_place(bytes);
        bytes[place + 9] ^= 4;
    },
    |bytes| {
        let place = header_place(bytes);
        bytes[place / 4..place / 2]
            .iter_mut()
            .for_each(|b| *b ^= 0x10);
    },
    |bytes| bytes.truncate(bytes.len() - 1),
    Vec::clear,
];

/// A directory with a damaged table of K+R v K.
fn damaged(damage: Damage) -> TempDir {
    let directory = copies(&["KRvK"]);
    let path = directory.path().join("KRvK.skm");
    let mut bytes = fs::read(&path).unwrap();
    damage(&mut bytes);
    fs::write(&path, bytes).unwrap();
    directory
}

/// A directory with a table of K+R v K+N that has makruk's results alone.
fn makruk_alone() -> TempDir {
    let directory = TempDir::new().unwrap();
    let args = ["generate", "KRvKN", "--rules", "makruk", "--quiet"];
    assert_eq!(run(directory.path(), args).code, 0);
    directory
}

#[track_caller]
fn answers_alike(first: &Path, args: &[&str]) {
    // `study` keeps what it finds.
    let whole = copies(&["KRvK", "KNvK", "KRvKN"]);
    let expected = run(whole.path(), args.iter().copied());
    assert_eq!(expected.code, 0, "{args:?}: {}", expected.err);
    let _ = fs::remove_file(whole.path().join("study.json"));
    let both = both(first, whole.path());
    let answered = run(Path::new(&both), args.iter().copied());
    assert_eq!(answered.code, 0, "{args:?}: {}", answered.err);
    assert_eq!(answered.out, expected.out, "{args:?}");
}

#[test]
fn a_damaged_table_in_an_earlier_directory_changes_no_answer() {
    for damage in DAMAGES {
        let first = damaged(damage);
        for args in OF_ROOK {
            answers_alike(first.path(), args);
        }
        let listed = run(Path::new(&both(first.path(), tables())), ["list", "KRvK"]);
        assert_eq!(listed.code, 0, "{}{}", listed.out, listed.err);
    }
}

#[test]
fn a_table_of_fewer_rule_sets_in_an_earlier_directory_changes_no_answer() {
    let first = makruk_alone();
    for args in OF_RULES {
        answers_alike(first.path(), args);
    }
    let both = both(first.path(), tables());
    let listed: Json = json(Path::new(&both), ["list", "KRvKN", "--json"]);
    let mut listed = listed["tables"].as_array().unwrap().iter();
    let table = listed.find(|table| table["material"] == "KRvKN").unwrap();
    assert_eq!(
        table["rule_sets"],
        serde_json::json!(["makruk", "asean", "ouk"])
    );
}

#[test]
fn verify_checks_the_tables_of_every_directory() {
    let whole = copies(&["KRvK", "KSvK"]);
    for damage in DAMAGES {
        let bad = damaged(damage);
        for (first, second) in [(&bad, &whole), (&whole, &bad)] {
            let both = both(first.path(), second.path());
            let verified = run(Path::new(&both), ["verify"]);
            assert_eq!(verified.code, 3, "{}", verified.out);
            let lines: Vec<&str> = verified.out.lines().collect();
            assert_eq!(lines.len(), 3, "{}", verified.out);
            let (failed, right): (Vec<&str>, Vec<&str>) =
                lines.iter().partition(|line| line.contains("FAILED"));
            assert_eq!(failed.len(), 1, "{}", verified.out);
            let file = bad.path().join("KRvK.skm").display().to_string();
            assert!(failed[0].contains(&file), "{}", verified.out);
            assert!(right.iter().all(|line| line.contains("as published")));
        }
    }
    // A larger ending is verified by the whole tables of its subendings.
    let bad = damaged(DAMAGES[1]);
    fs::copy(tables().join("KRvKN.skm"), bad.path().join("KRvKN.skm")).unwrap();
    let both = both(bad.path(), tables());
    let verified: Vec<String> = run(Path::new(&both), ["verify", "KRvKN", "--sample", "500"])
        .out
        .lines()
        .map(str::to_string)
        .collect();
    let failed = verified.iter().filter(|line| line.contains("FAILED"));
    assert_eq!(failed.count(), 1, "{verified:?}");
}

#[test]
fn a_damaged_verdict_table_in_an_earlier_directory_is_replaced_for_the_study_of_promotion() {
    let whole = crate::common::bia_tables();
    let first = TempDir::new().unwrap();
    let mut bytes = fs::read(whole.join("KMPvK.skv")).unwrap();
    let place = header_place(&bytes);
    bytes[place + 9] ^= 4;
    fs::write(first.path().join("KMPvK.skv"), bytes).unwrap();
    let study = |tables: &Path| json(tables, ["study", "KMPvK", "--json"]);
    let both = both(first.path(), whole);
    assert_eq!(
        study(Path::new(&both))["promotion"],
        study(whole)["promotion"]
    );
}

#[test]
fn tables_in_a_later_directory_are_not_generated_again() {
    let args = ["generate", "KRvKN", "--verdicts", "--quiet"];
    let (first, second) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    assert_eq!(run(second.path(), args).code, 0);
    assert!(second.path().join("KRvKN.skv").exists());
    let both = both(first.path(), second.path());
    assert_eq!(run(Path::new(&both), args).code, 0);
    let files = fs::read_dir(first.path()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let tables: Vec<String> = names.filter(|name| name.starts_with('K')).collect();
    assert_eq!(tables, [] as [&str; 0]);
}
