//! Names in the directory that something else has taken. A table that cannot be put in its place is
//! a failure, and what is there stays.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::host::{Act, Host};
use crate::tables::{assert_has, right, run, tables};

/// Something at a path that is not a table.
type Put = fn(&Path);

const TAKEN: [(&str, Put); 5] = [
    ("a link to nothing", |path| {
        symlink("/no/such/place", path).unwrap()
    }),
    ("a link to itself", |path| symlink(path, path).unwrap()),
    ("a directory", |path| fs::create_dir(path).unwrap()),
    ("a FIFO", |path| {
        let made = Command::new("mkfifo").arg(path).status().unwrap();
        assert!(made.success());
    }),
    ("a letter", |path| {
        fs::write(path, "Dear reader,\n".repeat(99)).unwrap()
    }),
];

#[test]
fn a_name_that_is_taken_is_a_failure_before_a_table_is_fetched() {
    for file in ["KRvK.skm", "KRvK.skv"] {
        for (what, put) in TAKEN {
            let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
            let path = directory.path().join(file);
            put(&path);
            let before = fs::symlink_metadata(&path).unwrap().file_type();
            let kind = if file.ends_with('v') {
                "--verdicts-only"
            } else {
                "--unpublished"
            };
            let refused = run(directory.path(), &host.url, &["KRvK", kind]);
            refused.fails(3, &[file]);
            assert!(
                !refused.out.contains("downloaded"),
                "{what}: {}",
                refused.out
            );
            assert_eq!(host.files(), ["manifest.json"], "{what}");
            assert_eq!(
                fs::symlink_metadata(&path).unwrap().file_type(),
                before,
                "{what}"
            );
        }
    }
}

#[test]
fn a_name_that_is_taken_while_the_table_arrives_is_a_failure() {
    for (what, put) in TAKEN {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("KRvK.skm");
        let place = path.clone();
        let host = Host::new(tables(), move |request| {
            if request.file == "KRvK.skm" {
                put(&place);
            }
            Act::Serve
        });
        let refused = run(directory.path(), &host.url, &["KRvK"]);
        refused.fails(
            3,
            &[
                "KRvK.skm",
                "another file has its name",
                "move the other file away",
            ],
        );
        assert!(
            !refused.out.contains("downloaded"),
            "{what}: {}",
            refused.out
        );
        // The table has arrived, so that the next run needs no request.
        let before = host.requests("KRvK.skm").len();
        match fs::symlink_metadata(&path).unwrap().is_dir() {
            true => fs::remove_dir(&path).unwrap(),
            false => fs::remove_file(&path).unwrap(),
        }
        run(directory.path(), &host.url, &["KRvK"]).succeeds();
        assert_has(directory.path(), &["KRvK.skm"]);
        assert_eq!(host.requests("KRvK.skm").len(), before, "{what}");
    }
}

#[test]
fn the_name_of_a_partly_downloaded_file_that_is_taken_is_a_failure() {
    for (what, put) in &TAKEN[..4] {
        let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
        put(&directory.path().join("KRvK.skm.part"));
        run(directory.path(), &host.url, &["KRvK"]).fails(3, &["KRvK.skm.part"]);
        assert!(!directory.path().join("KRvK.skm").exists(), "{what}");
        assert!(host.requests("KRvK.skm").is_empty(), "{what}");
    }
}

#[test]
fn a_link_to_a_table_is_a_table() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    let elsewhere = TempDir::new().unwrap();
    let real = elsewhere.path().join("x");
    fs::write(&real, right("KRvK.skm")).unwrap();
    symlink(&real, directory.path().join("KRvK.skm")).unwrap();
    run(directory.path(), &host.url, &["KRvK"]).succeeds();
    assert_eq!(host.files(), ["manifest.json"]);
}

#[test]
fn a_manifest_that_cannot_be_written_is_a_failure() {
    let (host, directory) = (Host::of(tables()), TempDir::new().unwrap());
    fs::create_dir(directory.path().join("manifest.json")).unwrap();
    run(directory.path(), &host.url, &["KRvK"]).fails(3, &["manifest.json"]);
    assert!(host.requests("KRvK.skm").is_empty());
}
