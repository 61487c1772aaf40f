//! The README shows what the program prints.

use assert_cmd::Command;

const README: &str = include_str!("../README.md");

/// The lines of the first fenced block of this kind.
fn block(kind: &str) -> Vec<&'static str> {
    let mut lines = README
        .lines()
        .skip_while(|line| *line != format!("```{kind}"));
    lines.next().expect("the README has the block");
    lines.take_while(|line| *line != "```").collect()
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

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn the_first_command_prints_what_the_readme_shows() {
    let directory = tempfile::tempdir().unwrap();
    let output = Command::new(assert_cmd::cargo::cargo_bin("sakmak"))
        .args(["generate", "bare-4", "--tables"])
        .arg(directory.path())
        .output()
        .unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    let shown = block("text");
    assert_eq!(shown.len(), 15);
    assert!(
        printed.starts_with(&shown.join("\n")),
        "put this into README.md:\n{printed}"
    );
}
