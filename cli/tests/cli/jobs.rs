//! Jobs that generate one table each, any number at once in one directory.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::command::program_with;
use crate::common::{assert_fails, copies, from_shell, json, run, tables};
use crate::directory::names;
use crate::preload::Library;
use crate::running::Running;

/// Asserts that a table has the bytes that a run by itself gives it.
#[track_caller]
pub fn assert_right(directory: &Path, name: &str) {
    let file = format!("{name}.skm");
    let right = fs::read(tables().join(&file)).unwrap();
    assert!(fs::read(directory.join(&file)).unwrap() == right, "{name}");
}

/// The distance tables in the manifest of a directory, without the files' stamps.
fn manifest(directory: &Path) -> serde_json::Map<String, Json> {
    let manifest = crate::directory::manifest(directory);
    manifest["tables"].as_object().unwrap().clone()
}

/// A job that has been started.
pub fn start(directory: &Path, name: &str, args: &[&str], no_locks: bool) -> Running {
    let mut command = program_with(directory);
    command.args(["generate", "--only", name, "--quiet"]);
    command.args(args).stdout(Stdio::null());
    if no_locks {
        command.env("LD_PRELOAD", NO_LOCKS.path());
    }
    Running::start(command.stderr(Stdio::piped()))
}

/// A library that makes every lock fail, as on network file systems without locks.
static NO_LOCKS: Library = Library::new(
    "#include <errno.h>\nint flock(int file, int operation) { errno = ENOLCK; return -1; }\n",
);

#[test]
fn only_makes_one_table_with_its_record() {
    let directory = TempDir::new().unwrap();
    let scratch = TempDir::new().unwrap();
    let at = scratch.path().to_str().unwrap();
    for (name, args) in [("KRvK", &[][..]), ("KNvK", &["--scratch", at])] {
        let made = run(
            directory.path(),
            ["generate", "--only", name]
                .into_iter()
                .chain(args.iter().copied()),
        );
        assert_eq!(made.code, 0, "{}", made.err);
        assert!(made.out.contains("1 table made, 0 found"), "{}", made.out);
        assert_right(directory.path(), name);
    }
    let made = ["KNvK.json", "KNvK.skm", "KRvK.json", "KRvK.skm"];
    assert_eq!(names(directory.path()), made);
    assert!(names(scratch.path()).is_empty());
    // A second run does nothing, except that it writes a missing record again.
    fs::remove_file(directory.path().join("KRvK.json")).unwrap();
    let again = run(directory.path(), ["generate", "--only", "KRvK"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(
        again.out.contains("0 tables made, 1 found"),
        "{}",
        again.out
    );
    assert_eq!(names(directory.path()), made);
}

#[test]
fn a_finished_table_that_was_not_published_is_not_made_again() {
    let directory = TempDir::new().unwrap();
    let job = directory.path().join("KRvK.job");
    let table = job.join("KRvK.skm");
    fs::create_dir(&job).unwrap();
    fs::copy(tables().join("KRvK.skm"), &table).unwrap();
    fs::write(job.join(".KRvK.skm.abcdef.part"), "of a killed job").unwrap();
    let only = ["generate", "--only", "KRvK"];
    let published = run(directory.path(), only);
    assert_eq!(published.code, 0, "{}", published.err);
    assert!(published.out.contains("0 tables made"), "{}", published.out);
    assert_right(directory.path(), "KRvK");
    assert_eq!(names(directory.path()), ["KRvK.json", "KRvK.skm"]);

    // A damaged table is generated again.
    let mut damaged = fs::read(tables().join("KRvK.skm")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::remove_file(directory.path().join("KRvK.skm")).unwrap();
    fs::create_dir(&job).unwrap();
    fs::write(&table, damaged).unwrap();
    let made = run(directory.path(), only);
    assert!(made.out.contains("1 table made"), "{}", made.out);
    assert_right(directory.path(), "KRvK");
    assert_eq!(names(directory.path()), ["KRvK.json", "KRvK.skm"]);
}

#[test]
fn a_file_that_is_no_record_is_not_replaced() {
    let directory = TempDir::new().unwrap();
    let record = directory.path().join("KRvK.json");
    fs::write(&record, "notes").unwrap();
    let only = ["generate", "--only", "KRvK"];
    assert_fails(directory.path(), &only, 3, &["KRvK.json is corrupt"]);
    assert_eq!(names(directory.path()), ["KRvK.json"]);
    assert_eq!(fs::read(&record).unwrap(), b"notes");
}

#[test]
fn scratch_may_name_the_directory_of_tables_in_another_way() {
    let directory = TempDir::new().unwrap();
    let other = directory
        .path()
        .join("..")
        .join(directory.path().file_name().unwrap());
    let only = [
        "generate",
        "--only",
        "KRvK",
        "--scratch",
        other.to_str().unwrap(),
    ];
    let made = run(directory.path(), only);
    assert_eq!(made.code, 0, "{}", made.err);
    assert_right(directory.path(), "KRvK");
    assert_eq!(names(directory.path()), ["KRvK.json", "KRvK.skm"]);
}

#[test]
fn only_makes_the_verdict_table_too() {
    let directory = TempDir::new().unwrap();
    let only = ["generate", "--only", "KRvK", "--verdicts"];
    let made = run(directory.path(), only);
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.err.contains("KRvK: verdict table"), "{}", made.err);
    assert_eq!(
        names(directory.path()),
        ["KRvK.json", "KRvK.skm", "KRvK.skv"]
    );
    // The verdict table equals that of a complete run. It is generated again if it is missing or
    // corrupt.
    let verdicts = directory.path().join("KRvK.skv");
    let bytes = fs::read(&verdicts).unwrap();
    let all = TempDir::new().unwrap();
    assert_eq!(run(all.path(), ["generate", "KRvK", "--verdicts"]).code, 0);
    assert!(fs::read(all.path().join("KRvK.skv")).unwrap() == bytes);
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    fs::write(&verdicts, damaged).unwrap();
    assert_eq!(run(directory.path(), only).code, 0);
    assert!(fs::read(&verdicts).unwrap() == bytes);
    let gathered = json(directory.path(), ["manifest", "--json"]);
    assert_eq!(gathered["verdict_tables"], 1);
    // The manifest has both tables, so neither is read again.
    let said = run(directory.path(), ["manifest"]).out;
    let known = "(0 from records, 1 unchanged, 0 read)";
    let expected = format!("1 table {known}; 1 verdict table {known}\n");
    assert!(said.ends_with(&expected), "{said}");
}

#[test]
fn manifest_is_gathered_from_the_records() {
    let directory = TempDir::new().unwrap();
    for name in ["KRvK", "KNvK", "KRvKN"] {
        assert_eq!(run(directory.path(), ["generate", "--only", name]).code, 0);
    }
    let gathered = json(directory.path(), ["manifest", "--json"]);
    assert_eq!(
        (&gathered["tables"], &gathered["recorded"]),
        (&3.into(), &3.into())
    );
    let (ours, all) = (manifest(directory.path()), manifest(tables()));
    assert_eq!(ours.len(), 3);
    for (name, entry) in &ours {
        assert_eq!(entry, &all[name], "{name}");
    }
    // The records are gone, and a finished job that runs again needs none.
    let left = ["KNvK.skm", "KRvK.skm", "KRvKN.skm", "manifest.json"];
    assert_eq!(names(directory.path()), left);
    assert_eq!(
        run(directory.path(), ["generate", "--only", "KRvK"]).code,
        0
    );
    assert_eq!(names(directory.path()), left);
    // Without a record the manifest's entry is kept; a changed file is read.
    let table = directory.path().join("KNvK.skm");
    fs::write(&table, fs::read(&table).unwrap()).unwrap();
    fs::write(directory.path().join("KRvKN.json"), "{").unwrap();
    let gathered = json(directory.path(), ["manifest", "--json"]);
    let from = ["recorded", "known", "read"].map(|from| gathered[from].as_u64().unwrap());
    assert_eq!(from, [0, 2, 1]);
    assert_eq!(manifest(directory.path()), ours);
    // An unreadable table is named, and the others are written.
    fs::write(&table, "no table").unwrap();
    let said = run(directory.path(), ["manifest"]);
    assert_eq!(said.code, 3, "{}", said.err);
    assert!(said.err.contains("KNvK.skm"), "{}", said.err);
    assert_eq!(manifest(directory.path()).len(), 2);
}

#[test]
fn only_needs_the_smaller_tables() {
    let directory = copies(&["KRvK"]);
    let only = |name| ["generate", "--only", name];
    let says = ["KRNvKN", "KNvK KRNvK KRvKN KNvKN", "missing"];
    assert_fails(directory.path(), &only("KRNvKN"), 1, &says);
    assert_fails(directory.path(), &only("KRvKN"), 1, &["the table of KNvK"]);
    assert_eq!(names(directory.path()), ["KRvK.skm"], "nothing is begun");
    // No machine should wait for a table that exists but is unusable.
    let smaller = directory.path().join("KNvK.skm");
    let right = fs::read(tables().join("KNvK.skm")).unwrap();
    fs::write(&smaller, &right[..100]).unwrap();
    assert_fails(directory.path(), &only("KRvKN"), 3, &["KNvK.skm"]);
    fs::write(&smaller, fs::read(tables().join("KRvK.skm")).unwrap()).unwrap();
    assert_fails(directory.path(), &only("KRvKN"), 3, &["KNvK.skm", "KRvK"]);
    // A job waits for a table that another job is still writing.
    fs::remove_file(&smaller).unwrap();
    let job = directory.path().join("KNvK.job");
    fs::create_dir(&job).unwrap();
    fs::write(job.join("lock"), "far.example:7\n").unwrap();
    assert_fails(directory.path(), &only("KRvKN"), 1, &["KNvK"]);
    let held = fs::File::open(job.join("lock")).unwrap();
    held.lock().unwrap();
    let says = ["(process 7 on far.example) is generating KNvK"];
    assert_fails(directory.path(), &only("KRvKN"), 75, &says);
}

#[test]
fn only_tells_what_may_succeed_elsewhere() {
    let directory = TempDir::new().unwrap();
    let only = |name| vec!["generate", "--only", name];
    let mut args = only("KRvK");
    args.extend(["--memory", "1MiB"]);
    assert_fails(directory.path(), &args, 75, &["KRvK", "--memory"]);
    // But not for one that can never exist.
    assert_fails(directory.path(), &only("bare-3"), 2, &["bare-3"]);
    assert_fails(
        directory.path(),
        &["generate", "--only", "KRvK", "KNvK"],
        2,
        &["--only"],
    );
    fs::write(directory.path().join("KRvK.skm"), "mine").unwrap();
    assert_fails(directory.path(), &only("KRvK"), 3, &["KRvK.skm"]);
    // Too little memory although it is allowed: the least with which a process can start.
    let mut limited = from_shell("ulimit -v 120000; exec \"$@\"");
    limited.args([
        "generate",
        "--only",
        "KNvK",
        "--memory",
        "none",
        "--threads",
        "1",
        "--tables",
    ]);
    let ended = limited.arg(directory.path()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(matches!(ended.status.code(), Some(0 | 75)), "{said}");
    // A full disk.
    let mut limited = from_shell("ulimit -f 0; exec \"$@\"");
    limited.args(["generate", "--only", "KSvK", "--tables"]);
    let ended = limited.arg(directory.path()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(75), "{said}");
    assert!(!directory.path().join("KSvK.skm").exists());
    assert!(!directory.path().join("KSvK.job").exists());
}

#[test]
fn second_job_for_a_table_names_the_first() {
    let directory = TempDir::new().unwrap();
    let job = directory.path().join("KRvK.job");
    fs::create_dir(&job).unwrap();
    let own = std::process::id();
    fs::write(job.join("lock"), format!("{own}")).unwrap();
    let held = fs::File::open(job.join("lock")).unwrap();
    held.lock().unwrap();
    let args = ["generate", "--only", "KRvK"];
    let says = [
        &*format!("(process {own}) is generating KRvK"),
        "run the same command again",
    ];
    assert_fails(directory.path(), &args, 75, &says);
    // The directory of a killed job is taken over, with its files.
    drop(held);
    fs::write(job.join(".KRvK.skm.abc123.part"), "half").unwrap();
    assert_eq!(run(directory.path(), args).code, 0);
    assert_eq!(names(directory.path()), ["KRvK.json", "KRvK.skm"]);
    assert_right(directory.path(), "KRvK");
}

#[test]
fn plan_has_every_ending_with_its_needs() {
    let directory = copies(&["KRvK"]);
    let args = ["generate", "KRvKN", "--plan", "--json", "--memory", "none"];
    let plan = json(directory.path(), args);
    assert!(plan["memory_allowed"].is_null());
    let endings = plan["endings"].as_array().unwrap();
    let of = |field: &str| endings.iter().map(|e| e[field].clone()).collect::<Vec<_>>();
    assert_eq!(of("material"), ["KRvK", "KNvK", "KRvKN"]);
    assert_eq!(of("present"), [true, false, false]);
    let none = serde_json::json!([]);
    let needs = [none.clone(), none, serde_json::json!(["KRvK", "KNvK"])];
    assert_eq!(of("needs"), needs);
    for ending in endings {
        for field in ["cells", "memory_bytes", "scratch_bytes", "table_bytes"] {
            assert!(ending[field].as_u64().unwrap() > 0, "{field}");
        }
        assert!(ending["cpu_seconds"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(plan["to_be_made"].as_array().unwrap().len(), 2);
}

#[test]
fn verify_only_leaves_out_the_smaller_tables() {
    let verified = |args: &[&str]| {
        let document = json(tables(), [&["verify", "--json"], args].concat());
        let tables = document["tables"].as_array().unwrap().clone();
        let names = tables.iter().map(|table| table["material"].to_string());
        names.collect::<Vec<_>>()
    };
    assert_eq!(verified(&["KSMvK"]), ["\"KSvK\"", "\"KMvK\"", "\"KSMvK\""]);
    assert_eq!(verified(&["--only", "KSMvK"]), ["\"KSMvK\""]);
    assert_eq!(run(tables(), ["verify", "--only"]).code, 2);
    // They are read all the same.
    let alone = copies(&["KSMvK"]);
    let missing = run(alone.path(), ["verify", "--only", "KSMvK"]);
    assert_eq!(missing.code, 1, "{}", missing.err);
}

/// Jobs run at once in a directory without locks, two of them for the same table, while a manifest
/// is gathered.
fn jobs_at_once_lose_nothing(rounds: usize) {
    for round in 0..rounds {
        let directory = TempDir::new().unwrap();
        let endings = match round % 2 {
            0 => ["KRvK", "KNvK", "KRvK", "KSvK"],
            _ => ["KMvK", "KMvK", "KMvK", "KMvK"],
        };
        let jobs = endings.map(|name| start(directory.path(), name, &["--threads", "1"], true));
        for (mut job, name) in jobs.into_iter().zip(endings) {
            let (ended, said) = job.end_with_errors();
            assert!(ended.success(), "round {round}, {name}: {said}");
            assert_right(directory.path(), name);
        }
        let gathered = json(directory.path(), ["manifest", "--json"]);
        assert_eq!(gathered["problems"], serde_json::json!([]));
        let all = manifest(tables());
        let ours = manifest(directory.path());
        let mut expected = endings.to_vec();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(ours.keys().collect::<Vec<_>>(), expected, "round {round}");
        for (name, entry) in &ours {
            assert_eq!(entry, &all[name], "round {round}, {name}");
        }
        let mut files: Vec<String> = vec!["manifest.json".to_string()];
        files.extend(expected.iter().map(|name| format!("{name}.skm")));
        files.sort();
        assert_eq!(names(directory.path()), files, "round {round}");
    }
}

#[test]
fn jobs_without_locks_lose_nothing() {
    jobs_at_once_lose_nothing(4);
}

#[test]
#[ignore = "a hundred rounds, of half a minute"]
fn hundred_rounds_without_locks_lose_nothing() {
    jobs_at_once_lose_nothing(100);
}

#[test]
fn records_of_tables_made_anew_or_removed_do_not_stay() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    for name in ["KRvK", "KNvK", "KMvK"] {
        assert_eq!(run(directory.path(), ["generate", "--only", name]).code, 0);
    }
    fs::remove_file(path("KNvK.skm")).unwrap();
    let table = path("KRvK.skm");
    fs::write(&table, fs::read(&table).unwrap()).unwrap();
    // Other files with such names are somebody else's.
    fs::write(path("KSvK.json"), "{\"mine\": 1}").unwrap();
    fs::write(path("notes.json"), "{}").unwrap();
    let gathered = json(directory.path(), ["manifest", "--json"]);
    assert_eq!(
        (&gathered["tables"], &gathered["read"]),
        (&2.into(), &1.into())
    );
    let left = [
        "KMvK.skm",
        "KRvK.skm",
        "KSvK.json",
        "manifest.json",
        "notes.json",
    ];
    assert_eq!(names(directory.path()), left);
}
