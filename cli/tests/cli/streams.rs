//! Streams without a reader or full ones, and signals: a run must end properly.
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use tempfile::TempDir;

use crate::command::program_with;
use crate::common::{copies, from_shell, tables, until};
use crate::running::Running;

/// The program, with this directory of tables.
fn sakmak(directory: &Path, args: &[&str]) -> Command {
    let mut command = program_with(directory);
    command.args(args).stdout(Stdio::null());
    command
}

/// A pipe whose reader has closed it.
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

/// Starts a run, sends it a signal when it has made its first tables, and waits for its end.
#[track_caller]
fn signalled(command: &mut Command, directory: &Path, signal: &str) -> ExitStatus {
    let mut run = Running::start(command);
    let second = directory.join("KNvK.skm");
    until(&run, "its second table", || second.exists());
    run.signal(signal);
    run.end()
}

#[test]
fn signals_end_a_run_nobody_hears() {
    let streams = [
        (closed as fn() -> Stdio, "pipe"),
        (full, "full"),
        (closed_terminal, "terminal"),
    ];
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        for (stream, name) in streams {
            let directory = TempDir::new().unwrap();
            let args = ["generate", "bare-5", "--threads", "1"];
            let mut command = sakmak(directory.path(), &args);
            let ended = signalled(command.stderr(stream()), directory.path(), signal);
            assert_eq!(ended.code(), Some(code), "{signal} {name}: {ended}");
        }
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    for signal in ["HUP", "INT", "TERM"] {
        let directory = TempDir::new().unwrap();
        // As `nohup` does, and shells without job control for background jobs.
        let mut command = from_shell(&format!("trap '' {signal}; exec \"$@\""));
        command.args(["generate", "bare-3", "KMMvK", "--threads", "1", "--tables"]);
        command.arg(directory.path()).stdout(Stdio::null());
        command.stderr(Stdio::null());
        let ended = signalled(&mut command, directory.path(), signal);
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
        assert!(said.contains("cannot write to standard output"), "{said}");
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
    let run = from_shell("ulimit -f 100; exec \"$@\"")
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
