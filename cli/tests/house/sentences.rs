//! Sentences and other texts: the library and the packages below the program do not know the command
//! line, and a FEN is text only where it is read and where it is written.

use std::fs;

use crate::layers::rust_files;
use crate::pages::root;

/// The part of a file before its tests, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = text.find("\n#[cfg(test)]\nmod ").unwrap_or(text.len());
    let lines = text[..end].lines().enumerate();
    lines.filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// An option of a command line in a line of code, such as `--rules`.
fn option(line: &str) -> Option<&str> {
    let starts = line.match_indices("--").map(|(at, _)| at);
    let options =
        starts.filter(|&at| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-'));
    let words = options.map(|at| {
        let word = &line[at..];
        let end = word[2..].find(|c: char| !c.is_ascii_lowercase() && c != '-');
        &word[..end.map_or(word.len(), |end| end + 2)]
    });
    // Style sheets have variables, such as `--p:`.
    let mut words = words.filter(|word| {
        word.len() > 3 && word.as_bytes()[2] != b'-' && !line.contains(&format!("{word}:"))
    });
    words.next()
}

#[test]
fn only_the_program_and_the_bindings_name_options() {
    let mut found = Vec::new();
    for package in ["src", "play/src", "study/src", "explorer/src"] {
        for path in rust_files(&root().join(package)) {
            let text = fs::read_to_string(&path).unwrap();
            let named = code(&text).filter_map(|(number, line)| {
                Some(format!(
                    "{}:{}: {}",
                    path.display(),
                    number + 1,
                    option(line)?
                ))
            });
            found.extend(named);
        }
    }
    assert_eq!(found, Vec::<String>::new());
}

/// The files that split a text by blanks, which is no FEN: UCI and its output, PGN, and words.
const WORDS: [&str; 8] = [
    "src/game/pgn/token.rs",
    "play/src/annotate/pgn.rs",
    "play/src/uci/command.rs",
    "play/src/uci/engine.rs",
    "play/src/uci/score.rs",
    "play/src/uci/session/from_engine.rs",
    "cli/src/find/puzzles.rs",
    "explorer/src/serve/words.rs",
];

/// True if a line of code splits a text by blanks, or cuts the counters of a FEN off.
fn splits_by_blanks(line: &str) -> bool {
    let by_blank = ["' '", "\" \"", "\" - "].map(|blank| line.contains(blank));
    let splits = ["split(", "splitn(", "split_once(", "trim_end_matches("];
    line.contains("split_whitespace(")
        || line.contains("split_ascii_whitespace(")
        || by_blank.contains(&true) && splits.iter().any(|split| line.contains(split))
}

#[test]
fn only_the_board_splits_a_fen() {
    let mut found = Vec::new();
    let packages = ["src", "play/src", "study/src", "explorer/src", "cli/src"];
    for package in packages.into_iter().chain(["capi/src", "python/src"]) {
        for path in rust_files(&root().join(package)) {
            let name = path.strip_prefix(root()).unwrap().display().to_string();
            let text = fs::read_to_string(&path).unwrap();
            let mut lines = code(&text).filter(|(_, line)| splits_by_blanks(line));
            match (lines.next(), WORDS.contains(&&*name)) {
                (Some((number, _)), false) => found.push(format!("{name}:{}", number + 1)),
                (None, true) => found.push(format!("{name}, which splits nothing")),
                _ => {}
            }
        }
    }
    assert_eq!(found, Vec::<String>::new());
    assert!(splits_by_blanks("record.fen.split(' ').nth(1)"));
    assert!(splits_by_blanks("fen.trim_end_matches(\" - - 0 1\")"));
    assert!(!splits_by_blanks("fen.replace(' ', \"_\")"));
}

#[test]
fn options_are_recognised() {
    assert_eq!(option("\"ask for --turn b\""), Some("--turn"));
    assert_eq!(option("\"`generate --force {table}`\""), Some("--force"));
    for line in [
        "a - -b",
        "style={ \"--p:\" (x) }",
        "\"----\"",
        "x--",
        "\"|---|---:|\"",
    ] {
        assert_eq!(option(line), None, "{line}");
    }
}
