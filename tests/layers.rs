//! A module of the library uses only those below it, as `docs/architecture.md` lists them.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules line by line. A module may use those of lines above its own, itself, and, on the
/// first line, its neighbours.
const LINES: [&[&str]; 8] = [
    &[
        "board",
        "material",
        "simd",
        "remedy",
        "atomic_file",
        "regular_file",
    ],
    &["rules", "stats"],
    &["index", "game"],
    &["solve", "table"],
    &["generate", "probe", "published"],
    &["verify", "study", "explorer", "uci"],
    &["serve"],
    &["cli"],
];

/// The modules that there are only with the feature `make`.
const MAKE: [&str; 7] = [
    "atomic_file",
    "generate",
    "published",
    "solve",
    "verify",
    "study",
    "serve",
];

fn line_of(module: &str) -> usize {
    let line = LINES.iter().position(|line| line.contains(&module));
    line.unwrap_or_else(|| panic!("{module} is on no line"))
}

fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_path_buf()];
    }
    let entries = fs::read_dir(path).unwrap();
    entries
        .flat_map(|entry| files(&entry.unwrap().path()))
        .collect()
}

/// The modules named in paths that start from the crate, in code rather than documentation.
fn used(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code: Vec<&str> = code.collect();
    let code = code.join("\n");
    let mut used = Vec::new();
    for root in ["crate::", "sakmak::"] {
        for (at, _) in code.match_indices(root) {
            let rest = &code[at + root.len()..];
            let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_');
            used.push(rest[..end.unwrap_or(rest.len())].to_string());
        }
    }
    used
}

#[test]
fn modules_use_only_those_below_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(&src).unwrap() {
        let path = entry.unwrap().path();
        let module = path.file_stem().unwrap().to_str().unwrap().to_string();
        if ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let line = line_of(&module);
        for file in files(&path) {
            for other in used(&fs::read_to_string(&file).unwrap()) {
                let own = other == module || line == 0 && line_of(&other) == 0;
                assert!(
                    own || line_of(&other) < line,
                    "{} uses {other}",
                    file.strip_prefix(&src).unwrap().display()
                );
            }
        }
    }
}

/// The code of a file before its unit tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or(text)
}

#[test]
fn what_reads_tables_uses_nothing_of_what_makes_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let reading = LINES.iter().copied().flatten();
    for module in reading.filter(|module| !MAKE.contains(module) && **module != "cli") {
        let paths = [src.join(module), src.join(format!("{module}.rs"))];
        for file in paths
            .iter()
            .filter(|path| path.exists())
            .flat_map(|p| files(p))
        {
            let name = file.strip_prefix(&src).unwrap().display().to_string();
            let text = fs::read_to_string(&file).unwrap();
            for other in used(without_tests(&text)) {
                assert!(!MAKE.contains(&other.as_str()), "{name} uses {other}");
            }
        }
    }
}
