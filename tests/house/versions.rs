//! The version is defined in one place, and equals every copy that a format requires.

use crate::pages::root;

#[test]
fn every_package_has_the_crates_version() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("CITATION.cff", format!("version: {version}\n")),
        (
            "web/npm/package.json",
            format!("\"version\": \"{version}\",\n"),
        ),
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(&line), "{file} lacks {line:?}");
    }
}

/// The public address occurs only in the workspace's settings and in the package for another
/// registry.
#[test]
fn the_public_address_is_the_same_everywhere() {
    let address = env!("CARGO_PKG_REPOSITORY");
    let read = |file| std::fs::read_to_string(root().join(file)).unwrap();
    assert!(read("web/npm/README.md").contains(&format!("({address})")));
}
