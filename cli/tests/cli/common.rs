//! The program, and tables generated once for all tests.

use std::path::Path;
use std::sync::OnceLock;
use std::time::Instant;

use assert_cmd::Command;
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::command::{self, program_with};
use crate::running::{PATIENCE, Running, STEP};

/// The tables of the tests: all endings of up to four men against a bare king, two endings of five
/// men from published studies, and one with men on both sides.
const SETS: [&str; 4] = ["bare-4", "KNNNvK", "KNMMvK", "KRvKN"];

/// The directory of tables that all tests read. Tests must not write to it.
pub fn tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    let directory = TABLES.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        let made = sakmak(directory.path()).arg("generate").args(SETS).output();
        assert!(made.unwrap().status.success());
        directory
    });
    directory.path()
}

/// A directory of endings with bia, all their subendings, and verdict tables. Only `sakmak study`
/// writes to it, to keep its findings.
pub fn bia_tables() -> &'static Path {
    static TABLES: OnceLock<TempDir> = OnceLock::new();
    let directory = TABLES.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        let sets = ["KSPvK", "KRPvK", "KMPvK", "KRvKP", "--verdicts"];
        let made = sakmak(directory.path()).arg("generate").args(sets).output();
        assert!(made.unwrap().status.success());
        directory
    });
    directory.path()
}

/// The program with this directory of tables.
pub fn sakmak(tables: &Path) -> Command {
    Command::from_std(program_with(tables))
}

/// The program, started by a line of shell that ends with `exec "$@"`.
#[cfg(unix)]
pub fn from_shell(line: &str) -> std::process::Command {
    let mut command = command::isolated(std::process::Command::new("sh"));
    command.args(["-c", line, "sh"]).arg(command::path());
    command
}

/// Waits until a condition holds while a program runs.
#[track_caller]
pub fn until(run: &Running, what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "waited too long for {what}");
        if let Some(status) = run.status() {
            // The condition may have become true just before the end.
            assert!(holds(), "the program has ended before {what}: {status}");
        }
        std::thread::sleep(STEP);
    }
}

/// A directory with copies of some of the tables.
pub fn copies(names: &[&str]) -> TempDir {
    let directory = TempDir::new().unwrap();
    for name in names {
        let file = format!("{name}.skm");
        std::fs::copy(tables().join(&file), directory.path().join(&file)).unwrap();
    }
    directory
}

/// A directory as it is quoted in commands that the program prints.
pub fn quoted(directory: &Path) -> String {
    let name = directory.to_str().unwrap();
    shlex::try_quote(name).unwrap().into_owned()
}

/// The result of a run: the exit code, standard output and standard error.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Runs the program to its end.
pub fn run<'a>(tables: &Path, args: impl IntoIterator<Item = &'a str>) -> Run {
    let output = sakmak(tables).args(args).output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program and parses its output as one JSON document.
pub fn json<'a>(tables: &Path, args: impl IntoIterator<Item = &'a str>) -> Json {
    let run = run(tables, args);
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

/// Asserts that a run failed with this exit code, printed nothing on standard output, and that its
/// last lines contain all of these texts: the fault, and perhaps the remedy.
#[track_caller]
pub fn assert_fails(tables: &Path, args: &[&str], code: i32, says: &[&str]) -> Run {
    let run = run(tables, args.iter().copied());
    assert_eq!(run.code, code, "{args:?}: {}", run.err);
    let mut lines = run.err.lines().rev();
    let mut last = lines.next().unwrap_or_default();
    let help = last.strip_prefix("help: ").unwrap_or_default();
    if !help.is_empty() {
        last = lines.next().unwrap_or_default();
    }
    assert!(last.starts_with("sakmak: "), "{args:?}: {}", run.err);
    for part in says {
        let said = last.contains(part) || help.contains(part);
        assert!(said, "{part:?} is not in {:?}", run.err);
    }
    assert!(!run.err.contains("panicked"), "{}", run.err);
    assert_eq!(run.out, "", "{args:?}");
    run
}
