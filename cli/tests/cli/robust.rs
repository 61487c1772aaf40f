//! Anything may lie under the program's file names, and memory may be short.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::command::{isolated, path, program_with};
use crate::common::{assert_fails, copies, from_shell, json, run, sakmak, tables};
use crate::running::{PATIENCE, Running};

const FEN: &str = "k7/8/3S4/K7/8/8/8/8 w";

/// Creates something other than a regular file under a name.
fn put(kind: &str, path: &Path) {
    let _ = fs::remove_file(path);
    match kind {
        "fifo" => {
            let made = Command::new("mkfifo").arg(path).status().unwrap();
            assert!(made.success());
        }
        "directory" => fs::create_dir(path).unwrap(),
        "device" => symlink("/dev/zero", path).unwrap(),
        "dangling" => symlink("nowhere", path).unwrap(),
        "loop" => symlink(path.file_name().unwrap(), path).unwrap(),
        _ => unreachable!(),
    }
}

#[test]
fn no_command_hangs_on_odd_files() {
    for name in ["KSvK.skm", "manifest.json", "study.json", "generate.lock"] {
        for kind in ["fifo", "directory", "device", "dangling", "loop"] {
            let directory = copies(&["KSvK", "KMvK"]);
            put(kind, &directory.path().join(name));
            for args in [
                &["list"][..],
                &["list", "KSvK"],
                &["verify", "--checksums-only"],
                &["probe", FEN],
                &["line", FEN],
                &["stats", "KSvK"],
                &["study"],
                &["generate", "KSvK"],
                &["generate", "KRvK"],
            ] {
                let mut command = sakmak(directory.path());
                let run = command.args(args).timeout(PATIENCE);
                let run = run.output().unwrap();
                let said = String::from_utf8_lossy(&run.stderr);
                let code = run.status.code();
                assert!(
                    code.is_some_and(|code| code <= 3 && code != 2),
                    "{kind} {name} {args:?}: {code:?} {said}"
                );
                assert!(!said.contains("panicked"), "{said}");
            }
        }
    }
}

#[test]
fn only_a_lock_file_is_locked() {
    let directory = TempDir::new().unwrap();
    let precious = directory.path().join("precious.txt");
    fs::write(&precious, "precious").unwrap();
    let lock = directory.path().join("generate.lock");
    symlink(&precious, &lock).unwrap();
    let says = [
        "generate.lock exists but is not a lock file",
        "move it away",
    ];
    assert_fails(directory.path(), &["generate", "KSvK"], 3, &says);
    assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    // A file made by somebody else is locked, but not changed.
    fs::remove_file(&lock).unwrap();
    for text in ["my notes\n", &"1".repeat(500)] {
        fs::write(&lock, text).unwrap();
        let made = run(directory.path(), ["generate", "--force", "KSvK"]);
        assert_eq!(made.code, 0, "{}", made.err);
        assert_eq!(fs::read_to_string(&lock).unwrap(), text);
    }
}

#[test]
fn a_directory_named_as_a_table_is_known_before_the_work() {
    let directory = copies(&["KSvK", "KMvK"]);
    fs::create_dir(directory.path().join("KSMvK.skm")).unwrap();
    let args = ["generate", "KSMvK", "--force"];
    // Each solved ending has a line with its cells.
    let failed = assert_fails(directory.path(), &args, 3, &["KSMvK.skm", "directory"]);
    assert!(!failed.err.contains("cells"), "{}", failed.err);
}

#[test]
fn a_lock_of_another_user_is_named() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let directory = TempDir::new().unwrap();
    let lock = directory.path().join("generate.lock");
    fs::write(&lock, "").unwrap();
    fs::set_permissions(&lock, fs::Permissions::from_mode(0o400)).unwrap();
    // Root may write anywhere, unless it gives up that right.
    let mut command = match fs::metadata(&lock).unwrap().uid() {
        0 => {
            let mut command = isolated(Command::new("setpriv"));
            command.args(["--bounding-set", "-dac_override,-dac_read_search"]);
            command.arg(path()).arg("--tables").arg(directory.path());
            command
        }
        _ => program_with(directory.path()),
    };
    let run = command.args(["generate", "KSvK"]).output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(3), "{said}");
    assert!(
        said.contains("generate.lock belongs to another user"),
        "{said}"
    );
}

#[test]
fn threads_are_capped_at_the_processors() {
    let directory = TempDir::new().unwrap();
    let args = ["generate", "KRvK", "--threads", "100000"];
    let made = run(directory.path(), args);
    assert_eq!(made.code, 0, "{}", made.err);
    let said: Vec<_> = made.err.lines().collect();
    let capped = said
        .iter()
        .filter(|line| line.contains("instead of 100000"));
    assert_eq!(capped.count(), 1, "{}", made.err);
}

#[test]
fn little_memory_is_a_sentence() {
    let mut refused = 0;
    for kib in [60_000, 120_000, 400_000] {
        for args in [
            &[
                "generate", "KSMvK", "--force", "--quiet", "--memory", "1GiB",
            ][..],
            &["probe", FEN],
            &["verify", "KSMvK"],
            &["study", "KSMvK"],
            &["bench", "KSMvK"],
        ] {
            let directory = copies(&["KSvK", "KMvK", "KSMvK"]);
            let run = from_shell(&format!("ulimit -v {kib}; exec \"$@\""))
                .args(args)
                .arg("--tables")
                .arg(directory.path())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&run.stderr);
            let code = run.status.code();
            assert!(
                matches!(code, Some(0 | 3)),
                "{kib} {args:?}: {code:?} {said}"
            );
            if code == Some(3) {
                refused += 1;
                let mut lines = said.lines().rev();
                let help = lines.next().unwrap();
                assert!(help.starts_with("help: "), "{said}");
                assert!(lines.next().unwrap().starts_with("sakmak: "), "{said}");
                assert!(!said.contains("panicked"), "{said}");
            }
        }
    }
    assert!(refused > 0, "no limit was low enough to test anything");
}

#[test]
fn the_library_refuses_what_memory_cannot_hold() {
    use sakmak::generate::{Method, SolvedEndings, generate_by_plan};
    use sakmak::internals::plan_by;
    use sakmak::table::{TableErrorKind, WriteOptions};

    let directory = TempDir::new().unwrap();
    let made = generate_by_plan(
        &plan_by(Method::InMemory, "KRNSMMMvK".parse().unwrap()),
        directory.path(),
        &mut SolvedEndings::new(),
        &WriteOptions::default(),
        &|_| {},
    );
    let error = made.unwrap_err();
    let kind = error.kind();
    assert!(matches!(kind, TableErrorKind::NoMemory { .. }), "{error}");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
}

/// The peak memory of a run, as far as it could be measured.
fn peak_memory(directory: &Path, args: &[&str]) -> u64 {
    let mut command = program_with(directory);
    command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut run = Running::start(&mut command);
    let status = format!("/proc/{}/status", run.id());
    let mut peak = 0;
    while run.status().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = peak.max(kib.unwrap_or(0u64) * 1024);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(run.end().success());
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn peak_memory_is_as_planned() {
    let directory = copies(&["KSvK", "KMvK"]);
    let plan = |memory: &str| {
        let args = ["generate", "KSMvK", "--plan", "--json", "--memory", memory];
        json(directory.path(), args)["to_be_made"][0].clone()
    };
    let planned = |plan: &Json| plan["memory_bytes"].as_u64().unwrap();
    let in_memory = plan("1TiB");
    let less = (planned(&in_memory) - 1).to_string();
    let out_of_core = plan(&less);
    assert_eq!(out_of_core["method"], "files");
    for (memory, plan) in [("1TiB", in_memory), (&less, out_of_core)] {
        let args = ["generate", "KSMvK", "--force", "--memory", memory];
        let peak = peak_memory(directory.path(), &args);
        assert!(peak > 10 << 20, "{peak} were seen");
        assert!(peak <= planned(&plan), "{peak} of {}", planned(&plan));
    }
}

#[test]
fn concurrent_studies_keep_all_findings() {
    let directory = copies(&["KRvK", "KSvK", "KMvK", "KNvK", "KSMvK"]);
    let names = ["KRvK", "KSvK", "KMvK", "KNvK", "KSMvK"];
    let runs = names.map(|name| {
        let mut command = program_with(directory.path());
        command.args(["study", name]).stdout(Stdio::null());
        Running::start(&mut command)
    });
    for mut run in runs {
        assert!(run.end().success());
    }
    let text = fs::read_to_string(directory.path().join("study.json")).unwrap();
    let study: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(study["tables"].as_object().unwrap().len(), names.len());
}

#[test]
fn too_little_disk_is_said_beforehand() {
    let plan = run(tables(), ["generate", "KRNSMMMvK", "--plan"]);
    assert!(plan.out.contains("of free space"), "{}", plan.out);
    let plan = run(tables(), ["generate", "KRRvK", "--plan"]);
    assert!(!plan.out.contains("of free space"), "{}", plan.out);
}
