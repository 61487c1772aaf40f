//! The part of `docs/atlas/README.md` on up to four men is printed again and compared. The figures
//! of six men, whose tables are large, are compared with the published statistics.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::command::program_with;

const ATLAS: &str = include_str!("../../../docs/atlas/README.md");
const PREFACE: &str = include_str!("../../../docs/atlas/preface.md");
const SIX_MEN: &str = include_str!("../../../docs/atlas/six-men.md");
const SIX_MEN_PREFACE: &str = include_str!("../../../docs/atlas/six-men-preface.md");
const SIX_MEN_FIGURES: &str = include_str!("../../../docs/atlas/six-men.csv");
const PUBLISHED: &str = include_str!("../../../tables/published.json");

/// The heading of the part, and that of the part after it.
const BEGINS: &str = "## Endings of three and four men\n";
const ENDS: &str = "\n## ";

fn part(text: &str) -> &str {
    let start = text.find(BEGINS).expect("a part on up to four men");
    let rest = &text[start..];
    let end = rest[BEGINS.len()..].find(ENDS);
    rest[..end.map_or(rest.len(), |end| end + BEGINS.len())].trim_end()
}

fn printed(directory: &Path, args: &[&str]) -> String {
    let output = program_with(directory).args(args).output().unwrap();
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
    assert_eq!(
        different, None,
        "make docs/atlas/README.md again with tools/atlas"
    );
    assert_eq!(shown.len(), expected.len());

    // Numbers of positions in the preface are among the figures.
    let csv = print("csv");
    for figure in figures(PREFACE).filter(|figure| figure.contains(',')) {
        let cell = format!(",{},", figure.replace(',', ""));
        assert!(csv.contains(&cell), "{figure}");
    }
}

/// The figures in a text.
fn figures(words: &str) -> impl Iterator<Item = &str> {
    let words = words.split_whitespace().filter(|word| !word.contains('/'));
    let figures = words.map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()));
    figures.filter(|figure| figure.contains(['.', ',']))
}

/// Shares and lengths in the prefaces occur in the tables.
#[test]
fn words_have_no_figures_of_their_own() {
    assert!(ATLAS.starts_with(PREFACE));
    let rest = &ATLAS[PREFACE.len()..];
    for share in figures(PREFACE).filter(|figure| figure.contains('.')) {
        assert!(rest.contains(&format!("| {share} |")), "{share}");
    }
    assert!(SIX_MEN.starts_with(SIX_MEN_PREFACE));
    let tables = [&SIX_MEN[SIX_MEN_PREFACE.len()..], rest].concat();
    for share in figures(SIX_MEN_PREFACE).filter(|figure| figure.contains('.')) {
        assert!(tables.contains(&format!("| {share} |")), "{share}");
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

/// The number in a column; none if it is empty.
fn count(row: &BTreeMap<&str, &str>, column: &str) -> Option<u64> {
    row[column].parse().ok()
}

#[test]
fn six_men_have_the_published_statistics() {
    let mut lines = SIX_MEN_FIGURES.lines().map(|line| line.split(','));
    let columns: Vec<&str> = lines.next().unwrap().collect();
    let published: Value = serde_json::from_str(PUBLISHED).unwrap();
    let tables = published["tables"].as_object().unwrap();
    let mut seen = BTreeSet::new();
    for line in lines {
        let row: BTreeMap<&str, &str> = columns.iter().copied().zip(line).collect();
        let material = row["material"];
        assert_eq!(row["men"], "6", "{material}");
        let (winner, winner_moves) = (row["winner"], row["winner_to_move"] == "true");
        let (loser, turn) = match (winner, winner_moves) {
            ("white", true) => ("black", "white"),
            ("white", false) => ("black", "black"),
            (_, true) => ("white", "black"),
            (_, false) => ("white", "white"),
        };
        let mate = &tables[material]["statistics"][0];
        assert_eq!(mate["metric"], "dtm", "{material}");
        let counts = &mate[format!("{turn}_to_move")];
        for (column, published) in [
            ("legal", "legal".to_string()),
            ("drawn", "draws".to_string()),
            ("won", format!("{winner}_wins")),
            ("lost", format!("{loser}_wins")),
        ] {
            assert_eq!(count(&row, column), counts[&published].as_u64(), "{row:?}");
        }
        let (won, in_time) = (count(&row, "won"), count(&row, "in_time"));
        assert!(in_time <= won, "{row:?}");
        if row["metric"] == "dtm" {
            let longest = &counts[format!("longest_{winner}_win")];
            assert_eq!(count(&row, "longest"), longest.as_u64(), "{row:?}");
        }
        let rule = (row["rules"].to_string(), turn, winner);
        assert!(seen.insert((material.to_string(), rule)), "{row:?} twice");
        // The tables equal the file's figures.
        assert!(
            SIX_MEN.contains(&format!("\n| {material} | ")),
            "{material}"
        );
    }
    let shown: BTreeSet<&str> = seen.iter().map(|(material, _)| material.as_str()).collect();
    let of_six = |name: &&str| name.len() == "KRRRRvK".len();
    let expected: BTreeSet<&str> = tables.keys().map(String::as_str).filter(of_six).collect();
    assert_eq!(shown, expected);
}
