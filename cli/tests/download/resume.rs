//! Interrupted connections, slow hosts and interrupted runs: nothing is lost, and the same command
//! continues.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::command::{self, isolated};
use crate::host::{Act, Host, Request};
use crate::running::{PATIENCE, Running, STEP};
use crate::tables::{assert_has, directly, download, of, right, run, tables};

const KSM: [&str; 3] = ["KMvK.skm", "KSMvK.skm", "KSvK.skm"];

/// Applies `act` to requests for KSMvK.skm, and serves other files normally.
fn only_ksm(act: impl Fn(&Request) -> Act + Send + Sync + 'static) -> Host {
    Host::new(tables(), move |request| match &*request.file {
        "KSMvK.skm" => act(request),
        _ => Act::Serve,
    })
}

/// The number of bytes of a file that have arrived.
fn arrived(directory: &Path) -> usize {
    let part = directory.join("KSMvK.skm.part");
    fs::metadata(part).map_or(0, |part| part.len() as usize)
}

#[test]
fn a_cut_connection_is_taken_up_where_it_ended() {
    let (host, directory) = (only_ksm(|_| Act::Cut(300_000)), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert_has(directory.path(), &KSM);
    let requests = host.requests("KSMvK.skm");
    let from: Vec<_> = requests
        .iter()
        .map(|request| request.from.unwrap_or(0))
        .collect();
    let expected = (0..right("KSMvK.skm").len()).step_by(300_000);
    assert_eq!(from, expected.collect::<Vec<_>>());
}

#[test]
fn a_host_that_is_busy_is_asked_again() {
    let busy = |request: &Request| match request.before {
        0 => Act::Say(503, vec![], b"busy".to_vec()),
        1 => Act::HangUp,
        _ => Act::Serve,
    };
    let (host, directory) = (only_ksm(busy), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert_has(directory.path(), &KSM);
}

#[test]
fn a_host_that_goes_away_leaves_a_part_for_the_next_run() {
    let cut = |request: &Request| match request.before {
        0 => Act::Cut(500_000),
        _ => Act::HangUp,
    };
    let (host, directory) = (only_ksm(cut), TempDir::new().unwrap());
    let ended = run(directory.path(), &host.url, &["KSMvK"]);
    ended.fails(
        3,
        &["KSMvK.skm", "after 500000 of", "run the same command again"],
    );
    assert!(!directory.path().join("KSMvK.skm").exists());
    assert_eq!(arrived(directory.path()), 500_000);

    let host = Host::of(tables());
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert_eq!(host.requests("KSMvK.skm")[0].from, Some(500_000));
    assert_has(directory.path(), &KSM);
}

#[test]
fn a_host_without_ranges_sends_the_file_again() {
    let whole = |request: &Request| match request.before {
        0 => Act::Cut(500_000),
        _ => Act::Whole,
    };
    let (host, directory) = (only_ksm(whole), TempDir::new().unwrap());
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert_has(directory.path(), &KSM);
}

#[test]
fn a_part_of_another_file_is_no_harm() {
    for part in [
        vec![7; 1000],
        right("KRRvK.skm"),
        vec![0; right("KSMvK.skm").len()],
        vec![1; 9_000_000],
    ] {
        let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
        fs::write(directory.path().join("KSMvK.skm.part"), part).unwrap();
        run(directory.path(), &host.url, &["KSMvK"]).succeeds();
        assert_has(directory.path(), &KSM);
    }
}

#[test]
fn a_whole_part_needs_its_name_only() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    fs::write(directory.path().join("KSMvK.skm.part"), right("KSMvK.skm")).unwrap();
    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert_has(directory.path(), &KSM);
    assert!(host.requests("KSMvK.skm").is_empty());
}

#[cfg(unix)]
#[test]
fn an_ended_run_is_resumed() {
    for (signal, code) in [("INT", Some(130)), ("TERM", Some(143)), ("KILL", None)] {
        let (slow, directory) = (only_ksm(|_| Act::Trickle), TempDir::new().unwrap());
        let mut command = download(directory.path(), &slow.url, &["KSMvK"]);
        let mut running = Running::start(command.stdout(Stdio::null()).stderr(Stdio::piped()));
        let start = std::time::Instant::now();
        while arrived(directory.path()) < 20_000 {
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(STEP);
        }
        running.signal(signal);
        let (status, said) = running.end_with_errors();
        assert_eq!(status.code(), code, "{said}");
        assert_eq!(
            said.contains("run the same command"),
            code.is_some(),
            "{said}"
        );
        assert!(!directory.path().join("KSMvK.skm").exists());
        let arrived = arrived(directory.path());
        assert!(arrived >= 20_000);

        let host = Host::of(tables());
        run(directory.path(), &host.url, &["KSMvK"]).succeeds();
        assert_eq!(
            host.requests("KSMvK.skm")[0].from,
            Some(arrived),
            "{signal}"
        );
        assert_has(directory.path(), &KSM);
    }
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_the_part_stays() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    // Files may not grow beyond this.
    let mut limited = isolated(Command::new("sh"));
    directly(&mut limited);
    limited
        .args(["-c", "ulimit -f 1000; exec \"$@\"", "sh"])
        .arg(command::path());
    limited
        .args(["download", "KSMvK", "--from", &host.url, "--tables"])
        .arg(directory.path());
    let full = of(limited);
    full.fails(3, &["KSMvK.skm", "cannot be written"]);
    assert!(!directory.path().join("KSMvK.skm").exists());

    run(directory.path(), &host.url, &["KSMvK"]).succeeds();
    assert!(host.requests("KSMvK.skm").last().unwrap().from.unwrap() > 0);
    assert_has(directory.path(), &KSM);
}
