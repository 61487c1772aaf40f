//! Sentences: the library and the packages below the program do not know the command line.

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
