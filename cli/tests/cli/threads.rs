//! Where the system refuses threads, every command works without them or says so.

use std::fs;
use std::io::Write;
#[cfg(feature = "serve")]
use std::io::{BufRead, BufReader, Read};
#[cfg(feature = "serve")]
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::command::program_with;
use crate::common::{bia_tables, tables};
use crate::preload::allow_threads;
#[cfg(feature = "serve")]
use crate::running::Running;
use crate::shell::commands;

const FEN: &str = "8/8/8/3k4/8/3K4/2SM4/8 w";

/// The numbers of threads that a program may start.
const ALLOWED: std::ops::RangeInclusive<usize> = 0..=8;

/// A WebAssembly module with the exports of the page's reader.
const READER: &[u8] = b"\0asm\x01\0\0\0\x07\x3e\x07\x06memory\0\0\x05input\0\0\x06output\0\0\
    \x0doutput_length\0\0\x03add\0\0\x04give\0\0\x03ask\0\0";

/// The runs of each command: its arguments, and whether it needs a thread. They run in a directory
/// with the files that they name.
const RUNS: &[(&[&str], bool)] = &[
    (&["generate", "KRvK", "KPvK", "--force"], true),
    (&["generate", "--only", "KNvK"], true),
    (&["generate", "KRvK", "--plan"], false),
    (&["probe", FEN], false),
    (&["line", FEN], false),
    (&["annotate", "game.pgn"], false),
    (&["find", "KSMvK", "--margin", "0"], true),
    (&["find", "KSMvK", "--count"], true),
    (&["find", "KSMvK", "--puzzles", "2"], true),
    (
        &[
            "find",
            "KSPvK",
            "--puzzles",
            "1",
            "--theme",
            "promote-or-wait",
        ],
        true,
    ),
    (&["stats", "KSMvK"], false),
    (&["study", "KSMvK", "KPvK"], true),
    (&["verify", "KSvK", "KPvK"], true),
    (&["verify", "KSMvK", "--sample", "9"], true),
    (&["verify", "--checksums-only"], true),
    (&["list"], false),
    (&["manifest"], true),
    (&["download", "KNvK", "--from", "file://HERE/host"], true),
    (
        &["download", "KNvK", "--from", "file://HERE/host", "--plan"],
        false,
    ),
    (
        &["site", "KRvK", "--out", "site", "--reader", "reader"],
        true,
    ),
    (&["bench", "KRvK", "--runs", "1"], true),
    (&["uci"], true),
    (&["uci", "--engine", "sh engine"], true),
    (&["completions", "bash"], false),
    (&["man"], false),
];

/// A directory with the files that the runs name, and tables that a run may change.
fn place() -> TempDir {
    let place = TempDir::new().unwrap();
    let path = |name: &str| place.path().join(name);
    for directory in ["tables", "host"] {
        fs::create_dir(path(directory)).unwrap();
    }
    let copy = |from: &Path, name: &str, to: &str| {
        fs::copy(from.join(name), path(to).join(name)).unwrap();
    };
    for name in ["KRvK", "KSvK", "KMvK", "KSMvK"] {
        copy(tables(), &format!("{name}.skm"), "tables");
    }
    for name in ["KPvK", "KSPvK"] {
        copy(bia_tables(), &format!("{name}.skm"), "tables");
    }
    copy(tables(), "KNvK.skm", "host");
    copy(tables(), "manifest.json", "host");
    fs::write(
        path("game.pgn"),
        format!("[FEN \"{FEN} - - 0 1\"]\n\n1. Sc3 *\n"),
    )
    .unwrap();
    fs::write(path("reader"), READER).unwrap();
    let engine =
        "while read -r line; do case $line in\nuci) echo uciok;; quit) exit;; esac; done\n";
    fs::write(path("engine"), engine).unwrap();
    place
}

/// Runs the program in a fresh place, with a GUI's commands as its input.
fn run(args: &[&str], threads: usize) -> Output {
    let place = place();
    let mut command = program_with(Path::new("tables"));
    let here = place.path().display().to_string();
    command.args(args.iter().map(|arg| arg.replace("HERE", &here)));
    command.current_dir(place.path());
    allow_threads(&mut command, threads);
    end(&mut command, "uci\nposition startpos\nquit\n")
}

/// Gives a program its input, and waits for its end.
fn end(command: &mut Command, input: &str) -> Output {
    command.stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Most commands end without reading their input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Asserts that a run worked, or that it ended with exit code 3 and a sentence about threads.
/// Returns true if it worked.
#[track_caller]
fn works(output: &Output, what: &str) -> bool {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!said.contains("panicked"), "{what}: {said}");
    if output.status.code() == Some(0) {
        return true;
    }
    assert_eq!(output.status.code(), Some(3), "{what}: {said}");
    let fault = said.lines().find(|line| line.starts_with("sakmak: "));
    let sentence = fault.is_some_and(|fault| fault.contains("threads cannot be started"));
    assert!(sentence && said.contains("ulimit -u"), "{what}: {said}");
    false
}

#[test]
fn every_command_works_with_few_threads_or_says_that_it_cannot() {
    for command in commands() {
        let runs = RUNS.iter().filter(|(args, _)| args[0] == command);
        let mut run_at_all = false;
        for &(args, needs_threads) in runs {
            run_at_all = true;
            for threads in ALLOWED {
                let works = works(&run(args, threads), &format!("{threads} {args:?}"));
                if threads == 0 {
                    assert_eq!(works, !needs_threads, "{args:?}");
                }
            }
        }
        assert!(run_at_all || command == "serve", "add a run of `{command}`");
    }
}

#[cfg(feature = "serve")]
#[test]
fn the_server_starts_with_all_its_threads_or_says_that_it_cannot() {
    let place = place();
    for threads in 0.. {
        let mut command = program_with(Path::new("tables"));
        command.args(["serve", "--bind", "127.0.0.1:0"]);
        command.current_dir(place.path()).stderr(Stdio::piped());
        let mut run = Running::start(allow_threads(&mut command, threads));
        let mut log = BufReader::new(run.stderr.take().unwrap());
        let mut said = String::new();
        log.read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).map(str::to_string);
        if let Some(address) = &address {
            // No answer needs a thread more.
            let address = address.split('/').next().unwrap();
            for path in [
                "v1/probe?fen=8/8/8/8/8/2k5/8/K6R_w",
                "v1/line?fen=8/8/8/8/8/2k5/8/K6R_w",
                "v1/find?ending=KRvK&margin=0",
                "tables/KRvK.skm",
            ] {
                let mut stream = TcpStream::connect(address).unwrap();
                write!(
                    stream,
                    "GET /{path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                )
                .unwrap();
                let mut answer = Vec::new();
                stream.read_to_end(&mut answer).unwrap();
                assert!(answer.starts_with(b"HTTP/1.1 200 "), "{path}");
            }
            run.signal("TERM");
        }
        log.read_to_string(&mut said).unwrap();
        let output = Output {
            status: run.end(),
            stdout: Vec::new(),
            stderr: said.into_bytes(),
        };
        let works = works(&output, &format!("serve with {threads} threads"));
        assert_eq!(works, address.is_some());
        if works {
            assert!(threads > 0);
            return;
        }
    }
}
