//! `docs/atlas.md` shows what the program prints: its part on up to four men is made again here.

use std::path::Path;

use assert_cmd::Command;

const ATLAS: &str = include_str!("../docs/atlas.md");
const PREFACE: &str = include_str!("../docs/atlas-preface.md");

/// Where the part begins, and where what follows it does.
const BEGINS: &str = "## Endings of three and four men\n";
const ENDS: &str = "\n## ";

fn part(text: &str) -> &str {
    let start = text.find(BEGINS).expect("a part on up to four men");
    let rest = &text[start..];
    let end = rest[BEGINS.len()..].find(ENDS);
    rest[..end.map_or(rest.len(), |end| end + BEGINS.len())].trim_end()
}

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

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn four_men_are_as_the_program_prints_them() {
    let directory = tempfile::tempdir().unwrap();
    printed(directory.path(), &["generate", "all-4"]);
    let print = |format| printed(directory.path(), &["study", "all-4", "--format", format]);
    let markdown = print("md");
    let (shown, expected) = (part(ATLAS), part(&markdown));
    let different = shown.lines().zip(expected.lines()).find(|(a, b)| a != b);
    assert_eq!(different, None, "make docs/atlas.md again with tools/atlas");
    assert_eq!(shown.len(), expected.len());

    // Numbers of positions in the words at the top are among the figures.
    let csv = print("csv");
    for figure in figures().filter(|figure| figure.contains(',')) {
        let cell = format!(",{},", figure.replace(',', ""));
        assert!(csv.contains(&cell), "{figure}");
    }
}

/// The figures in the words at the top.
fn figures() -> impl Iterator<Item = &'static str> {
    let words = PREFACE.split(' ').filter(|word| !word.contains('/'));
    let figures = words.map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()));
    figures.filter(|figure| figure.contains(['.', ',']))
}

/// Shares and lengths in the words at the top are in the tables below.
#[test]
fn words_have_no_figures_of_their_own() {
    assert!(ATLAS.starts_with(PREFACE));
    let rest = &ATLAS[PREFACE.len()..];
    for share in figures().filter(|figure| figure.contains('.')) {
        assert!(rest.contains(&format!("| {share} |")), "{share}");
    }
    for (ending, longest) in [("KNMvK", 36), ("KSMvK", 57), ("KRvK", 16), ("KNNNvK", 21)] {
        let line = rest
            .lines()
            .find(|line| line.starts_with(&format!("| {ending} | white |")));
        let cells: Vec<&str> = line.unwrap().split(" | ").collect();
        assert_eq!(cells[3], longest.to_string(), "{ending}");
        assert!(PREFACE.contains(&format!(" {longest}")), "{ending}");
    }
}
