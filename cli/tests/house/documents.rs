//! The README and the pages show what the program prints, and commands that it accepts.

use std::path::Path;

use crate::command::{program, program_with};
use crate::pages::{pages, root};

const README: &str = include_str!("../../../README.md");

/// The lines of the first fenced block of a language.
fn block(kind: &str) -> Vec<&'static str> {
    blocks(kind).swap_remove(0)
}

/// The lines of every fenced block of a language.
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
    assert!(include_str!("../../../.ci/run").contains(commands[1]));
}

/// The commands of a page: lines of shell blocks, and texts in backquotes.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let (mut shell, mut prose) = (None, String::new());
    for line in text.lines() {
        match (line.strip_prefix("```"), shell) {
            (Some(_), Some(_)) => shell = None,
            (Some(kind), None) => shell = Some(["sh", "console"].contains(&kind)),
            (None, Some(true)) => commands.push(line.trim_start_matches("$ ").to_string()),
            (None, Some(false)) => {}
            (None, None) => prose += &format!("{line} "),
        }
    }
    commands.extend(prose.split('`').skip(1).step_by(2).map(str::to_string));
    commands
}

/// True if the program is built with a command.
fn is_built(command: &str) -> bool {
    let is_of = |commands: &[&str]| commands.contains(&command);
    (cfg!(feature = "download") || !is_of(&["download"]))
        && (cfg!(feature = "serve") || !is_of(&["serve", "site"]))
}

/// The program accepts every `sakmak COMMAND …` of the pages, and every script and manifest that
/// they name exists.
#[test]
fn documented_commands_are_understood() {
    let root = root();
    let mut understood = 0;
    for (path, text) in pages() {
        for command in commands(&text) {
            let command = command.split(" #").next().unwrap();
            let Some(mut words) = shlex::split(command).filter(|words| !words.is_empty()) else {
                continue;
            };
            let first = words.remove(0);
            if first == "sakmak" && words.first().is_some_and(|command| is_built(command)) {
                let output = program().args(&words).arg("--help").output().unwrap();
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(
                    output.status.success(),
                    "{}: {command}: {said}",
                    path.display()
                );
                understood += 1;
            }
            let files = [first].into_iter().chain(words);
            for file in files.filter(|word| word.starts_with("tools/") || word.starts_with(".ci/"))
            {
                assert!(root.join(&file).exists(), "{}: {file}", path.display());
            }
        }
    }
    assert!(understood > 30, "{understood}");
}

#[test]
fn ways_name_files_that_exist() {
    let page = include_str!("../../../docs/develop/architecture.md");
    let (_, ways) = page.split_once("## Call paths").unwrap();
    let (ways, _) = ways.split_once("\n## ").unwrap();
    let blocks = ways.split("```text\n").skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    let mut named = 0;
    for line in lines {
        let file = line.split_whitespace().next().unwrap();
        let places = [root().join("src").join(file), root().join(file)];
        assert!(places.iter().any(|place| place.exists()), "{file}");
        named += 1;
    }
    assert!(named > 40, "{named}");
}

/// The part of the output of `sakmak bench` that does not depend on the machine.
#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn bench_prints_what_its_page_shows() {
    let page = include_str!("../../../docs/develop/performance.md");
    let shown = page.split("$ sakmak bench\n").nth(1).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let printed = printed(directory.path(), &["bench", "KSvK", "--runs", "1"]);
    let words = |text: &str| -> Vec<String> {
        let lines: Vec<&str> = text.lines().take(3).collect();
        let words = lines[0]
            .split([' ', ','])
            .chain(lines[2].split_whitespace());
        let machine = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        let other = ["avx2;", "avx512;", "portable;", "thread", "threads"];
        let other = |word: &str| other.contains(&word);
        words
            .filter(|word| !word.is_empty() && !machine(word) && !other(word))
            .map(str::to_string)
            .collect()
    };
    assert_eq!(
        words(shown),
        words(&printed),
        "put this into the page:\n{printed}"
    );
}

/// The output of the program for these arguments, with its tables in a directory.
fn printed(directory: &Path, args: &[&str]) -> String {
    let output = program_with(directory).args(args).output().unwrap();
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
    for said in ["1. Kb3 ", "4. Rxd3+\ncount: pieces' honor", "17. Rh3#"] {
        assert!(line.contains(said), "{line}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "too slow without --release")]
fn listed_commands_can_be_typed() {
    let directory = tempfile::tempdir().unwrap();
    printed(directory.path(), &["generate", "bare-4"]);
    let game = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/schemingmind-737440.pgn"
    );
    std::fs::copy(game, directory.path().join("game.pgn")).unwrap();
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
        // Commands that take long are only started.
        match args[0] {
            "generate" => args.push("--plan"),
            "bench" => args.push("KSvK"),
            _ => {}
        }
        let output = program_with(directory.path())
            .args(&args)
            .current_dir(directory.path())
            .output()
            .unwrap();
        // Some tables of the larger sets are missing here.
        let expected = match args[0] {
            "verify" | "list" | "annotate" => 1,
            _ => 0,
        };
        assert_eq!(output.status.code(), Some(expected), "{line}: {output:?}");
    }
}
