//! Two downloads at once, and a download beside a run that generates.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::command::program_with;
use crate::host::{Act, Host};
use crate::running::Running;
use crate::tables::{assert_has, download, names, right, run, tables};

const KSM: [&str; 3] = ["KMvK.skm", "KSMvK.skm", "KSvK.skm"];

fn start(directory: &Path, url: &str) -> Running {
    let mut command = download(directory, url, &["KSMvK"]);
    Running::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
}

#[test]
fn two_downloads_at_once_fetch_each_file_once() {
    let (host, directory) = (
        Host::new(tables(), |_| Act::Trickle),
        TempDir::new().unwrap(),
    );
    let mut both = [
        start(directory.path(), &host.url),
        start(directory.path(), &host.url),
    ];
    let mut answers = String::new();
    for one in &mut both {
        let mut stdout = one.stdout.take().unwrap();
        let (status, said) = one.end_with_errors();
        assert!(status.success(), "{said}");
        stdout.read_to_string(&mut answers).unwrap();
    }
    assert!(answers.contains("downloaded to"), "{answers}");
    assert!(answers.contains("3 files already present"), "{answers}");
    assert_has(directory.path(), &KSM);
    for file in KSM {
        assert_eq!(host.requests(file).len(), 1, "{file}");
    }
}

#[test]
fn a_download_waits_for_a_run_that_generates() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    let lock = fs::File::create(directory.path().join("generate.lock")).unwrap();
    lock.lock().unwrap();
    let mut waiting = start(directory.path(), &host.url);
    let mut said = BufReader::new(waiting.stderr.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.starts_with("waiting for another sakmak"), "{line}");
    // A table generated meanwhile is not fetched.
    fs::copy(tables().join("KSvK.skm"), directory.path().join("KSvK.skm")).unwrap();
    assert_eq!(names(directory.path()), ["KSvK.skm"]);
    drop(lock);
    assert!(waiting.end().success());
    assert_has(directory.path(), &KSM);
    assert!(host.requests("KSvK.skm").is_empty());
}

#[test]
fn a_run_that_generates_leaves_the_part_of_a_download() {
    let cut = Host::new(tables(), |request| match (&*request.file, request.before) {
        ("KSMvK.skm", 0) => Act::Cut(400_000),
        ("KSMvK.skm", _) => Act::HangUp,
        _ => Act::Serve,
    });
    let directory = TempDir::new().unwrap();
    run(directory.path(), &cut.url, &["KSMvK"]).fails(3, &["KSMvK.skm"]);
    let made = program_with(directory.path())
        .args(["generate", "KRvK"])
        .output()
        .unwrap();
    assert!(made.status.success());
    let host = Host::of(tables());
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert_eq!(host.requests("KSMvK.skm")[0].from, Some(400_000));
    assert_has(
        directory.path(),
        &["KMvK.skm", "KRvK.skm", "KSMvK.skm", "KSvK.skm"],
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_made_meanwhile_stays() {
    // A job with --only does not lock the directory, and may add a table at any time.
    let (slow, directory) = (
        Host::new(tables(), |_| Act::Trickle),
        TempDir::new().unwrap(),
    );
    let mut running = start(directory.path(), &slow.url);
    let part = directory.path().join("KSMvK.skm.part");
    let start = std::time::Instant::now();
    while !part.exists() {
        assert!(start.elapsed() < crate::running::PATIENCE);
        std::thread::sleep(crate::running::STEP);
    }
    // The end of their file differs, which the header does not show.
    let mut theirs = right("KSMvK.skm");
    theirs[100_000] ^= 1;
    fs::write(directory.path().join("KSMvK.skm"), &theirs).unwrap();
    let (status, said) = running.end_with_errors();
    assert!(status.success(), "{said}");
    assert!(fs::read(directory.path().join("KSMvK.skm")).unwrap() == theirs);
    assert!(!part.exists());
}
