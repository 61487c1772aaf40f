//! Making tables: once, whole, and the same everywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use tempfile::TempDir;

use crate::common::{assert_fails, json, run, sakmak, tables};

/// The bytes of the tables of a directory.
fn bytes(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    names
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .filter(|(name, _)| name.ends_with(".skm"))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect()
}

/// When each file of a directory was written.
fn times(directory: &Path) -> BTreeMap<String, SystemTime> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    names
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, entry.metadata().unwrap().modified().unwrap())
        })
        .collect()
}

#[test]
fn one_thread_makes_the_same_bytes_as_two() {
    let made = |threads| {
        let directory = TempDir::new().unwrap();
        let args = ["generate", "KRRvK", "KSMvK", "KRvKN", "--threads", threads];
        assert_eq!(run(directory.path(), args).code, 0);
        bytes(directory.path())
    };
    let (one, two) = (made("1"), made("2"));
    assert_eq!(one.len(), 7);
    assert!(one == two);
}

#[test]
fn done_twice_the_second_run_does_nothing() {
    let directory = TempDir::new().unwrap();
    let first = run(directory.path(), ["generate", "KRRvK"]);
    assert_eq!(first.code, 0, "{}", first.err);
    let before = times(directory.path());
    let second = run(directory.path(), ["generate", "KRRvK"]);
    assert_eq!(second.code, 0, "{}", second.err);
    assert_eq!(times(directory.path()), before);
    assert_eq!(second.err, "");
    assert!(
        second.out.contains("0 tables made, 2 found"),
        "{}",
        second.out
    );
}

#[test]
fn a_good_table_is_never_replaced_by_a_worse_one() {
    let directory = crate::common::copies(&["KRvK"]);
    let good = bytes(directory.path());
    // The run fails for want of memory, before and after it has found the good table.
    let args = ["generate", "--force", "KRvK", "--memory", "1MiB"];
    assert_fails(directory.path(), &args, 3, &["memory"]);
    assert_eq!(bytes(directory.path()), good);
    // Leftovers of a killed run are taken for nothing.
    let part = directory.path().join(".KSvK.skm.abc123.part");
    fs::write(&part, &good["KRvK.skm"]).unwrap();
    assert_fails(
        directory.path(),
        &["stats", "KSvK"],
        1,
        &["no table of KSvK"],
    );
    assert_eq!(run(directory.path(), ["generate", "KSvK"]).code, 0);
    assert!(!part.exists());
    assert_eq!(bytes(directory.path())["KRvK.skm"], good["KRvK.skm"]);
}

#[test]
fn what_does_not_fit_the_memory_is_refused_with_the_bytes_it_needs() {
    let directory = TempDir::new().unwrap();
    let args = ["generate", "KRNSvK", "--memory", "200MiB"];
    let refused = assert_fails(directory.path(), &args, 3, &["KRNSvK", "--memory"]);
    let needed = refused.err.split("needs ").nth(1).unwrap();
    let needed: u64 = needed.split(' ').next().unwrap().parse().unwrap();
    assert!(needed > 200 << 20);
    assert_eq!(bytes(directory.path()).len(), 0, "nothing is begun");
}

#[test]
fn a_plan_shows_what_would_be_made_and_makes_nothing() {
    let directory = TempDir::new().unwrap();
    let below = directory.path().join("tables");
    let plan = run(&below, ["generate", "bare-5", "--plan"]);
    assert_eq!(plan.code, 0, "{}", plan.err);
    assert!(
        plan.out.contains("34 of 34 tables to be made"),
        "{}",
        plan.out
    );
    let plan = json(&below, ["generate", "KSMvK", "--plan", "--json"]);
    let planned = plan["to_be_made"].as_array().unwrap();
    let names: Vec<_> = planned.iter().map(|plan| &plan["material"]).collect();
    assert_eq!(names, ["KSvK", "KMvK", "KSMvK"]);
    for plan in planned {
        for field in ["men", "cells", "memory_bytes", "table_bytes"] {
            assert!(plan[field].as_u64().unwrap() > 0);
        }
    }
    assert!(!below.exists());
    let plan = run(tables(), ["generate", "bare-4", "--plan"]);
    assert!(plan.out.contains("0 of 14"), "{}", plan.out);
}

#[test]
fn a_plan_of_eight_men_is_shown_at_once() {
    let plan = run(tables(), ["generate", "KRNSMMMvK", "--plan"]);
    assert_eq!(plan.code, 0, "{}", plan.err);
    assert!(plan.out.contains("KRNSMMMvK"), "{}", plan.out);
}

#[test]
fn the_closing_table_says_which_endings_beat_the_count() {
    let made = run(tables(), ["generate", "bare-4"]);
    let line = |name: &str| {
        let line = made.out.lines().find(|line| line.starts_with(name));
        line.unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(line("KRNvK").ends_with("beats the count"));
    assert!(
        line("KSMvK").contains("57 40 85.77 % 83.49 %"),
        "{}",
        line("KSMvK")
    );
    assert!(line("KSMvK").ends_with("usually"));
    assert!(line("KSSvK").ends_with("rarely"));
    assert!(line("KMvK").ends_with("never"));
    assert_eq!(
        made.err, "",
        "nothing is made, and nothing but data printed"
    );
}

#[test]
fn each_table_made_is_told_in_one_plain_line_and_the_time_in_a_last_one_unless_quiet() {
    let directory = TempDir::new().unwrap();
    let made = run(directory.path(), ["generate", "KSMvK"]);
    let lines: Vec<_> = made.err.lines().collect();
    assert_eq!(lines.len(), 4, "{}", made.err);
    for (line, name) in lines.iter().zip(["KSvK", "KMvK", "KSMvK"]) {
        assert!(line.starts_with(&format!("{name}: ")), "{line}");
        for part in ["cells", "a CPU second", "bytes", "bits a legal position"] {
            assert!(line.contains(part), "{line}");
        }
    }
    for phase in ["CPU s", "smaller endings", "solving", "choosing", "writing"] {
        assert!(lines[3].contains(phase), "{}", lines[3]);
    }
    assert!(!made.err.contains('\u{1b}') && !made.out.contains('\u{1b}'));
    let quiet = run(directory.path(), ["generate", "KRvK", "--quiet"]);
    assert_eq!((quiet.code, &*quiet.err), (0, ""));
}

#[test]
fn the_manifest_has_every_table_with_its_checksum() {
    let directory = TempDir::new().unwrap();
    assert_eq!(run(directory.path(), ["generate", "KSMvK"]).code, 0);
    let manifest = || {
        let text = fs::read_to_string(directory.path().join("manifest.json")).unwrap();
        serde_json::from_str::<serde_json::Value>(&text).unwrap()
    };
    let first = manifest();
    for (name, bytes) in bytes(directory.path()) {
        let entry = &first["tables"][name.trim_end_matches(".skm")];
        assert_eq!(entry["bytes"], bytes.len());
        assert_eq!(entry["blake3"], blake3::hash(&bytes).to_hex().as_str());
    }
    // One that was lost is written anew from the tables that are there.
    fs::remove_file(directory.path().join("manifest.json")).unwrap();
    assert_eq!(run(directory.path(), ["generate", "KSMvK"]).code, 0);
    assert_eq!(manifest(), first);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_half_made() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let directory = TempDir::new().unwrap();
    let mut run = Command::new(assert_cmd::cargo::cargo_bin("sakmak"))
        .args(["generate", "bare-5", "--threads", "1", "--tables"])
        .arg(directory.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Interrupted while it works on a table: when the second is there.
    let second = directory.path().join("KNvK.skm");
    let started = Instant::now();
    while !second.exists() {
        assert!(started.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = run.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    for entry in fs::read_dir(directory.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".part"), "{name} is left");
    }
    let verified = sakmak(directory.path())
        .args(["verify", "--checksums-only"])
        .output()
        .unwrap();
    assert!(verified.status.success());
}
