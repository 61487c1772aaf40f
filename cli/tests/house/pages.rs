//! The pages' links, headings, paths and map.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The files below a folder, except build outputs.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !path.is_dir() {
            files.push(path);
        } else if !name.starts_with('.') && !["target", "node_modules", "data"].contains(&&*name) {
            files.extend(files_below(&path));
        }
    }
    files.sort();
    files
}

/// The pages for users, each with its path.
pub fn pages() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "python/README.md"]
        .iter()
        .map(|path| root().join(path))
        .collect();
    paths.extend(files_below(&root().join("docs")));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    let read = |path: PathBuf| (path.clone(), std::fs::read_to_string(path).unwrap());
    paths.into_iter().map(read).collect()
}

/// A page without its code blocks and texts in backquotes.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            let parts = line.split('`').step_by(2);
            prose += &parts.collect::<Vec<_>>().join("`");
            prose.push('\n');
        }
    }
    prose
}

/// The anchors of a page, as GitHub derives them from its headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut code = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        code ^= line.starts_with("```");
        if let (false, Some(heading)) = (code, line.strip_prefix('#')) {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            let anchor = heading.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                c => c.is_alphanumeric().then_some(c),
            });
            anchors.insert(anchor.collect());
        }
        for named in line.split("<a id=\"").skip(1) {
            anchors.insert(named.split('"').next().unwrap().to_string());
        }
    }
    anchors
}

/// The targets of a page's links and pictures.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let inline = prose
        .split("](")
        .skip(1)
        .map(|rest| rest.split([')', ' ']).next().unwrap().to_string());
    let mut links: Vec<String> = inline.collect();
    for attribute in ["src=\"", "srcset=\"", "href=\""] {
        let tags = prose.split(attribute).skip(1);
        links.extend(tags.map(|rest| rest.split('"').next().unwrap().to_string()));
    }
    links
}

#[test]
fn links_lead_somewhere() {
    let mut followed = 0;
    for (path, text) in pages() {
        for link in links(&text) {
            if link.contains("://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => path.clone(),
                file => path.parent().unwrap().join(file),
            };
            assert!(target.exists(), "{}: {link}", path.display());
            if !anchor.is_empty() {
                let text = std::fs::read_to_string(&target).unwrap();
                let found = anchors(&text).contains(anchor);
                assert!(found, "{}: no heading for {link}", path.display());
            }
            followed += 1;
        }
    }
    assert!(followed > 40, "{followed}");
}

/// The map links to every page.
#[test]
fn the_map_has_every_page() {
    let docs = root().join("docs");
    let map = std::fs::read_to_string(docs.join("README.md")).unwrap();
    let mapped: BTreeSet<PathBuf> = links(&map)
        .iter()
        .map(|link| docs.join(link.split('#').next().unwrap()))
        .collect();
    for (path, _) in pages() {
        let part = path
            .file_name()
            .unwrap()
            .to_string_lossy()
            .ends_with("preface.md");
        if path.starts_with(&docs) && path != docs.join("README.md") && !part {
            assert!(
                mapped.contains(&path),
                "docs/README.md lacks {}",
                path.display()
            );
        }
    }
}

/// Pages named in comments, scripts and settings exist.
#[test]
fn named_pages_exist() {
    let mut named = 0;
    for folder in [
        "src", "cli", "explorer", "play", "study", "tests", "tools", "capi", "cluster", "benches",
        "fuzz", "examples", ".ci",
    ] {
        for path in files_below(&root().join(folder)) {
            let Ok(text) = std::fs::read_to_string(&path) else {
                continue;
            };
            for rest in text.split("docs/").skip(1) {
                let of_a_path = |c: char| c.is_ascii_alphanumeric() || "/.-_".contains(c);
                let page = rest.split(|c| !of_a_path(c)).next().unwrap();
                let page = page.trim_end_matches('.');
                if [".md", ".csv", ".png", ".svg"]
                    .iter()
                    .any(|end| page.ends_with(end))
                {
                    let found = root().join("docs").join(page).exists();
                    assert!(found, "{}: docs/{page}", path.display());
                    named += 1;
                }
            }
        }
    }
    assert!(named > 20, "{named}");
}

/// After its title a page states its purpose, and soon shows a command.
#[test]
fn pages_begin_with_their_purpose_and_a_command() {
    for (path, text) in pages() {
        let name = path.file_name().unwrap().to_string_lossy();
        if name.ends_with("preface.md") {
            continue;
        }
        let mut lines = text.lines();
        let title = lines.next().unwrap();
        assert!(title.starts_with("# "), "{}: {title}", path.display());
        let purpose = lines.find(|line| !line.is_empty()).unwrap();
        let prose = !purpose.starts_with(['#', '|', '*', '!', '<']) && !purpose.starts_with("```");
        assert!(prose, "{}: {purpose}", path.display());
        let begin: String = text
            .lines()
            .take(30)
            .map(|line| format!("{line}\n"))
            .collect();
        let commands = [
            "```sh",
            "```console",
            "```text",
            "`sakmak ",
            "`cc ",
            "`cargo ",
        ];
        let shown = commands.iter().any(|command| begin.contains(command));
        assert!(shown, "{}: no command in its first lines", path.display());
    }
}
