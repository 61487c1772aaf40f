//! The program itself: its messages before it starts, and how it stops.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::client::tables;
use crate::command::program_with;
use crate::running::Running;
use crate::verdicts::verdicts;

#[test]
fn without_tables_it_says_how_to_make_some() {
    let directory = TempDir::new().unwrap();
    let out = program_with(directory.path())
        .args(["serve", "--bind", "127.0.0.1:0"])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(1));
    let error = String::from_utf8(out.stderr).unwrap();
    assert!(
        error.contains("there are no tables") && error.contains("sakmak generate bare-4"),
        "{error}"
    );
}

#[test]
fn an_address_that_is_none_is_answered_with_one() {
    let out = program_with(tables())
        .args(["serve", "--bind", "x"])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
    let error = String::from_utf8(out.stderr).unwrap();
    assert!(error.contains("for instance 127.0.0.1:9000"), "{error}");
}

#[test]
fn a_port_that_is_taken_is_named_with_what_to_do() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let out = program_with(tables())
        .args(["serve", "--bind", &address])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(3));
    let error = String::from_utf8(out.stderr).unwrap();
    assert!(
        error.contains(&address) && error.contains("--bind"),
        "{error}"
    );
}

/// The program on a free port, with the first line of its log and the rest of it.
fn started_with(directory: &Path) -> (Running, String, BufReader<std::process::ChildStderr>) {
    let mut command = program_with(directory);
    command.args(["serve", "--bind", "127.0.0.1:0"]);
    let mut run = Running::start(command.stderr(Stdio::piped()));
    let mut log = BufReader::new(run.stderr.take().unwrap());
    let mut line = String::new();
    log.read_line(&mut line).unwrap();
    (run, line, log)
}

#[test]
fn it_counts_the_tables_of_each_kind() {
    let directory = verdicts();
    let first_line = || started_with(directory.path()).1;
    let line = first_line();
    assert!(line.contains(" 3 verdict tables on http://"), "{line}");
    std::fs::copy(tables().join("KRvK.skm"), directory.path().join("KRvK.skm")).unwrap();
    let line = first_line();
    assert!(
        line.contains(" 1 table and 3 verdict tables on http://"),
        "{line}"
    );
}

/// The program on a free port, with its address and the rest of its log.
fn started() -> (Running, String, BufReader<std::process::ChildStderr>) {
    let (run, line, log) = started_with(tables());
    let address = line
        .split("http://")
        .nth(1)
        .unwrap()
        .split('/')
        .next()
        .unwrap()
        .to_string();
    (run, address, log)
}

#[cfg(unix)]
#[test]
fn sigterm_ends_it_after_what_runs() {
    let (mut run, address, mut log) = started();
    let mut stream = TcpStream::connect(&address).unwrap();
    let head = "GET /v1/line?fen=8/8/8/8/8/2k5/8/K6R_w HTTP/1.1\r\nHost: test\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(100));
    run.signal("TERM");
    std::thread::sleep(std::time::Duration::from_millis(100));
    stream.write_all(b"\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(
        text.starts_with("HTTP/1.1 200 OK") && text.contains("\"end\":\"checkmate\""),
        "{text}"
    );
    assert!(run.end().success());
    let mut lines = String::new();
    log.read_to_string(&mut lines).unwrap();
    assert!(
        lines.contains("GET /v1/line?fen=8/8/8/8/8/2k5/8/K6R_w 200 "),
        "{lines}"
    );
}
