//! Streams that nobody reads or that are full, and signals: a run ends as it should.
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{copies, tables};

/// The program, with this directory of tables.
fn sakmak(directory: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("sakmak"));
    command.env_remove("SAKMAK_TABLES").args(args);
    command.arg("--tables").arg(directory);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// A pipe that nobody reads any more.
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// A terminal that has been closed.
fn closed_terminal() -> Stdio {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&main).unwrap();
    unlockpt(&main).unwrap();
    let name = ptsname(&main, Vec::new()).unwrap();
    let mut options = File::options();
    let flags = rustix::fs::OFlags::NOCTTY.bits() as i32;
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags);
    let terminal = options.read(true).write(true);
    let terminal = terminal.open(name.to_str().unwrap()).unwrap();
    terminal.into()
}

fn full() -> Stdio {
    File::options()
        .write(true)
        .open("/dev/full")
        .unwrap()
        .into()
}

/// Sends a signal to a run that has made its first tables, and waits for its end.
fn signalled(mut run: Child, directory: &Path, signal: &str) -> ExitStatus {
    let started = Instant::now();
    let patience = || {
        assert!(started.elapsed() < Duration::from_secs(120), "{signal}");
        std::thread::sleep(Duration::from_millis(5));
    };
    while !directory.join("KNvK.skm").exists() {
        patience();
    }
    let id = run.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &id])
            .status()
            .unwrap()
            .success()
    );
    loop {
        if let Some(status) = run.try_wait().unwrap() {
            return status;
        }
        patience();
    }
}

#[test]
fn signals_end_a_run_nobody_hears() {
    let streams = [
        (closed as fn() -> Stdio, "pipe"),
        (full, "full"),
        (closed_terminal, "terminal"),
    ];
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        for (stream, name) in streams {
            let directory = TempDir::new().unwrap();
            let args = ["generate", "bare-5", "--threads", "1"];
            let run = sakmak(directory.path(), &args).stderr(stream()).spawn();
            let ended = signalled(run.unwrap(), directory.path(), signal);
            assert_eq!(ended.code(), Some(code), "{signal} {name}: {ended}");
        }
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    for signal in ["HUP", "INT"] {
        let directory = TempDir::new().unwrap();
        // As `nohup` does, and a shell without job control for what it starts in the background.
        let run = Command::new("sh")
            .args(["-c", &format!("trap '' {signal}; exec \"$@\""), "sh"])
            .arg(assert_cmd::cargo::cargo_bin("sakmak"))
            .args(["generate", "bare-3", "KMMvK", "--threads", "1", "--tables"])
            .arg(directory.path())
            .stdout(Stdio::null())
            .spawn();
        let ended = signalled(run.unwrap(), directory.path(), &format!("-{signal}"));
        assert_eq!(ended.code(), Some(0), "{signal}: {ended}");
    }
}

#[test]
fn no_command_minds_a_closed_or_full_stderr() {
    let damaged = copies(&["KSvK"]);
    let cut = fs::read(damaged.path().join("KSvK.skm")).unwrap();
    let made = TempDir::new().unwrap();
    let runs: [(&Path, &[&str], i32); 9] = [
        (made.path(), &["generate", "KMMvK"], 0),
        (made.path(), &["generate", "--force", "KMMvK"], 0),
        (damaged.path(), &["generate", "KSvK"], 0),
        (tables(), &["probe", "nonsense"], 2),
        (tables(), &["probe"], 2),
        (tables(), &["study", "KRvK", "--no-scan"], 0),
        (tables(), &["study", "KRRRRvK", "--no-scan"], 1),
        (tables(), &["verify", "KRvK"], 0),
        (tables(), &["stats", "KRRRRvK"], 1),
    ];
    for (directory, args, code) in runs {
        for stream in [closed, full, closed_terminal] {
            fs::write(damaged.path().join("KSvK.skm"), &cut[..100]).unwrap();
            let run = sakmak(directory, args).stderr(stream()).status().unwrap();
            assert_eq!(run.code(), Some(code), "{args:?}: {run}");
            if args == ["generate", "KMMvK"] {
                fs::remove_file(directory.join("KMMvK.skm")).unwrap();
            }
        }
    }
}

#[test]
fn a_full_stdout_is_a_failure() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["list"],
        &["generate", "--help"],
        &["man"],
    ] {
        let run = sakmak(tables(), args).stdout(full()).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(3), "{args:?}: {said}");
        assert!(said.contains("standard output cannot be written"), "{said}");
        let run = sakmak(tables(), args).stdout(closed()).output().unwrap();
        assert_eq!(
            run.status.code(),
            Some(0),
            "{args:?}: whoever reads has seen enough"
        );
    }
}

#[test]
fn a_file_size_limit_is_an_error() {
    let directory = copies(&["KSvK", "KMvK"]);
    let run = Command::new("sh")
        .args(["-c", "ulimit -f 100; exec \"$@\"", "sh"])
        .arg(assert_cmd::cargo::cargo_bin("sakmak"))
        .args(["generate", "KSMvK", "--tables"])
        .arg(directory.path())
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(
        (run.status.code(), run.status.signal()),
        (Some(3), None),
        "{said}"
    );
    assert!(said.contains("cannot be written"), "{said}");
    let names = fs::read_dir(directory.path()).unwrap();
    let mut names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.all(|name| !name.ends_with(".part")));
}
