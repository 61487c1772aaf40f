//! `docs/atlas.md` shows what the program prints: its part on up to four men is made again here.

use assert_cmd::Command;

const ATLAS: &str = include_str!("../docs/atlas.md");

/// Where the part begins, and where what follows it does.
const BEGINS: &str = "## Endings of three and four men\n";
const ENDS: &str = "\n## ";

fn part(text: &str) -> &str {
    let start = text
        .find(BEGINS)
        .expect("there is the part on up to four men");
    let rest = &text[start..];
    let end = rest[BEGINS.len()..].find(ENDS);
    rest[..end.map_or(rest.len(), |end| end + BEGINS.len())].trim_end()
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn the_part_of_the_atlas_on_up_to_four_men_is_what_the_program_prints() {
    let directory = tempfile::tempdir().unwrap();
    let printed = |args: &[&str]| {
        let output = Command::new(assert_cmd::cargo::cargo_bin("sakmak"))
            .args(args)
            .arg("--tables")
            .arg(directory.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    printed(&["generate", "all-4"]);
    let printed = printed(&["study", "all-4", "--format", "md"]);
    let (shown, expected) = (part(ATLAS), part(&printed));
    let different = shown.lines().zip(expected.lines()).find(|(a, b)| a != b);
    assert_eq!(different, None, "make docs/atlas.md again with tools/atlas");
    assert_eq!(shown.len(), expected.len());
}

/// The figures of the words at the top are not typed in: they are in the tables below or in what the
/// program has found.
#[test]
fn the_words_above_have_no_figures_of_their_own() {
    let preface = include_str!("../docs/atlas-preface.md");
    assert!(ATLAS.starts_with(preface));
    let rest = &ATLAS[preface.len()..];
    let figures = preface
        .split(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
        .map(|figure| figure.trim_matches(['.', ',']))
        .filter(|figure| figure.contains(['.', ',']));
    for figure in figures {
        assert!(rest.contains(figure), "{figure}");
    }
}
