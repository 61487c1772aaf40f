//! Generation: once, completely, and with the same bytes everywhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

use tempfile::TempDir;

use crate::common::{assert_fails, copies, json, run, tables};
#[cfg(target_os = "linux")]
use crate::{command::program_with, running::Running};

/// The bytes of the tables of a directory.
fn bytes(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    names
        .map(|entry| (entry.file_name().into_string().unwrap(), entry.path()))
        .filter(|(name, _)| name.ends_with(".skm"))
        .map(|(name, path)| (name, fs::read(path).unwrap()))
        .collect()
}

/// The modification times of the files in a directory.
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
        let args = ["generate", "KRRvK", "KMMvK", "KMvKM", "--threads", threads];
        assert_eq!(run(directory.path(), args).code, 0);
        bytes(directory.path())
    };
    let (one, two) = (made("1"), made("2"));
    assert_eq!(one.len(), 5);
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
    let directory = copies(&["KRvK"]);
    let good = bytes(directory.path());
    // The run fails for lack of memory, before and after it has found the intact table.
    let args = ["generate", "--force", "KRvK", "--memory", "1MiB"];
    assert_fails(directory.path(), &args, 3, &["memory"]);
    assert_eq!(bytes(directory.path()), good);
    // Leftovers of a killed run are ignored.
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
        plan.out.contains("34 of 34 tables to generate"),
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
    // The size of a published table is known.
    let bytes = fs::metadata(tables().join("KSMvK.skm")).unwrap().len();
    assert_eq!(planned[2]["table_bytes"], bytes);
    let small = json(&below, ["generate", "KSMvK", "--small", "--plan", "--json"]);
    assert!(small["to_be_made"][2]["table_bytes"].as_u64().unwrap() < bytes);
    let plan = run(tables(), ["generate", "bare-4", "--plan"]);
    assert!(plan.out.contains("0 of 14"), "{}", plan.out);
}

#[test]
fn cells_are_counted_alike_everywhere() {
    let directory = copies(&["KSvK", "KMvK", "KRvK", "KNvK"]);
    for name in ["KSMvK", "KRvKN"] {
        let plan = json(directory.path(), ["generate", name, "--plan", "--json"]);
        let made = json(directory.path(), ["generate", name, "--json"]);
        let made = made["tables"]
            .as_array()
            .unwrap()
            .iter()
            .find(|t| t["material"] == name);
        assert_eq!(
            plan["to_be_made"][0]["cells"],
            made.unwrap()["cells"],
            "{name}"
        );
    }
}

#[test]
fn a_plan_knows_the_bytes_of_published_tables() {
    let empty = TempDir::new().unwrap();
    let plan = json(empty.path(), ["generate", "bare-4", "--plan", "--json"]);
    for planned in plan["to_be_made"].as_array().unwrap() {
        let name = planned["material"].as_str().unwrap();
        let file = tables().join(format!("{name}.skm"));
        assert_eq!(
            planned["table_bytes"],
            fs::metadata(file).unwrap().len(),
            "{name}"
        );
    }
}

#[test]
fn one_table_is_written_in_the_singular() {
    let directory = TempDir::new().unwrap();
    let made = run(directory.path(), ["generate", "KSvK"]);
    assert!(made.err.contains("1 table to generate"), "{}", made.err);
    assert!(made.out.contains("1 table made, 0 found"), "{}", made.out);
    let list = run(directory.path(), ["list"]);
    assert!(list.out.contains("\n1 table, "), "{}", list.out);
    let args = ["probe", "8/8/8/3k4/8/3K4/3S4/8 w - 88 87"];
    let probe = run(directory.path(), args);
    assert!(probe.out.contains("1 move left"), "{}", probe.out);
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
    assert!(line("KMvK").ends_with("no win"));
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
    assert_eq!(lines.len(), 5, "{}", made.err);
    let before = "3 tables to generate: ";
    assert!(lines[0].starts_with(before) && lines[0].contains("of memory at most"));
    let lines = &lines[1..];
    for (line, name) in lines.iter().zip(["KSvK", "KMvK", "KSMvK"]) {
        assert!(line.starts_with(&format!("{name}: ")), "{line}");
        for part in [
            "cells",
            "per CPU second",
            "bytes",
            "bits per legal position",
        ] {
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
fn the_bits_of_a_position_count_symmetric_positions_once() {
    let directory = TempDir::new().unwrap();
    let sets = ["generate", "KRvK", "KSvK", "KMPvK", "--json"];
    let made = json(directory.path(), sets);
    let tables = made["tables"].as_array().unwrap();
    for (name, symmetries) in [("KRvK", 8.0), ("KSvK", 2.0), ("KMPvK", 2.0)] {
        let stats = json(directory.path(), ["stats", name, "--json"]);
        let table = tables
            .iter()
            .find(|table| table["material"] == name)
            .expect("the table was made");
        let distinct = stats["white_to_move"]["legal"].as_f64().unwrap() / symmetries;
        let bits = 8.0 * table["bytes"].as_f64().unwrap() / distinct;
        let printed = table["bits_per_legal_position"].as_f64().unwrap();
        assert!(
            (printed - bits).abs() < 1e-9 * bits,
            "{name}: {printed}, {bits}"
        );
    }
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
    // A missing manifest is rebuilt from the existing tables.
    fs::remove_file(directory.path().join("manifest.json")).unwrap();
    assert_eq!(run(directory.path(), ["generate", "KSMvK"]).code, 0);
    assert_eq!(manifest(), first);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_waits_for_another_names_its_process() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;

    let directory = TempDir::new().unwrap();
    let path = directory.path().join("generate.lock");
    let mut held = fs::File::create(&path).unwrap();
    held.lock().unwrap();
    // Texts in the lock's file, and the messages about it: this process; an impossible process,
    // since numbers are below 2^22; the text of an earlier version; no number.
    let own = std::process::id().to_string();
    let named = format!("waiting for another sakmak (process {own}) that is generating tables in ");
    let unnamed = "waiting for another sakmak that is generating tables in ";
    let elsewhere =
        "waiting for another sakmak (process 7 on far.example) that is generating tables";
    let texts = [
        (&*own, &*named),
        ("far.example:7\n", elsewhere),
        ("4294967295", unnamed),
        ("", unnamed),
        ("mine", unnamed),
    ];
    let mut waiting = Vec::new();
    for (text, says) in texts {
        fs::write(&path, text).unwrap();
        let mut command = program_with(directory.path());
        command.args(["generate", "KRvK"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut run = Running::start(&mut command);
        let mut err = BufReader::new(run.stderr.take().unwrap());
        let mut line = String::new();
        err.read_line(&mut line).unwrap();
        assert!(line.starts_with(says), "{text:?}: {line}");
        assert!(
            line.contains(&directory.path().display().to_string()) && line.contains("--tables")
        );
        waiting.push((run, err));
    }
    // None of these texts blocks a run once the lock is free.
    held.set_len(0).unwrap();
    held.write_all(b"1\n").unwrap();
    drop(held);
    for (mut run, err) in waiting {
        let said: Vec<_> = err.lines().map(Result::unwrap).collect();
        assert!(run.end().success(), "{said:?}");
    }
    assert!(directory.path().join("KRvK.skm").exists());
    assert_eq!(fs::read_to_string(&path).unwrap(), "", "nobody holds it");
}

#[test]
fn large_endings_are_planned_and_those_beyond_the_machine_refused_with_the_bytes() {
    let directory = TempDir::new().unwrap();
    let plan = |name: &str| {
        // The plan must not depend on the memory that happens to be free.
        let args = ["generate", name, "--plan", "--json", "--memory", "20GiB"];
        let plan = json(directory.path(), args);
        plan["to_be_made"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()
            .clone()
    };
    let six = plan("KNSMMvK");
    assert_eq!(
        (&six["method"], &six["slices"]),
        (&"slices".into(), &2.into())
    );
    assert!(six["memory_bytes"].as_u64().unwrap() < 5 << 30);
    assert_eq!(plan("KMMMMMvK")["slices"], 3);
    let args = ["generate", "KSMMMMMvK", "--memory", "20GiB"];
    let refused = assert_fails(directory.path(), &args, 3, &["KSMMMMMvK", "--memory"]);
    let needed = refused.err.split("needs ").nth(1).unwrap();
    let needed: u64 = needed.split(' ').next().unwrap().parse().unwrap();
    assert!(needed > 100 << 30);
}
