//! Runs that were interrupted or killed: what they leave, and how the next run goes on.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::command::program_with;
use crate::common::{assert_fails, copies, from_shell, json, run, sakmak, tables, until};
#[cfg(target_os = "linux")]
use crate::jobs;
use crate::running::Running;

/// The bytes of the table of K+S+M v K in a directory.
fn table(directory: &Path) -> Vec<u8> {
    fs::read(directory.join("KSMvK.skm")).unwrap()
}

/// The largest memory limit, in bytes, with which an ending is solved through files.
fn just_too_little(name: &str) -> String {
    let below = TempDir::new().unwrap();
    let plan = |memory: &str| {
        let args = ["generate", name, "--plan", "--json", "--memory", memory];
        let plan = json(below.path(), args);
        let planned = plan["to_be_made"].as_array().unwrap().clone();
        planned.into_iter().find(|p| p["material"] == name).unwrap()
    };
    let first = plan("1TiB");
    assert_eq!(first["method"], "memory");
    assert_eq!(first["work_bytes"], 0);
    let less = (first["memory_bytes"].as_u64().unwrap() - 1).to_string();
    let second = plan(&less);
    assert_eq!(second["method"], "files");
    assert!(second["memory_bytes"].as_u64() < first["memory_bytes"].as_u64());
    assert!(second["work_bytes"].as_u64().unwrap() > 0);
    less
}

#[test]
fn with_little_memory_an_ending_goes_through_files_to_the_same_bytes() {
    let memory = just_too_little("KSMvK");
    let directory = copies(&["KSvK", "KMvK"]);
    let run = run(directory.path(), ["generate", "KSMvK", "--memory", &memory]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("of memory at most"), "{}", run.err);
    assert!(run.err.contains("of temporary files"), "{}", run.err);
    assert!(table(directory.path()) == table(tables()));
    assert!(!directory.path().join("KSMvK.job/KSMvK.work").exists());
}

#[test]
fn asked_to_end_a_run_keeps_its_steps_and_goes_on_from_them() {
    let memory = just_too_little("KSMvK");
    let directory = copies(&["KSvK", "KMvK"]);
    let args = ["generate", "KSMvK", "--threads", "1", "--memory", &memory];
    let resuming = || {
        let mut command = program_with(directory.path());
        command.args(args);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let mut first = Running::start(&mut resuming());
    let work = directory.path().join("KSMvK.job/KSMvK.work");
    let third = work.join("slice-0.step-003");
    until(&first, "its third step", || third.exists());
    first.signal("TERM");
    let (ended, said) = first.end_with_errors();
    assert_eq!(ended.code(), Some(143));
    assert!(said.contains("run the same command to resume"), "{said}");
    assert!(third.exists(), "finished steps stay");
    assert!(!directory.path().join("KSMvK.skm").exists());
    let kept = fs::metadata(work.join("slice-0.step-002")).unwrap();
    // Two runs in one directory would disturb each other: the second waits for the first, and the
    // result is that of one run.
    let (one, other) = (resuming().spawn(), resuming().spawn());
    let [one, other] = [one, other].map(|run| run.unwrap().wait_with_output().unwrap());
    assert!(one.status.success() && other.status.success());
    assert!(kept.len() > 0 && !work.exists());
    // The bytes equal those made in memory, with nothing left of the first run.
    assert!(table(tables()) == table(directory.path()));
}

#[test]
fn a_table_made_again_goes_on_from_its_steps_too() {
    let memory = just_too_little("KSMvK");
    let directory = copies(&["KSvK", "KMvK", "KSMvK"]);
    let mut command = program_with(directory.path());
    command.args(["generate", "KSMvK", "--force", "--threads", "1"]);
    command.args(["--memory", &memory]);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let step = |number: u32| {
        let work = directory.path().join("KSMvK.job/KSMvK.work");
        work.join(format!("slice-0.step-{number:03}"))
    };
    let mut first = Running::start(&mut command);
    until(&first, "its third step", || step(3).exists());
    first.signal("TERM");
    assert_eq!(first.end_with_errors().0.code(), Some(143));
    let written = || fs::metadata(step(2)).unwrap().modified().unwrap();
    let kept = written();
    let next = (3..).find(|&number| !step(number).exists()).unwrap();
    let mut second = Running::start(&mut command);
    until(&second, "its next step", || step(next).exists());
    assert_eq!(written(), kept);
    second.signal("TERM");
    assert_eq!(second.end_with_errors().0.code(), Some(143));
    assert!(
        table(directory.path()) == table(tables()),
        "the old table stays"
    );
}

#[test]
fn on_a_full_disk_the_finished_steps_stay() {
    let memory = just_too_little("KSMvK");
    let directory = copies(&["KSvK", "KMvK"]);
    // Files may not grow beyond this: some steps fit, but longer ones and the table do not.
    let limited = from_shell("trap '' XFSZ; ulimit -f 100; exec \"$@\"")
        .args(["generate", "KSMvK", "--memory", &memory, "--tables"])
        .arg(directory.path())
        .output()
        .unwrap();
    let said = String::from_utf8(limited.stderr).unwrap();
    assert_eq!(limited.status.code(), Some(3), "{said}");
    assert!(
        said.contains("cannot be written") && said.contains("free space"),
        "{said}"
    );
    assert!(!directory.path().join("KSMvK.skm").exists());
    let work = directory.path().join("KSMvK.job/KSMvK.work");
    assert!(
        work.join("slice-0.step-001").exists(),
        "finished steps stay"
    );
    let names = fs::read_dir(&work).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(
        names.all(|name| !name.ends_with(".part")),
        "nothing half-made stays"
    );
    let again = run(directory.path(), ["generate", "KSMvK", "--memory", &memory]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert!(table(directory.path()) == table(tables()));
}

#[test]
fn steps_of_another_version_are_said_to_be_of_no_use_and_made_again() {
    let memory = just_too_little("KSMvK");
    let directory = copies(&["KSvK", "KMvK"]);
    let work = directory.path().join("KSMvK.job/KSMvK.work");
    fs::create_dir_all(&work).unwrap();
    fs::write(work.join("slice-0.step-001"), "of another version").unwrap();
    fs::write(work.join("notes"), "mine").unwrap();
    let run = run(directory.path(), ["generate", "KSMvK", "--memory", &memory]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        run.err
            .contains("discarding the unusable checkpoint of KSMvK"),
        "{}",
        run.err
    );
    assert!(table(directory.path()) == table(tables()));
    assert!(work.join("notes").exists(), "what is not ours stays");
}

/// The end of a work file with this text as its footer.
fn footer(text: &str) -> Vec<u8> {
    let mut end = text.as_bytes().to_vec();
    end.extend((text.len() as u32).to_le_bytes());
    end.extend(crc32c::crc32c(text.as_bytes()).to_le_bytes());
    end.extend(b"\x89SKMSTEP");
    end
}

#[test]
fn steps_of_a_later_version_are_refused_and_kept() {
    let memory = just_too_little("KSMvK");
    let directory = copies(&["KSvK", "KMvK"]);
    let work = directory.path().join("KSMvK.job/KSMvK.work");
    let step = work.join("slice-1.step-003");
    fs::create_dir_all(&work).unwrap();
    for text in [
        r#"{"key":{"version":1000,"rules_revision":2,"seen":[]},"found":{}}"#,
        r#"{"key":{"version":2,"rules_revision":1000}}"#,
    ] {
        fs::write(&step, footer(text)).unwrap();
        let says = [
            "slice-1.step-003 is a checkpoint written by a later version",
            "update sakmak, or delete",
            "KSMvK.job/KSMvK.work",
        ];
        assert_fails(
            directory.path(),
            &["generate", "KSMvK", "--memory", &memory],
            3,
            &says,
        );
        assert_eq!(fs::read(&step).unwrap(), footer(text));
        assert!(!directory.path().join("KSMvK.skm").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn killed_job_is_resumed_from_its_steps() {
    let memory = just_too_little("KSMvK");
    let directory = copies(&["KSvK", "KMvK"]);
    let args = ["--memory", &*memory, "--threads", "1"];
    let job = jobs::start(directory.path(), "KSMvK", &args, false);
    let steps = directory.path().join("KSMvK.job/KSMvK.work");
    let third = steps.join("slice-0.step-003");
    until(&job, "its third step", || third.exists());
    assert_eq!(job.status(), None, "it is killed before it is done");
    drop(job);
    let kept = fs::metadata(steps.join("slice-0.step-002")).unwrap();
    let mut job = jobs::start(directory.path(), "KSMvK", &args, false);
    while let Ok(now) = fs::metadata(steps.join("slice-0.step-002")) {
        assert_eq!(now.modified().unwrap(), kept.modified().unwrap());
    }
    assert!(job.end().success());
    jobs::assert_right(directory.path(), "KSMvK");
    assert!(!directory.path().join("KSMvK.job").exists());
}

#[test]
fn an_interrupt_leaves_nothing_half_made() {
    let directory = TempDir::new().unwrap();
    let mut command = program_with(directory.path());
    command.args(["generate", "bare-5", "--threads", "1", "--quiet"]);
    let mut run = Running::start(&mut command);
    // Interrupt while it works on a table, after the second one is there.
    let second = directory.path().join("KNvK.skm");
    until(&run, "its second table", || second.exists());
    run.signal("INT");
    assert_eq!(run.end().code(), Some(130));
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

#[test]
fn leftovers_of_killed_runs_are_removed() {
    let directory = copies(&["KSvK", "KMvK", "KSMvK"]);
    // Files of a run, and of a program that uses the library.
    let done = ["KSMvK.job/KSMvK.work", "KSMvK.work"].map(|name| directory.path().join(name));
    let unfinished = directory.path().join("KNvK.job/KNvK.work");
    for work in done.iter().chain([&unfinished]) {
        fs::create_dir_all(work).unwrap();
        fs::write(work.join("slice-0.step-001"), "a step").unwrap();
    }
    let ours = [".manifest.json.abc123.part", ".KSMvK.skm.abc123.part"];
    let others = [".notes.part", ".notes.txt.abc123.part"];
    for name in ours.iter().chain(&others) {
        fs::write(directory.path().join(name), "half").unwrap();
    }
    // Nothing is to be generated, but leftovers are still noticed.
    assert_eq!(run(directory.path(), ["generate", "KSvK"]).code, 0);
    assert!(done.iter().all(|work| !work.exists()) && unfinished.exists());
    assert!(!directory.path().join("KSMvK.job").exists());
    assert!(
        ours.iter()
            .all(|name| !directory.path().join(name).exists())
    );
    assert!(
        others
            .iter()
            .all(|name| directory.path().join(name).exists())
    );
    // The disk files of an earlier run are removed when the table, now made in memory, is there.
    assert_eq!(run(directory.path(), ["generate", "KNvK"]).code, 0);
    assert!(!directory.path().join("KNvK.job").exists());
    // A study removes the leftovers of a killed study.
    let left = [".studyAb3xYz", ".study.json.Ab3xYz.part"];
    for name in left {
        fs::write(directory.path().join(name), "half").unwrap();
    }
    assert_eq!(run(directory.path(), ["study", "KSvK"]).code, 0);
    assert!(
        left.iter()
            .all(|name| !directory.path().join(name).exists())
    );
}
