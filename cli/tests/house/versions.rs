//! The version is defined in one place, and equals every copy that a format requires.

use std::process::Command;

use crate::pages::root;

#[test]
fn every_package_has_the_crates_version() {
    let version = env!("CARGO_PKG_VERSION");
    for (file, line) in [
        ("CITATION.cff", format!("version: {version}\n")),
        (
            "capi/include/sakmak.h",
            format!("#define SAKMAK_VERSION \"{version}\"\n"),
        ),
        (
            "explorer/web/npm/package.json",
            format!("\"version\": \"{version}\",\n"),
        ),
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(&line), "{file} lacks {line:?}");
    }
}

/// Before 1.0 each minor version may break programs that were linked to an older one.
#[test]
fn the_soname_changes_with_every_version_that_may_break_a_program() {
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("build");
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition", "2024", "-o"])
        .arg(&script)
        .arg(root().join("capi/build.rs"))
        .status();
    assert!(compiled.unwrap().success());
    for (version, soname) in [
        ("0.1.0", "libsakmak.so.0.1"),
        ("0.1.7", "libsakmak.so.0.1"),
        ("0.2.0", "libsakmak.so.0.2"),
        ("1.0.0", "libsakmak.so.1"),
        ("1.4.2", "libsakmak.so.1"),
    ] {
        let mut parts = version.split('.');
        let said = Command::new(&script)
            .env("CARGO_CFG_TARGET_OS", "linux")
            .env("CARGO_PKG_VERSION_MAJOR", parts.next().unwrap())
            .env("CARGO_PKG_VERSION_MINOR", parts.next().unwrap())
            .output();
        let said = String::from_utf8(said.unwrap().stdout).unwrap();
        let option = format!("-Wl,-soname,{soname}\n");
        assert!(said.contains(&option), "{version}: {said}");
    }
}

/// The public address, which only the workspace's settings have and the package of another registry.
#[test]
fn the_public_address_is_the_same_everywhere() {
    let address = env!("CARGO_PKG_REPOSITORY");
    let read = |file| std::fs::read_to_string(root().join(file)).unwrap();
    assert!(read("explorer/web/npm/README.md").contains(&format!("({address})")));
    let package = read("explorer/web/npm/package.json");
    assert!(package.contains(&format!("\"homepage\": \"{address}\"")));
    assert!(package.contains(&format!("\"git+{address}.git\"")));
}

/// A tag can be moved to other code; a commit cannot. The comment is the version that Dependabot updates.
#[test]
fn workflows_pin_every_action_by_commit_and_name_its_version() {
    let mut actions = 0;
    for file in std::fs::read_dir(root().join(".github/workflows")).unwrap() {
        let file = file.unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        for action in text.lines().filter_map(|line| line.split_once("uses: ")) {
            let (name, version) = action.1.split_once(" # ").unwrap_or((action.1, ""));
            let commit = name.split_once('@').map_or("", |(_, commit)| commit);
            let is_commit =
                commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(
                is_commit && !version.is_empty(),
                "{}: {}",
                file.display(),
                action.1
            );
            actions += 1;
        }
    }
    assert!(actions > 0);
}
