//! The README shows what the program prints.

use std::path::Path;

use assert_cmd::Command;

const README: &str = include_str!("../README.md");

/// The lines of the first fenced block of this kind.
fn block(kind: &str) -> Vec<&'static str> {
    blocks(kind).swap_remove(0)
}

/// The lines of each fenced block of this kind.
fn blocks(kind: &str) -> Vec<Vec<&'static str>> {
    let fence = format!("```{kind}\n");
    let parts = README.split(&fence).skip(1);
    parts
        .map(|part| part.lines().take_while(|line| *line != "```").collect())
        .collect()
}

#[test]
fn there_are_two_commands_and_ci_runs_the_second() {
    let commands = [
        "cargo run --release -- generate bare-4",
        "cargo test --release",
    ];
    assert_eq!(block("sh"), commands);
    assert!(include_str!("../.ci/run").contains(commands[1]));
}

/// What the program prints to these arguments, with its tables in a directory.
fn printed(directory: &Path, args: &[&str]) -> String {
    let output = Command::new(assert_cmd::cargo::cargo_bin("sakmak"))
        .args(args)
        .arg("--tables")
        .arg(directory)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn assert_shown(shown: &[&str], printed: &str) {
    let same = printed.starts_with(&shown.join("\n"));
    assert!(same, "put this into README.md:\n{printed}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn the_first_command_prints_what_the_readme_shows() {
    let directory = tempfile::tempdir().unwrap();
    let printed = printed(directory.path(), &["generate", "bare-4"]);
    let shown = block("text");
    assert_eq!(shown.len(), 16);
    assert_shown(&shown, &printed);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn the_capture_that_comes_too_early_is_as_the_readme_shows_it() {
    let directory = tempfile::tempdir().unwrap();
    let shown = block("console");
    let fen = shown[1].split('"').nth(1).unwrap();
    assert_eq!(shown[0], "$ sakmak generate KRvKN");
    assert_eq!(shown[1], format!("$ sakmak probe \"{fen}\""));
    printed(directory.path(), &["generate", "KRvKN"]);
    assert_shown(&shown[2..], &printed(directory.path(), &["probe", fen]));
    let line = printed(directory.path(), &["line", fen]);
    for said in ["1. Kb3 ", "4. Rxd3+ ", "17. Rh3#"] {
        assert!(line.contains(said), "{line}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn listed_commands_can_be_typed() {
    let directory = tempfile::tempdir().unwrap();
    printed(directory.path(), &["generate", "bare-4"]);
    let lines = blocks("sh").swap_remove(1);
    assert!(lines.len() >= 8);
    for line in lines {
        let (command, comment) = line.split_once(" # ").unwrap();
        assert!(!comment.is_empty());
        let mut words: Vec<&str> = command.split('"').collect();
        let fen = (words.len() == 3).then(|| words.remove(1));
        let words = words.join(" ");
        let mut args: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(args.remove(0), "sakmak");
        args.extend(fen);
        // What takes long is only begun.
        match args[0] {
            "generate" => args.push("--plan"),
            "bench" => args.push("KSvK"),
            _ => {}
        }
        let output = Command::new(assert_cmd::cargo::cargo_bin("sakmak"))
            .args(&args)
            .arg("--tables")
            .arg(directory.path())
            .output()
            .unwrap();
        // Some tables of the larger sets are missing here.
        let expected = match args[0] {
            "verify" | "list" => 1,
            _ => 0,
        };
        assert_eq!(output.status.code(), Some(expected), "{line}: {output:?}");
    }
}
